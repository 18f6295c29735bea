//! Header fields: every one that the shop or its HTTP library reads, with hostile values.

use super::case::{Case, mark, shown};
use super::hostile::payloads;

/// Fields that a page's answer could depend on, and some that it must not.
const FIELDS: [&str; 26] = [
    "If-None-Match",
    "If-Modified-Since",
    "If-Match",
    "If-Unmodified-Since",
    "If-Range",
    "Accept-Encoding",
    "Accept",
    "Accept-Language",
    "Accept-Charset",
    "Range",
    "Cookie",
    "Host",
    "Origin",
    "Referer",
    "User-Agent",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-For",
    "Forwarded",
    "X-Original-URL",
    "X-Rewrite-URL",
    "X-HTTP-Method-Override",
    "Content-Type",
    "Authorization",
    "Cache-Control",
    "X-Request-Id",
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, field) in FIELDS.into_iter().enumerate() {
        for (turn, value) in values().into_iter().enumerate() {
            let page = ["/products", "/_data/product/1", "/missing", "/favicon.svg"][(number + turn) % 4];
            let name = format!("header: {field}: {} for {page}", shown(&value));
            cases.push(Case::with_headers(name, page, &[(field, value)]));
        }
        for text in payloads().into_iter().filter(|text| !text.contains(['\r', '\n'])) {
            let name = format!("header: {field}: {text:?}");
            cases.push(Case::with_headers(name, "/product/1", &[(field, text.into_bytes())]));
        }
    }
    for (field, values) in [
        ("If-None-Match", TAGS.as_slice()),
        ("If-Modified-Since", &DATES),
        ("If-Unmodified-Since", &DATES),
        ("Accept-Encoding", &ENCODINGS),
        ("Accept", &TYPES),
        ("Range", &RANGES),
        ("Host", &HOSTS),
        ("X-Forwarded-Host", &HOSTS),
        ("Expect", &["100-continue", "200-ok", "100-continue, 100-continue", ""]),
        (
            "Connection",
            &["close", "keep-alive", "close, keep-alive", "upgrade", "host", "\u{e9}", "", ",,,,"],
        ),
        ("Upgrade", &["websocket", "h2c", "TLS/1.0", "zq", ""]),
        ("Content-Length", &["0", "00", "+0", "-0", "-1", "1x", "0x0", "18446744073709551616", "0, 0", ""]),
        ("Transfer-Encoding", &["identity", "chunked, identity", "gzip", "xchunked", "\u{b}chunked", ""]),
    ] {
        for value in values {
            let name = format!("header: {field}: {value}");
            let case = Case::with_headers(name, "/category/beauty", &[(field, value.as_bytes().to_vec())]);
            let frames = matches!(field, "Content-Length" | "Transfer-Encoding" | "Connection" | "Upgrade");
            cases.push(if frames { case.alone().refusable() } else { case });
        }
    }
    cases.extend(crowds());
    cases
}

/// Values that make sense nowhere.
fn values() -> Vec<Vec<u8>> {
    let every_byte = (1..=255_u8).filter(|byte| !b"\r\n".contains(byte)).collect::<Vec<_>>();
    vec![
        Vec::new(),
        b" ".to_vec(),
        b"\t".to_vec(),
        b",".to_vec(),
        b",,,,;;;;====".to_vec(),
        b"\"".to_vec(),
        b"\"unfinished".to_vec(),
        b"\\".to_vec(),
        b"*".to_vec(),
        b"\xff\xfe\x80".to_vec(),
        "\u{1f6d2}\u{202e}".into(),
        b"%0d%0aSet-Cookie:%20a=b".to_vec(),
        b"a\0b".to_vec(),
        b"a\x7fb".to_vec(),
        b"a\x01b".to_vec(),
        every_byte,
        "a".repeat(10_000).into(),
        "a,".repeat(10_000).into(),
        "\"a\", ".repeat(5_000).into(),
        "a=b; ".repeat(5_000).into(),
        "gzip;q=0.5,".repeat(5_000).into(),
        "a".repeat(600_000).into(),
        mark().into(),
    ]
}

const TAGS: [&str; 14] = [
    "\"\"",
    "W/\"\"",
    "w/\"x\"",
    "W/",
    "W/*",
    "*, \"x\"",
    "\"x\", *",
    "\"a\"\"b\"",
    "'x'",
    "\"x\" \"y\"",
    "\"\u{e9}\"",
    "\"a b\"",
    "\"a,b\", W/\"c,d\"",
    "\"-br\"",
];

const DATES: [&str; 20] = [
    "0",
    "-1",
    "now",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Wed, 31 Dec 1969 23:59:59 GMT",
    "Thu, 01 Jan 0000 00:00:00 GMT",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "Sat, 01 Jan 10000 00:00:00 GMT",
    "Tue, 19 Jan 2038 03:14:08 GMT",
    "Mon, 30 Feb 2026 00:00:00 GMT",
    "Sun, 00 Jan 2026 00:00:00 GMT",
    "Mon, 01 Foo 2026 00:00:00 GMT",
    "Mon, 01 Jan 2026 24:61:61 GMT",
    "Wed, 31 Dec 2025 23:59:60 GMT",
    "Thursday, 01-Jan-26 00:00:00 GMT",
    "Thu Jan  1 00:00:00 2026",
    "Thu, 01 Jan 2026 00:00:00 +0200",
    "2026-01-01T00:00:00Z",
    "Thu, 01 Jan 2026 00:00:00",
    "Thu, -1 Jan 2026 -1:00:00 GMT",
];

const ENCODINGS: [&str; 22] = [
    "*",
    "*;q=0",
    "identity;q=0",
    "identity;q=0, *;q=0",
    "br;q=NaN",
    "br;q=inf",
    "br;q=-1",
    "br;q=1e999",
    "br;q=0.0000000001",
    "br;q=0.000",
    "br;Q=0",
    "br; q = 0",
    "br;q=",
    "br;q",
    "br;;q=0",
    "br;x=1;q=0",
    "gzip;q=0, gzip",
    "BR",
    "b\u{131}r",
    "gzip, deflate, br, zstd, dcb, dcz",
    "x-gzip",
    "br\tgzip",
];

const TYPES: [&str; 10] = [
    "application/json",
    "text/html;q=0",
    "*/*;q=0",
    "*/html",
    "text/",
    "/",
    "text/html;charset=utf-16",
    "application/xml;q=nan",
    "text/html;;;;",
    "image/webp,*/*;q=0.8",
];

const RANGES: [&str; 16] = [
    "bytes=0-",
    "bytes=0-0",
    "bytes=-1",
    "bytes=-0",
    "bytes=5-1",
    "bytes=99999999999999999999-",
    "bytes=-99999999999999999999",
    "bytes=0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0,0-0",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes 0-1",
    "BYTES=0-1",
    "items=0-1",
    "bytes=0-18446744073709551615",
    "bytes=1.5-2.5",
];

const HOSTS: [&str; 18] = [
    "zqhost.example",
    "evil.example:99999",
    "evil.example:-1",
    "evil.example:80:80",
    "user:pass@evil.example",
    "evil.example/path",
    "evil.example?x",
    "evil.example#x",
    "[::1]",
    "[::1",
    "[::1]:3000",
    "127.0.0.1",
    "..",
    "a,b",
    "shop.example, evil.example",
    "xn--zqzqzq",
    "\u{e9}vil.example",
    "EVIL.EXAMPLE.",
];

/// Many header fields at once, and the same field twice.
fn crowds() -> Vec<Case> {
    let mut cases = Vec::new();
    for count in [2, 50, 90, 101, 500, 5_000] {
        for field in ["Cookie", "If-None-Match", "Accept-Encoding", "X-Forwarded-For", "Range"] {
            let headers = vec![(field, b"\"a\";q=1".to_vec()); count];
            cases.push(Case::with_headers(format!("header: {count} times {field}"), "/products", &headers));
        }
    }
    for field in ["Host", "Content-Length", "Transfer-Encoding", "Connection"] {
        let headers = [(field, b"0".to_vec()), (field, b"1".to_vec())];
        let name = format!("header: {field} twice");
        cases.push(Case::with_headers(name, "/products", &headers).alone().refusable());
    }
    for condition in TAGS {
        for date in DATES {
            let headers = [
                ("If-None-Match", condition.as_bytes().to_vec()),
                ("If-Modified-Since", date.as_bytes().to_vec()),
                ("Accept-Encoding", b"br".to_vec()),
            ];
            cases.push(Case::with_headers(format!("header: {condition} and {date}"), "/brands", &headers));
        }
    }
    cases
}
