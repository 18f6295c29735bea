//! Raw bytes of every shape that is not quite HTTP, and some that are: what each gets is written
//! down here, so that a change of the HTTP parser fails a test.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::io::AsyncWriteExt as _;

use crate::common::raw::{Raw, good_request, statuses};

/// Closed without an answer, because no whole request came.
const CLOSED: &[u16] = &[];
const OK: &[u16] = &[200];
const BAD: &[u16] = &[400];
/// A body is framed well; the status says that the address takes none.
const NOT_ALLOWED: &[u16] = &[405];
const TOO_LARGE: &[u16] = &[413];
const HEAD_TOO_LARGE: &[u16] = &[431];

struct Case {
    name: String,
    bytes: Vec<u8>,
    expected: &'static [u16],
}

fn case(name: impl Into<String>, bytes: impl Into<Vec<u8>>, expected: &'static [u16]) -> Case {
    Case { name: name.into(), bytes: bytes.into(), expected }
}

/// A request with this first line.
fn line(line: &str) -> String {
    format!("{line}\r\nhost: s\r\n\r\n")
}

/// A request with this target.
fn target(target: &str) -> String {
    line(&format!("GET {target} HTTP/1.1"))
}

/// A request with these further header lines.
fn headers(lines: &str) -> String {
    format!("GET /healthz HTTP/1.1\r\nhost: s\r\n{lines}\r\n\r\n")
}

/// A request whose only headers are these.
fn only(lines: &str) -> String {
    format!("GET /healthz HTTP/1.1\r\n{lines}\r\n\r\n")
}

fn post(lines: &str, body: &str) -> String {
    format!("POST /healthz HTTP/1.1\r\nhost: s\r\n{lines}\r\n\r\n{body}")
}

fn chunked(body: &str) -> String {
    post("transfer-encoding: chunked", body)
}

fn request_lines() -> Vec<Case> {
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

fn versions() -> Vec<Case> {
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

fn targets() -> Vec<Case> {
    let query = |length: usize| format!("/healthz?{}", "x".repeat(length - "/healthz?".len()));
    vec![
        case("absolute form", target("http://shop.example/healthz"), OK),
        case("absolute form of another host", target("http://elsewhere.example/healthz"), OK),
        case("absolute form with https", target("https://shop.example/healthz"), OK),
        case("absolute form with ftp", target("ftp://shop.example/healthz"), OK),
        case("absolute form without path", target("http://shop.example"), OK),
        case("absolute form with a query alone", target("http://shop.example?a"), OK),
        case("absolute form with a user", target("http://user:secret@shop.example/healthz"), OK),
        case("absolute form with an impossible port", target("http://shop.example:99999/healthz"), OK),
        case("absolute form without host", target("http:///healthz"), BAD),
        case("absolute form without host header", "GET http://s/healthz HTTP/1.1\r\n\r\n", BAD),
        case("authority form", target("shop.example:80"), BAD),
        case("a bare word", target("healthz"), BAD),
        case("asterisk", target("*"), BAD),
        case("options of the server", line("OPTIONS * HTTP/1.1"), &[204]),
        case("options of an address", line("OPTIONS /healthz HTTP/1.1"), NOT_ALLOWED),
        case("connect", line("CONNECT shop.example:443 HTTP/1.1"), NOT_ALLOWED),
        case("connect to an internal address", line("CONNECT 169.254.169.254:80 HTTP/1.1"), NOT_ALLOWED),
        case("connect to a path", line("CONNECT /healthz HTTP/1.1"), NOT_ALLOWED),
        case("connect, then a request", line("CONNECT s:443 HTTP/1.1").repeat(2), NOT_ALLOWED),
        case("trace", line("TRACE /healthz HTTP/1.1"), NOT_ALLOWED),
        case("script scheme", target("javascript:alert(1)"), BAD),
        case("file scheme", target("file:///etc/passwd"), BAD),
        case("space in the path", target("/health z"), BAD),
        case("fragment", target("/healthz#part"), OK),
        case("backslash", target("\\healthz"), BAD),
        case("backslash in the path", target("/\\healthz"), &[404]),
        case("two slashes", target("//healthz"), &[404]),
        case("parent folders", target("/../../etc/passwd"), &[404]),
        case("encoded parent folders", target("/%2e%2e/%2e%2e/etc/passwd"), &[404]),
        case("encoded NUL", target("/%00"), &[404]),
        case("half an escape", target("/%"), &[404]),
        case("no escape", target("/%zz"), &[404]),
        case("encoded line end", target("/%0d%0aset-cookie:%20a=b"), &[404]),
        case("raw UTF-8", target("/ü"), &[404]),
        case("broken UTF-8", [&b"GET /\xc3\x28 HTTP/1.1\r\nhost: s\r\n\r\n"[..]].concat(), BAD),
        case("a lone question mark", target("?"), BAD),
        case("empty query", target("/healthz?"), OK),
        case("markup in the query", target("/healthz?<script>"), BAD),
        case("curly brackets", target("/healthz?{}"), OK),
        case("pipe and caret", target("/healthz?|^`"), OK),
        case("target of 8,192 bytes", target(&query(8_192)), OK),
        case("target of 8,193 bytes", target(&query(8_193)), &[414]),
        case("target of 30,000 bytes", target(&query(30_000)), &[414]),
        case("target of 40,000 bytes", target(&query(40_000)), HEAD_TOO_LARGE),
        case("target of a megabyte", target(&query(1_000_000)), HEAD_TOO_LARGE),
    ]
}

fn header_lines() -> Vec<Case> {
    let long = |length| "x".repeat(length);
    vec![
        case("no colon", headers("nonsense"), BAD),
        case("no name", headers(": value"), BAD),
        case("space before the colon", headers("x : y"), BAD),
        case("tab before the colon", headers("x\t: y"), BAD),
        case("space in the name", headers("x y: z"), BAD),
        case("folded line", headers("x: y\r\n z"), BAD),
        case("line folded with a tab", headers("x: y\r\n\tz"), BAD),
        case("folded first line", only(" host: s"), BAD),
        case("folded host", only("host:\r\n s"), BAD),
        case("bare line feeds", "GET /healthz HTTP/1.1\nhost: s\n\n", OK),
        case("one bare line feed", "GET /healthz HTTP/1.1\r\nhost: s\n\r\n", OK),
        case("bare carriage returns", "GET /healthz HTTP/1.1\rhost: s\r\r", BAD),
        case("carriage return in a value", headers("x: y\rz"), BAD),
        case("two carriage returns", "GET /healthz HTTP/1.1\r\r\nhost: s\r\r\n\r\r\n", BAD),
        case("empty value", headers("x:"), OK),
        case("value of spaces", headers("x:      "), OK),
        case("value of high bytes", b"GET /healthz HTTP/1.1\r\nhost: s\r\nx: \xff\xfe\r\n\r\n".to_vec(), OK),
        case("name of high bytes", b"GET /healthz HTTP/1.1\r\nhost: s\r\n\xff\xfe: x\r\n\r\n".to_vec(), BAD),
        case("name in brackets", headers("(x): y"), BAD),
        case("name with a slash", headers("x/y: z"), BAD),
        case("name with an at sign", headers("x@y: z"), BAD),
        case("name in quotation marks", headers("\"x\": y"), BAD),
        case("100 headers", headers(&["x: y"; 99].join("\r\n")), OK),
        case("101 headers", headers(&["x: y"; 100].join("\r\n")), HEAD_TOO_LARGE),
        case("5,000 headers", headers(&["x: y"; 5_000].join("\r\n")), HEAD_TOO_LARGE),
        case("value of 30,000 bytes", headers(&format!("x: {}", long(30_000))), OK),
        case("value of 40,000 bytes", headers(&format!("x: {}", long(40_000))), HEAD_TOO_LARGE),
        case("value of a megabyte", headers(&format!("x: {}", long(1_000_000))), HEAD_TOO_LARGE),
        case("name of 30,000 bytes", headers(&format!("{}: x", long(30_000))), OK),
        case("name of 40,000 bytes", headers(&format!("{}: x", long(40_000))), HEAD_TOO_LARGE),
        case("value without end", format!("GET / HTTP/1.1\r\nx: {}", long(20_000)), CLOSED),
        case("no end", "GET /healthz HTTP/1.1\r\nhost: s\r\n", CLOSED),
        case("no host", "GET /healthz HTTP/1.1\r\n\r\n", BAD),
        case("upper-case host", only("HOST: s"), OK),
        case("two hosts", only("host: a\r\nhost: b"), BAD),
        case("the same host twice", only("host: a\r\nhost: a"), BAD),
        case("two hosts in one line", only("host: a, b"), BAD),
        case("empty host", only("host:"), OK),
        case("host with a space", only("host: a b"), BAD),
        case("host with a path", only("host: a/b"), BAD),
        case("host with a user", only("host: user@a"), BAD),
        case("host with a port", only("host: a:8080"), OK),
        case("host with a worded port", only("host: a:b"), OK),
        case("host with an IPv6 address", only("host: [::1]:80"), OK),
        case("host with half an IPv6 address", only("host: [::1"), BAD),
        case("host with markup", only("host: <script>"), BAD),
        case("host in Unicode", only("host: müller.example"), BAD),
        case("host of 20,000 bytes", only(&format!("host: {}", long(20_000))), OK),
        case("close", headers("connection: close").repeat(2), OK),
        case("keep alive", headers("connection: keep-alive").repeat(2), &[200, 200]),
        case("close and keep alive", headers("connection: close, keep-alive").repeat(2), OK),
        case("keep alive and close", headers("connection: keep-alive\r\nconnection: close").repeat(2), OK),
        case("odd connection", headers("connection: ,,;;="), OK),
        case(
            "upgrade to h2c",
            headers("connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk"),
            OK,
        ),
        case(
            "upgrade to a web socket",
            headers("connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x"),
            OK,
        ),
        case("expect to continue without a body", headers("expect: 100-continue"), OK),
        case("expect the impossible", headers("expect: 42"), OK),
        case("odd range", headers("range: bytes=9-1,-,a-b"), OK),
        case("odd encodings", headers("accept-encoding: ;;q=,gzip;q=9,*;q=a"), OK),
        case("odd dates", headers("if-modified-since: never\r\nif-none-match: \",,"), OK),
    ]
}

fn lengths() -> Vec<Case> {
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

fn encodings() -> Vec<Case> {
    let taken = [
        "chunked",
        "Chunked",
        "CHUNKED",
        "  chunked  ",
        "gzip, chunked",
        "identity, chunked",
        "chunked, chunked",
        ",chunked",
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
    ];
    let with = |encoding: &str| post(&format!("transfer-encoding: {encoding}"), "0\r\n\r\n");
    let taken = taken.map(|encoding| case(format!("encoding {encoding:?}"), with(encoding), NOT_ALLOWED));
    let refused = refused.map(|encoding| case(format!("encoding {encoding:?}"), with(encoding), BAD));
    taken.into_iter().chain(refused).collect()
}

fn chunks() -> Vec<Case> {
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
        ("NULs", "\0\0\0\0".into()),
        ("nothing", String::new()),
    ];
    let cases = bodies.map(|(name, body)| case(format!("chunks: {name}"), chunked(&body), NOT_ALLOWED));
    cases.into()
}

/// Requests whose end two servers could see in different places: what follows it is no request here.
fn smuggling() -> Vec<Case> {
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
    ]
}

fn pipelines() -> Vec<Case> {
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
    ]
}

/// Every control character in every part of a head.
fn control_characters() -> Vec<Case> {
    let mut cases = Vec::new();
    for byte in (0..0x20).chain([0x7f]) {
        let byte = char::from(byte);
        let name = |part: &str| format!("character {:#04x} in a {part}", u32::from(byte));
        let header_name = if byte == '\n' { "a line of its own" } else { "name" };
        cases.push(case(name("method"), line(&format!("G{byte}T /healthz HTTP/1.1")), BAD));
        cases.push(case(name("target"), target(&format!("/health{byte}z")), BAD));
        cases.push(case(name(header_name), headers(&format!("x{byte}y: z")), BAD));
        let in_value = match byte {
            '\t' => OK,
            _ => BAD,
        };
        cases.push(case(name("value"), headers(&format!("x: y{byte}z")), in_value));
    }
    cases
}

/// A request that ends too early, wherever that is.
fn cuts() -> Vec<Case> {
    let whole = headers("accept: */*");
    let cuts = (1..whole.len()).step_by(3);
    cuts.map(|length| case(format!("cut after {length} bytes"), &whole[..length], CLOSED)).collect()
}

fn cases() -> Vec<Case> {
    [
        request_lines(),
        versions(),
        targets(),
        header_lines(),
        lengths(),
        encodings(),
        chunks(),
        smuggling(),
        pipelines(),
        control_characters(),
        cuts(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What went wrong with a case, or how long it took.
async fn try_case(address: SocketAddr, case: &Case, finish: bool) -> Result<Duration, String> {
    let mut raw = Raw::connect(address).await;
    let started = Instant::now();
    // The server may answer and close before it has all.
    let _ = raw.stream.write_all(&case.bytes).await;
    if finish {
        let _ = raw.stream.shutdown().await;
    }
    let answer = raw.read_to_end().await;
    let took = started.elapsed();
    let got = statuses(&answer);
    let good = statuses(good_request(address, "/healthz").await.as_bytes());
    if got == case.expected && good == OK {
        return Ok(took);
    }
    let name = &case.name;
    Err(format!("{name} (finished: {finish}): {got:?}, expected {:?}, then {good:?}", case.expected))
}

/// Tries every case, `at_once` of them at the same time, with the client's side left open and closed.
/// Gives the longest time that one took.
pub(crate) async fn try_all(address: SocketAddr, at_once: usize) -> Duration {
    let cases = cases();
    assert!(cases.len() >= 150);
    let both = cases.iter().flat_map(|case| [(case, false), (case, true)]);
    let outcomes: Vec<Result<Duration, String>> = stream::iter(both)
        .map(|(case, finish)| try_case(address, case, finish))
        .buffer_unordered(at_once)
        .collect()
        .await;
    let failures: Vec<&str> =
        outcomes.iter().filter_map(|outcome| outcome.as_ref().err().map(String::as_str)).collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), outcomes.len(), failures.join("\n"));
    outcomes.into_iter().flatten().max().unwrap()
}
