//! The handshake: what is agreed on, and clients that do not complete it.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use crate::common::raw::{Raw, get};
use crate::common::small_server::{Server, generous, until_counted};
use crate::common::tls::{HTTP1, HTTP2, Http2, connect, try_connect};

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
