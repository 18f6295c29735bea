//! The loop that accepts connections and serves the router on them, with limits and timeouts.
//!
//! - `accept`: accepts, makes room when the pool is full, and finishes at the end.
//! - `activity`: what a connection waits for, and how long it may.
//! - `connection`: one connection, driven by hyper and watched by its activity.
//! - `stream`: the socket, which tells the activity what moves.

mod accept;
mod activity;
mod connection;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

use crate::counter::{Counter, Gauge};

/// How long requests under way may take at the end, unless somebody says otherwise.
pub const DRAIN: Duration = Duration::from_secs(10);

/// How many connections there may be, and how long each may take for what.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Connections at once. Further ones wait to be accepted.
    pub connections: usize,
    /// Bytes of a request's line and headers together.
    pub head_bytes: usize,
    /// From the first byte of a head, or from accepting the connection, to the head's last byte.
    pub head: Duration,
    /// From an answer to the next request's first byte.
    pub idle: Duration,
    /// How long a client may take nothing of its answer.
    pub stall: Duration,
    /// How long what a client still sends is read and thrown away after the last answer: closing
    /// on unread bytes would reset the connection, and the answer could be lost on its way.
    pub linger: Duration,
    /// For how long at least a connection is left alone that waits for its client, even when its
    /// place is needed.
    pub patience: Duration,
    /// How long at the end a connection without a request may still bring one.
    pub grace: Duration,
    /// How long requests under way may take at the end.
    pub drain: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 4_096,
            head_bytes: 32 << 10,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            stall: Duration::from_secs(15),
            linger: Duration::from_secs(1),
            patience: Duration::from_secs(1),
            grace: Duration::from_millis(500),
            drain: DRAIN,
        }
    }
}

/// What happened to connections since the start.
#[derive(Debug, Default)]
pub struct ConnectionCounters {
    pub accepted: Counter,
    /// Connections at this moment.
    pub open: Gauge,
    /// Failures to accept, a client's early end included.
    pub accept_errors: Counter,
    /// Connections closed because a request's head did not come, or not all of it.
    pub head_timeouts: Counter,
    /// Connections closed because no further request came.
    pub idle_timeouts: Counter,
    /// Connections closed because the client did not take its answer.
    pub write_timeouts: Counter,
    /// How often the last free place was taken.
    pub over_limit: Counter,
    /// Connections closed for others, because they had waited for their client the longest.
    pub evicted: Counter,
}

/// A handle on the limits and counters of one listener; clones share the counters.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    limits: Arc<ConnectionLimits>,
    counters: Arc<ConnectionCounters>,
}

impl Connections {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self { limits: Arc::new(limits), counters: Arc::default() }
    }

    pub fn counters(&self) -> &ConnectionCounters {
        &self.counters
    }

    /// Serves `router` until `shutdown`, then finishes what is being answered.
    pub async fn serve(
        self,
        listener: TcpListener,
        router: Router,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) {
        accept::run(listener, router, self, shutdown).await;
    }
}
