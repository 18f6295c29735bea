//! The end of the server, where every request is answered and no client keeps the process from ending, and of clients
//! that ask for much and reset their connections: what they asked for is not made. What never finishes is given up, see
//! `http2/ending.rs`.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use socket2::SockRef;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use vitrine::catalogue::{
    Ask, Catalogue, CatalogueError, Live, LiveMemory, Query, QueryKind, Result, Stock, Version,
};
use vitrine::http::connections::{ConnectionLimits, Connections};

use crate::common::raw::{Raw, get, good_request, last_get, statuses};
use crate::common::small_server::{Gate, LARGE, Server, generous, router, until_counted};
use crate::common::until::{HANGS, finishes, until};
use crate::common::{real_renderer, serve_with, shop};

/// A client whose request is worked on, one that is idle, one that has sent nothing, and one in the middle of a head.
async fn clients(server: &Server) -> [Raw; 4] {
    let working = Raw::connect_and_send(server.address, get("/slow")).await;
    server.gate.arrived(1).await;
    let mut idle = Raw::connect_and_send(server.address, get("/")).await;
    assert!(!idle.read_answer("ok").await.contains("connection: close"));
    let silent = Raw::connect(server.address).await;
    let partial = Raw::connect_and_send(server.address, "GET / HTTP/1.1\r\nhost: ").await;
    until_counted(|| server.counters().accepted.get(), 4).await;
    [working, idle, silent, partial]
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_every_connection_are_answered_and_are_the_last() {
    let server = Server::start(ConnectionLimits { grace: HANGS / 2, drain: HANGS, ..generous() }).await;
    let [mut working, mut idle, mut silent, mut partial] = clients(&server).await;
    server.end().await;
    server.gate.open();
    idle.send(get("/")).await;
    silent.send(get("/")).await;
    partial.send("shop.example\r\n\r\n").await;
    for raw in [&mut working, &mut idle, &mut silent, &mut partial] {
        let answer = raw.read_text().await;
        assert_eq!(statuses(answer.as_bytes()), [200]);
        assert!(answer.contains("connection: close"), "{answer}");
    }
    drop((working, idle, silent, partial));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_without_a_request_are_closed_and_answers_on_their_way_arrive_whole() {
    let short = Duration::from_millis(100);
    let server =
        Server::start(ConnectionLimits { grace: short, linger: short, drain: HANGS, ..generous() }).await;
    let [mut working, mut idle, mut silent, mut partial] = clients(&server).await;
    let mut reading = Raw::connect_and_send(server.address, get("/large")).await;
    let mut large = vec![0; 1_000];
    reading.stream.read_exact(&mut large).await.unwrap();
    server.end().await;
    for raw in [&mut idle, &mut silent, &mut partial] {
        assert_eq!(raw.read_to_end().await, b"");
    }
    // Long after the grace of the others these connections are still open.
    until_counted(|| server.counters().open.get(), 2).await;
    large.extend(reading.read_to_end().await);
    assert!(large.len() > LARGE, "{}", large.len());
    server.gate.open();
    assert_eq!(statuses(&working.read_to_end().await), [200]);
    // The clients keep their sides open, and do not hold the server.
    server.ended().await;
}

#[tokio::test]
async fn requests_that_wait_to_be_accepted_are_served_before_the_end() {
    let (listener, clients) = early_clients(&get("/")).await;
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

/// Requests of one connection, more than are answered while a test runs.
const PIPELINED: usize = 20;

/// A client that has sent these bytes.
fn sender(address: SocketAddr, bytes: &str) -> TcpStream {
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(bytes.as_bytes()).unwrap();
    client
}

/// Fifty clients that have sent these bytes to a listener. The kernel alone completes their connections: the runtime
/// does not run meanwhile.
async fn early_clients(bytes: &str) -> (TcpListener, Vec<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, (0..50).map(|_| sender(address, bytes)).collect())
}

fn reset(client: TcpStream) {
    SockRef::from(&client).set_linger(Some(Duration::ZERO)).unwrap();
    drop(client);
}

#[tokio::test]
async fn requests_of_a_connection_that_was_reset_before_are_not_begun() {
    let (listener, clients) = early_clients(&get("/slow").repeat(PIPELINED)).await;
    clients.into_iter().for_each(reset);
    let (connections, gate) = (Connections::new(generous()), Gate::default());
    let serving = connections.clone().serve(listener, router(gate.clone()), std::future::pending());
    let serving = tokio::spawn(serving);
    until_counted(|| connections.counters().accepted.get(), 50).await;
    until_counted(|| connections.counters().open.get(), 0).await;
    assert_eq!(gate.waiting(), 0);
    serving.abort();
}

#[tokio::test]
async fn a_reset_ends_the_request_under_way_and_those_behind_it() {
    let server = Server::start(generous()).await;
    for _ in 0..20 {
        let crowd: Vec<_> =
            (0..20).map(|_| sender(server.address, &get("/slow").repeat(PIPELINED))).collect();
        server.gate.arrived(20).await;
        assert_eq!(statuses(good_request(server.address, "/").await.as_bytes()), [200]);
        crowd.into_iter().for_each(reset);
    }
    until_counted(|| server.counters().open.get(), 0).await;
    // No other request was begun.
    assert_eq!((server.gate.waiting(), server.counters().resets.get()), (0, 400));
}

/// A catalogue that answers nothing until it is allowed to, and then fails.
struct Slow {
    /// How often it was asked for a product.
    asked: AtomicUsize,
    /// Questions for a product that wait for their answer hold it.
    waiting: Arc<()>,
    open: Semaphore,
}

#[async_trait]
impl<Q: Query> Ask<Q> for Slow {
    async fn ask(&self, query: &Q) -> Result<Q::Answer> {
        let _waiting = (query.kind() == QueryKind::Product).then(|| {
            self.asked.fetch_add(1, Ordering::SeqCst);
            Arc::clone(&self.waiting)
        });
        // Fails only when the semaphore is closed.
        let _ = self.open.acquire().await;
        Err(CatalogueError::Status(500))
    }
}

/// A shop without a version, whose calls are answered slowly.
struct SlowShop(Arc<Slow>);

#[async_trait]
impl Catalogue for SlowShop {
    fn version(&self) -> Option<Arc<Version>> {
        None
    }

    async fn stock(&self) -> Stock {
        let live = Arc::clone(&self.0) as Arc<dyn Live>;
        Stock::Live { live, memory: LiveMemory::default(), reading: None }
    }
}

#[tokio::test]
async fn a_page_that_no_connection_waits_for_any_more_is_not_made() {
    let catalogue =
        Arc::new(Slow { asked: AtomicUsize::new(0), waiting: Arc::default(), open: Semaphore::new(0) });
    let waiting = || Arc::strong_count(&catalogue.waiting) - 1;
    let shop = shop(Arc::new(SlowShop(Arc::clone(&catalogue))), real_renderer(1).await);
    let connections = Connections::new(generous());
    let address = serve_with(vitrine::server::router(shop).unwrap(), connections.clone()).await;
    let mut staying = Raw::connect_and_send(address, last_get("/product/1")).await;
    // The first of them asks for the same page as the client that stays.
    let leaving: Vec<_> =
        (1..=10).map(|id| sender(address, &get(&format!("/product/{id}")).repeat(PIPELINED))).collect();
    until("every page", async || waiting() == 10).await;
    assert_eq!(statuses(good_request(address, "/healthz").await.as_bytes()), [200]);
    until_counted(|| connections.counters().open.get(), 11).await;
    leaving.into_iter().for_each(reset);
    until_counted(|| connections.counters().open.get(), 1).await;
    until("the end of what nobody waits for", async || waiting() == 1).await;
    catalogue.open.close();
    assert_eq!(statuses(&staying.read_to_end().await), [503]);
    assert_eq!(catalogue.asked.load(Ordering::SeqCst), 10);
}
