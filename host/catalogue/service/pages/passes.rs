//! The passes over a service's list: one at a time, each of which knows what the one before has read.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::list::{PagedList, PassLimits};
use super::progress::PassProgress;
use super::reader::{NewList, Outcome, PageReader};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::{Aged, Result};
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::service::wire::Dropped;
use crate::catalogue::source::Wanted;
use crate::process::compute::in_background;

/// What is read of a service in pages. Clones of the service share it.
pub(crate) struct Passes {
    state: Mutex<State>,
    /// The number of purges, each of which declares out of date what was read.
    purges: AtomicU64,
    progress: Arc<PassProgress>,
    /// How long the last pass took, in milliseconds.
    took: AtomicU64,
    /// The number of new lists so far.
    lists: AtomicU64,
    /// When the next call of a pass may be made.
    next_call: parking_lot::Mutex<Option<Instant>>,
    made: Instant,
}

/// Held by the pass that is under way.
struct State {
    reader: PageReader,
    /// The products of the last pass.
    last: Option<(ProductSet, Revision)>,
    /// How many purges the reader knows of.
    purges: u64,
}

impl fmt::Debug for Passes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Passes").field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl Passes {
    /// Nothing is read yet.
    pub(crate) fn new() -> Self {
        let reader = PageReader::new(PassLimits::DEFAULT);
        Self {
            progress: Arc::clone(reader.progress()),
            state: Mutex::new(State { reader, last: None, purges: 0 }),
            purges: AtomicU64::default(),
            took: AtomicU64::default(),
            lists: AtomicU64::default(),
            next_call: parking_lot::Mutex::default(),
            made: Instant::now(),
        }
    }

    /// How far the pass is.
    pub(crate) fn progress(&self) -> &Arc<PassProgress> {
        &self.progress
    }

    /// How long the last pass took.
    pub(crate) fn took(&self) -> Duration {
        Duration::from_millis(self.took.load(Ordering::Relaxed))
    }

    /// Waits until a pass may make its next call, and the one after it a `pause` later: a pass takes long, and leaves
    /// calls for shoppers.
    pub(crate) async fn wait_for_turn(&self, pause: Duration) {
        let turn = {
            let mut next = self.next_call.lock();
            let turn = next.map_or_else(Instant::now, |next| next.max(Instant::now()));
            *next = turn.checked_add(pause);
            turn
        };
        sleep_until(turn).await;
    }

    /// Makes the next pass ask for everything, because of a purge that was ordered `ago`. A purge from before this process
    /// began, of which replicas tell it, changes nothing: nothing older was read.
    pub(crate) fn forget(&self, ago: Duration) {
        if ago <= self.made.elapsed() {
            self.purges.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Forgets what was read, because one answer is enough.
    pub(crate) async fn note_needless(&self) {
        self.took.store(0, Ordering::Relaxed);
        // A pass that is under way ends by itself.
        let Ok(mut state) = self.state.try_lock() else { return };
        if state.last.is_some() || self.progress.is_under_way() {
            state.last = None;
            state.reader.forget();
        }
    }

    /// Reads the list in a pass. Waits for the pass that is under way.
    ///
    /// # Errors
    /// As [`PageReader::read`].
    pub(crate) async fn read(
        &self,
        list: &impl PagedList,
        wanted: Wanted<'_>,
    ) -> Result<(Aged<Change<ProductSet>>, Dropped)> {
        let mut state = self.state.lock().await;
        let number = self.purges.load(Ordering::Relaxed);
        let State { reader, last, purges } = &mut *state;
        if *purges != number {
            reader.forget();
            (*last, *purges) = (None, number);
        }
        reader.limit_to(wanted.most);
        let begun = Instant::now();
        let outcome = reader.read(list).await?;
        let (Outcome::New(NewList { age, .. }) | Outcome::Unchanged { age }) = &outcome;
        let age = *age;
        let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.took.store(took, Ordering::Relaxed);
        let (answer, dropped) = match outcome {
            Outcome::New(NewList { store, dropped, .. }) => {
                // If this pass fails, the next one must not take the old products for those of the new list.
                *last = None;
                let products = in_background(move || ProductSet::of_store(store)).await;
                let revision = Revision::new(self.next_digest(), None);
                *last = Some((products.clone(), revision.clone()));
                tracing::info!(
                    products = products.len(),
                    seconds = begun.elapsed().as_secs(),
                    "the catalogue was read in pages"
                );
                (Change::New(products, Some(revision)), dropped)
            }
            Outcome::Unchanged { .. } => {
                let Some((products, revision)) = last else {
                    // The list that this one was compared with is forgotten.
                    reader.forget();
                    return Err(CatalogueError::Died);
                };
                let is_known = wanted.since.is_some_and(|since| since.digest() == revision.digest());
                let answer = match is_known {
                    true => Change::Unchanged(revision.clone()),
                    false => Change::New(products.clone(), Some(revision.clone())),
                };
                (answer, Dropped::default())
            }
        };
        Ok((Aged { answer, age }, dropped))
    }

    /// Names the next list. A list that is read in pages has no bytes of its own that could be hashed.
    fn next_digest(&self) -> blake3::Hash {
        blake3::hash(&self.lists.fetch_add(1, Ordering::Relaxed).to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::super::list::{PageOfProducts, Range};
    use super::*;
    use crate::catalogue::key::ProductKey;
    use crate::catalogue::service::wire::{Ids, Row, parse_ids, parse_page};
    use crate::profile::Currency;

    const WANTED: Wanted<'static> = Wanted { since: None, count: None, most: 1_000 };

    /// A list of one product, whose pages may have too many bytes.
    #[derive(Default)]
    struct OneProduct {
        /// Whether each page was asked for only if it has changed.
        conditions: parking_lot::Mutex<Vec<bool>>,
        bytes: u64,
    }

    #[async_trait]
    impl PagedList for OneProduct {
        fn currency(&self) -> Currency {
            Currency::default()
        }

        async fn products(&self, _: Range, since: Option<&Revision>) -> Result<Change<PageOfProducts>> {
            self.conditions.lock().push(since.is_some());
            let page = br#"{"products":[{"id":1,"title":"T","price":5}],"total":1}"#;
            let revision = Revision::new(blake3::hash(page), None);
            let page = parse_page(page, Currency::default())?;
            Ok(Change::New(PageOfProducts { bytes: self.bytes, page }, Some(revision)))
        }

        async fn ids(&self, _: Range, _: Option<&Revision>) -> Result<Change<Ids>> {
            Ok(Change::New(parse_ids(br#"{"products":[{"id":1}],"total":1}"#)?, None))
        }

        async fn product(&self, _: &ProductKey) -> Result<Option<Row>> {
            Ok(None)
        }
    }

    #[tokio::test]
    async fn the_pass_after_a_purge_asks_for_everything() {
        let (list, passes) = (OneProduct::default(), Passes::new());
        for (ago, is_conditional) in [(None, false), (None, true), (Some(0), false), (Some(60), true)] {
            if let Some(seconds) = ago {
                passes.forget(Duration::from_secs(seconds));
            }
            list.conditions.lock().clear();
            passes.read(&list, WANTED).await.map(drop).unwrap();
            assert_eq!(list.conditions.lock().first(), Some(&is_conditional), "{ago:?}");
        }
    }

    #[tokio::test]
    async fn nothing_is_kept_of_a_pass_once_one_answer_is_enough() {
        let (list, passes) = (OneProduct::default(), Passes::new());
        passes.read(&list, WANTED).await.map(drop).unwrap();
        // As after a pass that has failed.
        passes.progress().note(1, Some(2));
        passes.note_needless().await;
        assert!(!passes.progress().is_under_way() && passes.state.lock().await.last.is_none());
    }

    #[tokio::test]
    async fn a_list_with_too_many_bytes_is_not_read_to_its_end() {
        let list = OneProduct { bytes: 2_048 * 1_000 + 1, ..OneProduct::default() };
        let read = Passes::new().read(&list, WANTED).await;
        assert!(matches!(read, Err(CatalogueError::TooMuch { limit: 2_048_000 })));
    }

    #[tokio::test(start_paused = true)]
    async fn calls_of_a_pass_follow_each_other_slowly() {
        let (passes, begun) = (Passes::new(), Instant::now());
        for _ in 0..5 {
            passes.wait_for_turn(Duration::from_secs(1)).await;
        }
        assert_eq!(begun.elapsed().as_secs(), 4);
    }
}
