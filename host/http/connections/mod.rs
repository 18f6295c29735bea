//! The accept loop, which serves the router on connections with limits and timeouts.
//!
//! - `accept`: the accept loop, and graceful shutdown.
//! - `activity`: what a connection waits for, and for how long it may.
//! - `app`: what answers requests.
//! - `body`: the body of an answer, which reports to the activity.
//! - `connection`: one connection, within the limits that its activity tracks.
//! - `eviction`: which connections make room when every place is taken, and when.
//! - `http1`, `http2`: the protocols, which hyper speaks.
//! - `stream`: the socket, which reports reads and writes to the activity.

mod accept;
mod activity;
mod app;
mod body;
mod connection;
mod context;
mod counters;
mod eviction;
mod http1;
mod http2;
mod limits;
mod stream;
mod stream_tasks;

use std::sync::Arc;

use tokio::net::TcpListener;

use self::context::ListenerContext;
use super::tls::Tls;
use crate::observe::LogThrottle;

pub use app::App;
pub use counters::ConnectionCounters;
pub use limits::ConnectionLimits;

/// A handle on the limits and counters of one listener; clones share the counters.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    limits: Arc<ConnectionLimits>,
    counters: Arc<ConnectionCounters>,
    tls: Option<Tls>,
}

impl Connections {
    /// A handle with these limits and all counters at zero.
    pub fn new(limits: ConnectionLimits) -> Self {
        Self { limits: Arc::new(limits), counters: Arc::default(), tls: None }
    }

    /// Encrypts every connection.
    #[must_use]
    pub fn with_tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// How connections are encrypted, if they are.
    pub fn tls(&self) -> Option<&Tls> {
        self.tls.as_ref()
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
        let Self { limits, counters, tls } = self;
        let shared =
            ListenerContext { app: app.into(), limits, counters, tls, throttle: LogThrottle::default() };
        accept::run(listener, shared, shutdown).await;
    }
}
