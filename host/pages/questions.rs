//! What one page asks of the host: catalogue queries, computations with their answers, and the shop's profile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::catalogue::{
    self, Ask, Catalogue, CatalogueError, CategorySizes, Listed, Listing, Phase, Query, QueryKind, Result,
    has_ratings,
};
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::ComputePool;
use crate::profile::{NumberFormat, Profile};

/// Runs the catalogue queries and the computations of one page and handles their failures: a failure is
/// logged, and recorded so that an incomplete page is not cached.
pub(crate) struct Questions<'a> {
    catalogue: &'a (dyn Catalogue + 'static),
    pool: &'a ComputePool,
    deadline: Instant,
    throttle: &'a LogThrottle,
    profile: &'a Profile,
    has_failed: AtomicBool,
    was_refused: AtomicBool,
}

impl<'a> Questions<'a> {
    /// A query that is not answered by `deadline` fails.
    pub(crate) fn new(
        catalogue: &'a (dyn Catalogue + 'static),
        pool: &'a ComputePool,
        deadline: Instant,
        throttle: &'a LogThrottle,
        profile: &'a Profile,
    ) -> Self {
        let (has_failed, was_refused) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { catalogue, pool, deadline, throttle, profile, has_failed, was_refused }
    }

    /// What the shop says of itself, which pages show.
    pub(crate) fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// The answer; `None` if the query failed.
    pub(crate) async fn ask<Q: Query>(&self, query: Q) -> Option<Q::Answer>
    where
        dyn Catalogue: Ask<Q>,
    {
        self.answer(query.kind(), self.catalogue.ask(&query)).await
    }

    /// The products of a listing, unless they are too many for one answer; `None` if the query failed.
    pub(crate) async fn list(&self, listing: Listing) -> Option<Listed> {
        self.answer(listing.kind(), catalogue::list(self.catalogue, listing)).await
    }

    async fn answer<A>(&self, query: QueryKind, asked: impl Future<Output = Result<A>>) -> Option<A> {
        let answer = tokio::time::timeout_at(self.deadline.into(), asked).await;
        match answer.unwrap_or(Err(CatalogueError::TimedOut(Phase::Total))) {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.has_failed.store(true, Ordering::Relaxed);
                let query = query.name();
                // Throttled, because one cause fails many queries of many pages.
                if self.throttle.allows(query) {
                    tracing::warn!(query, error = %ErrorChain(&error), "the catalogue did not answer");
                }
                None
            }
        }
    }

    /// How the shop writes prices, dates and measures.
    pub(crate) fn numbers(&self) -> Arc<NumberFormat> {
        Arc::clone(&self.profile.numbers)
    }

    /// Whether pages have the parts that need ratings. If it is not known whether there are ratings, they do.
    pub(crate) async fn has_ratings(&self) -> bool {
        self.answer(Listing::All.kind(), has_ratings(self.catalogue)).await.unwrap_or(true)
    }

    /// The number of products of each category, if the catalogue knows every product without asking the service.
    pub(crate) fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        self.catalogue.category_sizes()
    }

    /// The result of a computation whose time grows with the catalogue, and that reads this many `bytes` of
    /// it at most; `None` if it was refused, because too many computations wait already.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let result = self.pool.run_reading(bytes, work).await;
        // The caller logs and counts the refusal.
        result.inspect_err(|_| self.was_refused.store(true, Ordering::Relaxed)).ok()
    }

    /// Like [`Self::compute`], for work that takes long in any catalogue and that the page can do without: if it is
    /// refused, the page is shown, but not cached.
    pub(crate) async fn compute_optional<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let result = self.pool.run(work).await;
        result.inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed)).ok()
    }

    /// Whether all queries so far were answered, and no computation was refused.
    pub(crate) fn is_complete(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed) && !self.was_refused()
    }

    /// Whether a computation was refused.
    pub(crate) fn was_refused(&self) -> bool {
        self.was_refused.load(Ordering::Relaxed)
    }
}
