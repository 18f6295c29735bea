//! Clients that send or read slowly or not at all, with a connection for each kind of end, and more clients than places.
//! The tests of `host/http/connections/activity/` say which limit is whose, and `timed/connections.rs` how much time slow
//! readers have.

use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;
use vitrine::http::connections::ConnectionLimits;

use crate::common::raw::{Raw, get, last_get, statuses};
use crate::common::small_server::{LARGE, Server, generous, until_counted};
use crate::common::until::{finishes, until};

/// A limit that a test lets run out.
const SHORT: Duration = Duration::from_millis(300);
/// A limit that a request keeps even when the machine stops for a while.
const LONG: Duration = Duration::from_secs(4);

/// Lets this much time pass at once.
async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_head_sent_byte_by_byte_is_cut_off() {
    let server = Server::start(ConnectionLimits { head: LONG, ..generous() }).await;
    for (closed, before) in (1..).zip(["", &get("/")]) {
        let mut raw = Raw::connect_and_send(server.address, before).await;
        if !before.is_empty() {
            raw.read_answer("ok").await;
        }
        let (mut reading, mut writing) = raw.stream.split();
        let dripping = async {
            while writing.write_all(b"x").await.is_ok() {
                pass(LONG / 20).await;
            }
        };
        let mut answer = Vec::new();
        let ending = async { tokio::join!(reading.read_to_end(&mut answer), dripping) };
        // It may end with a reset.
        let _ = finishes("the end of the connection", ending).await;
        assert!(answer.is_empty());
        until_counted(|| server.counters().head_timeouts.get(), closed).await;
        until_counted(|| server.counters().open.get(), 0).await;
    }
}

#[tokio::test]
async fn an_idle_connection_is_closed_in_the_end() {
    let server = Server::start(ConnectionLimits { idle: SHORT, ..generous() }).await;
    let answer = Raw::connect_and_send(server.address, get("/")).await.read_to_end().await;
    assert_eq!(statuses(&answer), [200]);
    assert_eq!(server.counters().idle_timeouts.get(), 1);
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_cut_off() {
    let server = Server::start(ConnectionLimits { stall: SHORT, ..generous() }).await;
    for (closed, requests) in [(1, 1), (2, 1_000)] {
        let mut raw = Raw::connect_and_send(server.address, get("/large").repeat(requests)).await;
        until_counted(|| server.counters().write_timeouts.get(), closed).await;
        until_counted(|| server.counters().open.get(), 0).await;
        assert!(raw.read_to_end().await.len() < LARGE);
    }
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
async fn nothing_is_accepted_beyond_the_limit_and_no_answer_is_cut_for_it() {
    // On a busy machine a request may be read long after its connection was accepted.
    let patience = Duration::from_millis(500);
    let server = Server::start(ConnectionLimits { connections: 2, patience, ..generous() }).await;
    let mut first = Raw::connect_and_send(server.address, get("/slow")).await;
    let mut second = Raw::connect_and_send(server.address, get("/slow")).await;
    server.gate.arrived(2).await;
    let mut third = Raw::connect_and_send(server.address, get("/slow")).await;
    // By now the accept loop would have taken the place of an idle connection.
    tokio::time::sleep(patience * 3 / 2).await;
    let counters = server.counters();
    assert_eq!((counters.accepted.get(), counters.over_limit.get(), counters.evicted.get()), (2, 1, 0));
    server.gate.open();
    for raw in [&mut first, &mut second, &mut third] {
        raw.read_answer("slow").await;
    }
    // Once they are idle, they make room for each other.
    assert!(server.counters().evicted.get() >= 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_that_holds_every_place_makes_room() {
    let limits = ConnectionLimits { connections: 16, patience: Duration::from_millis(50), ..generous() };
    let server = Server::start(limits).await;
    for bad in ["", "GET / HTTP/1.1\r\nhos", &get("/"), &get("/large")] {
        let crowd = join_all((0..64).map(|_| Raw::connect_and_send(server.address, bad))).await;
        // On a busy machine this client may have to make room too, before its request is read.
        until(&format!("an answer beside {bad:?}"), async || {
            let answer = Raw::connect_and_send(server.address, last_get("/")).await.read_to_end().await;
            statuses(&answer) == [200]
        })
        .await;
        drop(crowd);
        // Connections of the crowd that still wait to be accepted are closed already.
        until_counted(|| server.counters().open.get(), 0).await;
    }
    assert!(server.counters().evicted.get() >= 64);
}
