//! The end of the server: every request of HTTP/2 is answered.

use std::time::Duration;

use vitrine::http::connections::ConnectionLimits;

use super::frames::{Frames, GOAWAY, HEADERS, request};
use crate::common::small_server::{Ending, LARGE, generous, until_counted};
use crate::common::tls::{Http2, get, read};
use crate::common::until::{HANGS, finishes};

#[tokio::test(flavor = "multi_thread")]
async fn requests_under_way_are_finished_and_their_client_is_told() {
    let limits = ConnectionLimits { grace: Duration::from_millis(50), drain: HANGS, ..generous() };
    let (identity, Ending { address, gate, shutdown, serving, .. }) = Ending::encrypted(limits).await;
    let mut client = Http2::connect(address, &identity).await;
    let (slow, large) = (client.send(get("/slow")).await, client.send(get("/large")).await);
    gate.arrived(1).await;
    let mut idle = Http2::connect(address, &identity).await;
    idle.get("/").await;
    shutdown.send(()).unwrap();
    // The client's connection ends without an error, which shows that the client was told.
    finishes("the end of the idle connection", idle.ended).await.unwrap().unwrap();
    assert_eq!(read(large).await.unwrap().body().len(), LARGE);
    gate.open();
    assert_eq!(read(slow).await.unwrap().body(), b"slow");
    drop(client.requests);
    finishes("the end of the connection", client.ended).await.unwrap().unwrap();
    finishes("the end of the server", serving).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_sent_before_the_client_was_told_is_answered() {
    let limits = ConnectionLimits { grace: HANGS / 2, drain: HANGS, ..generous() };
    let (identity, Ending { address, shutdown, serving, connections, .. }) = Ending::encrypted(limits).await;
    let mut client = Frames::connect(address, &identity, &[]).await;
    until_counted(|| connections.counters().http2_agreed.get(), 1).await;
    shutdown.send(()).unwrap();
    client.next_of(GOAWAY).await.unwrap();
    client.send(request(1, "/")).await;
    assert_eq!(client.next_of(HEADERS).await.unwrap().stream, 1);
    drop(client);
    finishes("the end of the server", serving).await.unwrap();
}

#[tokio::test]
async fn handshakes_and_requests_that_never_finish_are_given_up() {
    let short = Duration::from_millis(200);
    let limits = ConnectionLimits { drain: short, grace: short, ..generous() };
    let (identity, Ending { address, gate, shutdown, serving, .. }) = Ending::encrypted(limits).await;
    let _silent = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut client = Http2::connect(address, &identity).await;
    let answer = client.send(get("/slow")).await;
    gate.arrived(1).await;
    shutdown.send(()).unwrap();
    finishes("the end of the server", serving).await.unwrap();
    assert!(read(answer).await.is_err());
}
