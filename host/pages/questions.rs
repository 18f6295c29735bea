//! What one page asks of the host: what is on sale, computations with that, and the shop's profile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::catalogue::{
    CatalogueError, Category, CategoryPreview, Listing, Phase, Product, ProductKey, ProductSet, Query as _,
    QueryKind, Result, Section, Slug, Stock, Summary,
};
use crate::contract::Reading;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::{ComputePool, Work};
use crate::profile::Profile;
use crate::texts::Texts;

/// The products of a listing; without them how far the catalogue is read, if they are known afterwards.
pub(super) type Listed = std::result::Result<Arc<ProductSet>, Option<Reading>>;

/// Gives one page what is on sale and what is computed from it, and handles failures: a failure is logged, and recorded
/// so that an incomplete page is not cached.
pub(crate) struct Questions<'a> {
    pub(crate) stock: &'a Stock,
    /// What the shop says of itself, which pages show.
    pub(super) profile: &'a Arc<Profile>,
    pool: &'a ComputePool,
    deadline: Instant,
    throttle: &'a LogThrottle,
    has_failed: AtomicBool,
    was_refused: AtomicBool,
}

impl<'a> Questions<'a> {
    /// What is not answered by `deadline` fails.
    pub(crate) fn new(
        stock: &'a Stock,
        pool: &'a ComputePool,
        deadline: Instant,
        throttle: &'a LogThrottle,
        profile: &'a Arc<Profile>,
    ) -> Self {
        let (has_failed, was_refused) = (AtomicBool::new(false), AtomicBool::new(false));
        Self { stock, profile, pool, deadline, throttle, has_failed, was_refused }
    }

    /// What pages say.
    pub(crate) fn texts(&self) -> &'a Texts {
        &self.profile.texts
    }

    /// All categories, in the catalogue's order; `None` if that failed.
    pub(crate) async fn categories(&self) -> Option<Arc<[Category]>> {
        self.answer(QueryKind::Categories, self.stock.categories()).await
    }

    /// What a category's card shows; empty if that failed. A page without previews is whole: there may be more
    /// categories than calls for one page.
    pub(crate) async fn preview(&self, category: &Slug) -> CategoryPreview {
        let preview = tokio::time::timeout_at(self.deadline.into(), self.stock.preview(category)).await;
        preview.ok().and_then(Result::ok).unwrap_or_default()
    }

    /// The products of a listing.
    pub(crate) async fn list(&self, listing: Listing) -> Listed {
        let kind = listing.kind();
        let listed = async {
            match self.stock.list(listing).await {
                // There are more than one answer may have.
                Err(error) if error.is_too_large() => Ok(Err(self.stock.reading())),
                listed => listed.map(Ok),
            }
        };
        self.answer(kind, listed).await.unwrap_or(Err(None))
    }

    /// The product with this key, if there is one; `None` if that failed.
    pub(crate) async fn product(&self, key: &ProductKey) -> Option<Option<Arc<Product>>> {
        self.answer(QueryKind::Product, self.stock.product(key)).await
    }

    /// The products of a section of the home page; `None` if that failed.
    pub(crate) async fn section(&self, section: Section) -> Option<Arc<[Summary]>> {
        self.answer(QueryKind::Section, self.stock.section(section)).await
    }

    /// Waits until searches in these products take little time, a few seconds after the program's start; `None` if that
    /// is not in time.
    pub(crate) async fn until_searchable(&self, products: &ProductSet) -> Option<()> {
        const ASKED_EVERY: Duration = Duration::from_millis(20);
        let searchable = async {
            while !products.is_searchable() {
                tokio::time::sleep(ASKED_EVERY).await;
            }
            Ok(())
        };
        self.answer(QueryKind::Search, searchable).await
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

    /// The result of a computation whose time grows with the catalogue, and that reads this many `bytes` of
    /// it at most; `None` if it was refused, because too many computations wait already.
    pub(crate) async fn compute<T: Send + 'static, M>(
        &self,
        bytes: usize,
        work: impl Work<T, M>,
    ) -> Option<T> {
        let result = self.pool.run_reading(bytes, work).await;
        // The caller logs and counts the refusal.
        result.inspect_err(|_| self.was_refused.store(true, Ordering::Relaxed)).ok()
    }

    /// Like [`Self::compute`], for work that takes long in any catalogue and that the page can do without: if it is
    /// refused, the page is shown, but not cached.
    pub(crate) async fn compute_optional<T: Send + 'static, M>(&self, work: impl Work<T, M>) -> Option<T> {
        let result = self.pool.run(work).await;
        result.inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed)).ok()
    }

    /// Whether nothing has failed so far, and no computation was refused.
    pub(crate) fn is_complete(&self) -> bool {
        !self.has_failed.load(Ordering::Relaxed) && !self.was_refused()
    }

    /// Whether a computation was refused.
    pub(crate) fn was_refused(&self) -> bool {
        self.was_refused.load(Ordering::Relaxed)
    }
}
