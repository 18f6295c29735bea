//! What `Host` may say: a name or an address, with a port or without one.

use super::{BAD, Case, OK, case, only};

pub(super) fn hosts() -> Vec<Case> {
    let good = [
        "shop.example.",
        "SHOP.EXAMPLE",
        "s-1.example",
        "s_1",
        "xn--bcher-kva.example",
        "127.0.0.1",
        "127.0.0.1:80",
        "s:",
        "s:65535",
        "[::]",
        "[2001:db8::1]",
        "[2001:db8::1]:443",
        "  s",
        "s  ",
        "\ts\t",
    ];
    let bad = [
        "s?x",
        "s#x",
        "s\\x",
        "/",
        "//s",
        "http://s",
        "http://s/",
        "s/../x",
        "s:1:2",
        "s:0",
        "s:65536",
        "s:99999",
        "[::1]:99999",
        "s:-1",
        "s:+80",
        "s:http",
        "@",
        "@s",
        "user:secret@s",
        "[",
        "]",
        "[::1",
        "[::1]x",
        "s[1]",
        "::1",
        "s\"x",
        "s<x>",
        "s^x",
        "s`x`",
        "s{x}",
        "s|x",
        "%",
        "%zz",
        "s\u{0}",
        "s,x",
        "s, x",
        "s;x",
        "s*x",
        "s x",
        "s\tx",
        "🛒",
    ];
    let named = |host: &str| format!("host {host:?}");
    let good = good.map(|host| case(named(host), only(&format!("host: {host}")), OK));
    let bad = bad.map(|host| case(named(host), only(&format!("host: {host}")), BAD));
    let in_targets = [
        ("an absolute target of this host", "GET http://s/healthz HTTP/1.1\r\nhost: s\r\n\r\n", OK),
        ("an absolute target, and an empty host", "GET http://s/healthz HTTP/1.1\r\nhost:\r\n\r\n", OK),
        ("an absolute target, and a bad host", "GET http://s/healthz HTTP/1.1\r\nhost: a b\r\n\r\n", BAD),
        (
            "an absolute target, and two hosts",
            "GET http://s/healthz HTTP/1.1\r\nhost: s\r\nhost: s\r\n\r\n",
            BAD,
        ),
        ("a host only in another header", "GET /healthz HTTP/1.1\r\nx-forwarded-host: s\r\n\r\n", BAD),
        ("a host behind other headers", "GET /healthz HTTP/1.1\r\na: b\r\nc: d\r\nHost:s\r\n\r\n", OK),
    ];
    let in_targets = in_targets.map(|(name, bytes, expected)| case(name, bytes, expected));
    good.into_iter().chain(bad).chain(in_targets).collect()
}
