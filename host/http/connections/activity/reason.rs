//! Why connections are closed.

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http::connections) enum Reason {
    /// The handshake was not complete within `ConnectionLimits::handshake`.
    Handshake,
    /// The head was not complete within `ConnectionLimits::head`.
    Head,
    /// No further request came within `ConnectionLimits::idle`.
    Idle,
    /// The client read nothing for `ConnectionLimits::stall`.
    Stall,
    /// The client did not close its side within `ConnectionLimits::linger`.
    Linger,
    /// Once it was to end, no request came within `ConnectionLimits::grace`.
    Grace,
    /// The client cancelled nearly every request.
    Cancellations,
    /// Its place was needed.
    Evicted,
    /// The client reset it.
    Reset,
}
