//! The listener for operators: metrics, health, status and purges. Shoppers cannot reach it.
//!
//! - `listener`: the connections.
//! - `metrics`: everything that is counted and measured, as OpenMetrics.
//! - `probes`: whether the process lives, and whether it can sell.
//! - `purge`: orders to forget what is remembered, also those that another worker received.
//! - `status`: a page for people.
//! - `token`: the secret that a purge needs.

mod listener;
mod metrics;
mod probes;
mod purge;
mod status;
mod token;

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use parking_lot::Mutex;
use prometheus_client::registry::Registry;

pub use self::metrics::document as metrics_document;
pub use self::metrics::names as metric_names;
use self::probes::Probe;
use self::purge::PurgeCounters;
pub(crate) use self::purge::{catch_up, follow};
pub use self::token::Token;
use crate::contract::PageJson;
use crate::http::connections::{App, Connections};
use crate::process::journal::Journal;
use crate::process::listening::AdminListener;
use crate::process::restarts::Restarts;
use crate::shop::Shop;

/// What operators see and change.
pub struct Admin {
    shop: Arc<Shop>,
    app: App,
    connections: Connections,
    /// What a purge must present; without one no purge is allowed.
    token: Option<Token>,
    /// What the supervisor has counted, if there is one.
    restarts: Option<Restarts>,
    /// What other workers of the same supervisor purge, if there is one.
    journal: Option<Mutex<Journal>>,
    purges: PurgeCounters,
    probe: Probe,
    started: Instant,
    started_at: SystemTime,
}

impl Admin {
    /// What operators see of a shop that is served by `app` on `connections`. Readiness is a render of
    /// `probe_page`.
    pub fn new(
        shop: Arc<Shop>,
        app: App,
        connections: Connections,
        token: Option<Token>,
        probe_page: PageJson,
    ) -> Self {
        Self {
            shop,
            app,
            connections,
            token,
            restarts: None,
            journal: None,
            purges: PurgeCounters::default(),
            probe: Probe::new(probe_page),
            started: Instant::now(),
            started_at: SystemTime::now(),
        }
    }

    /// The same for a worker, with what its supervisor gave it.
    pub(crate) fn supervised(self, restarts: Option<Restarts>, journal: Option<Journal>) -> Self {
        Self { restarts, journal: journal.map(Mutex::new), ..self }
    }

    /// The routes for operators.
    pub fn router(self: &Arc<Self>) -> Router {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(metrics::Everything(Arc::clone(self))));
        let registry = Arc::new(registry);
        Router::new()
            .route("/metrics", get(async move || metrics::show(&registry)))
            .route("/livez", get(async || plain(StatusCode::OK, "ok\n".into())))
            .route("/readyz", get(probes::ready))
            .route("/status", get(status::show))
            .route("/purge", post(purge::order))
            .fallback(async || {
                let paths = "/livez, /readyz, /status, /metrics and, with POST, /purge";
                plain(StatusCode::NOT_FOUND, format!("There is {paths}.\n"))
            })
            .with_state(Arc::clone(self))
    }

    /// Answers operators until `shutdown` completes.
    pub(crate) async fn serve(self: Arc<Self>, listener: AdminListener, shutdown: impl Future<Output = ()>) {
        listener::serve(listener, self.router(), shutdown).await;
    }
}

/// An answer of text, which nobody stores.
fn plain(status: StatusCode, text: String) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (status, no_store, text).into_response()
}
