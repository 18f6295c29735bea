//! Refuses requests that name another host. Any site can let its own name lead to this listener (DNS rebinding),
//! and its pages would read what operators read. The browser sends that name in `Host`. A request for an address is
//! safe, because an address is not a name.

use std::net::{IpAddr, Ipv6Addr};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::plain;

/// Answers requests for an address, for `localhost`, or for no host.
pub(super) async fn only_own_names(request: Request, next: Next) -> Response {
    if has_own_name(request.headers()) {
        return next.run(request).await;
    }
    let text = "Ask by an address, or by localhost: operators are answered under no other name.\n";
    plain(StatusCode::MISDIRECTED_REQUEST, text.into())
}

fn has_own_name(headers: &HeaderMap) -> bool {
    headers.get_all(header::HOST).iter().all(|host| HeaderValue::to_str(host).is_ok_and(is_own_name))
}

/// Whether no other site can have chosen this host: it is empty, an address, `localhost`, or a name below that, which
/// browsers resolve to this machine (RFC 6761, section 6.3).
fn is_own_name(authority: &str) -> bool {
    if let Some((address, _)) = authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    let host = authority.split(':').next().unwrap_or_default();
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    name.is_empty() || name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_localhost_are_own_names_and_no_other() {
        for own in
            ["127.0.0.1:3100", "[::1]:3100", "localhost", "LOCALHOST.:3100", "a.localhost", "10.0.0.7", ""]
        {
            assert!(is_own_name(own), "{own}");
        }
        for other in [
            "evil.example",
            "evil.example:3100",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "vitrine",
            "[evil]",
            "[::1",
        ] {
            assert!(!is_own_name(other), "{other}");
        }
        let mut two = HeaderMap::new();
        two.append(header::HOST, HeaderValue::from_static("localhost"));
        two.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(!has_own_name(&two) && has_own_name(&HeaderMap::new()));
    }
}
