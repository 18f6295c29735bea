//! Counters of connections.

use crate::observe::counters::{Counter, Gauge};

/// Counters of connections since the start.
#[derive(Debug, Default)]
pub struct ConnectionCounters {
    /// Connections that were accepted.
    pub accepted: Counter,
    /// Connections that are open now.
    pub open: Gauge,
    /// Failures to accept, including connections that the client aborted in the backlog.
    pub accept_errors: Counter,
    /// Connections closed because a request's head was not complete in time.
    pub head_timeouts: Counter,
    /// Connections closed because no further request came within the idle timeout.
    pub idle_timeouts: Counter,
    /// Connections closed because the client stopped reading its answer.
    pub write_timeouts: Counter,
    /// Connections that the client reset before they were finished.
    pub resets: Counter,
    /// How often the limit of connections was reached.
    pub over_limit: Counter,
    /// Connections evicted at the limit, because they had waited for their client the longest.
    pub evicted: Counter,
}
