//! Answers with a body that is made while it is sent. Its tag comes from the data that the body is made from.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use headers::{HeaderMapExt as _, IfNoneMatch};

use super::caching::Caching;
use super::compression::{Accepted, Encoding};
use super::variants::{Grade, Variant, entity_tag};

/// A body that is not made yet.
#[derive(Clone, Debug)]
pub(crate) struct Streamed {
    pub(crate) content_type: &'static str,
    /// A text that identifies its bytes, without quotes.
    pub(crate) tag: String,
    pub(crate) caching: Caching,
}

impl Streamed {
    /// The first of these codings that a client takes.
    pub(crate) fn coding(
        request: &HeaderMap,
        codings: impl IntoIterator<Item = Encoding>,
    ) -> Option<Encoding> {
        Accepted::by(request).first(codings)
    }

    /// The answer to a client that has the body already; `None` if it does not.
    pub(crate) fn unchanged(&self, request: &HeaderMap) -> Option<Response> {
        let condition: IfNoneMatch = request.typed_get()?;
        let mut sendable = Variant::sendable(Accepted::by(request), true);
        let known = sendable.find(|variant| {
            entity_tag(&self.tag, *variant).is_some_and(|tag| !condition.precondition_passes(&tag))
        })?;
        Some(self.with_headers(StatusCode::NOT_MODIFIED.into_response(), known))
    }

    /// The answer with the body in this coding.
    pub(crate) fn whole(&self, coding: Option<Encoding>, body: Body) -> Response {
        let variant = coding.map_or(Variant::Identity, |coding| Variant::Coded(coding, Grade::First));
        let mut response = self.with_headers(body.into_response(), variant);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
        response
    }

    fn with_headers(&self, mut response: Response, variant: Variant) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, self.caching.header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(tag) = entity_tag(&self.tag, variant) {
            headers.typed_insert(tag);
        }
        response
    }
}
