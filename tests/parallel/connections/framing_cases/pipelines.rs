//! Requests in a row on one connection.

use super::{BAD, Case, OK, case, chunked, headers, line, only, post, target};

pub(super) fn pipelines() -> Vec<Case> {
    let good = target("/healthz");
    vec![
        case("two", good.repeat(2), &[200, 200]),
        case("two, and an empty line between", format!("{good}\r\n{good}"), &[200, 200]),
        case("a good one, then nonsense", format!("{good}nonsense\r\n\r\n"), &[200, 400]),
        case("nonsense, then a good one", format!("nonsense\r\n\r\n{good}"), BAD),
        case("a good one, then half of one", format!("{good}GET / HT"), OK),
        case("a refused one, then a good one", format!("{}{good}", target("*")), &[400, 200]),
        case("different versions", format!("{good}GET /healthz HTTP/1.0\r\n\r\n{good}"), &[200, 200]),
        case("a body between", format!("{good}{}{good}", post("content-length: 5", "hello")), &[200, 405]),
        case("fifty", good.repeat(50), &[200; 50]),
        case("bare line feeds in a row", "GET /healthz HTTP/1.1\nhost: s\n\n".repeat(3), &[200, 200, 200]),
        case("ten empty lines between", format!("{good}{}{good}", "\r\n".repeat(10)), &[200, 200]),
        case("a head between", between("HEAD /favicon.svg"), &[200, 200, 200]),
        case("a missing page between", between("GET /missing"), &[200, 404, 200]),
        case("a redirect between", between("GET /products/"), &[200, 308, 200]),
        case("a form between", between("GET /search?q=red"), &[200, 303, 200]),
        case("options between", between("OPTIONS *"), &[200, 204, 200]),
        case("a method that is not allowed between", between("DELETE /product/1"), &[200, 405, 200]),
        case(
            "a target that is too long between",
            between(&format!("GET /{}", "x".repeat(9_000))),
            &[200, 414, 200],
        ),
        case("a tunnel between", between("CONNECT s:443"), &[200, 405]),
        case(
            "a request without host between",
            format!("{good}GET /healthz HTTP/1.1\r\n\r\n{good}"),
            &[200, 400, 200],
        ),
        case("other hosts", format!("{good}{}{good}", only("host: elsewhere.example")), &[200, 200, 200]),
        case("an absolute target between", between("GET http://elsewhere.example/healthz"), &[200, 200, 200]),
        case(
            "a body of length zero between",
            format!("{good}{}{good}", post("content-length: 0", "")),
            &[200, 405, 200],
        ),
        case("chunks between", format!("{good}{}{good}", chunked("0\r\n\r\n")), &[200, 405]),
        case("close in the middle", format!("{good}{}{good}", headers("connection: close")), &[200, 200]),
        case("nonsense in the middle", format!("{good}\0{good}"), &[200, 400]),
        case(
            "a version that is none in the middle",
            format!("{good}{}{good}", line("GET /healthz HTTP/3.0")),
            &[200, 400],
        ),
        case(
            "too many headers in the middle",
            format!("{good}{}{good}", headers(&["x: y"; 200].join("\r\n"))),
            &[200, 431],
        ),
        case(
            "the end in the middle of a head",
            format!("{good}{good}GET /healthz HTTP/1.1\r\nhost: s\r\n"),
            &[200, 200],
        ),
    ]
}

/// A request between two good ones.
fn between(first_line: &str) -> String {
    let good = target("/healthz");
    format!("{good}{}{good}", line(&format!("{first_line} HTTP/1.1")))
}
