//! Why the catalogue did not answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A query that the catalogue did not answer. Cheap to clone, because everyone who waited for the
/// same answer gets the same error.
///
/// "There is no such product" is an answer, not an error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CatalogueError {
    /// No connection, or a broken one.
    #[error("the catalogue service could not be reached")]
    Transport(#[source] Arc<reqwest::Error>),
    /// A time budget ran out.
    #[error("the catalogue service was too slow {0}")]
    TimedOut(Phase),
    /// A status that the API does not use for this call.
    #[error("the catalogue service answered with status {0}")]
    Status(u16),
    /// 429, now or a while ago: no call is made before `retry_after` has passed.
    #[error("the catalogue service asks for no calls for {retry_after:?}")]
    RateLimited { retry_after: Duration },
    /// The body is larger than any catalogue.
    #[error("the catalogue service's answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
    /// Whoever was asking ended before the answer came.
    #[error("a call to the catalogue service ended early")]
    Died,
    /// The body is not what the API promises.
    #[error("the catalogue service's answer is not understood")]
    Malformed(#[source] Arc<serde_json::Error>),
    /// The body is a product in the API's form, but its values make no sense.
    #[error("the catalogue service's product makes no sense")]
    Implausible(#[source] Arc<serde_json::Error>),
    /// The last calls of this kind failed, or no call could connect, so none is made for
    /// `retry_after`, or, when that is zero, until the one that probes the service has ended.
    #[error("the catalogue service failed too often, no call for {retry_after:?}")]
    CircuitOpen { retry_after: Duration },
    /// This shop made as many calls as the service allows, so this one was not made.
    #[error("too many calls of the catalogue service")]
    Throttled,
}

/// What was waited for when a time budget ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Connect,
    /// The status and headers.
    FirstByte,
    /// The next piece of the body.
    Read,
    /// The whole answer.
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "to connect",
            Self::FirstByte => "to begin its answer",
            Self::Read => "to go on with its answer",
            Self::Total => "to finish its answer",
        })
    }
}

impl CatalogueError {
    /// Whether the same call may well succeed a moment later.
    pub(super) fn is_transient(&self) -> bool {
        matches!(self, Self::Transport(_) | Self::TimedOut(_) | Self::Status(500 | 502 | 503 | 504))
    }

    /// Whether there was not even a connection, whatever was asked for.
    pub(super) fn is_failure_to_connect(&self) -> bool {
        match self {
            Self::Transport(error) => error.is_connect(),
            Self::TimedOut(phase) => *phase == Phase::Connect,
            _ => false,
        }
    }

    /// Whether this speaks against the service. A client error does not: the service works and
    /// refuses this one call. Nor does one bad product, or looking at it often would cost all others.
    pub(super) fn is_failure_of_the_service(&self) -> bool {
        match self {
            Self::Transport(_) | Self::TimedOut(_) | Self::TooLarge { .. } | Self::Malformed(_) => true,
            Self::Status(status) => !(400..500).contains(status),
            Self::RateLimited { .. }
            | Self::Implausible(_)
            | Self::CircuitOpen { .. }
            | Self::Throttled
            | Self::Died => false,
        }
    }
}

impl From<reqwest::Error> for CatalogueError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() && error.is_connect() {
            return Self::TimedOut(Phase::Connect);
        }
        // The address holds the shopper's search text, which does not belong in a log.
        Self::Transport(Arc::new(error.without_url()))
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(Arc::new(error))
    }
}
