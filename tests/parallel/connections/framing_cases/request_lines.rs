//! First lines: methods, versions, and what is no request at all.

use super::{BAD, CLOSED, Case, NOT_ALLOWED, OK, case, line};

pub(super) fn request_lines() -> Vec<Case> {
    let long = |length| "x".repeat(length);
    vec![
        case("plain", line("GET /healthz HTTP/1.1"), OK),
        case("head", line("HEAD /healthz HTTP/1.1"), OK),
        case("lower-case method", line("get /healthz HTTP/1.1"), NOT_ALLOWED),
        case("mixed-case method", line("gEt /healthz HTTP/1.1"), NOT_ALLOWED),
        case("unknown method", line("BREW /healthz HTTP/1.1"), NOT_ALLOWED),
        case("method of other characters", line("!#$%&'*+-.^_`|~ /healthz HTTP/1.1"), NOT_ALLOWED),
        case("method with an at sign", line("G@T /healthz HTTP/1.1"), BAD),
        case("method with a bracket", line("G(T /healthz HTTP/1.1"), BAD),
        case("method of 20,000 letters", line(&format!("{} / HTTP/1.1", long(20_000))), NOT_ALLOWED),
        case("no method", line(" /healthz HTTP/1.1"), BAD),
        case("no target", line("GET HTTP/1.1"), BAD),
        case("empty target", line("GET  HTTP/1.1"), BAD),
        case("two spaces before the target", line("GET  /healthz HTTP/1.1"), BAD),
        case("two spaces before the version", line("GET /healthz  HTTP/1.1"), BAD),
        case("tab before the target", line("GET\t/healthz HTTP/1.1"), BAD),
        case("tab before the version", line("GET /healthz\tHTTP/1.1"), BAD),
        case("space before the method", line(" GET /healthz HTTP/1.1"), BAD),
        case("four words", line("GET /healthz now HTTP/1.1"), BAD),
        case("empty lines first", format!("\r\n\r\n{}", line("GET /healthz HTTP/1.1")), OK),
        case("bare line feeds first", format!("\n\n{}", line("GET /healthz HTTP/1.1")), OK),
        case(
            "a thousand empty lines first",
            format!("{}{}", "\r\n".repeat(1_000), line("GET /healthz HTTP/1.1")),
            OK,
        ),
        case("only empty lines", "\r\n".repeat(100), CLOSED),
        case("nothing", "", CLOSED),
        case("one letter", "G", CLOSED),
        case("no line end", "GET /healthz HTTP/1.1", CLOSED),
        case("HTTP/0.9", "GET /\r\n", BAD),
        case("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", CLOSED),
        case("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), BAD),
        case("SSH", "SSH-2.0-OpenSSH_9.6\r\n", BAD),
        case("SMTP", "EHLO shop.example\r\n", BAD),
        case("Redis", "*1\r\n$4\r\nPING\r\n", BAD),
        case("PROXY protocol", format!("PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n{}", line("GET / HTTP/1.1")), BAD),
        case("JSON", "{\"a\":1}\r\n\r\n", BAD),
        case("an answer", "HTTP/1.1 200 OK\r\n\r\n", BAD),
        case("high bytes", vec![0xff; 100], BAD),
        case("NULs", vec![0; 100], BAD),
    ]
}

pub(super) fn versions() -> Vec<Case> {
    let refused = [
        "HTTP/0.9",
        "HTTP/1.2",
        "HTTP/1.9",
        "HTTP/2.0",
        "HTTP/2",
        "HTTP/3.0",
        "HTTP/1.10",
        "HTTP/1.11",
        "http/1.1",
        "Http/1.1",
        "HTTP/11",
        "HTTP/1,1",
        "HTTP/ 1.1",
        "HTTP 1.1",
        "HTP/1.1",
        "HTTP/1.1 ",
        "HTTP/1.1\t",
        "HTTP/-1.1",
        "HTTP/1.",
        "HTTP/.1",
        "HTTP/01.1",
        "HTTP/1.1.1",
        "HTTP/1.1x",
        "HTTP/a.b",
        "HTTPS/1.1",
        "ICAP/1.0",
        "RTSP/1.0",
        "HTTP//1.1",
        "HTTP\\1.1",
        "/",
    ];
    let mut cases: Vec<_> = refused
        .map(|version| case(format!("version {version:?}"), line(&format!("GET /healthz {version}")), BAD))
        .into();
    cases.extend([
        case("HTTP/1.0 without host", "GET /healthz HTTP/1.0\r\n\r\n", OK),
        case("HTTP/1.0 with host", line("GET /healthz HTTP/1.0"), OK),
        case(
            "HTTP/1.0 kept alive",
            "GET /healthz HTTP/1.0\r\nconnection: keep-alive\r\n\r\n".repeat(2),
            &[200, 200],
        ),
        case("HTTP/1.0 not kept alive", "GET /healthz HTTP/1.0\r\n\r\n".repeat(2), OK),
        case("HTTP/1.0 with two hosts", "GET /healthz HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n", BAD),
        case(
            "HTTP/1.0 with chunks",
            "POST /healthz HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            BAD,
        ),
    ]);
    cases
}
