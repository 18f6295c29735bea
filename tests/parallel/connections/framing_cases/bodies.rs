//! How a body is announced, and what it looks like: nothing here reads one.

use super::{BAD, Case, HEAD_TOO_LARGE, NOT_ALLOWED, OK, TOO_LARGE, case, chunked, headers, line, post};

pub(super) fn lengths() -> Vec<Case> {
    let bad = [
        "-1",
        "+5",
        "0x5",
        "5 5",
        "abc",
        "1e3",
        "5;",
        "5.0",
        "5,6",
        "5, 6",
        "",
        "18446744073709551616",
        "99999999999999999999999999",
        "５",
        "1_000",
        "1'000",
        "0b1",
        "0o5",
        "5\u{a0}",
        "\"5\"",
        "5=5",
        ",5",
        "5,",
        "0, 5",
        "NaN",
    ];
    let mut cases: Vec<_> = bad
        .map(|length| {
            case(format!("length {length:?}"), post(&format!("content-length: {length}"), "hello"), BAD)
        })
        .into();
    cases.extend([
        case("length 0", headers("content-length: 0").repeat(2), &[200, 200]),
        case("length 5 of a get", headers("content-length: 5") + "hello", OK),
        case("length with zeros in front", post("content-length: 0005", "hello"), NOT_ALLOWED),
        case("length 9223372036854775807", post("content-length: 9223372036854775807", ""), TOO_LARGE),
        case("length 18446744073709551615", post("content-length: 18446744073709551615", ""), HEAD_TOO_LARGE),
        case("length of the limit", post("content-length: 65536", ""), NOT_ALLOWED),
        case("length beyond the limit", post("content-length: 65537", ""), TOO_LARGE),
        case("the same length twice", post("content-length: 5\r\ncontent-length: 5", "hello"), NOT_ALLOWED),
        case("two lengths", post("content-length: 5\r\ncontent-length: 6", "hello"), BAD),
        case("the same length in one line", post("content-length: 5, 5", "hello"), BAD),
        case("body shorter than its length", post("content-length: 50", "hello"), NOT_ALLOWED),
        case("body longer than its length", post("content-length: 1", "hello"), NOT_ALLOWED),
        case("continue with a body", post("content-length: 5\r\nexpect: 100-continue", ""), NOT_ALLOWED),
        case(
            "continue with a large body",
            post("content-length: 500000\r\nexpect: 100-continue", ""),
            TOO_LARGE,
        ),
    ]);
    cases
}

pub(super) fn encodings() -> Vec<Case> {
    let taken = [
        "chunked",
        "Chunked",
        "CHUNKED",
        "  chunked  ",
        "gzip, chunked",
        "identity, chunked",
        "chunked, chunked",
        ",chunked",
        "\tchunked\t",
        "deflate, gzip, chunked",
        "x, chunked",
        "gzip;q=1, chunked",
    ];
    let refused = [
        "gzip",
        "identity",
        "chunked, gzip",
        "chunked, identity",
        "xchunked",
        "chunkedx",
        "chunk ed",
        "chunked;q=1",
        "\"chunked\"",
        "",
        "chunked,",
        "\u{b}chunked",
        "chunked\u{c}",
        "\u{a0}chunked",
        "chunked x",
        "chunked\\",
        "'chunked'",
        "c\u{4bb}unked",
        "chunked=1",
        "chunked/1",
        "0",
    ];
    let with = |encoding: &str| post(&format!("transfer-encoding: {encoding}"), "0\r\n\r\n");
    let taken = taken.map(|encoding| case(format!("encoding {encoding:?}"), with(encoding), NOT_ALLOWED));
    let refused = refused.map(|encoding| case(format!("encoding {encoding:?}"), with(encoding), BAD));
    taken.into_iter().chain(refused).collect()
}

pub(super) fn chunks() -> Vec<Case> {
    // The body is never read, so its faults are never found: one answer, and the connection ends.
    let bodies = [
        ("one chunk", "5\r\nhello\r\n0\r\n\r\n".to_owned()),
        ("size of 16 digits", "FFFFFFFFFFFFFFFF\r\nhello".into()),
        ("size of 17 digits", "FFFFFFFFFFFFFFFFF\r\nhello".into()),
        ("size with zeros", "0000000000000000000000005\r\nhello\r\n0\r\n\r\n".into()),
        ("negative size", "-1\r\nhello\r\n".into()),
        ("prefixed size", "0x5\r\nhello\r\n0\r\n\r\n".into()),
        ("worded size", "five\r\nhello\r\n".into()),
        ("no size", "\r\nhello\r\n".into()),
        ("space before the size", " 5\r\nhello\r\n0\r\n\r\n".into()),
        ("extension", "5;a=b\r\nhello\r\n0\r\n\r\n".into()),
        ("large extension", format!("5;{}\r\nhello\r\n0\r\n\r\n", "x".repeat(100_000))),
        ("extension with a line feed", "5;a\nb\r\nhello\r\n0\r\n\r\n".into()),
        ("bare line feed after the size", "5\nhello\r\n0\r\n\r\n".into()),
        ("longer than its size", "5\r\nhelloworld\r\n0\r\n\r\n".into()),
        ("no line end after the data", "5\r\nhello0\r\n\r\n".into()),
        ("no last chunk", "5\r\nhello\r\n".into()),
        ("half a last chunk", "0\r\n".into()),
        ("trailer", "0\r\nx: y\r\n\r\n".into()),
        ("forbidden trailer", "0\r\ncontent-length: 5\r\n\r\n".into()),
        ("10,000 trailers", format!("0\r\n{}\r\n", "x: y\r\n".repeat(10_000))),
        ("a request behind it", format!("0\r\n\r\n{}", line("GET /smuggled HTTP/1.1"))),
        ("extension without value", "5;a\r\nhello\r\n0\r\n\r\n".into()),
        ("extension in quotation marks", "5;a=\"b;c\"\r\nhello\r\n0\r\n\r\n".into()),
        ("extension that does not end", "5;a=\"\r\nhello\r\n0\r\n\r\n".into()),
        ("extension with a carriage return", "5;a\rb\r\nhello\r\n0\r\n\r\n".into()),
        ("extension with a NUL", "5;a\0b\r\nhello\r\n0\r\n\r\n".into()),
        ("extension of semicolons", format!("5{}\r\nhello\r\n0\r\n\r\n", ";".repeat(1_000))),
        ("extension of the last chunk", "0;a=b\r\n\r\n".into()),
        ("extension that is a request", format!("0;\n{}", line("GET /smuggled HTTP/1.1"))),
        ("space after the size", "5 \r\nhello\r\n0\r\n\r\n".into()),
        ("tab after the size", "5\t\r\nhello\r\n0\r\n\r\n".into()),
        ("size with a sign", "+5\r\nhello\r\n0\r\n\r\n".into()),
        ("size with an underscore", "0_5\r\nhello\r\n0\r\n\r\n".into()),
        ("size with a point", "5.0\r\nhello\r\n0\r\n\r\n".into()),
        ("size in another script", "５\r\nhello\r\n0\r\n\r\n".into()),
        ("carriage return alone after the size", "5\rhello\r\n0\r\n\r\n".into()),
        ("shorter than its size", "50\r\nhello\r\n0\r\n\r\n".into()),
        ("1,000 chunks", format!("{}0\r\n\r\n", "1\r\nx\r\n".repeat(1_000))),
        ("two last chunks", "0\r\n\r\n0\r\n\r\n".into()),
        ("trailer with a host", "0\r\nhost: evil.example\r\n\r\n".into()),
        ("trailer with an encoding", "0\r\ntransfer-encoding: chunked\r\n\r\n".into()),
        ("trailer without colon", "0\r\nnonsense\r\n\r\n".into()),
        ("trailer with a NUL", "0\r\nx: \0\r\n\r\n".into()),
        ("folded trailer", "0\r\nx: y\r\n z\r\n\r\n".into()),
        ("large trailer", format!("0\r\nx: {}\r\n\r\n", "y".repeat(100_000))),
        ("trailer without end", "0\r\nx: y".into()),
        ("NULs", "\0\0\0\0".into()),
        ("nothing", String::new()),
    ];
    let cases = bodies.map(|(name, body)| case(format!("chunks: {name}"), chunked(&body), NOT_ALLOWED));
    cases.into()
}

/// A client that waits for leave to send its body gets the answer instead, and no leave.
pub(super) fn expectations() -> Vec<Case> {
    let with = |expect: &str| post(&format!("content-length: 5\r\nexpect: {expect}"), "");
    let values =
        ["100-CONTINUE", "100-continue, 100-continue", "100-continue;q=1", "200-ok", "", "100", "x=\"y\""];
    let mut cases: Vec<_> =
        values.map(|value| case(format!("expect {value:?}"), with(value), NOT_ALLOWED)).into();
    cases.extend([
        case("expect, and send at once", with("100-continue") + "hello", NOT_ALLOWED),
        case(
            "expect twice",
            post("content-length: 5\r\nexpect: 100-continue\r\nexpect: 100-continue", ""),
            NOT_ALLOWED,
        ),
        case(
            "expect with chunks",
            post("transfer-encoding: chunked\r\nexpect: 100-continue", ""),
            NOT_ALLOWED,
        ),
        case("expect of a get with a body", headers("content-length: 5\r\nexpect: 100-continue"), OK),
        case(
            "expect of HTTP/1.0",
            "POST /healthz HTTP/1.0\r\ncontent-length: 5\r\nexpect: 100-continue\r\n\r\n",
            NOT_ALLOWED,
        ),
        case(
            "expect, then another request",
            with("100-continue") + &line("GET /smuggled HTTP/1.1"),
            NOT_ALLOWED,
        ),
    ]);
    cases
}
