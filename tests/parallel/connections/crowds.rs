//! More clients than places.

use std::time::Duration;

use futures_util::future::join_all;
use vitrine::http::connections::ConnectionLimits;

use crate::common::raw::{Raw, get, good_request, last_get, statuses};
use crate::common::small_server::{Server, generous, until_counted};
use crate::common::until::until;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_at_once_are_all_served_within_the_limit() {
    let server = Server::start(ConnectionLimits { connections: 32, ..generous() }).await;
    let watched = server.connections.clone();
    let watching = tokio::spawn(async move {
        let mut most = 0;
        while watched.counters().accepted.get() < 1_000 {
            most = most.max(watched.counters().open.get());
            tokio::task::yield_now().await;
        }
        most
    });
    let answers = join_all((0..1_000).map(|_| good_request(server.address, "/"))).await;
    assert!(answers.iter().all(|answer| statuses(answer.as_bytes()) == [200]));
    assert!(watching.await.unwrap() <= 32);
    assert!(server.counters().over_limit.get() > 0);
    assert_eq!(server.counters().evicted.get(), 0);
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
    assert_eq!(server.counters().accepted.get(), 2);
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

#[tokio::test]
async fn an_idle_connection_makes_room_before_one_in_the_middle_of_an_answer() {
    let limits = ConnectionLimits { connections: 3, patience: Duration::from_millis(50), ..generous() };
    let server = Server::start(limits.clone()).await;
    let mut reader = Raw::connect_and_send(server.address, get("/large")).await;
    until_counted(|| server.counters().open.get(), 1).await;
    let mut older = Raw::connect_and_send(server.address, get("/")).await;
    older.read_answer("ok").await;
    // Both have waited for long enough to be asked for their places.
    tokio::time::sleep(limits.patience * 4).await;
    let mut newer = Raw::connect_and_send(server.address, get("/")).await;
    newer.read_answer("ok").await;
    assert_eq!(older.read_to_end().await, b"");
    until_counted(|| server.counters().evicted.get(), 1).await;
    newer.send(get("/")).await;
    newer.read_answer("ok").await;
    until("the answer that is being sent", async || server.counters().open.get() == 2).await;
    let mut large = vec![0; 1 << 20];
    tokio::io::AsyncReadExt::read_exact(&mut reader.stream, &mut large).await.unwrap();
}
