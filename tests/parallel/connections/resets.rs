//! Clients that ask for much and reset their connections: what they asked for is not made.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::routing::get as on_get;
use socket2::SockRef;
use tokio::sync::Semaphore;
use vitrine::catalogue::{Ask, Catalogue, CatalogueError, Query, QueryKind, Result};
use vitrine::http::connections::Connections;

use crate::common::raw::{Raw, get, good_request, last_get, statuses};
use crate::common::small_server::{Server, generous, until_counted};
use crate::common::until::until;
use crate::common::{real_renderer, serve_with, shop};

/// Requests of one connection, more than are answered while a test runs.
const PIPELINED: usize = 20;

/// A client that has sent these bytes.
fn sender(address: SocketAddr, bytes: &str) -> TcpStream {
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(bytes.as_bytes()).unwrap();
    client
}

fn reset(client: TcpStream) {
    SockRef::from(&client).set_linger(Some(Duration::ZERO)).unwrap();
    drop(client);
}

/// Counts how many of something exist now, and how many there have been.
#[derive(Clone, Default)]
struct Count {
    now: Arc<AtomicUsize>,
    ever: Arc<AtomicUsize>,
}

impl Count {
    fn begin(&self) -> Counted {
        self.now.fetch_add(1, Ordering::SeqCst);
        self.ever.fetch_add(1, Ordering::SeqCst);
        Counted(self.clone())
    }

    fn now(&self) -> usize {
        self.now.load(Ordering::SeqCst)
    }

    fn ever(&self) -> usize {
        self.ever.load(Ordering::SeqCst)
    }
}

struct Counted(Count);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers nothing, and counts the requests that wait for an answer.
fn endless(waiting: &Count) -> Router {
    let waiting = waiting.clone();
    let handler = move || {
        let waiting = waiting.clone();
        async move {
            let _waiting = waiting.begin();
            std::future::pending::<()>().await;
        }
    };
    Router::new().route("/", on_get(handler))
}

#[tokio::test]
async fn requests_of_a_connection_that_was_reset_before_are_not_begun() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // The kernel alone completes these connections: the runtime does not run meanwhile.
    for _ in 0..50 {
        reset(sender(address, &get("/").repeat(PIPELINED)));
    }
    let (connections, waiting) = (Connections::new(generous()), Count::default());
    let serving = connections.clone().serve(listener, endless(&waiting), std::future::pending());
    let serving = tokio::spawn(serving);
    until_counted(|| connections.counters().accepted.get(), 50).await;
    until_counted(|| connections.counters().open.get(), 0).await;
    assert_eq!(waiting.ever(), 0);
    serving.abort();
}

#[tokio::test]
async fn a_reset_ends_the_request_under_way_and_those_behind_it() {
    let (connections, waiting) = (Connections::new(generous()), Count::default());
    let address = serve_with(endless(&waiting), connections.clone()).await;
    let clients: Vec<_> = (0..10).map(|_| sender(address, &get("/").repeat(PIPELINED))).collect();
    until("the first request of each client", async || waiting.now() == 10).await;
    clients.into_iter().for_each(reset);
    until("the end of every request", async || waiting.now() == 0).await;
    until_counted(|| connections.counters().open.get(), 0).await;
    assert_eq!((waiting.ever(), connections.counters().resets.get()), (10, 10));
}

#[tokio::test]
async fn a_crowd_that_resets_takes_nothing_from_others() {
    let server = Server::start(generous()).await;
    for _ in 0..20 {
        let crowd: Vec<_> =
            (0..20).map(|_| sender(server.address, &get("/slow").repeat(PIPELINED))).collect();
        server.gate.arrived(20).await;
        let mut good = Raw::connect_and_send(server.address, last_get("/")).await;
        assert_eq!(statuses(&good.read_to_end().await), [200]);
        crowd.into_iter().for_each(reset);
    }
    until_counted(|| server.counters().open.get(), 0).await;
    assert_eq!(server.counters().resets.get(), 400);
}

/// A catalogue that answers nothing until it is allowed to, and then fails.
struct Slow {
    /// Questions for a product that wait for their answer.
    products: Count,
    open: Semaphore,
}

#[async_trait]
impl<Q: Query> Ask<Q> for Slow {
    async fn ask(&self, query: &Q) -> Result<Q::Answer> {
        let _waiting = (query.kind() == QueryKind::Product).then(|| self.products.begin());
        // Fails only when the semaphore is closed.
        let _ = self.open.acquire().await;
        Err(CatalogueError::Status(500))
    }
}

impl Catalogue for Slow {}

#[tokio::test]
async fn a_page_that_no_connection_waits_for_any_more_is_not_made() {
    let catalogue = Arc::new(Slow { products: Count::default(), open: Semaphore::new(0) });
    let shop = shop(Arc::clone(&catalogue) as Arc<dyn Catalogue>, real_renderer(1).await);
    let connections = Connections::new(generous());
    let address = serve_with(vitrine::server::router(shop).unwrap(), connections.clone()).await;
    let mut staying = Raw::connect_and_send(address, last_get("/product/1")).await;
    // The first of them asks for the same page as the client that stays.
    let leaving: Vec<_> =
        (1..=10).map(|id| sender(address, &get(&format!("/product/{id}")).repeat(PIPELINED))).collect();
    until("every page", async || catalogue.products.now() == 10).await;
    assert_eq!(statuses(good_request(address, "/healthz").await.as_bytes()), [200]);
    until_counted(|| connections.counters().open.get(), 11).await;
    leaving.into_iter().for_each(reset);
    until_counted(|| connections.counters().open.get(), 1).await;
    until("the end of what nobody waits for", async || catalogue.products.now() == 1).await;
    catalogue.open.close();
    assert_eq!(statuses(&staying.read_to_end().await), [503]);
    assert_eq!(catalogue.products.ever(), 10);
}
