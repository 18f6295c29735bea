//! Raw bytes of every shape that is not quite HTTP, and some that are: what each gets is written
//! down here, so that a change of the HTTP parser fails a test.

mod bodies;
mod generated;
mod header_lines;
mod hosts;
mod methods;
mod pipelines;
mod request_lines;
mod smuggling;
mod targets;

use std::collections::HashSet;
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

/// The least number of cases in the tables, without those that differ in one byte only.
const WRITTEN_DOWN: usize = 500;

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

/// The cases that are written down one by one.
fn written_down() -> Vec<Case> {
    [
        request_lines::request_lines(),
        request_lines::versions(),
        methods::methods(),
        targets::targets(),
        hosts::hosts(),
        header_lines::header_lines(),
        bodies::lengths(),
        bodies::encodings(),
        bodies::chunks(),
        bodies::expectations(),
        smuggling::smuggling(),
        pipelines::pipelines(),
    ]
    .into_iter()
    .flatten()
    .collect()
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
    let name = &case.name;
    Err(format!("{name} (finished: {finish}): {got:?}, expected {:?}, then {good:?}", case.expected))
}

/// Tries every case, `at_once` of them at the same time, with the client's side left open and closed.
/// Returns the longest time that a case took.
pub(crate) async fn try_all(address: SocketAddr, at_once: usize) -> Duration {
    let mut cases = written_down();
    assert!(cases.len() >= WRITTEN_DOWN, "only {} cases", cases.len());
    cases.extend(generated::cases());
    let names: HashSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have the same name");
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
