//! Why the catalogue did not answer.

use std::sync::Arc;
use std::time::Duration;

/// A query that the catalogue did not answer. Cheap to clone, because everyone who waited for the
/// same answer gets the same error.
///
/// "There is no such product" is an answer, not an error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CatalogueError {
    /// No connection, a broken one, or a time budget that ran out.
    #[error("the catalogue service could not be reached")]
    Transport(#[source] Arc<reqwest::Error>),
    /// A status that the API does not use for this call.
    #[error("the catalogue service answered with status {0}")]
    Status(u16),
    /// 429; no call should be made before `retry_after` has passed.
    #[error("the catalogue service asks for fewer calls")]
    RateLimited { retry_after: Option<Duration> },
    /// The body is larger than any catalogue.
    #[error("the catalogue service's answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
    /// Whoever was asking ended before the answer came.
    #[error("a call to the catalogue service ended early")]
    Died,
    /// The body is not what the API promises.
    #[error("the catalogue service's answer is not understood")]
    Malformed(#[source] Arc<serde_json::Error>),
}

impl From<reqwest::Error> for CatalogueError {
    fn from(error: reqwest::Error) -> Self {
        // The address holds the shopper's search text, which does not belong in a log.
        Self::Transport(Arc::new(error.without_url()))
    }
}

impl From<serde_json::Error> for CatalogueError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(Arc::new(error))
    }
}
