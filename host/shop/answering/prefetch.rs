//! Prefetches: documents that a browser asks for because its visitor may do so soon. They are served last.
//!
//! A cached page costs nothing and is sent. A page that has to be made first is made only while an isolate is
//! free, and one for all prefetches at a time. This is decided before the page is made: a visitor who asks for
//! the same page meanwhile waits for the same render, which must then not be refused.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::http::caching::Caching;
use crate::http::exchange::{Exchange, TurnedAway};
use crate::shop::making::answer::RETRY_AFTER;

const SEC_PURPOSE: HeaderName = HeaderName::from_static("sec-purpose");

/// How many pages are made for prefetches at a time.
const PLACES: usize = 1;

/// The places of pages that are made for prefetches.
#[derive(Debug)]
pub(in crate::shop) struct Prefetches(Semaphore);

impl Default for Prefetches {
    fn default() -> Self {
        Self(Semaphore::new(PLACES))
    }
}

/// Whether a request may be answered.
pub(in crate::shop) enum Admission<'a> {
    Answered,
    /// The page is made for it; the place is free again when this is dropped.
    Made {
        _place: SemaphorePermit<'a>,
    },
    Refused,
}

impl Prefetches {
    /// Decides about a request: `is_ready` tells whether its answer costs nothing, `is_quiet` whether a page can
    /// be made without keeping anybody waiting.
    pub(in crate::shop) fn admit(
        &self,
        request: &HeaderMap,
        is_ready: impl FnOnce() -> bool,
        is_quiet: impl FnOnce() -> bool,
    ) -> Admission<'_> {
        if !is_prefetch(request) || is_ready() {
            return Admission::Answered;
        }
        let place = if is_quiet() { self.0.try_acquire().ok() } else { None };
        place.map_or(Admission::Refused, |place| Admission::Made { _place: place })
    }
}

/// Whether a browser asks ahead of its visitor: `prefetch`, perhaps with parameters such as `;prerender`.
fn is_prefetch(request: &HeaderMap) -> bool {
    request.get_all(SEC_PURPOSE).iter().any(|value| {
        let purpose = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
        purpose.trim_ascii().eq_ignore_ascii_case(b"prefetch")
    })
}

/// The answer to a prefetch that is refused. Browsers drop answers without success, and ask again when the visitor
/// clicks. It is no 5xx, because nothing failed. It is no 204, because a browser would then stay where it is.
pub(in crate::shop) fn refusal() -> Response {
    let headers = [
        (header::CACHE_CONTROL, Caching::Never.header()),
        (header::RETRY_AFTER, RETRY_AFTER),
        (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
    ];
    let text = "This page is made when somebody asks for it.";
    let mut response = (StatusCode::TOO_MANY_REQUESTS, headers, text).into_response();
    Exchange::of_mut(&mut response).turned_away = Some(TurnedAway::Prefetch);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefetch_says_so_with_or_without_parameters() {
        for (value, expected) in [
            ("prefetch", true),
            ("prefetch;prerender", true),
            ("prefetch ; anonymous-client-ip", true),
            ("Prefetch", true),
            ("prefetcher", false),
            ("prerender;prefetch", false),
            ("", false),
        ] {
            let request = HeaderMap::from_iter([(SEC_PURPOSE, HeaderValue::from_static(value))]);
            assert_eq!(is_prefetch(&request), expected, "{value:?}");
        }
        assert!(!is_prefetch(&HeaderMap::new()));
    }
}
