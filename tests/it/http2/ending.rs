//! The end of the server, where every request of HTTP/2 is answered, and of connections that wait for their client.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use super::frames::{ACK, Frames, GOAWAY, HEADERS, PING, connected, frame, request};
use crate::common::client::FOREVER;
use crate::common::small_server::{LARGE, Server, generous, until_counted};
use crate::common::tls::{Http2, get, read};
use crate::common::until::{HANGS, finishes};

#[tokio::test(flavor = "multi_thread")]
async fn requests_under_way_are_finished_and_their_client_is_told() {
    let limits = ConnectionLimits { grace: Duration::from_millis(50), drain: HANGS, ..generous() };
    let (identity, server) = Server::encrypted(limits).await;
    let mut client = Http2::connect(server.address, &identity).await;
    let (slow, large) = (client.send(get("/slow")).await, client.send(get("/large")).await);
    server.gate.arrived(1).await;
    let mut idle = Http2::connect(server.address, &identity).await;
    idle.get("/").await;
    server.end().await;
    // The client's connection ends without an error, which shows that the client was told.
    finishes("the end of the idle connection", idle.ended).await.unwrap().unwrap();
    assert_eq!(read(large).await.unwrap().body().len(), LARGE);
    server.gate.open();
    assert_eq!(read(slow).await.unwrap().body(), b"slow");
    drop(client.requests);
    finishes("the end of the connection", client.ended).await.unwrap().unwrap();
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_sent_before_the_client_was_told_is_answered() {
    let limits = ConnectionLimits { grace: HANGS / 2, drain: HANGS, ..generous() };
    let (identity, server) = Server::encrypted(limits).await;
    let mut client = Frames::connect(server.address, &identity, &[]).await;
    until_counted(|| server.counters().http2_agreed.get(), 1).await;
    server.end().await;
    client.next_of(GOAWAY).await.unwrap();
    client.send(request(1, "/")).await;
    assert_eq!(client.next_of(HEADERS).await.unwrap().stream, 1);
    drop(client);
    server.ended().await;
}

#[tokio::test]
async fn handshakes_and_requests_that_never_finish_are_given_up() {
    let short = Duration::from_millis(200);
    let limits = ConnectionLimits { drain: short, grace: short, ..generous() };
    let (identity, server) = Server::encrypted(limits).await;
    let _silent = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let mut client = Http2::connect(server.address, &identity).await;
    let answer = client.send(get("/slow")).await;
    server.gate.arrived(1).await;
    server.end().await;
    server.ended().await;
    assert!(read(answer).await.is_err());
}

#[tokio::test]
async fn an_idle_connection_is_told_to_end_answers_what_was_on_its_way_and_is_closed() {
    let (idle, grace) = (Duration::from_millis(300), Duration::from_secs(3));
    let limits = ConnectionLimits { idle, grace, ..generous() };
    let (_identity, server, mut client) = connected(limits, &[]).await;
    client.send(request(1, "/")).await;
    client.next_of(HEADERS).await.unwrap();
    assert_eq!(client.next_of(GOAWAY).await.unwrap().reason(), 0);
    // As if the client had not read that yet.
    client.send(request(3, "/")).await;
    assert_eq!(client.next_of(HEADERS).await.unwrap().stream, 3);
    // From here on the client says nothing.
    client.reason_of_end().await;
    until_counted(|| server.counters().open.get(), 0).await;
    assert_eq!(server.counters().idle_timeouts.get(), 1);
}

#[tokio::test]
async fn a_client_that_acknowledges_is_let_go_at_once() {
    let (idle, grace) = (Duration::from_millis(300), FOREVER);
    let limits = ConnectionLimits { idle, grace, ..generous() };
    let (_identity, server, mut client) = connected(limits, &[]).await;
    client.send(request(1, "/")).await;
    client.next_of(GOAWAY).await.unwrap();
    let ping = client.next_of(PING).await.unwrap();
    client.send(frame(PING, ACK, 0, &ping.payload)).await;
    let last = client.next_of(GOAWAY).await.unwrap();
    assert_eq!(last.payload[..4], 1_u32.to_be_bytes(), "it says which request was the last one");
    drop(client);
    until_counted(|| server.counters().open.get(), 0).await;
}
