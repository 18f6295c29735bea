//! The handshake: what is agreed on, and clients that do not complete it.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use vitrine::http::connections::ConnectionLimits;

use crate::common::raw::{Raw, get, last_get, statuses};
use crate::common::small_server::{Server, generous, until_counted};
use crate::common::tls::{HTTP1, HTTP2, Http2, connect, try_connect};
use crate::common::until::finishes;

#[tokio::test]
async fn the_first_protocol_of_the_server_that_the_client_knows_is_spoken() {
    let (identity, server) = Server::encrypted(generous()).await;
    for (offered, agreed) in
        [(&[HTTP1, HTTP2][..], Some(HTTP2)), (&[HTTP2], Some(HTTP2)), (&[HTTP1], Some(HTTP1)), (&[], None)]
    {
        let stream = connect(server.address, &identity, offered).await;
        assert_eq!(stream.get_ref().1.alpn_protocol(), agreed);
    }
    assert!(try_connect(server.address, &identity.certificate, &[b"spdy/3"]).await.is_err());
    until_counted(|| server.counters().http2_agreed.get(), 2).await;
    until_counted(|| server.counters().http1_agreed.get(), 2).await;
    until_counted(|| server.counters().handshake_failures.get(), 1).await;
}

#[tokio::test]
async fn http_1_is_spoken_as_without_encryption() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut stream = connect(server.address, &identity, &[HTTP1]).await;
    stream.write_all([get("/"), get("/missing"), last_get("/")].concat().as_bytes()).await.unwrap();
    let mut answers = Vec::new();
    finishes("the answers", stream.read_to_end(&mut answers)).await.unwrap();
    assert_eq!(statuses(&answers), [200, 404, 200]);
    assert!(answers.ends_with(b"ok"));
}

#[tokio::test]
async fn what_is_no_handshake_is_refused() {
    let (identity, server) = Server::encrypted(generous()).await;
    let garbage: Vec<u8> = (0..4_096_u32).map(|number| (number * 167 % 251) as u8).collect();
    let oversized = [&[22, 3, 1, 0xff, 0xff][..], &[0; 70_000]].concat();
    for (refused, bytes) in [get("/").into_bytes(), garbage, oversized, vec![0; 100]].into_iter().enumerate()
    {
        let mut raw = Raw::connect_and_send(server.address, bytes).await;
        let answer = raw.read_to_end().await;
        // A TLS alert, or nothing.
        assert!(answer.is_empty() || answer[0] == 21, "{answer:?}");
        until_counted(|| server.counters().handshake_failures.get(), refused as u64 + 1).await;
    }
    until_counted(|| server.counters().open.get(), 0).await;
    assert_eq!(Http2::connect(server.address, &identity).await.get("/").await.status(), 200);
}

#[tokio::test]
async fn a_handshake_that_is_not_completed_is_given_up() {
    let limits = ConnectionLimits { handshake: Duration::from_millis(300), ..generous() };
    let (_, server) = Server::encrypted(limits).await;
    let mut silent = Raw::connect(server.address).await;
    // The beginning of a record that announces more.
    let mut partial = Raw::connect_and_send(server.address, [22, 3, 1, 1, 0, 1]).await;
    assert_eq!(silent.read_to_end().await, b"");
    assert_eq!(partial.read_to_end().await, b"");
    until_counted(|| server.counters().handshake_timeouts.get(), 2).await;
    assert_eq!(server.counters().head_timeouts.get(), 0);
}

#[tokio::test]
async fn a_client_without_a_request_has_the_time_of_a_head() {
    let limits = ConnectionLimits { head: Duration::from_millis(300), ..generous() };
    let (identity, server) = Server::encrypted(limits).await;
    for (count, protocol) in [HTTP1, HTTP2].into_iter().enumerate() {
        let mut stream = connect(server.address, &identity, &[protocol]).await;
        // It may end without a `close_notify`.
        let _ = finishes("the end", stream.read_to_end(&mut Vec::new())).await;
        until_counted(|| server.counters().head_timeouts.get(), count as u64 + 1).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn handshakes_that_wait_keep_nobody_from_being_accepted() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut waiting = Vec::new();
    for _ in 0..200 {
        waiting.push(Raw::connect(server.address).await);
        waiting.push(Raw::connect_and_send(server.address, [22, 3, 1, 1, 0, 1]).await);
    }
    for _ in 0..10 {
        assert_eq!(Http2::connect(server.address, &identity).await.get("/").await.status(), 200);
    }
    assert!(server.counters().open.get() >= 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_is_made_where_handshakes_and_idle_connections_take_all() {
    let limits = ConnectionLimits { connections: 8, patience: Duration::from_millis(20), ..generous() };
    let (identity, server) = Server::encrypted(limits).await;
    let mut waiting = Vec::new();
    for _ in 0..6 {
        waiting.push(Raw::connect(server.address).await);
    }
    let mut idle = Http2::connect(server.address, &identity).await;
    idle.get("/").await;
    let mut working = Http2::connect(server.address, &identity).await;
    let answer = working.send(crate::common::tls::get("/slow")).await;
    server.gate.arrived(1).await;
    for _ in 0..10 {
        assert_eq!(Http2::connect(server.address, &identity).await.get("/").await.status(), 200);
    }
    assert!(server.counters().evicted.get() > 0);
    server.gate.open();
    assert_eq!(crate::common::tls::read(answer).await.unwrap().status(), 200, "who is worked for stays");
}
