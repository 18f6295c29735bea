//! Clients that send or read slowly or not at all, or vanish. How much time slow readers have is in
//! `timed/connections.rs`.

use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use vitrine::http::connections::ConnectionLimits;

use crate::common::raw::{Raw, get, good_request, last_get, statuses};
use crate::common::small_server::{LARGE, Server, generous, until_counted};

/// A limit that a test lets run out.
const SHORT: Duration = Duration::from_millis(300);
/// A limit that a request keeps even when the machine stops for a while.
const LONG: Duration = Duration::from_secs(4);

#[tokio::test]
async fn a_head_sent_byte_by_byte_is_cut_off() {
    let server = Server::start(ConnectionLimits { head: SHORT, ..generous() }).await;
    let mut raw = Raw::connect(server.address).await;
    raw.send("GET / HTTP/1.1\r\nhost: shop.example\r\nx: ").await;
    let (mut reading, mut writing) = raw.stream.split();
    let dripping = async {
        while writing.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let mut answer = Vec::new();
    tokio::select! {
        _ = reading.read_to_end(&mut answer) => {}
        () = dripping => {}
    }
    assert!(statuses(&answer).is_empty());
    until_counted(|| server.counters().head_timeouts.get(), 1).await;
    until_counted(|| server.counters().open.get(), 0).await;
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let server = Server::start(ConnectionLimits { head: SHORT, ..generous() }).await;
    assert_eq!(Raw::connect(server.address).await.read_to_end().await, b"");
    assert_eq!(server.counters().head_timeouts.get(), 1);
    assert_eq!(server.counters().idle_timeouts.get(), 0);
}

#[tokio::test]
async fn an_idle_connection_outlives_the_time_for_a_head() {
    let server = Server::start(ConnectionLimits { head: LONG, ..generous() }).await;
    let mut raw = Raw::connect_and_send(server.address, get("/")).await;
    raw.read_answer("ok").await;
    tokio::time::sleep(LONG + SHORT).await;
    raw.send(get("/")).await;
    raw.read_answer("ok").await;
    assert_eq!(server.counters().accepted.get(), 1);
}

#[tokio::test]
async fn an_idle_connection_is_closed_in_the_end() {
    let server = Server::start(ConnectionLimits { idle: SHORT, ..generous() }).await;
    let answer = Raw::connect_and_send(server.address, get("/")).await.read_to_end().await;
    assert_eq!(statuses(&answer), [200]);
    assert_eq!(server.counters().idle_timeouts.get(), 1);
}

#[tokio::test]
async fn a_second_head_has_the_time_of_a_head() {
    let server = Server::start(ConnectionLimits { head: LONG, ..generous() }).await;
    let mut raw = Raw::connect_and_send(server.address, get("/")).await;
    raw.read_answer("ok").await;
    raw.send("GET / HTT").await;
    assert_eq!(raw.read_to_end().await, b"");
    assert_eq!(server.counters().head_timeouts.get(), 1);
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_cut_off() {
    let server = Server::start(ConnectionLimits { stall: SHORT, ..generous() }).await;
    let mut raw = Raw::connect_and_send(server.address, get("/large")).await;
    until_counted(|| server.counters().write_timeouts.get(), 1).await;
    until_counted(|| server.counters().open.get(), 0).await;
    assert!(raw.read_to_end().await.len() < LARGE);
}

#[tokio::test]
async fn a_client_that_has_closed_its_side_is_answered() {
    let server = Server::start(generous()).await;
    let mut raw = Raw::connect_and_send(server.address, get("/slow")).await;
    raw.finish_sending().await;
    server.gate.arrived(1).await;
    server.gate.open();
    assert_eq!(statuses(&raw.read_to_end().await), [200]);
    until_counted(|| server.counters().open.get(), 0).await;
}

#[tokio::test]
async fn a_reset_in_the_middle_of_an_answer_ends_the_connection() {
    let server = Server::start(generous()).await;
    let mut raw = Raw::connect_and_send(server.address, get("/large")).await;
    raw.stream.read_exact(&mut [0; 1_000]).await.unwrap();
    SockRef::from(&raw.stream).set_linger(Some(Duration::ZERO)).unwrap();
    drop(raw);
    until_counted(|| server.counters().open.get(), 0).await;
    assert_eq!(statuses(good_request(server.address, "/").await.as_bytes()), [200]);
}

#[tokio::test]
async fn a_body_is_not_read_while_its_request_is_answered() {
    let server = Server::start(ConnectionLimits { linger: SHORT, ..generous() }).await;
    let head = "GET /slow HTTP/1.1\r\nhost: s\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut raw = Raw::connect_and_send(server.address, head).await;
    server.gate.arrived(1).await;
    let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000)).repeat(16);
    let mut sent = 0;
    // Once nothing has moved for a while, the kernel's buffers are full.
    while let Ok(Ok(())) = timeout(SHORT, raw.stream.write_all(chunk.as_bytes())).await {
        sent += chunk.len();
        assert!(sent < 256 << 20, "the server reads on and on");
    }
    server.gate.open();
    assert_eq!(statuses(&raw.read_to_end().await), [200]);
    until_counted(|| server.counters().open.get(), 0).await;
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_their_order() {
    let server = Server::start(generous()).await;
    server.gate.open();
    let requests = [get("/"), get("/slow"), get("/missing"), get("/"), last_get("/slow"), get("/")].concat();
    let answers = Raw::connect_and_send(server.address, requests).await.read_text().await;
    assert_eq!(statuses(answers.as_bytes()), [200, 200, 404, 200, 200]);
    let bodies: Vec<_> = ["ok", "slow"].iter().flat_map(|body| answers.match_indices(body)).collect();
    assert_eq!(bodies.len(), 4);
    assert!(answers.ends_with("slow"));
}

#[tokio::test]
async fn a_thousand_pipelined_requests_of_a_client_that_does_not_read_are_not_all_answered_at_once() {
    let server = Server::start(ConnectionLimits { stall: SHORT, ..generous() }).await;
    let _raw = Raw::connect_and_send(server.address, get("/large").repeat(1_000)).await;
    until_counted(|| server.counters().write_timeouts.get(), 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn good_clients_are_answered_beside_bad_ones() {
    let server = Server::start(generous()).await;
    let mut bad = Vec::new();
    for _ in 0..100 {
        bad.push(Raw::connect(server.address).await);
        bad.push(Raw::connect_and_send(server.address, "GET / HTTP/1.1\r\nho").await);
        bad.push(Raw::connect_and_send(server.address, get("/large")).await);
        bad.push(Raw::connect_and_send(server.address, get("/slow")).await);
    }
    server.gate.arrived(100).await;
    for _ in 0..20 {
        assert_eq!(statuses(good_request(server.address, "/").await.as_bytes()), [200]);
    }
    assert!(server.counters().open.get() >= 400);
}
