//! The values that connections share, and those that one connection is served with.

use std::sync::Arc;

use tokio::net::TcpStream;

use super::activity::Activity;
use super::app::App;
use super::counters::ConnectionCounters;
use super::limits::ConnectionLimits;
use crate::http::tls::Tls;
use crate::observe::LogThrottle;

/// What the connections of a listener share.
pub(super) struct ListenerContext {
    pub(super) app: App,
    pub(super) limits: Arc<ConnectionLimits>,
    pub(super) counters: Arc<ConnectionCounters>,
    /// Without it connections are not encrypted.
    pub(super) tls: Option<Tls>,
    /// Limits log lines about clients that do not speak TLS.
    pub(super) throttle: LogThrottle,
}

/// What answering the requests of one connection needs.
#[derive(Clone)]
pub(super) struct Context {
    pub(super) shared: Arc<ListenerContext>,
    pub(super) activity: Arc<Activity>,
    pub(super) socket: Arc<TcpStream>,
}
