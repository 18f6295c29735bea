//! Answers, which are made once, cached and sent any number of times.

use std::ptr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use parking_lot::Mutex;

use super::key::Form;
use super::tags::Tags;
use crate::catalogue::Version;
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

/// Names what a page shows, for caches in front of the shop that can purge by it.
const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
pub(in crate::shop) const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// An answer, with the timing of its making for the log.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) answer: Answer,
    pub(crate) timing: Timing,
    /// The version of the catalogue that it was last made from, which it does not keep in memory.
    made_from: Mutex<Weak<Version>>,
}

/// The answer to a request.
#[derive(Debug)]
pub(crate) enum Answer {
    Page(PageAnswer),
    File(FileAnswer),
    Failure(Failure),
    /// An export that is too long for the cache (`exports.rs`), which its tag identifies.
    LongExport {
        tag: String,
    },
    /// The data limits the requested address, such as a page number beyond the last page, to this one.
    Limited(Address),
}

/// A page, as a document or as data.
#[derive(Debug)]
pub(crate) struct PageAnswer {
    pub(crate) form: Form,
    /// The page's canonical path and query.
    pub(crate) path: String,
    pub(crate) status: StatusCode,
    pub(crate) caching: Caching,
    /// Value of `X-Robots-Tag`, if it forbids something.
    pub(crate) robots: Option<&'static str>,
    /// Whether search engines may index the page. Other pages are rarely requested twice.
    pub(crate) is_indexable: bool,
    /// Whether it is a document without markup, which the browser renders.
    pub(crate) is_shell: bool,
    pub(crate) tags: Tags,
    pub(crate) body: Representation,
    /// Hash of everything that the body is made from.
    pub(crate) source: u128,
}

/// A file for crawlers and browsers.
#[derive(Debug)]
pub(crate) struct FileAnswer {
    pub(crate) body: Representation,
    /// How long clients and shared caches may use it.
    pub(crate) fresh: Duration,
}

/// A failure, with a text for people.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) body: Representation,
}

impl Made {
    pub(in crate::shop) fn new(answer: Answer, timing: Timing, made_from: Option<&Arc<Version>>) -> Self {
        let made_from = made_from.map(Arc::downgrade).unwrap_or_default();
        Self { answer, timing, made_from: Mutex::new(made_from) }
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
        if let Some(last) = last
            && let Answer::File(file) = &last.answer
            && file.body.is_of(&text)
        {
            last.note_made_from(made_from);
            return last;
        }
        let body = Representation::new(content_type, text);
        let answer = Answer::File(FileAnswer { body, fresh });
        Arc::new(Self::new(answer, Timing::of("file"), made_from))
    }

    /// A file whose text is the same for as long as the process runs.
    pub(in crate::shop) fn embedded_file(content_type: &'static str, text: String) -> Arc<Self> {
        let body = Representation::new(content_type, text).embedded();
        let answer = Answer::File(FileAnswer { body, fresh: ONE_HOUR });
        Arc::new(Self::new(answer, Timing::of("file"), None))
    }

    /// Whether it was made from this version of the catalogue.
    pub(in crate::shop) fn is_made_from(&self, version: &Arc<Version>) -> bool {
        ptr::eq(self.made_from.lock().as_ptr(), Arc::as_ptr(version))
    }

    /// Notes that this version of the catalogue gives the same answer.
    pub(in crate::shop) fn note_made_from(&self, version: Option<&Arc<Version>>) {
        *self.made_from.lock() = version.map(Arc::downgrade).unwrap_or_default();
    }

    /// A failure. `kind` is for the log.
    pub(crate) fn failure(
        kind: &'static str,
        status: StatusCode,
        content_type: &'static str,
        text: String,
    ) -> Self {
        let body = Representation::new(content_type, text);
        Self::new(Answer::Failure(Failure { status, body }), Timing::of(kind), None)
    }

    /// Approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let parts = match &self.answer {
            Answer::Page(page) => page.body.weight() + page.path.len() + page.tags.size(),
            Answer::File(file) => file.body.weight(),
            Answer::Failure(failure) => failure.body.weight(),
            Answer::Limited(address) => address.size(),
            Answer::LongExport { tag } => tag.len(),
        };
        size_of::<Self>() + parts
    }

    /// Whether it is cached for more than a burst of requests.
    pub(crate) fn is_stored(&self) -> bool {
        match &self.answer {
            Answer::Page(page) => page.is_whole(),
            Answer::File(_) | Answer::LongExport { .. } => true,
            Answer::Failure(_) | Answer::Limited(_) => false,
        }
    }

    /// Whether it is likely to be requested again.
    pub(crate) fn is_popular(&self) -> bool {
        match &self.answer {
            Answer::Page(page) => page.is_indexable,
            // Suggestions are fresh for a shorter time, and are rarely asked for twice.
            Answer::File(file) => file.fresh >= ONE_HOUR,
            Answer::Failure(_) | Answer::LongExport { .. } | Answer::Limited(_) => false,
        }
    }
}

impl Answer {
    /// The response to a request with these headers. `change` is the time until the content changes, if known.
    pub(crate) async fn respond(&self, request: &HeaderMap, change: Option<Duration>) -> Response {
        let (mut response, status) = match self {
            Self::Page(page) => {
                (page.body.answer(request, page.status, page.caching.until(change)).await, page.status)
            }
            Self::File(file) => {
                let caching = Caching::For(file.fresh).until(change);
                (file.body.answer(request, StatusCode::OK, caching).await, StatusCode::OK)
            }
            Self::Failure(Failure { status, body }) => {
                (body.answer(request, *status, Caching::Never).await, *status)
            }
            // `exports.rs` handles this case.
            Self::LongExport { .. } => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
            // `visit.rs` handles this case: it redirects, or answers with the limited address's page.
            Self::Limited(_) => return StatusCode::TEMPORARY_REDIRECT.into_response(),
        };
        let headers = response.headers_mut();
        if let Self::Page(PageAnswer { robots: Some(robots), .. }) = self {
            headers.insert(ROBOTS, HeaderValue::from_static(robots));
        }
        if let Self::Page(page) = self {
            headers.insert(CACHE_TAG, page.tags.header());
            let (name, build) = build_header();
            headers.insert(name, build);
            if page.form == Form::Document {
                let (name, rules) = RULES_HEADER;
                headers.insert(name, rules);
            }
        }
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}

impl PageAnswer {
    /// Whether the page is complete: it has all its data and its markup.
    pub(crate) fn is_whole(&self) -> bool {
        self.caching != Caching::Never && !self.is_shell
    }
}
