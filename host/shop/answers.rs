//! The cached answers of a shop, with a room of their own for pages of variants: a product has up to thousands of these
//! addresses, which must not drive out what more visitors ask for.

use std::sync::Arc;

use super::making::answer::Made;
use super::making::key::{CacheKey, Key};
use crate::cache::{Ages, Cache, Died, Hit, Outcome, Patience, Purge};
use crate::pages::address::Address;

/// Which part of the room is for pages of variants.
const FOR_VARIANTS: u64 = 10;

/// Cached answers. Clones share them.
#[derive(Clone)]
pub(super) struct Answers {
    variants: Cache<CacheKey, Arc<Made>>,
    others: Cache<CacheKey, Arc<Made>>,
}

impl Answers {
    /// No answers yet, and room for these bytes.
    pub(super) fn new(ages: Ages, capacity: u64) -> Self {
        let weigh = |CacheKey { key, .. }: &CacheKey, made: &Arc<Made>| {
            u32::try_from(key.size() + made.size()).unwrap_or(u32::MAX)
        };
        let for_variants = capacity / FOR_VARIANTS;
        Self {
            variants: Cache::new(ages, for_variants, weigh),
            others: Cache::new(ages, capacity - for_variants, weigh),
        }
    }

    fn both(&self) -> [&Cache<CacheKey, Arc<Made>>; 2] {
        [&self.variants, &self.others]
    }

    /// Where the answer with this key is kept.
    fn of(&self, key: &CacheKey) -> &Cache<CacheKey, Arc<Made>> {
        match key.key {
            Key::Page(_, Address::Variant(..)) => &self.variants,
            _ => &self.others,
        }
    }

    /// See [`Cache::get`].
    ///
    /// # Errors
    /// When the task that makes it has died twice.
    pub(super) async fn get<F, M>(
        &self,
        key: CacheKey,
        patience: Patience,
        make: M,
    ) -> Result<Hit<Arc<Made>>, Died>
    where
        M: Fn(Option<Arc<Made>>) -> F,
        F: Future<Output = Outcome<Arc<Made>>> + Send + 'static,
    {
        self.of(&key).get(key.clone(), patience, make).await
    }

    /// Whether a cached answer would be served without a refresh.
    pub(super) fn has_settled(&self, key: &CacheKey) -> bool {
        self.of(key).has_settled(key)
    }

    /// Whether an answer is cached, or being made.
    pub(super) fn has_or_makes(&self, key: &CacheKey) -> bool {
        self.of(key).has_or_makes(key)
    }

    /// The weight of all answers; lags slightly behind recent changes.
    pub(super) fn weight(&self) -> u64 {
        self.both().map(Cache::weight).iter().sum()
    }

    /// The number of answers; lags slightly behind recent changes.
    pub(super) fn len(&self) -> u64 {
        self.both().map(Cache::len).iter().sum()
    }

    /// How many answers were removed for lack of room, and how many because they were too old.
    pub(super) fn evicted(&self) -> (u64, u64) {
        let [one, other] = self.both().map(Cache::evictions);
        (one.size.get() + other.size.get(), one.expired.get() + other.expired.get())
    }

    /// Removes the answers for which `is_kept` is false.
    pub(super) fn retain(&self, is_kept: impl Fn(&Arc<Made>) -> bool) {
        self.both().into_iter().for_each(|cache| cache.retain(&is_kept));
    }

    /// Removes the half that was stored longest ago.
    pub(super) fn remove_older_half(&self) {
        self.both().into_iter().for_each(Cache::remove_older_half);
    }

    /// See [`Cache::purge`].
    pub(super) fn purge(&self, order: impl Fn(&CacheKey, Option<&Arc<Made>>) -> Option<Purge>) -> usize {
        self.both().into_iter().map(|cache| cache.purge(&order)).sum()
    }
}
