//! Checks of every request before it is handled: number of headers, host, target, body size and method.

use std::net::Ipv6Addr;
use std::num::NonZeroU16;

use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Longest request target (path and query), in bytes.
const MAX_TARGET_BYTES: usize = 8 << 10;
/// Largest body that a request may announce, in bytes. No page reads a body.
const MAX_BODY_BYTES: u64 = 64 << 10;
/// The largest number of headers. The parser of HTTP/1.1 has the same limit; that of HTTP/2 has no limit.
const MAX_HEADERS: usize = 100;
/// Only below this path bodies are read: the calls of assistants.
const WITH_BODIES: &str = "/ucp/";
const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD");

/// Refuses requests that no page can answer. Closes an HTTP/1 connection after a request with a body, or CONNECT.
pub(crate) async fn limit_requests(request: Request, next: Next) -> Response {
    // Request bodies and tunnelled bytes are never read. Closing the connection keeps them from being parsed
    // as another request (request smuggling). HTTP/2 does not need this: each request has its own stream.
    let has_further_bytes = !request.body().is_end_stream() || request.method() == Method::CONNECT;
    let is_ended = has_further_bytes && request.version() < Version::HTTP_2;
    let takes_body = takes_body(&request);
    let mut response = match check(&request) {
        Ok(()) => next.run(request).await,
        Err(status) => refusal(status),
    };
    // What is answered was read to its end.
    if is_ended && !(takes_body && response.status().is_success()) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Whether a request's body may be read.
fn takes_body(request: &Request) -> bool {
    request.method() == Method::POST && request.uri().path().starts_with(WITH_BODIES)
}

/// Checks whether a request may be handled.
///
/// # Errors
/// The status of the answer if it may not. `OPTIONS *` is answered here too, with a 204.
fn check(request: &Request) -> Result<(), StatusCode> {
    if has_too_many_headers(request.headers()) {
        return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    if !has_valid_host(request.version(), request.headers()) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let uri = request.uri();
    match (request.method(), uri.path()) {
        // CONNECT is for proxies.
        (&Method::CONNECT, _) => return Err(StatusCode::METHOD_NOT_ALLOWED),
        // Asks about the server as a whole (RFC 9110, section 9.3.7).
        (&Method::OPTIONS, "*") => return Err(StatusCode::NO_CONTENT),
        (_, path) if !path.starts_with('/') => return Err(StatusCode::BAD_REQUEST),
        _ => {}
    }
    if uri.path_and_query().is_some_and(|target| target.as_str().len() > MAX_TARGET_BYTES) {
        return Err(StatusCode::URI_TOO_LONG);
    }
    // How large a body may be is decided there.
    if takes_body(request) {
        return Ok(());
    }
    if request.body().size_hint().exact().is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    // The method is checked before the path is looked up, so paths that do not exist give a 405 too.
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    Ok(())
}

/// Whether a request has more headers than are allowed. All `Cookie` headers count as one, because browsers split the
/// cookies in HTTP/2 (RFC 9113, section 8.2.3).
pub(super) fn has_too_many_headers(headers: &HeaderMap) -> bool {
    let further_cookies = || headers.get_all(header::COOKIE).iter().skip(1).count();
    headers.len() > MAX_HEADERS && headers.len() - further_cookies() > MAX_HEADERS
}

/// Whether there is exactly one valid `Host` header, which may be empty (RFC 9112, section 3.2).
/// HTTP/1.0 does not require one.
fn has_valid_host(version: Version, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => version < Version::HTTP_11,
        (Some(host), None) => {
            let is_valid = |host: &str| host.is_empty() || is_authority(host);
            is_plain_host(host.as_bytes()) || host.to_str().is_ok_and(is_valid)
        }
        (Some(_), Some(_)) => false,
    }
}

/// Whether a host is a name or an IPv4 address, with or without a port. This quick check covers nearly every request;
/// the other hosts need a parser.
pub(super) fn is_plain_host(host: &[u8]) -> bool {
    let end = host.iter().position(|byte| *byte == b':').unwrap_or(host.len());
    let (name, port) = host.split_at(end);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    !name.is_empty()
        && name.iter().all(is_name)
        && match port {
            [] => true,
            // Numbers above 65,535 are no ports. From 60,000 on the parser decides.
            [_, digits @ ..] => {
                let is_short = digits.len() < 5 || (digits.len() == 5 && digits[0] < b'6');
                let is_number = digits.first().is_some_and(|digit| *digit != b'0');
                is_number && is_short && digits.iter().all(u8::is_ascii_digit)
            }
        }
}

/// Whether a text is a host with or without a port. [`Authority`] alone would also accept square brackets around text
/// that is no IPv6 address (RFC 3986, section 3.2.2), and ports above 65,535.
fn is_authority(text: &str) -> bool {
    let (host, port) = host_and_port(text);
    let has_valid_brackets = match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.contains(['[', ']']),
    };
    let is_port = |port: &str| {
        port.is_empty()
            || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<NonZeroU16>().is_ok())
    };
    has_valid_brackets
        && port.is_none_or(is_port)
        && text.bytes().all(is_host_byte)
        && Authority::try_from(text).is_ok()
}

/// The host of an authority, and its port if it has one.
fn host_and_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        // The last part of an IPv6 address is no port.
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// Whether two authorities of the scheme `https` are the same: case, the dot at the end of a name and the default port
/// make no difference (RFC 3986, section 6.2).
pub(super) fn are_same_host(one: &str, other: &str) -> bool {
    let parts = |authority| {
        let (host, port) = host_and_port(authority);
        (host.strip_suffix('.').unwrap_or(host), port.filter(|port| !port.is_empty()).unwrap_or("443"))
    };
    let ((one, one_port), (other, other_port)) = (parts(one), parts(other));
    one.eq_ignore_ascii_case(other) && one_port.parse::<u16>() == other_port.parse()
}

/// Whether a host or port may contain this byte. The grammar of URLs also allows `,` and other punctuation, which no
/// real host contains: a comma means that a proxy has joined two `Host` headers.
fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%:[]".contains(&byte)
}

fn refusal(status: StatusCode) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    match status {
        StatusCode::NO_CONTENT | StatusCode::METHOD_NOT_ALLOWED => {
            (status, no_store, [(header::ALLOW, METHODS)]).into_response()
        }
        _ => (status, no_store, status.canonical_reason().unwrap_or_default()).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_plain_host_is_an_authority(host in "[a-c0-3.:-]{0,12}|[a-z.-]{1,20}:[0-9]{0,6}|.{0,8}") {
            prop_assert!(!is_plain_host(host.as_bytes()) || is_authority(&host), "{}", host);
        }
    }

    #[test]
    fn the_spelling_of_a_host_makes_no_difference() {
        for same in
            ["Shop.Example", "shop.example.", "shop.example:443", "SHOP.example.:443", "shop.example:"]
        {
            assert!(are_same_host("shop.example", same) && are_same_host(same, "shop.example"), "{same}");
        }
        assert!(are_same_host("[::AB]", "[::ab]:443"));
        for other in ["shop.example:80", "shop.examples", "", "shop.example..", "example"] {
            assert!(!are_same_host("shop.example", other), "{other}");
        }
        assert!(!are_same_host("[::1]", "[::2]"));
    }
}
