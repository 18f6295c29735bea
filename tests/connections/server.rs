//! A small router whose answers are quick, slow, or large.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{any, get};
use tokio::sync::Semaphore;
use vitrine::connections::{ConnectionCounters, ConnectionLimits, Connections};

use crate::common;
use crate::raw::HANGS;

/// Much more than the kernel takes for one connection.
pub const LARGE: usize = 32 << 20;

pub struct Server {
    pub address: SocketAddr,
    pub connections: Connections,
    pub gate: Gate,
}

impl Server {
    pub async fn start(limits: ConnectionLimits) -> Self {
        let connections = Connections::new(limits);
        let gate = Gate::default();
        let address = common::serve_with(router(gate.clone()), connections.clone()).await;
        Self { address, connections, gate }
    }

    pub fn counters(&self) -> &ConnectionCounters {
        self.connections.counters()
    }
}

/// `/slow` waits here.
#[derive(Clone)]
pub struct Gate {
    arrived: Arc<Semaphore>,
    open: Arc<Semaphore>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: Arc::new(Semaphore::new(0)), open: Arc::new(Semaphore::new(0)) }
    }
}

impl Gate {
    /// Waits until so many further requests stand before the gate.
    pub async fn arrived(&self, requests: u32) {
        let arrived = self.arrived.acquire_many(requests);
        tokio::time::timeout(HANGS, arrived).await.expect("requests do not arrive").unwrap().forget();
    }

    pub fn open(&self) {
        self.open.add_permits(1 << 20);
    }

    async fn pass(self) -> &'static str {
        self.arrived.add_permits(1);
        self.open.acquire().await.unwrap().forget();
        "slow"
    }
}

pub fn router(gate: Gate) -> Router {
    let large = axum::body::Bytes::from(vec![b'x'; LARGE]);
    Router::new()
        .route("/", any(async || "ok"))
        .route("/slow", get(move || gate.clone().pass()))
        .route("/large", get(move || std::future::ready(large.clone())))
}

/// Limits under which nothing is closed while a test runs.
pub fn generous() -> ConnectionLimits {
    let long = Duration::from_secs(600);
    ConnectionLimits {
        head: long,
        idle: long,
        stall: long,
        linger: Duration::from_secs(2),
        patience: long,
        ..ConnectionLimits::default()
    }
}

/// Waits until a counter has this value.
pub async fn wait_for(counter: impl Fn() -> u64, value: u64) {
    wait_until(&format!("{value} of a counter"), || counter() == value).await;
}

pub async fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < HANGS, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
