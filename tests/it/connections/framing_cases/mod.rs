//! Raw bytes of every shape that is not quite HTTP, and some that are: what each gets is written
//! down here, so that a change of the HTTP parser fails a test.

mod bodies;
mod first_lines;
mod headers;

use std::collections::HashSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::io::AsyncWriteExt as _;

use crate::common::raw::{Raw, good_request, statuses};

/// The statuses of the answers that a case gets.
type Expected = &'static [u16];

/// Closed without an answer, because no whole request came.
const CLOSED: Expected = &[];
const OK: Expected = &[200];
const BAD: Expected = &[400];
const MISSING: Expected = &[404];
/// A body is framed well; the status says that the address takes none.
const NOT_ALLOWED: Expected = &[405];
const TOO_LARGE: Expected = &[413];
const HEAD_TOO_LARGE: Expected = &[431];
/// Both of two requests are answered.
const BOTH: Expected = &[200, 200];

#[derive(Clone)]
struct Case {
    bytes: Vec<u8>,
    expected: Expected,
}

/// A case for each of these requests.
fn rows<B: Into<Vec<u8>>, const N: usize>(rows: [(Expected, B); N]) -> Vec<Case> {
    rows.map(|(expected, bytes)| Case { bytes: bytes.into(), expected }).into()
}

/// A case for each of these parts of a request.
fn each(
    expected: Expected,
    parts: impl IntoIterator<Item: AsRef<str>>,
    request: impl Fn(&str) -> String,
) -> Vec<Case> {
    let case = |bytes: String| Case { bytes: bytes.into(), expected };
    parts.into_iter().map(|part| case(request(part.as_ref()))).collect()
}

/// As [`each`], of parts without white space. `¶` stands for the end of a line.
fn words(expected: Expected, parts: &str, request: impl Fn(&str) -> String) -> Vec<Case> {
    each(expected, parts.split_ascii_whitespace().map(|part| part.replace('¶', "\r\n")), request)
}

/// A request with this first line.
fn line(line: &str) -> String {
    format!("{line}\r\nhost: s\r\n\r\n")
}

/// A request with this method and target.
fn asks(method_and_target: &str) -> String {
    line(&format!("{method_and_target} HTTP/1.1"))
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

/// What went wrong with a case, or how long it took.
async fn try_case(address: SocketAddr, case: &Case, finish: bool) -> Result<Duration, String> {
    let mut raw = Raw::connect(address).await;
    let started = Instant::now();
    // The server may answer and close before it has received everything.
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
    let (text, length) = (case.bytes.escape_ascii().to_string(), case.bytes.len());
    let wrong = format!("{got:?}, expected {:?}, then {good:?}", case.expected);
    Err(format!("{text:.200} ({length} bytes, finished: {finish}): {wrong}"))
}

/// Tries every case, `at_once` of them at the same time, with the client's side left open and closed.
/// Returns the longest time that a case took.
pub(crate) async fn try_all(address: SocketAddr, at_once: usize) -> Duration {
    let cases = [first_lines::cases(), headers::cases(), bodies::cases(), bodies::smuggling()].concat();
    assert!(cases.len() >= 900, "only {} cases", cases.len());
    let different: HashSet<&[u8]> = cases.iter().map(|case| &case.bytes[..]).collect();
    assert_eq!(different.len(), cases.len(), "two cases are the same");
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
