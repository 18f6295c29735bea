//! Answers, which are made once, cached and sent any number of times.

use std::ptr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use parking_lot::Mutex;

use super::key::Form;
use super::tags::Tags;
use crate::catalogue::Version;
use crate::document::ScreenKind;
use crate::document::service_worker::build_header;
use crate::document::speculation_rules::RULES_HEADER;
use crate::http::answer_log::Timing;
use crate::http::caching::Caching;
use crate::http::representation::Representation;
use crate::pages::address::Address;

/// `Retry-After` of a 503, in seconds.
pub(crate) const RETRY_AFTER: HeaderValue = HeaderValue::from_static("10");

/// How long clients and shared caches may use a file.
pub(in crate::shop) const ONE_HOUR: Duration = Duration::from_secs(3_600);

const PLAIN: &str = "text/plain; charset=utf-8";
/// Names what a page shows, for caches in front of the shop that can purge by it.
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
pub(in crate::shop) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// An answer, with the timing of its making for the log.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) kind: Kind,
    pub(crate) status: StatusCode,
    /// `Never` where a page is incomplete or has failed.
    pub(crate) caching: Caching,
    pub(crate) body: Representation,
    pub(crate) timing: Timing,
    /// The version of the catalogue that it was last made from, which it does not keep in memory.
    made_from: Mutex<Weak<Version>>,
}

/// The kinds of answer.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A page, as a document or as data.
    Page(PageAnswer),
    /// A file for crawlers and browsers, or a failure with a text for people.
    Text,
    /// An export that is too long for the cache, which its tag identifies. `exports.rs` answers with it.
    LongExport { tag: String },
    /// The data limits the requested address, such as a page number beyond the last page, to this one. `visit.rs`
    /// redirects to it, or answers with its page.
    Limited(Address),
}

/// What only the answer with a page has.
#[derive(Debug)]
pub(crate) struct PageAnswer {
    pub(crate) form: Form,
    /// Decides what its document may carry.
    pub(crate) screen: ScreenKind,
    /// The page's canonical path and query.
    pub(crate) path: String,
    /// Value of `X-Robots-Tag`, if it forbids something.
    pub(crate) robots: Option<&'static str>,
    /// Whether search engines may index the page. Other pages are rarely requested twice.
    pub(crate) is_indexable: bool,
    pub(crate) tags: Tags,
    /// Hash of everything that the body is made from.
    pub(crate) source: u128,
}

impl Made {
    pub(in crate::shop) fn new(
        kind: Kind,
        status: StatusCode,
        caching: Caching,
        body: Representation,
        timing: Timing,
        made_from: Option<&Arc<Version>>,
    ) -> Self {
        let made_from = Mutex::new(made_from.map(Arc::downgrade).unwrap_or_default());
        Self { kind, status, caching, body, timing, made_from }
    }

    /// The answer to the page of an address that the data limits to this one.
    pub(in crate::shop) fn limited(to: Address, timing: Timing) -> Self {
        let (status, body) = (StatusCode::TEMPORARY_REDIRECT, Representation::new(PLAIN, ""));
        Self::new(Kind::Limited(to), status, Caching::Never, body, timing, None)
    }

    /// An export that is too long for the cache.
    pub(in crate::shop) fn long_export(tag: String, made_from: &Arc<Version>) -> Self {
        let (status, body) = (StatusCode::SERVICE_UNAVAILABLE, Representation::new(PLAIN, ""));
        let (kind, timing) = (Kind::LongExport { tag }, Timing::of("file"));
        Self::new(kind, status, Caching::Revalidated, body, timing, Some(made_from))
    }

    /// A file that may be used for `fresh`: `last`, with its date and compressed variants, if that has the same text.
    pub(in crate::shop) fn file(
        content_type: &'static str,
        text: impl Into<Vec<u8>>,
        fresh: Duration,
        made_from: Option<&Arc<Version>>,
        last: Option<Arc<Self>>,
    ) -> Arc<Self> {
        let text = text.into();
        if let Some(last) = last.filter(|last| matches!(last.kind, Kind::Text) && last.body.is_of(&text)) {
            last.note_made_from(made_from);
            return last;
        }
        let (caching, body) = (Caching::For(fresh), Representation::new(content_type, text));
        Arc::new(Self::new(Kind::Text, StatusCode::OK, caching, body, Timing::of("file"), made_from))
    }

    /// A file whose text is the same for as long as the process runs.
    pub(in crate::shop) fn embedded_file(content_type: &'static str, text: String) -> Arc<Self> {
        let (caching, body) = (Caching::For(ONE_HOUR), Representation::new(content_type, text).embedded());
        Arc::new(Self::new(Kind::Text, StatusCode::OK, caching, body, Timing::of("file"), None))
    }

    /// A failure. `kind` is for the log.
    pub(crate) fn failure(
        kind: &'static str,
        status: StatusCode,
        content_type: &'static str,
        text: String,
    ) -> Self {
        let body = Representation::new(content_type, text);
        Self::new(Kind::Text, status, Caching::Never, body, Timing::of(kind), None)
    }

    /// Whether it was made from this version of the catalogue.
    pub(in crate::shop) fn is_made_from(&self, version: &Arc<Version>) -> bool {
        ptr::eq(self.made_from.lock().as_ptr(), Arc::as_ptr(version))
    }

    /// Notes that this version of the catalogue gives the same answer.
    pub(in crate::shop) fn note_made_from(&self, version: Option<&Arc<Version>>) {
        *self.made_from.lock() = version.map(Arc::downgrade).unwrap_or_default();
    }

    /// Approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let parts = match &self.kind {
            Kind::Page(page) => page.path.len() + page.tags.size(),
            Kind::Text => 0,
            Kind::LongExport { tag } => tag.len(),
            Kind::Limited(address) => address.size(),
        };
        size_of::<Self>() + self.body.weight() + parts
    }

    /// Whether it is cached for more than a burst of requests. A page is then complete: it has all its data and its
    /// markup.
    pub(crate) fn is_stored(&self) -> bool {
        self.caching != Caching::Never
    }

    /// Whether it is likely to be requested again.
    pub(crate) fn is_popular(&self) -> bool {
        match &self.kind {
            Kind::Page(page) => page.is_indexable,
            // Suggestions are fresh for a shorter time, and are rarely asked for twice.
            _ => matches!(self.caching, Caching::For(fresh) if fresh >= ONE_HOUR),
        }
    }

    /// The response to a request with these headers. `change` is the time until the content changes, if known.
    pub(crate) async fn respond(&self, request: &HeaderMap, change: Option<Duration>) -> Response {
        let mut response = self.body.answer(request, self.status, self.caching.until(change)).await;
        let headers = response.headers_mut();
        if let Kind::Page(page) = &self.kind {
            if let Some(robots) = page.robots {
                headers.insert(ROBOTS, HeaderValue::from_static(robots));
            }
            headers.insert(CACHE_TAG, page.tags.header());
            let (name, build) = build_header();
            headers.insert(name, build);
            if page.form == Form::Document {
                let (name, rules) = RULES_HEADER;
                headers.insert(name, rules);
            }
        }
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        if let Kind::Page(page) = &self.kind
            && page.form == Form::Document
        {
            response.extensions_mut().insert(page.screen);
        }
        response
    }
}
