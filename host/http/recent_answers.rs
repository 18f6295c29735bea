//! Complete answers of the last second. When many visitors ask for a page at once, they get the bytes and
//! headers that the router gave a moment ago, without asking it again.
//!
//! The key consists of everything in a request that can change its answer; a request that does not fit into
//! a key goes to the router. So an answer from here differs from the router's own only in the headers
//! that say how it was answered: the request's id, `Cache-Status` and `Server-Timing`. Every
//! second the router is asked again, which refreshes pages and counts how popular they are.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use memchr::memmem::find;
use parking_lot::Mutex;

use super::answer_log::{AnswerLog, CACHE_STATUS, REPEATED_TIMING, SERVER_TIMING};
use super::dictionary::AVAILABLE;
use super::exchange::{Exchange, Repeatable, Sent};
use super::request_limits::{has_too_many_headers, is_plain_host};
use super::request_log::{AccessLog, log_repeated};
use crate::observe::counters::Counter;
use crate::observe::request_id::{REQUEST_ID, request_id};
use crate::observe::requests::Route;

/// Longest time for which an answer is repeated.
pub(crate) const REPEATED_FOR: Duration = Duration::from_secs(1);
/// Number of answers that are remembered. Each takes about two kilobytes, because bodies are not kept.
const PLACES: usize = 512;
/// Who accepts Markdown may get another answer.
const MARKDOWN: &[u8] = b"markdown";
/// Longest key, in bytes. Requests with longer ones are rarely sent twice.
const LONGEST_KEY: usize = 1_024;

/// A path that shows several pages in rotation, one for each visit.
#[derive(Clone, Debug)]
pub(crate) struct Rotation {
    pub(crate) path: &'static str,
    /// How many pages there are.
    pub(crate) pages: u64,
    /// Visits so far. The next one gets the page with this number, modulo the number of pages.
    pub(crate) visits: Arc<AtomicU64>,
}

/// Answers that were given a moment ago. An answer is forgotten when another one needs its place.
#[derive(Debug)]
pub struct RecentAnswers {
    places: Box<[Mutex<Option<Arc<Recent>>>]>,
    hasher: RandomState,
    /// How often all answers were forgotten.
    forgotten: AtomicU64,
    turns: Rotation,
    access: Arc<AccessLog>,
    /// Requests that were answered from here.
    pub repeated: Counter,
}

/// Everything in a request that can change its answer.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key<T> {
    target: T,
    encodings: T,
    /// `Available-Dictionary`
    dictionary: T,
    /// `If-None-Match`
    condition: T,
    turn: u64,
}

/// A request's key, kept until the router has answered.
#[derive(Debug)]
pub(crate) struct Asked {
    key: Key<Box<[u8]>>,
    /// How often all answers had been forgotten when the request came.
    forgotten: u64,
}

/// An answer, except for its body.
#[derive(Debug)]
struct Recent {
    key: Key<Box<[u8]>>,
    until: Instant,
    status: StatusCode,
    headers: HeaderMap,
    sent: Sent,
    log: AnswerLog,
    route: Arc<Route>,
}

impl RecentAnswers {
    pub(crate) fn new(turns: Rotation, access: Arc<AccessLog>) -> Self {
        let places = (0..PLACES).map(|_| Mutex::default()).collect();
        Self {
            places,
            hasher: RandomState::new(),
            forgotten: AtomicU64::default(),
            turns,
            access,
            repeated: Counter::default(),
        }
    }

    /// The answer to a request, if the same request was answered a moment ago.
    pub(crate) fn answer<B: HttpBody>(&self, request: &Request<B>) -> Option<Response<Bytes>> {
        let key = self.key(request)?;
        let now = Instant::now();
        let recent = {
            // Rarely does another connection use the same place; this one asks the router instead of waiting.
            let place = self.place(&key).try_lock()?;
            Arc::clone(place.as_ref().filter(|recent| recent.answers(&key, now))?)
        };
        // A body or variant that is gone was evicted, or replaced by a newer body or a smaller variant.
        let variants = recent.sent.variants.upgrade()?;
        let body = if recent.status == StatusCode::NOT_MODIFIED {
            Bytes::new()
        } else {
            variants.get(recent.sent.variant)?
        };
        if self.takes_turns(request.uri().path()) {
            self.turns.visits.fetch_add(1, Ordering::Relaxed);
        }
        self.repeated.increment();
        let id = request_id();
        log_repeated(&self.access, request, recent.status, &recent.route, &recent.log, &id, now);
        let mut response = Response::new(body);
        *response.status_mut() = recent.status;
        *response.headers_mut() = recent.headers.clone();
        // Takes the place of the first request's id, so the headers do not grow.
        response.headers_mut().insert(REQUEST_ID, id);
        Some(response)
    }

    /// The key under which to [`Self::remember`] the answer to this request, if it has one.
    pub(crate) fn asked<B: HttpBody>(&self, request: &Request<B>) -> Option<Asked> {
        let Key { target, encodings, dictionary, condition, turn } = self.key(request)?;
        let key = Key {
            target: target.into(),
            encodings: encodings.into(),
            dictionary: dictionary.into(),
            condition: condition.into(),
            turn,
        };
        Some(Asked { key, forgotten: self.forgotten.load(Ordering::SeqCst) })
    }

    /// Remembers the router's answer, if it may be repeated, unless all answers were forgotten since the request.
    pub(crate) fn remember<B>(&self, Asked { mut key, forgotten }: Asked, response: &Response<B>) {
        let Some(Exchange {
            repeatable: Some(Repeatable { until, turn }),
            sent: Some(sent),
            answer: Some(log),
            route: Some(route),
            ..
        }) = Exchange::of(response)
        else {
            return;
        };
        if !matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED) {
            return;
        }
        // Other visits may have moved the rotation on since the request came.
        key.turn = *turn;
        let log = log.repeated();
        let mut headers = response.headers().clone();
        headers.insert(CACHE_STATUS, log.cache_status());
        headers.insert(SERVER_TIMING, REPEATED_TIMING);
        let mut place = self.place(&key.borrowed()).lock();
        if self.forgotten.load(Ordering::SeqCst) != forgotten {
            return;
        }
        let recent = Some(Arc::new(Recent {
            key,
            until: *until,
            status: response.status(),
            headers,
            sent: sent.clone(),
            log,
            route: Arc::clone(route),
        }));
        *place = recent;
    }

    /// Forgets every answer.
    pub(crate) fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.places.iter().for_each(|place| *place.lock() = None);
    }

    fn place(&self, key: &Key<&[u8]>) -> &Mutex<Option<Arc<Recent>>> {
        // The remainder is less than the number of places.
        &self.places[(self.hasher.hash_one(key) % PLACES as u64) as usize]
    }

    fn takes_turns(&self, path: &str) -> bool {
        path == self.turns.path
    }

    /// The key of a request, unless only the router knows its answer.
    fn key<'a, B: HttpBody>(&self, request: &'a Request<B>) -> Option<Key<&'a [u8]>> {
        let (uri, headers) = (request.uri(), request.headers());
        if request.method() != Method::GET || uri.authority().is_some() || !request.body().is_end_stream() {
            return None;
        }
        let target = uri.path_and_query()?.as_str();
        let host = only(headers, &header::HOST)?;
        if !target.starts_with('/') || !is_plain_host(host) || has_too_many_headers(headers) {
            return None;
        }
        if headers.get_all(header::ACCEPT).iter().any(|accept| find(accept.as_bytes(), MARKDOWN).is_some()) {
            return None;
        }
        let encodings = only(headers, &header::ACCEPT_ENCODING)?;
        let dictionary = only(headers, &AVAILABLE)?;
        let condition = only(headers, &header::IF_NONE_MATCH)?;
        // If there are tags, the date does not count (RFC 9110, section 13.2.2).
        if condition.is_empty() && headers.contains_key(header::IF_MODIFIED_SINCE) {
            return None;
        }
        if target.len() + encodings.len() + dictionary.len() + condition.len() > LONGEST_KEY {
            return None;
        }
        let visits = || self.turns.visits.load(Ordering::Relaxed) % self.turns.pages;
        let turn = if self.takes_turns(uri.path()) { visits() } else { 0 };
        Some(Key { target: target.as_bytes(), encodings, dictionary, condition, turn })
    }
}

impl Recent {
    fn answers(&self, key: &Key<&[u8]>, now: Instant) -> bool {
        now < self.until && self.key.borrowed() == *key
    }
}

impl Key<Box<[u8]>> {
    fn borrowed(&self) -> Key<&[u8]> {
        let Self { target, encodings, dictionary, condition, turn } = self;
        Key { target, encodings, dictionary, condition, turn: *turn }
    }
}

/// The value of a header that is sent at most once; empty without the header. `None` if the header is sent more
/// often, or is empty, which may mean something other than its absence.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a [u8]> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Some(b""),
        (Some(value), None) if !value.is_empty() => Some(value.as_bytes()),
        _ => None,
    }
}
