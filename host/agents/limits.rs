//! What a request may be before its body is looked at.

use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use tokio::time::timeout;

use super::refusal::Refusal;
use crate::catalogue::is_nested_within;

/// Largest body, in bytes.
const LARGEST: usize = 16 << 10;
/// Most levels of nesting.
const DEEPEST: usize = 16;
/// How long a body may take to arrive.
const READ_WITHIN: Duration = Duration::from_secs(5);

const JSON: &str = "application/json";

/// Reads the body of a request that comes from no page of another site.
///
/// # Errors
/// When it is too much, or no JSON.
pub(super) async fn read(request: Request, own_origin: &str) -> Result<Bytes, Refusal> {
    let (parts, body) = request.into_parts();
    check(&parts.headers, own_origin)?;
    let body = timeout(READ_WITHIN, whole(&parts.headers, body));
    let late = Refusal::new(StatusCode::REQUEST_TIMEOUT, "request_timeout", "The body took too long.");
    let body = body.await.unwrap_or(Err(late))?;
    if !is_nested_within(DEEPEST, &body) {
        let content = format!("The body has more than {DEEPEST} levels of nesting.");
        return Err(Refusal::invalid(content));
    }
    Ok(body)
}

fn check(headers: &HeaderMap, own_origin: &str) -> Result<(), Refusal> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    if text(header::ORIGIN).is_some_and(|origin| !origin.eq_ignore_ascii_case(own_origin)) {
        let content = "Pages of other sites may not ask this shop.";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "foreign_origin", content));
    }
    let kind = text(header::CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case(JSON) {
        let content = format!("`Content-Type` has to be {JSON}.");
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", content));
    }
    if text(header::CONTENT_ENCODING).is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
        let content = "Bodies may not be compressed.";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_encoding", content));
    }
    Ok(())
}

async fn whole(headers: &HeaderMap, body: Body) -> Result<Bytes, Refusal> {
    let too_large = || {
        let content = format!("The body has more than {LARGEST} bytes.");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", content)
    };
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > LARGEST as u64) {
        return Err(too_large());
    }
    to_bytes(body, LARGEST).await.map_err(|_| too_large())
}
