//! The listener for operators: metrics, health, status and purges. Its connections have limits of their own, so that
//! operators get an answer while visitors have taken every place, and vice versa.
//!
//! It promises that visitors cannot reach it through the shop's listener; that a request under a foreign host name is
//! refused on a TCP socket; that a purge needs the token; and that no worker carries out an order twice.
//! `docs/decisions/0025-purges.md` says why.
//!
//! - `listener`: the connections.
//! - `metrics`: everything that is counted and measured, as OpenMetrics.
//! - `own_names`: refuses requests that name another host.
//! - `routes`: what is answered, and whether the shop can sell.
//! - `probe`: whether pages can be rendered.
//! - `purge`: orders to forget what is remembered, also those that another worker received.
//! - `replicas`: carries out orders that another replica received.
//! - `status`: a page for people.
//! - `token`: the secret that a purge needs.

mod listener;
mod metrics;
mod own_names;
mod probe;
mod purge;
mod replicas;
mod routes;
mod status;
mod token;

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

pub use self::metrics::document as metrics_document;
pub use self::metrics::names as metric_names;
use self::probe::Probe;
use self::purge::PurgeCounters;
pub(crate) use self::purge::{catch_up, follow};
pub(crate) use self::replicas::follow_replicas;
pub use self::routes::router;
pub(crate) use self::routes::serve;
pub use self::token::Token;
use crate::contract::PageJson;
use crate::document::service_worker::build_header;
use crate::http::connections::{App, Connections};
use crate::process::journal::Journal;
use crate::process::restarts::Restarts;
use crate::process::role::{Inherited, Role};
use crate::process::sandbox::{Refused, Restrictions};
use crate::share::Share;
use crate::shop::Shop;

/// What operators see and change.
pub struct Admin {
    shop: Arc<Shop>,
    app: App,
    connections: Connections,
    /// The secret that a purge must present; without one no purge is allowed.
    token: Option<Token>,
    /// What the supervisor has counted, if there is one.
    restarts: Option<Restarts>,
    /// The journal of purges of the supervisor's workers, if there is one.
    journal: Option<Mutex<Journal>>,
    /// What replicas share, if there is a server for it.
    share: Option<Share>,
    purges: PurgeCounters,
    probe: Probe,
    sandbox: Restrictions,
    refused: Refused,
    started: Instant,
    started_at: SystemTime,
}

impl Admin {
    /// What operators see of a shop that is served by `app` on `connections`. Probes of its readiness render
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
            share: None,
            purges: PurgeCounters::default(),
            probe: Probe::new(probe_page),
            sandbox: Restrictions::OFF,
            refused: Refused::default(),
            started: Instant::now(),
            started_at: SystemTime::now(),
        }
    }

    /// Adds what a worker inherits from its supervisor.
    pub(crate) fn supervised(self, role: Role) -> Self {
        match role {
            Role::Worker(Inherited { restarts, journal }) => {
                Self { restarts, journal: journal.map(Mutex::new), ..self }
            }
            Role::Alone | Role::Supervisor => self,
        }
    }

    /// Adds how far the sandbox of this process is enforced, and what it refuses.
    pub(crate) fn sandboxed(self, sandbox: Restrictions, refused: Refused) -> Self {
        Self { sandbox, refused, ..self }
    }

    /// Adds what this replica shares with the others.
    pub(crate) fn sharing(self, share: Option<Share>) -> Self {
        Self { share, ..self }
    }
}

/// An answer of plain text, which must not be stored.
fn plain(status: StatusCode, text: String) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    // The build header tells `healthcheck` that the shop answers.
    (status, no_store, [build_header()], text).into_response()
}
