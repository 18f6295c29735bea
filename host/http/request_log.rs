//! The request log: one line per request, or a sample of them.
//!
//! Paths and query strings hold what shoppers search for. The line names the route instead, and how long
//! path and query are; the texts themselves are logged only if the operator asks for them.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use clap::ValueEnum;
use tracing::Instrument as _;
use tracing::field::{DisplayValue, display};

use super::answer_log::{AnswerLog, CACHE_STATUS, SERVER_TIMING};
use super::exchange::{Exchange, TurnedAway, is_own};
use crate::observe::request_id::{REQUEST_ID, given_id, request_id};
use crate::observe::requests::{Requests, Route};
use crate::observe::{Bounded, traces};

/// The log target of these lines, by which operators filter them.
const TARGET: &str = "vitrine::request_log";
/// An answer that takes longer is logged whatever the sampling.
const SLOW: Duration = Duration::from_millis(250);

/// Where requests are counted and logged.
#[derive(Debug)]
pub struct AccessLog {
    queries: LogQueries,
    /// One in this many ordinary requests is logged.
    sample: NonZeroU32,
    /// Ordinary requests so far.
    ordinary: AtomicU32,
    requests: Requests,
}

impl AccessLog {
    /// A log that has no lines yet.
    pub fn new(queries: LogQueries, sample: NonZeroU32) -> Self {
        Self { queries, sample, ordinary: AtomicU32::new(0), requests: Requests::default() }
    }

    /// The requests counted so far.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    pub(crate) fn queries(&self) -> LogQueries {
        self.queries
    }

    /// Whether the next ordinary request is logged: the first is, and then each `sample`th.
    fn is_sampled(&self) -> bool {
        let sample = self.sample.get();
        sample == 1 || self.ordinary.fetch_add(1, Ordering::Relaxed).is_multiple_of(sample)
    }
}

/// Whether the log may show the paths and query strings that were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogQueries {
    #[default]
    Off,
    /// The beginning of each.
    On,
}

impl LogQueries {
    /// The value of a log field for a path or query string; `None` leaves the field out.
    pub(crate) fn shown(self, text: &str) -> Option<DisplayValue<Bounded<&str>>> {
        (self == Self::On).then(|| display(Bounded(text)))
    }
}

/// Middleware that counts and logs each request when its response is ready, before the body is sent, and
/// adds the headers that say how it was answered.
pub(crate) async fn log_requests(
    State(access): State<Arc<AccessLog>>,
    request: Request,
    next: Next,
) -> Response {
    if is_own(&request) {
        return next.run(request).await;
    }
    let started = Instant::now();
    let method = name(request.method());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = access.requests.route(matched.as_ref().map(MatchedPath::as_str));
    let id = request_id();
    let given_id = given_id(request.headers()).map(str::to_owned);
    let uri = request.uri().clone();
    let span =
        traces::of_request(method, matched.as_ref().map_or("none", MatchedPath::as_str), request.headers());
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = started.elapsed();
    let exchange = Exchange::of_mut(&mut response);
    exchange.route = Some(Arc::clone(&route));
    let (answer, turned_away) = (exchange.answer, exchange.turned_away);
    if let Some(answer) = &answer {
        access.requests.count_answer(answer.cache());
        let headers = response.headers_mut();
        headers.insert(CACHE_STATUS, answer.cache_status());
        headers.insert(SERVER_TIMING, answer.server_timing(took));
    }
    let line = Line {
        method,
        uri: &uri,
        status: response.status(),
        route: &route,
        answer: answer.as_ref(),
        turned_away,
        id: &id,
        given_id: given_id.as_deref(),
        took,
    };
    line.count_and_log(&access);
    traces::answered(&span, line.status);
    if line.is_failure() {
        traces::failed(&span);
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Counts and logs a request that was answered with what another one got a moment ago.
pub(crate) fn log_repeated<B>(
    access: &AccessLog,
    request: &axum::http::Request<B>,
    status: StatusCode,
    route: &Arc<Route>,
    answer: &AnswerLog,
    id: &HeaderValue,
    started: Instant,
) {
    let line = Line {
        method: name(request.method()),
        uri: request.uri(),
        status,
        route,
        answer: Some(answer),
        turned_away: None,
        id,
        given_id: given_id(request.headers()),
        took: started.elapsed(),
    };
    line.count_and_log(access);
}

/// The content of a log line.
struct Line<'a> {
    method: &'static str,
    uri: &'a Uri,
    status: StatusCode,
    route: &'a Arc<Route>,
    answer: Option<&'a AnswerLog>,
    turned_away: Option<TurnedAway>,
    id: &'a HeaderValue,
    /// The id that the client or a proxy has given the request.
    given_id: Option<&'a str>,
    took: Duration,
}

impl Line<'_> {
    fn count_and_log(&self, access: &AccessLog) {
        if self.turned_away == Some(TurnedAway::Prefetch) {
            access.requests.refused_prefetches.increment();
        } else {
            self.route.count(self.status, self.took);
        }
        if !self.is_ordinary() || access.is_sampled() {
            self.write(access.queries);
        }
    }

    /// Whether the server failed its visitor.
    fn is_failure(&self) -> bool {
        self.status.is_server_error()
    }

    /// Whether only a sample of such lines is logged. Refused prefetches and visitors turned away are included, because
    /// there can be very many of them.
    fn is_ordinary(&self) -> bool {
        let is_good = self.status.as_u16() < 400 || self.turned_away.is_some();
        is_good && self.took < SLOW && !self.answer.is_some_and(|log| log.timing.shell)
    }

    fn write(&self, queries: LogQueries) {
        let Self { method, uri, status, route, answer, id, given_id, took, .. } = *self;
        let made = answer.filter(|log| log.age.is_zero()).map(|log| log.timing);
        let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
        tracing::info!(
            target: TARGET,
            method,
            route = route.name(),
            path_length = uri.path().len(),
            query_length = uri.query().map(str::len),
            path = queries.shown(uri.path()),
            query = uri.query().and_then(|query| queries.shown(query)),
            status = status.as_u16(),
            ms = milliseconds(took),
            page = answer.map(|log| log.timing.kind),
            cache = answer.map(AnswerLog::cache),
            catalogue_ms = made.map(|timing| milliseconds(timing.catalogue)),
            render_ms = made.and_then(|timing| timing.render).map(milliseconds),
            shell = answer.map(|log| log.timing.shell),
            id = id.to_str().ok(),
            given_id,
            "request"
        );
    }
}

/// The method's name; clients may invent methods of any length.
fn name(method: &Method) -> &'static str {
    let known = [
        (Method::GET, "GET"),
        (Method::HEAD, "HEAD"),
        (Method::POST, "POST"),
        (Method::PUT, "PUT"),
        (Method::DELETE, "DELETE"),
        (Method::OPTIONS, "OPTIONS"),
        (Method::PATCH, "PATCH"),
        (Method::TRACE, "TRACE"),
        (Method::CONNECT, "CONNECT"),
    ];
    known.iter().find(|(known, _)| known == method).map_or("other", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_many_ordinary_requests_is_logged() {
        let access = AccessLog::new(LogQueries::Off, NonZeroU32::new(3).unwrap());
        let sampled: Vec<bool> = (0..6).map(|_| access.is_sampled()).collect();
        assert_eq!(sampled, [true, false, false, true, false, false]);
    }
}
