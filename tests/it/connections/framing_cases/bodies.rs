//! How a body is announced, and what it looks like: nothing here reads one, and nothing in one is a request.

use super::{
    BAD, Case, HEAD_TOO_LARGE, MISSING, NOT_ALLOWED, OK, TOO_LARGE, asks, chunked, each, headers, post, rows,
    words,
};

pub(super) fn cases() -> Vec<Case> {
    [lengths(), encodings(), chunks(), expectations()].concat()
}

fn lengths() -> Vec<Case> {
    let bad = r#"-1 +5 0x5 abc 1e3 5; 5.0 5,6 18446744073709551616 99999999999999999999999999 ５ 1_000
        1'000 0b1 0o5 "5" 5=5 ,5 5, NaN"#;
    let length = |length: &str| post(&format!("content-length: {length}"), "hello");
    [
        words(BAD, bad, length),
        each(BAD, ["", "5 5", "5, 5", "5, 6", "0, 5", "5\u{a0}", "5\r\ncontent-length: 6"], length),
        words(NOT_ALLOWED, "0005 65536 50 1", length),
        each(NOT_ALLOWED, ["5\r\ncontent-length: 5"], length),
        words(TOO_LARGE, "65537 9223372036854775807", length),
        rows([
            (HEAD_TOO_LARGE, length("18446744073709551615")),
            (OK, headers("content-length: 5") + "hello"),
            (NOT_ALLOWED, post("content-length: 65536", "")),
        ]),
    ]
    .concat()
}

fn encodings() -> Vec<Case> {
    let refused = r#"gzip identity xchunked chunkedx chunked;q=1 "chunked" 'chunked' chunked, chunked\
        cһunked chunked=1 chunked/1 0"#;
    let also_refused = ["", "chunk ed", "chunked x", "\u{b}chunked", "chunked\u{c}", "\u{a0}chunked"];
    let encoding = |encoding: &str| post(&format!("transfer-encoding: {encoding}"), "0\r\n\r\n");
    let before = ["", "x", "gzip", "gzip;q=1", "identity", "chunked", "deflate, gzip"];
    [
        words(NOT_ALLOWED, "chunked Chunked CHUNKED", encoding),
        each(NOT_ALLOWED, ["  chunked  ", "\tchunked\t"], encoding),
        each(NOT_ALLOWED, before, |before| encoding(&format!("{before},chunked"))),
        words(BAD, refused, encoding),
        each(BAD, also_refused, encoding),
        each(BAD, ["gzip", "identity"], |after| encoding(&format!("chunked, {after}"))),
    ]
    .concat()
}

/// The body is never read, so its faults are never found: one answer, and the connection ends.
fn chunks() -> Vec<Case> {
    let sizes = r#"5 FFFFFFFFFFFFFFFF FFFFFFFFFFFFFFFFF 0000000000000000000000005 -1 +5 0x5 five 50 3 0_5
        5.0 ５ 5;a 5;a=b 5;a="b;c" 5;a=""#;
    let odd_sizes = ["", " 5", "5 ", "5\t", "5;a\nb", "5;a\rb", "5;a\0b", "5\nhello\r\n0", "5\rhello\r\n0"];
    let trailers = "x:y content-length:5 host:evil.example transfer-encoding:chunked nonsense";
    let size = |size: &str| chunked(&format!("{size}\r\nhello\r\n0\r\n\r\n"));
    let trailer = |trailer: &str| chunked(&format!("0\r\n{trailer}\r\n\r\n"));
    let ends =
        ["5\r\nhello0\r\n\r\n", "5\r\nhello\r\n", "0\r\n", "0;a=b\r\n\r\n", "0\r\nx: y", "\0\0\0\0", ""];
    let smuggled = asks("GET /smuggled");
    let bodies = [
        &format!("0\r\n\r\n{smuggled}"),
        &format!("0;\n{smuggled}"),
        "0\r\n\r\n0\r\n\r\n",
        &format!("{}0\r\n\r\n", "1\r\nx\r\n".repeat(1_000)),
    ];
    [
        words(NOT_ALLOWED, sizes, size),
        each(NOT_ALLOWED, odd_sizes, size),
        each(NOT_ALLOWED, [format!("5;{}", "x".repeat(100_000)), format!("5{}", ";".repeat(1_000))], size),
        words(NOT_ALLOWED, trailers, trailer),
        each(NOT_ALLOWED, ["x: \0", "x: y\r\n z"], trailer),
        each(NOT_ALLOWED, ["x: y\r\n".repeat(10_000), format!("x: {}", "y".repeat(100_000))], trailer),
        each(NOT_ALLOWED, ends.into_iter().chain(bodies), chunked),
    ]
    .concat()
}

/// A client that waits for leave to send its body gets the answer instead, and no leave.
fn expectations() -> Vec<Case> {
    let expect = |expect: &str| post(&format!("content-length: 5\r\nexpect: {expect}"), "");
    let values = r#"100 200-ok x="y" 100-continue 100-CONTINUE 100-continue;q=1 100-continue,100-continue
        100-continue¶expect:100-continue"#;
    let further = rows([
        (NOT_ALLOWED, expect("")),
        (NOT_ALLOWED, expect("100-continue") + "hello"),
        (NOT_ALLOWED, expect("100-continue") + &asks("GET /smuggled")),
        (NOT_ALLOWED, post("transfer-encoding: chunked\r\nexpect: 100-continue", "")),
        (TOO_LARGE, post("content-length: 500000\r\nexpect: 100-continue", "")),
        (OK, headers("content-length: 5\r\nexpect: 100-continue")),
        (NOT_ALLOWED, "POST /healthz HTTP/1.0\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n".into()),
    ]);
    [words(NOT_ALLOWED, values, expect), further].concat()
}

/// Requests whose end two servers could see in different places. What follows one is no request here.
pub(super) fn smuggling() -> Vec<Case> {
    const HIDDEN: &str = "GET /smuggled HTTP/1.1\r\nhost: s\r\n\r\n";
    let length = HIDDEN.len();
    let as_chunk = &format!("{length:x}\r\n{HIDDEN}\r\n0\r\n\r\n");
    let taken = "content-length:4¶transfer-encoding:chunked transfer-encoding:chunked¶content-length:4
        CONTENT-LENGTH:4¶TRANSFER-ENCODING:CHUNKED transfer-encoding:identity¶transfer-encoding:chunked
        connection:transfer-encoding¶transfer-encoding:chunked transfer_encoding:chunked¶content-length:5
        connection:content-length¶content-length:500 connection:upgrade¶upgrade:h2c¶content-length:3";
    let also_taken =
        ["transfer-encoding:\tchunked", "x: y\ntransfer-encoding: chunked", "x: y\ncontent-length: 500"];
    let refused =
        "content-length:x¶transfer-encoding:chunked transfer-encoding:chunked¶transfer-encoding:identity
        transfer-encoding:chunked¶transfer-encoding:x content-length:0¶content-length:44
        content-length:5¶content-length: content\u{2010}length:5";
    let disguises = "N : V|N\t: V|N\0: V|x: y\rN: V|x: y\r\n N: V|N:\r\n V|N: \0V|N:\u{b}V|N: \nV".split('|');
    let disguised = |name: &str, value: &str| {
        each(BAD, disguises.clone(), |lines| post(&lines.replace('N', name).replace('V', value), as_chunk))
    };
    let no_body = ["content-length: 0", "x: y, content-length: 500", "x-transfer-encoding: chunked"];
    let body_of = |first: &str| {
        format!("{first} HTTP/1.1\r\nhost: s\r\ncontent-length: {length}\r\n\r\n{HIDDEN}{HIDDEN}")
    };
    let chunks_of = |first: &str| {
        format!("{first} HTTP/1.1\r\nhost: s\r\ntransfer-encoding: chunked\r\n\r\n{as_chunk}{HIDDEN}")
    };
    [
        words(NOT_ALLOWED, taken, |lines| post(lines, as_chunk)),
        words(NOT_ALLOWED, taken, |lines| post(lines, &format!("0\r\n\r\n{HIDDEN}"))),
        each(NOT_ALLOWED, also_taken, |lines| post(lines, as_chunk)),
        words(BAD, refused, |lines| post(lines, as_chunk)),
        disguised("content-length", "5"),
        disguised("transfer-encoding", "chunked"),
        each(&[405, 404], no_body, |lines| post(lines, HIDDEN)),
        each(OK, ["GET /healthz", "HEAD /healthz", "GET /favicon.svg", "GET /product/1"], body_of),
        each(NOT_ALLOWED, ["DELETE /product/1", "CONNECT s:443"], body_of),
        each(OK, ["GET /healthz", "HEAD /healthz"], chunks_of),
        rows([
            (MISSING, body_of("GET /missing")),
            (&[308], body_of("GET /products/")),
            (&[204], body_of("OPTIONS *")),
            (&[204], chunks_of("OPTIONS *")),
            (&[414], body_of(&format!("GET /{}", "x".repeat(9_000)))),
            (BAD, body_of("GET *")),
            (BAD, format!("GET /healthz HTTP/1.1\r\ncontent-length: 500\r\n\r\n{HIDDEN}")),
            (TOO_LARGE, post("content-length: 500000", HIDDEN)),
            (NOT_ALLOWED, post("x: y", "hello")),
            (&[200, 404], headers("connection: upgrade\r\nupgrade: websocket") + HIDDEN),
        ]),
    ]
    .concat()
}
