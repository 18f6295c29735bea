//! Why a call is not answered.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

/// When a caller may ask again, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");

/// The answer to a call that is refused.
#[derive(Debug, Serialize)]
pub(super) struct Refusal {
    #[serde(skip)]
    pub(super) status: StatusCode,
    pub(super) code: &'static str,
    pub(super) content: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, content: impl Into<String>) -> Self {
        Self { status, code, content: content.into() }
    }

    /// The request is not what the call takes.
    pub(super) fn invalid(content: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", content)
    }

    /// The request asks for too much at once.
    pub(super) fn too_large(content: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request_too_large", content)
    }

    /// A later call may be answered.
    pub(super) fn unavailable(code: &'static str, content: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, content)
    }

    /// More is asked than there are places for.
    pub(super) fn busy() -> Self {
        Self::unavailable("busy", "Too many calls wait at the moment.")
    }

    /// Whether more ids were sent than a call takes.
    pub(super) fn is_too_large(&self) -> bool {
        self.code == "request_too_large"
    }

    /// Adds to a response what callers need to know of this refusal.
    pub(super) fn mark(&self, response: &mut Response) {
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
    }

    pub(super) fn respond(&self) -> Response {
        let mut response = axum::Json(self).into_response();
        self.mark(&mut response);
        response
    }
}
