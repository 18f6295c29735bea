//! A small router whose answers are quick, slow, or large.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::{any, get};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;
use vitrine::http::connections::{ConnectionCounters, ConnectionLimits, Connections};

use super::client::FOREVER;
use super::raw::{self, Raw};
use super::tls::Identity;
use super::until::{finishes, until};

/// Much more than the kernel takes for one connection.
pub(crate) const LARGE: usize = 32 << 20;

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) connections: Connections,
    pub(crate) gate: Gate,
    shutdown: Arc<Notify>,
    serving: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(limits: ConnectionLimits) -> Self {
        Self::start_with(Connections::new(limits)).await
    }

    /// Starts a server whose connections are encrypted.
    pub(crate) async fn encrypted(limits: ConnectionLimits) -> (Identity, Self) {
        let identity = Identity::new();
        let server = Self::start_with(Connections::new(limits).with_tls(identity.open())).await;
        (identity, server)
    }

    async fn start_with(connections: Connections) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (gate, shutdown) = (Gate::default(), Arc::new(Notify::new()));
        let signal = Arc::clone(&shutdown).notified_owned();
        let serving = tokio::spawn(connections.clone().serve(listener, router(gate.clone()), signal));
        Self { address, connections, gate, shutdown, serving }
    }

    pub(crate) fn counters(&self) -> &ConnectionCounters {
        self.connections.counters()
    }

    /// Four hundred clients that wait: for their answer, or for nothing, in each state of a connection.
    pub(crate) async fn bad_clients(&self) -> Vec<Raw> {
        let mut bad = Vec::new();
        for _ in 0..100 {
            for sent in ["", "GET / HTTP/1.1\r\nho", &raw::get("/large"), &raw::get("/slow")] {
                bad.push(Raw::connect_and_send(self.address, sent).await);
            }
        }
        self.gate.arrived(100).await;
        bad
    }

    /// Asks the server to end, and waits until it accepts no further connection.
    pub(crate) async fn end(&self) {
        self.shutdown.notify_one();
        until("a refused connection", async || TcpStream::connect(self.address).await.is_err()).await;
    }

    /// Waits until the server has ended.
    pub(crate) async fn ended(self) {
        finishes("the end of the server", self.serving).await.unwrap();
    }
}

/// `/slow` waits here.
#[derive(Clone)]
pub(crate) struct Gate {
    arrived: Arc<Semaphore>,
    open: Arc<Semaphore>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: Arc::new(Semaphore::new(0)), open: Arc::new(Semaphore::new(0)) }
    }
}

impl Gate {
    /// Waits until this many further requests have reached the gate.
    pub(crate) async fn arrived(&self, requests: u32) {
        let arrived = self.arrived.acquire_many(requests);
        finishes("requests at the gate", arrived).await.unwrap().forget();
    }

    /// How many requests have reached the gate without being waited for by [`Self::arrived`].
    pub(crate) fn waiting(&self) -> usize {
        self.arrived.available_permits()
    }

    pub(crate) fn open(&self) {
        self.open.add_permits(1 << 20);
    }

    async fn pass(self) -> &'static str {
        self.arrived.add_permits(1);
        self.open.acquire().await.unwrap().forget();
        "slow"
    }
}

pub(crate) fn router(gate: Gate) -> Router {
    let large = axum::body::Bytes::from(vec![b'x'; LARGE]);
    Router::new()
        .route("/", any(async || "ok"))
        .route("/slow", get(move || gate.clone().pass()))
        .route("/large", get(move || std::future::ready(large.clone())))
}

/// Limits under which nothing is closed while a test runs.
pub(crate) fn generous() -> ConnectionLimits {
    ConnectionLimits {
        handshake: FOREVER,
        head: FOREVER,
        idle: FOREVER,
        stall: FOREVER,
        linger: Duration::from_secs(2),
        patience: FOREVER,
        ..ConnectionLimits::default()
    }
}

/// The shop itself, because its router holds the limits of requests.
pub(crate) async fn shop(connections: &Connections) -> SocketAddr {
    let shop = super::shop(super::sample(), super::real_renderer(1).await);
    super::serve_with(vitrine::server::router(shop).unwrap(), connections.clone()).await
}

/// Waits until a counter has this value.
pub(crate) async fn until_counted(counter: impl Fn() -> u64, value: u64) {
    until(&format!("{value} of a counter"), async || counter() == value).await;
}
