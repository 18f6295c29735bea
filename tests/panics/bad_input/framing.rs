//! Bytes that are not quite a request.

use super::case::Case;

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, bytes: &[u8]| cases.push(Case::raw(format!("framing: {name}"), bytes));
    for method in
        ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "get", "G", "GETGET", "\u{e9}", ""]
    {
        for target in [
            "/",
            "/products",
            "/_data/product/1",
            "/missing",
            "/healthz",
            "/assets/x.js",
            "*",
            "shop.example:443",
        ] {
            let request = format!("{method} {target} HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            add(&format!("{method} {target}"), request.as_bytes());
            let body = format!(
                "{method} {target} HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 7\r\n\r\na=<zq>&"
            );
            add(&format!("{method} {target} with a body"), body.as_bytes());
        }
    }
    for version in [
        "HTTP/0.9",
        "HTTP/1.0",
        "HTTP/1.2",
        "HTTP/2.0",
        "HTTP/3",
        "HTTP/11.1",
        "http/1.1",
        "HTP/1.1",
        "HTTP/1.1 x",
        "",
    ] {
        let request = format!("GET /products {version}\r\nHost: shop.example\r\n\r\n");
        add(&format!("version {version}"), request.as_bytes());
    }
    let whole = b"GET /products HTTP/1.1\r\nHost: shop.example\r\nCookie: a=b\r\n\r\n";
    for end in 0..whole.len() {
        add(&format!("cut after {end} bytes"), &whole[..end]);
    }
    for at in 0..whole.len() {
        for byte in [0_u8, b'\n', b'\r', 0x80] {
            let mut changed = whole.to_vec();
            changed[at] = byte;
            add(&format!("byte {at} is {byte}"), &changed);
        }
    }
    for (name, head) in [
        ("no host", ""),
        ("two hosts", "Host: a\r\nHost: b\r\n"),
        ("a space before the colon", "Host : a\r\n"),
        ("no name", ": a\r\n"),
        ("no colon", "Host\r\n"),
        ("folded", "Host: a\r\n b\r\n"),
        ("bare line feeds", "Host: a\nX: b\n"),
        ("both framings", "Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"),
        ("two lengths", "Host: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n"),
        ("two codings", "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
        ("a hidden coding", "Host: a\r\nTransfer-Encoding:\x0bchunked\r\n"),
        ("a huge length", "Host: a\r\nContent-Length: 9223372036854775807\r\n"),
        ("a name that is no token", "Host: a\r\nX(y): z\r\n"),
    ] {
        for body in [
            "",
            "0\r\n\r\n",
            "5\r\nhello\r\n0\r\n\r\n",
            "-1\r\n",
            "ffffffffffffffff\r\nx",
            "5;ext=\"\r\nhello\r\n0\r\n\r\n",
            "0\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\n",
        ] {
            let request = format!("GET /products HTTP/1.1\r\n{head}\r\n{body}");
            add(&format!("{name} before {body:?}"), request.as_bytes());
        }
    }
    add("HTTP/2's preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
    add("TLS's greeting", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
    add("nothing but line ends", &b"\r\n".repeat(10_000));
    add("nothing but zeros", &[0; 10_000]);
    add("a line without end", &b"A".repeat(1_000_000));
    add("a name without end", &[b"GET / HTTP/1.1\r\n", b"A".repeat(1_000_000).as_slice()].concat());
    add("requests in a row", &whole.repeat(20));
    cases
}
