//! Header lines, the fields that concern the connection itself, and requests in a row on one.

use super::{
    BAD, BOTH, CLOSED, Case, Expected, HEAD_TOO_LARGE, OK, asks, chunked, each, headers, line, only, post,
    rows, words,
};

pub(super) fn cases() -> Vec<Case> {
    [header_lines(), sizes(), hosts(), persistence(), pipelines()].concat()
}

fn header_lines() -> Vec<Case> {
    let good = r#"x: x:y x::y x:::::: connection:,,;;= expect:42 expect:100-continue upgrade:h2c
        trailer:content-length range:bytes=9-1,-,a-b range:bytes=0-0,1-1,2-2,3-3,-1,0-
        accept-encoding:;;q=,gzip;q=9,*;q=a if-none-match:",, if-modified-since:never
        x-http-method-override:DELETE x-http-method:PUT x-method-override:POST _method:PATCH
        te:trailers¶connection:te x-original-url:/missing¶x-rewrite-url:/missing
        connection:upgrade¶upgrade:TLS/1.3,HTTP/1.1
        connection:upgrade,http2-settings¶upgrade:h2c¶http2-settings:AAMAAABk
        connection:upgrade¶upgrade:websocket¶sec-websocket-key:x"#;
    let bad = ["   ", "\t", " x: y", "x : y", "x\t: y", "x: y\r\n z", "x: y\r\n\tz"];
    let upgrade = headers("connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk");
    [
        words(OK, good, headers),
        each(OK, ["x:      ", "x:\t\ty\t\t"], headers),
        words(BAD, "nonsense : :value (x):y", headers),
        each(BAD, bad, headers),
        rows([
            (OK, "GET /healthz HTTP/1.1\nhost: s\n\n".to_owned()),
            (OK, "GET /healthz HTTP/1.1\r\nhost: s\n\r\n".into()),
            (BAD, "GET /healthz HTTP/1.1\rhost: s\r\r".into()),
            (BAD, "GET /healthz HTTP/1.1\r\r\nhost: s\r\r\n\r\r\n".into()),
            (&[400, 400], "GET /healthz HTTP/1.1\r\n\r\nhost: s\r\n\r\n".into()),
            (OK, upgrade + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        ]),
    ]
    .concat()
}

fn sizes() -> Vec<Case> {
    let times = |count: usize, line: &str| headers(&vec![line; count].join("\r\n"));
    let value = |length: usize| headers(&format!("x: {}", "x".repeat(length)));
    let name = |length: usize| headers(&format!("{}: x", "x".repeat(length)));
    rows([
        (OK, times(99, "x: y")),
        (HEAD_TOO_LARGE, times(100, "x: y")),
        (HEAD_TOO_LARGE, times(5_000, "x: y")),
        (OK, times(90, "accept: */*")),
        (OK, times(90, "if-none-match: \"x\"")),
        (OK, times(90, "range: bytes=0-0")),
        (OK, value(30_000)),
        (HEAD_TOO_LARGE, value(33_000)),
        (HEAD_TOO_LARGE, value(40_000)),
        (HEAD_TOO_LARGE, value(1_000_000)),
        (OK, name(30_000)),
        (HEAD_TOO_LARGE, name(40_000)),
        (OK, headers(&format!("x: {}", " ".repeat(20_000)))),
        (OK, headers(&format!("accept-encoding: {}", ",".repeat(20_000)))),
        (OK, only(&format!("host: {}", "x".repeat(20_000)))),
        (CLOSED, format!("GET / HTTP/1.1\r\nx: {}", "x".repeat(20_000))),
    ])
}

/// `Host` names one host or address, with a port or without one.
fn hosts() -> Vec<Case> {
    let good =
        "shop.example. SHOP.EXAMPLE s-1.example s_1 xn--bcher-kva.example 127.0.0.1 127.0.0.1:80 s: s:8080
        s:65535 [::] [::1]:80 [2001:db8::1] [2001:db8::1]:443";
    let bad = r#"s?x s#x s\x / //s http://s http://s/ s/x s/../x s:1:2 s:0 s:65536 s:99999 [::1]:99999
        s:-1 s:+80 s:http @ @s user@s user:secret@s [ ] [::1 [::1]x s[1] ::1 s"x s<x> <script> s^x s`x`
        s{x} s|x % %zz s,x s;x s*x müller.example 🛒"#;
    let host = |host: &str| only(&format!("host: {host}"));
    let absolute = |hosts: &str| format!("GET http://s/healthz HTTP/1.1\r\n{hosts}\r\n");
    [
        words(OK, good, host),
        each(OK, ["", "  s", "s  ", "\ts\t"], host),
        words(BAD, bad, host),
        each(BAD, ["s, x", "s x", "s\tx", "s\u{0}"], host),
        words(BAD, "host:a¶host:b host:a¶host:a x-forwarded-host:s", only),
        each(BAD, [" host: s", "host:\r\n s"], only),
        each(OK, ["HOST: s", "a: b\r\nc: d\r\nHost:s"], only),
        each(OK, ["host: s\r\n", "host:\r\n"], absolute),
        each(BAD, ["", "host: a b\r\n", "host: s\r\nhost: s\r\n"], absolute),
        rows([(BAD, "GET /healthz HTTP/1.1\r\n\r\n")]),
    ]
    .concat()
}

/// Whether a second request is answered.
fn persistence() -> Vec<Case> {
    let twice = |lines: &str| headers(lines).repeat(2);
    let kept = "connection:keep-alive connection:host proxy-connection:close content-length:0
        connection:keep-alive¶keep-alive:timeout=99999,max=0";
    let closed = "connection:close connection:CLOSE connection:close,keep-alive
        connection:keep-alive¶connection:close";
    let other_host = [only("host: elsewhere.example"), asks("GET /healthz")].concat();
    [words(BOTH, kept, twice), words(OK, closed, twice), rows([(BOTH, other_host)])].concat()
}

/// Requests in a row on one connection.
fn pipelines() -> Vec<Case> {
    let good = asks("GET /healthz");
    let many = headers(&["x: y"; 200].join("\r\n"));
    let long = asks(&format!("GET /{}", "x".repeat(9_000)));
    // Between two good requests.
    let between: [(Expected, String); 23] = [
        (BOTH, "\r\n".into()),
        (BOTH, "\r\n".repeat(10)),
        (&[200, 200, 200], asks("HEAD /favicon.svg")),
        (&[200, 404, 200], asks("GET /missing")),
        (&[200, 308, 200], asks("GET /products/")),
        (&[200, 303, 200], asks("GET /search?q=red")),
        (&[200, 204, 200], asks("OPTIONS *")),
        (&[200, 405, 200], asks("DELETE /product/1")),
        (&[200, 414, 200], long),
        (&[200, 405], asks("CONNECT s:443")),
        (&[200, 400, 200], "GET /healthz HTTP/1.1\r\n\r\n".into()),
        (&[200, 200, 200], only("host: elsewhere.example")),
        (&[200, 200, 200], asks("GET http://elsewhere.example/healthz")),
        (&[200, 405, 200], post("content-length: 0", "")),
        (&[200, 405], post("content-length: 5", "hello")),
        (&[200, 405], chunked("0\r\n\r\n")),
        (BOTH, headers("connection: close")),
        (BOTH, "GET /healthz HTTP/1.0\r\n\r\n".into()),
        (&[200, 400], "\0".into()),
        (&[200, 400], "nonsense\r\n\r\n".into()),
        (&[200, 400], line("GET /healthz HTTP/3.0")),
        (&[200, 431], many),
        (&[200, 200, 200], "GET /healthz HTTP/1.1\nhost: s\n\n".into()),
    ];
    let between = between.map(|(expected, middle)| (expected, format!("{good}{middle}{good}")));
    let further = rows([
        (BOTH, good.repeat(2)),
        (&[200; 50], good.repeat(50)),
        (&[200; 3], "GET /healthz HTTP/1.1\nhost: s\n\n".repeat(3)),
        (BAD, format!("nonsense\r\n\r\n{good}")),
        (OK, format!("{good}GET / HT")),
        (&[400, 200], format!("{}{good}", asks("GET *"))),
        (BOTH, format!("{good}{good}GET /healthz HTTP/1.1\r\nhost: s\r\n")),
    ]);
    [rows(between), further].concat()
}
