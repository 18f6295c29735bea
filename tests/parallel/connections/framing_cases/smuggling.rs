//! Requests whose end two servers could see in different places.

use super::{BAD, Case, NOT_ALLOWED, OK, TOO_LARGE, case, headers, line, post};

/// What follows such a request is no request here.
pub(super) fn smuggling() -> Vec<Case> {
    let hidden = line("GET /smuggled HTTP/1.1");
    let both = "content-length: 4\r\ntransfer-encoding: chunked";
    let size = format!("{:x}\r\n{hidden}\r\n0\r\n\r\n", hidden.len());
    vec![
        case("length, then chunks", post(both, &format!("0\r\n\r\n{hidden}")), NOT_ALLOWED),
        case(
            "chunks, then length",
            post("transfer-encoding: chunked\r\ncontent-length: 4", &format!("0\r\n\r\n{hidden}")),
            NOT_ALLOWED,
        ),
        case("a chunk that is a request", post(both, &size), NOT_ALLOWED),
        case(
            "a bad length besides chunks",
            post("content-length: x\r\ntransfer-encoding: chunked", &size),
            BAD,
        ),
        case("two encodings", post("transfer-encoding: chunked\r\ntransfer-encoding: identity", &size), BAD),
        case(
            "two encodings, swapped",
            post("transfer-encoding: identity\r\ntransfer-encoding: chunked", &size),
            NOT_ALLOWED,
        ),
        case("encoding with a space before the colon", post("transfer-encoding : chunked", &size), BAD),
        case(
            "encoding with an underscore",
            post("transfer_encoding: chunked\r\ncontent-length: 5", &hidden),
            NOT_ALLOWED,
        ),
        case("encoding on a folded line", post("transfer-encoding:\r\n chunked", &size), BAD),
        case("encoding behind a NUL", post("transfer-encoding: \0chunked", &size), BAD),
        case("encoding behind a line feed", post("x: y\ntransfer-encoding: chunked", &hidden), NOT_ALLOWED),
        case("length of zero with a body", post("content-length: 0", "") + &hidden, &[405, 404]),
        case("length behind a folded line", post("x: y\r\n content-length: 5", &hidden), BAD),
        case(
            "request as a body of a get",
            headers(&format!("content-length: {}", hidden.len())) + &hidden + &hidden,
            OK,
        ),
        case(
            "request as a body of a head",
            format!("HEAD /healthz HTTP/1.1\r\nhost: s\r\ncontent-length: 3\r\n\r\n{hidden}"),
            OK,
        ),
        case("no length with a body", post("x: y", "hello"), &[405]),
        case("length with a vertical tab", post("content-length:\u{b}5", &hidden), BAD),
        case(
            "upgrade with a body",
            post("connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 3", &hidden),
            NOT_ALLOWED,
        ),
        case("two lengths, the first of zero", post("content-length: 0\r\ncontent-length: 44", &hidden), BAD),
        case("length, and an empty one", post("content-length: 5\r\ncontent-length:", &hidden), BAD),
        case("length with a space before the colon", post("content-length : 5", &hidden), BAD),
        case("length with a tab before the colon", post("content-length\t: 5", &hidden), BAD),
        case("length with a NUL before the colon", post("content-length\0: 5", &hidden), BAD),
        case("length with a space before its name", post("x: y\r\n content-length: 5", &hidden), BAD),
        case("length with a hyphen of another script", post("content\u{2010}length: 5", &hidden), BAD),
        case("length behind a carriage return", post("x: y\rcontent-length: 5", &hidden), BAD),
        case("length behind a line feed", post("x: y\ncontent-length: 500", &hidden), NOT_ALLOWED),
        case("length in a value", post("x: y, content-length: 500", "") + &hidden, &[405, 404]),
        case("encoding behind a carriage return", post("x: y\rtransfer-encoding: chunked", &size), BAD),
        case("encoding behind a tab", post("transfer-encoding:\tchunked", &size), NOT_ALLOWED),
        case("encoding on the next line", post("transfer-encoding: \nchunked", &size), BAD),
        case("encoding with a prefix", post("x-transfer-encoding: chunked", "") + &hidden, &[405, 404]),
        case(
            "encoding and length in upper case",
            post("CONTENT-LENGTH: 4\r\nTRANSFER-ENCODING: CHUNKED", &size),
            NOT_ALLOWED,
        ),
        case(
            "encoding of an unknown kind besides chunks",
            post("transfer-encoding: chunked\r\ntransfer-encoding: x", &size),
            BAD,
        ),
        case(
            "encoding of HTTP/1.0",
            "POST /healthz HTTP/1.0\r\nhost: s\r\ntransfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n",
            BAD,
        ),
        case(
            "the length as a hop's own",
            post("connection: content-length\r\ncontent-length: 500", &hidden),
            NOT_ALLOWED,
        ),
        case(
            "the encoding as a hop's own",
            post("connection: transfer-encoding\r\ntransfer-encoding: chunked", &size),
            NOT_ALLOWED,
        ),
        case("a body of a file", body_of("GET /favicon.svg"), OK),
        case("a body of a page", body_of("GET /product/1"), OK),
        case("a body of a missing page", body_of("GET /missing"), &[404]),
        case("a body of a redirect", body_of("GET /products/"), &[308]),
        case("a body of an options request", body_of("OPTIONS *"), &[204]),
        case("a body of a delete", body_of("DELETE /product/1"), NOT_ALLOWED),
        case("a body of a tunnel", body_of("CONNECT s:443"), NOT_ALLOWED),
        case("a body of a target that is too long", body_of(&format!("GET /{}", "x".repeat(9_000))), &[414]),
        case("a body of a bad target", body_of("GET *"), BAD),
        case(
            "a body without a host",
            format!("GET /healthz HTTP/1.1\r\ncontent-length: 500\r\n\r\n{hidden}"),
            BAD,
        ),
        case("a body that is too large", post("content-length: 500000", &hidden), TOO_LARGE),
        case("chunks of a get", headers("transfer-encoding: chunked") + &size + &hidden, OK),
        case(
            "chunks of a head",
            format!("HEAD /healthz HTTP/1.1\r\nhost: s\r\ntransfer-encoding: chunked\r\n\r\n{size}{hidden}"),
            OK,
        ),
        case(
            "chunks of an options request",
            format!("OPTIONS * HTTP/1.1\r\nhost: s\r\ntransfer-encoding: chunked\r\n\r\n{size}"),
            &[204],
        ),
        case(
            "an upgrade, then a request",
            headers("connection: upgrade\r\nupgrade: websocket") + &hidden,
            &[200, 404],
        ),
    ]
}

/// A request with a body that is one itself.
fn body_of(line: &str) -> String {
    let hidden = super::line("GET /smuggled HTTP/1.1");
    format!("{line} HTTP/1.1\r\nhost: s\r\ncontent-length: {}\r\n\r\n{hidden}{hidden}", hidden.len())
}
