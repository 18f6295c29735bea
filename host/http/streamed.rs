//! Answers with a body that is made while it is sent. Its tag comes from the data that the body is made from.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};

use super::caching::Caching;
use super::compression::Encoding;
use super::variants::{Grade, Variant, entity_tag};

/// A body that is not made yet.
#[derive(Clone, Debug)]
pub(crate) struct Streamed {
    pub(crate) content_type: &'static str,
    /// A text that identifies the content, without quotes.
    pub(crate) tag: String,
    pub(crate) caching: Caching,
    /// What the client is sent it in.
    pub(crate) coding: Option<Encoding>,
}

impl Streamed {
    /// The answer to a client that has the body already; `None` if it does not.
    pub(crate) fn unchanged(&self, request: &HeaderMap) -> Option<Response> {
        let condition: IfNoneMatch = request.typed_get()?;
        let is_known = !condition.precondition_passes(&self.entity_tag()?);
        is_known.then(|| self.with_headers(StatusCode::NOT_MODIFIED.into_response()))
    }

    /// The answer with the body.
    pub(crate) fn whole(&self, body: Body) -> Response {
        let mut response = self.with_headers(body.into_response());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if let Some(coding) = self.coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
        response
    }

    fn entity_tag(&self) -> Option<ETag> {
        let coded = |coding| Variant::Coded(coding, Grade::First);
        entity_tag(&self.tag, self.coding.map_or(Variant::Identity, coded))
    }

    fn with_headers(&self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, self.caching.header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(tag) = self.entity_tag() {
            headers.typed_insert(tag);
        }
        response
    }
}
