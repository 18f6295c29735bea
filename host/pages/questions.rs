//! The catalogue queries of one page.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::catalogue::{Ask, Catalogue, CatalogueError, Phase, Query};
use crate::observe::{ErrorChain, LogThrottle};

/// Runs the catalogue queries of one page and handles their failures: a failure is logged, and recorded
/// so that an incomplete page is not cached.
pub(crate) struct Questions<'a> {
    catalogue: &'a (dyn Catalogue + 'static),
    deadline: Instant,
    throttle: &'a LogThrottle,
    has_failed: AtomicBool,
}

impl<'a> Questions<'a> {
    /// A query that is not answered by `deadline` fails.
    pub(crate) fn new(
        catalogue: &'a (dyn Catalogue + 'static),
        deadline: Instant,
        throttle: &'a LogThrottle,
    ) -> Self {
        Self { catalogue, deadline, throttle, has_failed: AtomicBool::new(false) }
    }

    /// The answer; `None` if the query failed.
    pub(crate) async fn ask<Q: Query>(&self, query: Q) -> Option<Q::Answer>
    where
        dyn Catalogue: Ask<Q>,
    {
        let answer = tokio::time::timeout_at(self.deadline.into(), self.catalogue.ask(&query)).await;
        match answer.unwrap_or(Err(CatalogueError::TimedOut(Phase::Total))) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.has_failed.store(true, Ordering::Relaxed);
                let query = query.kind().name();
                // Throttled, because one cause fails many queries of many pages.
                if self.throttle.allows(query) {
                    tracing::warn!(query, error = %ErrorChain(&error), "the catalogue did not answer");
                }
                None
            }
        }
    }

    /// Whether all queries so far were answered.
    pub(crate) fn is_complete(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed)
    }
}
