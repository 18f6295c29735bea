//! The accept loop, which serves the router on connections with limits and timeouts.
//!
//! - `accept`: the accept loop, eviction when every place is taken, and graceful shutdown.
//! - `activity`: what a connection waits for, and for how long it may.
//! - `app`: what answers requests.
//! - `connection`: one connection, served by hyper within the limits that its activity tracks.
//! - `stream`: the socket, which reports reads and writes to the activity.

mod accept;
mod activity;
mod app;
mod connection;
mod counters;
mod limits;
mod stream;

use std::sync::Arc;

use tokio::net::TcpListener;

pub use app::App;
pub use counters::ConnectionCounters;
pub use limits::ConnectionLimits;

/// A handle on the limits and counters of one listener; clones share the counters.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    limits: Arc<ConnectionLimits>,
    counters: Arc<ConnectionCounters>,
}

impl Connections {
    /// A handle with these limits and all counters at zero.
    pub fn new(limits: ConnectionLimits) -> Self {
        Self { limits: Arc::new(limits), counters: Arc::default() }
    }

    /// What has happened to connections so far.
    pub fn counters(&self) -> &ConnectionCounters {
        &self.counters
    }

    /// Serves `app` until `shutdown` completes, then drains: finishes requests in progress, for at
    /// most [`ConnectionLimits::drain`].
    pub async fn serve(
        self,
        listener: TcpListener,
        app: impl Into<App>,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) {
        accept::run(listener, app.into(), self.limits, self.counters, shutdown).await;
    }
}
