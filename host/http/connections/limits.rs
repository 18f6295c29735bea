//! Limits of connections: their number, sizes and timeouts.

use std::time::Duration;

/// Limits of connections: their number, sizes and timeouts.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Concurrent connections. Further ones wait in the listener's backlog.
    pub connections: usize,
    /// Largest request line and headers together, in bytes.
    pub head_bytes: usize,
    /// Timeout of a TLS handshake, from accepting the connection.
    pub handshake: Duration,
    /// Timeout of a request's head, from its first byte (for the first request: from accepting the
    /// connection, or from the end of the handshake) to its last byte.
    pub head: Duration,
    /// Keep-alive idle timeout, from the end of an answer to the next request's first byte.
    pub idle: Duration,
    /// Write timeout: how long a client may read nothing of its answer.
    pub stall: Duration,
    /// How long a stream of HTTP/2 may take, from its head until the client has room for a first byte of the
    /// answer's last part (16 KiB). That part then waits as long as the connection lives.
    pub stream: Duration,
    /// How long a client's further bytes are read and discarded after the last answer. Closing a socket
    /// with unread bytes resets the connection, and the client could lose the answer.
    pub linger: Duration,
    /// How long a connection must have waited for its client before it may be evicted.
    pub patience: Duration,
    /// During shutdown: how long a connection without a request may still send one.
    pub grace: Duration,
    /// During shutdown: how long requests in progress may take to finish.
    pub drain: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 4_096,
            head_bytes: 32 << 10,
            handshake: Duration::from_secs(10),
            head: Duration::from_secs(10),
            idle: Duration::from_secs(60),
            stall: Duration::from_secs(15),
            stream: Duration::from_secs(120),
            linger: Duration::from_secs(1),
            patience: Duration::from_secs(1),
            grace: Duration::from_millis(500),
            drain: Duration::from_secs(10),
        }
    }
}
