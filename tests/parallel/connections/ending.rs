//! The end: every request is answered, and no client keeps the process from ending.

use std::io::{Read as _, Write as _};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use vitrine::http::connections::{ConnectionLimits, Connections};

use crate::common::raw::{Raw, get, statuses};
use crate::common::small_server::{Ending, Gate, LARGE, generous, router, until_counted};
use crate::common::until::{HANGS, finishes, until};

/// Asks the server to end, and waits until it accepts no further connection.
async fn end(shutdown: oneshot::Sender<()>, address: SocketAddr) {
    shutdown.send(()).unwrap();
    until("a refused connection", async || TcpStream::connect(address).await.is_err()).await;
}

async fn finished(serving: JoinHandle<()>) {
    finishes("the end of the server", serving).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_every_connection_are_answered_and_are_the_last() {
    let Ending { address, gate, connections, shutdown, serving } =
        Ending::start(ConnectionLimits { grace: HANGS / 2, drain: HANGS, ..generous() }).await;
    let mut working = Raw::connect_and_send(address, get("/slow")).await;
    gate.arrived(1).await;
    let mut idle = Raw::connect_and_send(address, get("/")).await;
    assert!(!idle.read_answer("ok").await.contains("connection: close"));
    let mut silent = Raw::connect(address).await;
    let mut partial = Raw::connect_and_send(address, "GET / HTTP/1.1\r\nhost: ").await;
    until_counted(|| connections.counters().accepted.get(), 4).await;
    end(shutdown, address).await;
    gate.open();
    idle.send(get("/")).await;
    silent.send(get("/")).await;
    partial.send("shop.example\r\n\r\n").await;
    for raw in [&mut working, &mut idle, &mut silent, &mut partial] {
        let answer = raw.read_text().await;
        assert_eq!(statuses(answer.as_bytes()), [200]);
        assert!(answer.contains("connection: close"), "{answer}");
    }
    drop((working, idle, silent, partial));
    finished(serving).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_without_a_request_are_closed() {
    let Ending { address, gate, connections, shutdown, serving } = Ending::start(ConnectionLimits {
        grace: Duration::from_millis(100),
        linger: Duration::from_millis(100),
        ..generous()
    })
    .await;
    let mut working = Raw::connect_and_send(address, get("/slow")).await;
    gate.arrived(1).await;
    let mut idle = Raw::connect_and_send(address, get("/")).await;
    idle.read_answer("ok").await;
    let mut silent = Raw::connect(address).await;
    let mut partial = Raw::connect_and_send(address, "GET / HTTP/1.1\r\nhost: ").await;
    until_counted(|| connections.counters().accepted.get(), 4).await;
    end(shutdown, address).await;
    for raw in [&mut idle, &mut silent, &mut partial] {
        assert_eq!(raw.read_to_end().await, b"");
    }
    // Long after the grace of the others the working connection is still open.
    until_counted(|| connections.counters().open.get(), 1).await;
    gate.open();
    assert_eq!(statuses(&working.read_to_end().await), [200]);
    // The client keeps its side open, and does not hold the server.
    finished(serving).await;
}

#[tokio::test]
async fn an_answer_on_its_way_arrives_whole() {
    let Ending { address, shutdown, serving, .. } =
        Ending::start(ConnectionLimits { grace: Duration::from_millis(50), drain: HANGS, ..generous() })
            .await;
    let mut raw = Raw::connect_and_send(address, get("/large")).await;
    let mut bytes = vec![0; 1_000];
    raw.stream.read_exact(&mut bytes).await.unwrap();
    end(shutdown, address).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    bytes.extend(raw.read_to_end().await);
    assert!(bytes.len() > LARGE, "{}", bytes.len());
    drop(raw);
    finished(serving).await;
}

#[tokio::test]
async fn requests_that_wait_to_be_accepted_are_served_before_the_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let clients: Vec<_> = (0..50)
        .map(|_| {
            // The kernel alone completes these connections: the runtime does not run meanwhile.
            let mut client = std::net::TcpStream::connect(address).unwrap();
            client.write_all(get("/").as_bytes()).unwrap();
            client
        })
        .collect();
    let connections = Connections::new(generous());
    let ended = std::future::ready(());
    let serving = connections.clone().serve(listener, router(Gate::default()), ended);
    finishes("the end of the server", serving).await;
    assert_eq!(connections.counters().accepted.get(), 50);
    for mut client in clients {
        client.set_read_timeout(Some(HANGS)).unwrap();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).unwrap();
        assert_eq!(statuses(&answer), [200]);
    }
}

#[tokio::test]
async fn requests_that_never_finish_are_given_up() {
    let Ending { address, gate, shutdown, serving, connections } =
        Ending::start(ConnectionLimits { drain: Duration::from_millis(200), ..generous() }).await;
    let mut raw = Raw::connect_and_send(address, get("/slow")).await;
    gate.arrived(1).await;
    shutdown.send(()).unwrap();
    finished(serving).await;
    assert_eq!(raw.read_to_end().await, b"");
    assert_eq!(connections.counters().accepted.get(), 1);
}
