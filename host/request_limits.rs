//! What a request may look like before anything else looks at it.

use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Bytes of path and query together.
const TARGET_BYTES: usize = 8 << 10;
/// Bytes that a request's body may announce. No page reads one.
const BODY_BYTES: u64 = 64 << 10;
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD");

/// Refuses what no page could answer sensibly, and ends connections that may hold what is no request.
pub async fn limit_requests(request: Request, next: Next) -> Response {
    // Nobody reads a body, or enters a tunnel. Whatever they hold shall never be taken for a further
    // request.
    let is_last = !request.body().is_end_stream() || request.method() == Method::CONNECT;
    let mut response = match check(&request) {
        Ok(()) => next.run(request).await,
        Err(status) => answer(status),
    };
    if is_last {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Passes a request on, or decides how it is answered instead.
fn check(request: &Request) -> Result<(), StatusCode> {
    if !host_is_sound(request.version(), request.headers()) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let uri = request.uri();
    match (request.method(), uri.path()) {
        // A proxy's business.
        (&Method::CONNECT, _) => return Err(StatusCode::METHOD_NOT_ALLOWED),
        // The server as a whole.
        (&Method::OPTIONS, "*") => return Err(StatusCode::NO_CONTENT),
        (_, path) if !path.starts_with('/') => return Err(StatusCode::BAD_REQUEST),
        _ => {}
    }
    if uri.path_and_query().is_some_and(|target| target.as_str().len() > TARGET_BYTES) {
        return Err(StatusCode::URI_TOO_LONG);
    }
    if request.body().size_hint().exact().is_some_and(|length| length > BODY_BYTES) {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    Ok(())
}

/// Exactly one host, as HTTP/1.1 demands; its predecessor needs none. It may be empty.
fn host_is_sound(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version < Version::HTTP_11,
        (Some(host), None) => {
            let host = host.as_bytes();
            host.is_empty() || (!host.contains(&b'@') && Authority::try_from(host).is_ok())
        }
        (Some(_), Some(_)) => false,
    }
}

fn answer(status: StatusCode) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    let reason = || status.canonical_reason().unwrap_or_default();
    match status {
        StatusCode::NO_CONTENT => (status, no_store, [(header::ALLOW, METHODS)]).into_response(),
        StatusCode::METHOD_NOT_ALLOWED => {
            (status, no_store, [(header::ALLOW, METHODS)], reason()).into_response()
        }
        _ => (status, no_store, reason()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn status(method: &str, target: &str, headers: &[(&str, &str)]) -> Option<u16> {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&request.body(Body::empty()).unwrap()).err().map(|status| status.as_u16())
    }

    const HOST: (&str, &str) = ("host", "shop.example");

    #[test]
    fn ordinary_requests_pass() {
        for host in ["shop.example", "shop.example:8080", "127.0.0.1", "[::1]:3000", ""] {
            assert_eq!(status("GET", "/search/red?q=1", &[("host", host)]), None, "{host}");
        }
        assert_eq!(status("GET", "http://elsewhere.example/", &[HOST]), None);
        assert_eq!(status("GET", "http://elsewhere.example?page=2", &[HOST]), None);
        assert_eq!(status("POST", "/", &[HOST]), None);
    }

    #[test]
    fn a_request_has_one_sound_host() {
        assert_eq!(status("GET", "/", &[]), Some(400));
        assert_eq!(status("GET", "/", &[HOST, HOST]), Some(400));
        for host in ["a b", "a, b", "user@shop.example", "shop.example/", "a:b:c"] {
            assert_eq!(status("GET", "/", &[("host", host)]), Some(400), "{host}");
        }
    }

    #[test]
    fn targets_that_name_no_page_are_answered_here() {
        assert_eq!(status("CONNECT", "shop.example:443", &[HOST]), Some(405));
        assert_eq!(status("OPTIONS", "*", &[HOST]), Some(204));
        assert_eq!(status("GET", "*", &[HOST]), Some(400));
        assert_eq!(status("GET", "shop.example:80", &[HOST]), Some(400));
    }

    #[test]
    fn a_target_has_a_greatest_length() {
        let target = |length: usize| format!("/?{}", "x".repeat(length - 2));
        assert_eq!(status("GET", &target(TARGET_BYTES), &[HOST]), None);
        assert_eq!(status("GET", &target(TARGET_BYTES + 1), &[HOST]), Some(414));
    }

    #[test]
    fn a_body_has_a_greatest_length() {
        let request = |length| {
            let body = Body::from(vec![0; length]);
            Request::builder().uri("/").header(HOST.0, HOST.1).body(body).unwrap()
        };
        assert!(check(&request(64 << 10)).is_ok());
        assert_eq!(check(&request((64 << 10) + 1)).unwrap_err(), 413);
    }
}
