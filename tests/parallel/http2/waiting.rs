//! Connections of HTTP/2 that wait for their client.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use super::frames::{ACK, GOAWAY, HEADERS, PING, connected, frame, request};
use crate::common::small_server::{generous, until_counted};

const SHORT: Duration = Duration::from_millis(300);

#[tokio::test]
async fn an_idle_connection_is_told_to_end_and_answers_what_was_on_its_way() {
    let limits = ConnectionLimits { idle: SHORT, grace: Duration::from_secs(30), ..generous() };
    let (_identity, server, mut client) = connected(limits, &[]).await;
    client.send(request(1, "/")).await;
    client.next_of(HEADERS).await.unwrap();
    let told = client.next_of(GOAWAY).await.unwrap();
    assert_eq!(told.reason(), 0);
    // As if the client had not read that yet.
    client.send(request(3, "/")).await;
    assert_eq!(client.next_of(HEADERS).await.unwrap().stream, 3);
    until_counted(|| server.counters().idle_timeouts.get(), 1).await;
}

#[tokio::test]
async fn an_idle_connection_whose_client_says_nothing_is_closed() {
    let limits = ConnectionLimits { idle: SHORT, grace: SHORT, ..generous() };
    let (_identity, server, mut client) = connected(limits, &[]).await;
    client.send(request(1, "/")).await;
    until_counted(|| server.counters().idle_timeouts.get(), 1).await;
    assert_eq!(client.reason_of_end().await, Some(0));
    until_counted(|| server.counters().open.get(), 0).await;
    assert_eq!(server.counters().idle_timeouts.get(), 1);
}

#[tokio::test]
async fn a_client_that_acknowledges_is_let_go_at_once() {
    let limits = ConnectionLimits { idle: SHORT, ..generous() };
    let limits = ConnectionLimits { grace: Duration::from_secs(3_600), ..limits };
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
