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
    /// Encrypted connections that agreed on HTTP/1.1, or on no protocol.
    pub http1_agreed: Counter,
    /// Encrypted connections that agreed on HTTP/2.
    pub http2_agreed: Counter,
    /// TLS handshakes that failed: the client sent something else, accepts nothing that is offered, or went away.
    pub handshake_failures: Counter,
    /// Connections closed because the TLS handshake was not complete in time.
    pub handshake_timeouts: Counter,
    /// Connections closed because a request's head was not complete in time.
    pub head_timeouts: Counter,
    /// Connections closed because no further request came within the idle timeout.
    pub idle_timeouts: Counter,
    /// Connections closed because the client stopped reading its answer.
    pub write_timeouts: Counter,
    /// Connections that the client reset before they were finished.
    pub resets: Counter,
    /// Connections closed because the client cancelled nearly every request.
    pub cancellations: Counter,
    /// How often the limit of connections was reached.
    pub over_limit: Counter,
    /// Connections evicted to make room, while they waited for their client.
    pub evicted: Counter,
}
