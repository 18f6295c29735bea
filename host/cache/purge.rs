//! Purges. A value that is stored while a purge goes through the cache is never replaced by an older one.

use std::sync::Arc;

use tokio::time::Instant;

use super::entry::{Entry, Purge};
use super::{Cache, Cached, Key};

impl<K: Key, V: Cached> Cache<K, V> {
    /// Purges the values for which `order` names a purge, and returns their number. `order` is asked about each key with
    /// its value. It is also asked about each value that is being made; there may be no stored value yet. If `order` names
    /// a purge then, the new value is not stored.
    pub(crate) fn purge(&self, order: impl Fn(&K, Option<&V>) -> Option<Purge>) -> usize {
        let now = Instant::now();
        let began = self.forget_flights(&order);
        let entries = self.inner.entries.iter().filter(|(_, entry)| entry.version < began);
        // The order is asked without the lock, because that takes long.
        let ordered = entries.filter_map(|(key, entry)| {
            let purge = order(&key, Some(&entry.value))?;
            Some((key, entry.version, purge))
        });
        let ordered: Vec<(Arc<K>, u64, Purge)> = ordered.collect();
        let is_purged =
            |(key, version, purge): &(Arc<K>, u64, Purge)| self.carry_out(key, *version, *purge, now);
        let number = ordered.iter().filter(|ordered| is_purged(ordered)).count();
        // Removal is otherwise lazy, and the caller needs the memory now.
        self.inner.entries.run_pending_tasks();
        number
    }

    /// Ends the flights that a purge concerns. Returns the first number of later flights.
    fn forget_flights(&self, order: &impl Fn(&K, Option<&V>) -> Option<Purge>) -> u64 {
        let _writing = self.inner.writes.lock();
        let is_concerned = |key: &K| {
            let of_stored = || order(key, Some(&self.inner.entries.get(key)?.value));
            order(key, None).or_else(of_stored).is_some()
        };
        self.inner.flights.forget(is_concerned)
    }

    /// Purges a value, unless it has been replaced or removed meanwhile.
    fn carry_out(&self, key: &Arc<K>, version: u64, purge: Purge, now: Instant) -> bool {
        let _writing = self.inner.writes.lock();
        let Some(entry) = self.inner.entries.get(&**key).filter(|entry| entry.version == version) else {
            return false;
        };
        if purge == Purge::Remove {
            self.inner.entries.invalidate(&**key);
        } else {
            let entry = Entry { purged: Some(purge), not_before: now, refresh_failed: false, ..entry };
            self.inner.entries.insert((**key).clone(), entry);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use parking_lot::Mutex;

    use super::super::{Ages, Outcome, Patience};
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);
    const AGES: Ages = Ages { fresh: HOUR, stale: HOUR };

    type Number = Cache<u32, usize>;

    #[tokio::test(start_paused = true)]
    async fn a_purge_leaves_what_is_stored_while_it_goes_through_the_cache() {
        for purge in [Purge::Stale, Purge::Overdue, Purge::Remove] {
            let cache = Number::new(AGES, 1_000, |_, _| 1);
            cache.insert(1, 1, Duration::from_secs(30));
            let purged = cache.purge(|key, _| {
                cache.insert(*key, 2, Duration::ZERO);
                Some(purge)
            });
            assert_eq!((purged, cache.entries()), (0, vec![(1, 2, Duration::ZERO)]), "{purge:?}");
            assert!(cache.has_settled(&1), "{purge:?}");
        }
    }

    type Act = Box<dyn FnOnce() + Send>;

    /// A value that runs an action before it is next cloned.
    #[derive(Default)]
    struct Watched {
        value: usize,
        at_copy: Arc<Mutex<Option<Act>>>,
    }

    impl Clone for Watched {
        fn clone(&self) -> Self {
            if let Some(act) = self.at_copy.lock().take() {
                act();
            }
            Self { value: self.value, at_copy: Arc::clone(&self.at_copy) }
        }
    }

    /// The value that is left after a hard purge while a flight ends, whose value is stored or not. The purge comes when the cache
    /// looks at the value to store or to keep. If nothing can interfere at that moment, the purge comes afterwards.
    async fn left_after(is_stored: bool) -> Option<usize> {
        let cache = Cache::<u32, Watched>::new(AGES, 1_000, |_, _| 1);
        let (old, made) = (Watched { value: 1, ..Watched::default() }, Watched::default());
        let (at_copy, at_made) = (Arc::clone(&old.at_copy), Arc::clone(&made.at_copy));
        cache.insert(1, old, HOUR + Duration::from_secs(1));
        let waits = Arc::new(Mutex::new(false));
        let purge = {
            let cache = cache.clone();
            move || cache.purge(|_, _| Some(Purge::Remove))
        };
        let interfere = {
            let (cache, waits, purge) = (cache.clone(), Arc::clone(&waits), purge.clone());
            move || match cache.inner.writes.is_locked() {
                true => *waits.lock() = true,
                false => drop(purge()),
            }
        };
        let make = |_| {
            let act: Box<dyn FnOnce() + Send> = Box::new(interfere.clone());
            let made = Watched { value: 2, at_copy: Arc::clone(&at_made) };
            *if is_stored { at_made.lock() } else { at_copy.lock() } = Some(act);
            async move { if is_stored { Outcome::Store(made) } else { Outcome::Discard(made) } }
        };
        assert_eq!(cache.get(1, Patience::Brief, make).await.ok().map(|hit| hit.value.value), Some(1));
        while !cache.inner.flights.lock().is_empty() {
            tokio::task::yield_now().await;
        }
        assert!(at_copy.lock().is_none() && at_made.lock().is_none(), "the purge came");
        if *waits.lock() {
            purge();
        }
        cache.stored(&1).map(|(value, _)| value.value)
    }

    #[tokio::test(start_paused = true)]
    async fn a_failed_refresh_does_not_bring_back_what_a_hard_purge_removes() {
        assert_eq!(left_after(false).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_being_made_is_not_stored_by_a_flight_that_a_purge_has_just_ended() {
        assert_eq!(left_after(true).await, None);
    }
}
