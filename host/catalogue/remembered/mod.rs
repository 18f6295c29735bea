//! A catalogue whose answers are cached, and which is copied as a whole if it fits in memory.
//!
//! The copy (the mirror) answers every query except for products and categories that it does not contain. Without a
//! copy, the last good answer to each query is cached.

mod answers;
mod copying;
mod queries;
mod shared;
mod staleness;
mod state;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use self::answers::{Answers, Ordered};
use self::copying::{LastOrigin, copy};
use self::queries::{AnswersOf, Remember, Stores};
pub use self::shared::SharedState;
pub use self::staleness::Staleness;
pub(super) use self::state::files;
pub use self::state::{StateDir, StateError};
use super::error::CatalogueError;
use super::mirror::Mirror;
use super::query::{Aged, Ask, Categories, Listing, Result};
use super::{
    Catalogue, CataloguePurge, CatalogueStatus, CategorySizes, DetailsError, Listed, ProductSet, Source,
    Window, list,
};
use crate::cache::{Ages, Outcome, Purge};
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// The largest number of products whose details are read from a file at a time.
const MOST_READS: usize = 16;

/// How long reading a product's details from a file may take.
const READ_WITHIN: Duration = Duration::from_millis(500);
/// Shortest time between two warnings about details that cannot be read, or about products with the same invalid field.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);

/// Longer than it takes to read all products.
const COPY_LEASE: Duration = Duration::from_secs(7_200);

/// Whether the whole catalogue is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MirrorPolicy {
    /// If it has at most this many products.
    UpTo(u64),
    Never,
}

/// A catalogue that caches the answers of another one, its source.
pub struct Remembered<C> {
    source: Arc<C>,
    policy: MirrorPolicy,
    ages: Ages,
    staleness: Staleness,
    mirror: Answers<(), Option<Arc<Mirror>>>,
    origin: Arc<LastOrigin>,
    throttle: Arc<LogThrottle>,
    /// Whether details could not be read since the copy was last saved.
    has_damage: AtomicBool,
    /// Limits how many details are read from a file at a time.
    reads: Arc<Semaphore>,
    stores: Stores,
    /// The latest purge order. A copy that is loaded later, from a file or from other replicas, may be older. Held while
    /// such a copy is stored.
    latest_order: Mutex<Option<Ordered>>,
}

impl<C: Source> Remembered<C> {
    /// Caches the answers of `source` for `ages`. Makes no call.
    pub fn new(source: C, ages: Ages, policy: MirrorPolicy) -> Self {
        let staleness = Staleness::default();
        Self {
            source: Arc::new(source),
            policy,
            ages,
            mirror: Answers::of_one(COPY_LEASE, ages, staleness.clone(), |mirror| {
                mirror.as_ref().map(|mirror| mirror.products().len())
            }),
            origin: Arc::default(),
            throttle: Arc::new(LogThrottle::every(PERIOD_OF_WARNINGS)),
            has_damage: AtomicBool::default(),
            reads: Arc::new(Semaphore::new(MOST_READS)),
            latest_order: Mutex::default(),
            stores: Stores::new(ages, &staleness),
            staleness,
        }
    }

    /// The age of the answers that are served, and the time since the last new one.
    pub fn staleness(&self) -> &Staleness {
        &self.staleness
    }

    /// The largest number of products of a copy that is restored; 0 if no copy is used.
    fn most_restored(&self) -> u64 {
        match self.policy {
            MirrorPolicy::UpTo(most) => most,
            MirrorPolicy::Never => 0,
        }
    }

    /// The catalogue whose answers are cached.
    pub fn source(&self) -> &C {
        &self.source
    }

    /// Requests what every page needs, so that the first shopper does not wait for it. If the list of all products is
    /// too large, requests its first page.
    pub async fn warm_up(&self) {
        // A failure is logged when a page needs the answer.
        let _ = self.ask(&Categories).await;
        if let Ok(Listed::TooLarge) = list(self, Listing::All).await {
            let _ = self.ask(&Window::first(Listing::All)).await;
        }
    }

    /// The mirror, if there is one. Starts to make or refresh it if necessary, but does not wait for the first
    /// mirror.
    pub async fn mirror(&self) -> Option<Arc<Mirror>> {
        let MirrorPolicy::UpTo(most) = self.policy else { return None };
        if self.ages.fresh.is_zero() {
            return None;
        }
        let ask = |last: Option<Option<Arc<Mirror>>>| {
            let origin = Arc::clone(&self.origin);
            copy(Arc::clone(&self.source), most, last.flatten(), origin, self.ages.fresh)
        };
        self.mirror.ready(&(), ask).await.flatten()
    }

    /// The mirror's answer. Details that lie in a file are not read on the runtime's threads, because a disk may be
    /// slow or never answer.
    async fn answer_from<Q: Remember>(&self, mirror: Arc<Mirror>, query: &Q) -> Result<Q::Answer> {
        if !query.reads_file(&mirror) {
            return query.answer_from(&mirror);
        }
        let (reads, query) = (Arc::clone(&self.reads), query.clone());
        let read = async {
            // The semaphore is never closed.
            let permit = reads.acquire_owned().await.map_err(|_| CatalogueError::Died)?;
            off_runtime(move || {
                let answer = query.answer_from(&mirror);
                drop(permit);
                answer
            })
            .await
        };
        let late = |_| Err(CatalogueError::Details(Arc::new(DetailsError::Late(READ_WITHIN))));
        timeout(READ_WITHIN, read).await.unwrap_or_else(late)
    }

    /// The mirror and its age, if there is one. Starts no refresh.
    pub fn last_mirror(&self) -> Option<(Arc<Mirror>, Duration)> {
        self.mirror.stored(&()).and_then(|(mirror, age)| Some((mirror?, age)))
    }

    /// The mirror and the time since it was asked for.
    fn last_mirror_since_asked(&self) -> Option<(Arc<Mirror>, Duration)> {
        self.mirror.entries_since_asked().into_iter().find_map(|((), mirror, asked)| Some((mirror?, asked)))
    }

    /// Whether the cache has products to sell.
    fn has_products(&self) -> bool {
        self.last_mirror().is_some()
            || self.stores.listings.entries().iter().any(|(_, listing, _)| !listing.is_empty())
            || self.stores.windows.entries().iter().any(|(_, window, _)| !window.products.is_empty())
    }

    /// Whether the copy was received or confirmed `within` this time.
    fn has_new_copy(&self, within: Duration) -> bool {
        // A copy's age is counted from the beginning of reading it.
        let within = within.saturating_add(self.source.reading_time());
        self.last_mirror().is_some_and(|(_, age)| age <= within)
    }
}

#[async_trait]
impl<Q: Remember, C: Source + Ask<Q>> Ask<Q> for Remembered<C> {
    async fn ask(&self, query: &Q) -> Result<Q::Answer> {
        if let Some(mirror) = self.mirror().await.filter(|mirror| query.is_known_to(mirror)) {
            match self.answer_from(mirror, query).await {
                // If the disk cannot be read, the service is asked.
                Err(error @ CatalogueError::Details(_)) => {
                    self.has_damage.fetch_or(!error.is_late(), Ordering::Relaxed);
                    if self.throttle.allows("details") {
                        tracing::warn!(error = %ErrorChain(&error), "what is saved of a product cannot be read");
                    }
                }
                answer => return answer,
            }
        }
        let fresh = self.ages.fresh;
        let ask = |last: Option<Q::Answer>| {
            let (source, query) = (Arc::clone(&self.source), query.clone());
            let throttle = Arc::clone(&self.throttle);
            async move {
                let Aged { answer, age } = match (source.ask_within(&query, fresh).await, Q::absence()) {
                    // Otherwise each visit to an invalid product would be a call. A last good answer stays.
                    (Err(CatalogueError::Implausible { product, field }), Some(absence))
                        if last.is_none() =>
                    {
                        if throttle.allows(field) {
                            tracing::warn!(%product, field, "a product of the catalogue is invalid; its page is a 404");
                        }
                        Aged::new(absence)
                    }
                    (answer, _) => answer?,
                };
                let is_absence = query.is_absence(&answer);
                Ok(match is_absence {
                    true => Outcome::StoreFor(answer, fresh.saturating_sub(age)),
                    false => Outcome::StoreWithAge(answer, age),
                })
            }
        };
        let answer = Q::answers(&self.stores).get(query.clone(), ask).await?;
        Ok(Q::confirmed(answer, &self.stores))
    }
}

/// Purges the answers to one kind of query, in one pass.
fn purge_store<Q: Remember>(answers: &AnswersOf<Q>, purges: &[CataloguePurge]) {
    answers.purge(|query, answer, since| {
        let of = |purge: &CataloguePurge| purge.of(since, |outdated| query.is_concerned(answer, outdated));
        purges.iter().filter_map(of).max()
    });
}

#[async_trait]
impl<C: Source> Catalogue for Remembered<C> {
    fn currency(&self) -> Currency {
        self.source.currency()
    }

    fn outdated_for(&self) -> Duration {
        // No answer is expected between two refreshes. The age of products that take long to read counts from
        // the beginning of reading, and they are read again after a pause of the same length.
        let usual = 2 * self.ages.fresh + 3 * self.source.reading_time();
        self.staleness.silence().unwrap_or_default().saturating_sub(usual)
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        self.source.purge(purges);
        if let Some(ago) = purges.iter().map(|purge| purge.ago).min() {
            let mut latest = self.latest_order.lock();
            if latest.is_none_or(|latest| ago < latest.age()) {
                *latest = Some(Ordered::new(ago));
            }
        }
        // An order may become known late. A copy that was confirmed since is as old as its last whole answer.
        let whole = self.origin.lock().forget().unwrap_or_default();
        // The copy stays until the next one is there: without it an outage would leave nothing to sell.
        self.mirror.purge(|(), _, since| {
            purges.iter().any(|purge| since.max(whole) >= purge.ago).then_some(Purge::Overdue)
        });
        if let Some(ago) = purges.iter().filter(|purge| purge.accepts_loss()).map(|purge| purge.ago).min() {
            self.mirror.believe((), ago, whole);
        }
        let Stores { categories, previews, listings, products, windows } = &self.stores;
        purge_store(categories, purges);
        purge_store(previews, purges);
        purge_store(listings, purges);
        purge_store(products, purges);
        purge_store(windows, purges);
    }

    fn is_stocked(&self) -> bool {
        // With `--fresh 0` nothing is cached.
        self.ages.fresh.is_zero() || self.has_products()
    }

    fn knows_ratings(&self) -> bool {
        self.source.knows_ratings()
    }

    fn status(&self) -> CatalogueStatus {
        let copy = self.last_mirror().map(|(mirror, age)| (mirror.products().len(), age));
        let status = self.source.status();
        CatalogueStatus {
            staleness: Some(self.staleness.clone()),
            // A copy does not need that list, not even while it is made.
            list_exceeds: status.list_exceeds.filter(|_| copy.is_none() && status.pass.is_none()),
            copy,
            ..status
        }
    }

    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        self.last_mirror().map(|(mirror, _)| mirror.category_sizes())
    }

    fn copy(&self) -> Option<Arc<ProductSet>> {
        self.last_mirror().map(|(mirror, _)| Arc::clone(mirror.products()))
    }
}
