//! A bounded cache of values that are costly to make. Fresh values are served at once; stale values
//! are served while one task refreshes them; a missing value is made by one task while all callers
//! wait for it (single flight).
//!
//! Values may stay stale for long, because an old page or product list is worth more to a shopper
//! than an error. For a value that is long overdue a caller waits briefly for the refresh. Values are
//! made in their own tasks: the work is cancelled only when every caller that waited for a missing value is. When a task
//! dies, one of its waiters starts another.
//! `docs/decisions/0009-finished-pages-are-remembered.md` says why.

mod entry;
mod flight;
mod making;
mod purge;
#[cfg(test)]
mod tests;

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use moka::notification::RemovalCause;
use moka::sync::Cache as Store;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument as _;

pub use entry::Ages;
use entry::Entry;
pub(crate) use entry::{Hit, Purge};
use flight::{FlightResult, Flights, LEASE};
pub(crate) use making::Outcome;
use making::{Inner, make_and_store};

use crate::observe::counters::Counter;
use crate::observe::traces;

/// How long a caller waits for the refresh of an overdue value before it gets the old one.
const OVERDUE_WAIT: Duration = Duration::from_millis(500);

/// A value that a cache gives to any number of callers.
pub(crate) trait Cached: Clone + Send + Sync + 'static {}
impl<T: Clone + Send + Sync + 'static> Cached for T {}

/// How long a caller waits for the refresh of a stale value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Not at all or, if the value is overdue, briefly.
    Brief,
    /// Until the refresh has ended, however it ends.
    UntilFresh,
}

/// The key of a cached value.
pub(crate) trait Key: Clone + Hash + Eq + Send + Sync + 'static {}
impl<T: Clone + Hash + Eq + Send + Sync + 'static> Key for T {}

/// The task that made a value died, and so did a second one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a task ended before its work was done")]
pub(crate) struct Died;

/// Values that a cache has removed by itself, by cause.
#[derive(Debug, Default)]
pub(crate) struct Evictions {
    /// There was no room for them.
    pub(crate) size: Counter,
    /// They were too old to be served.
    pub(crate) expired: Counter,
}

impl Evictions {
    fn count(&self, cause: RemovalCause) {
        match cause {
            RemovalCause::Size => self.size.increment(),
            RemovalCause::Expired => self.expired.increment(),
            RemovalCause::Explicit | RemovalCause::Replaced => {}
        }
    }
}

/// The cache. Clones share the values.
pub(crate) struct Cache<K, V> {
    inner: Arc<Inner<K, V>>,
}

impl<K, V> Clone for Cache<K, V> {
    fn clone(&self) -> Self {
        Self { inner: Arc::clone(&self.inner) }
    }
}

/// The result of a lookup.
enum Lookup<V> {
    Ready(Hit<V>),
    /// Servable, but so old that a caller waits for the refresh until this time.
    Overdue(watch::Receiver<FlightResult<V>>, Instant),
    Missing(watch::Receiver<FlightResult<V>>),
}

impl<K: Key, V: Cached> Cache<K, V> {
    /// A cache whose entries weigh at most `capacity` in total, as measured by `weigh`. Eviction is by
    /// frequency: values requested once do not evict those requested often.
    pub(crate) fn new(
        ages: Ages,
        capacity: u64,
        weigh: impl Fn(&K, &V) -> u32 + Send + Sync + 'static,
    ) -> Self {
        let evictions = Arc::new(Evictions::default());
        let counted = Arc::clone(&evictions);
        let entries = Store::builder()
            .eviction_listener(move |_, _, cause| counted.count(cause))
            .max_capacity(capacity)
            .weigher(move |key, entry: &Entry<V>| weigh(key, &entry.value))
            .time_to_live(ages.fresh.saturating_add(ages.stale))
            .build();
        let (flights, writes) = (Flights::default(), Mutex::default());
        Self { inner: Arc::new(Inner { ages, entries, evictions, flights, writes }) }
    }

    /// The value of `key`, made by `make` if necessary. `make` receives the stale value, if there is one. When no caller
    /// waits for a missing value any more, its making is cancelled; a stale value is refreshed in any case.
    ///
    /// # Errors
    /// When the task that makes it has died twice.
    pub(crate) async fn get<F, M>(&self, key: K, patience: Patience, make: M) -> Result<Hit<V>, Died>
    where
        M: Fn(Option<V>) -> F,
        F: Future<Output = Outcome<V>> + Send + 'static,
    {
        for _attempt in 0..2 {
            let mut flight = match self.look_up(&key, patience, &make) {
                Lookup::Ready(hit) => return Ok(hit),
                Lookup::Overdue(flight, until) => match self.after(&key, flight, until).await {
                    Some(hit) => return Ok(hit),
                    None => continue,
                },
                Lookup::Missing(flight) => flight,
            };
            // An error here means that the flight's task died.
            if let Ok(result) = flight.wait_for(Option::is_some).await
                && let Some(value) = result.clone()
            {
                return Ok(Hit { value, age: Duration::ZERO, stale: false, refresh_failed: false });
            }
        }
        Err(Died)
    }

    /// The stored value after the flight has ended, or at `until`.
    async fn after(
        &self,
        key: &K,
        mut flight: watch::Receiver<FlightResult<V>>,
        until: Instant,
    ) -> Option<Hit<V>> {
        // However the flight ends, the stored value is the best one available.
        let _ = timeout_at(until, flight.wait_for(Option::is_some)).await;
        let now = Instant::now();
        let entry = self.inner.entries.get(key).filter(|entry| entry.is_servable(now));
        entry.map(|entry| entry.into_hit(now))
    }

    /// Whether a cached value would be served without a refresh.
    pub(crate) fn has_settled(&self, key: &K) -> bool {
        let now = Instant::now();
        self.inner.entries.get(key).is_some_and(|entry| entry.is_settled(now) && entry.is_servable(now))
    }

    /// Whether a caller of [`Self::get`] would cause no work: a value is cached, or being made for another.
    pub(crate) fn has_or_makes(&self, key: &K) -> bool {
        let now = Instant::now();
        self.inner.entries.get(key).is_some_and(|entry| entry.is_servable(now))
            || self.inner.flights.lock().under_way(key, now).is_some()
    }

    /// The value of `key` and its age, if it is servable.
    #[cfg(test)]
    fn stored(&self, key: &K) -> Option<(V, Duration)> {
        let now = Instant::now();
        let entry = self.inner.entries.get(key).filter(|entry| entry.is_servable(now))?;
        Some((entry.value.clone(), entry.age_at(now)))
    }

    /// Every servable value, with its age.
    #[cfg(test)]
    fn entries(&self) -> Vec<(K, V, Duration)> {
        let now = Instant::now();
        let servable = self.inner.entries.iter().filter(|(_, entry)| entry.is_servable(now));
        servable.map(|(key, entry)| ((*key).clone(), entry.value.clone(), entry.age_at(now))).collect()
    }

    /// The total weight of all entries; lags slightly behind recent changes.
    pub(crate) fn weight(&self) -> u64 {
        self.inner.entries.weighted_size()
    }

    /// The number of values; lags slightly behind recent changes.
    pub(crate) fn len(&self) -> u64 {
        self.inner.entries.entry_count()
    }

    /// Values that the cache has removed by itself.
    pub(crate) fn evictions(&self) -> &Evictions {
        &self.inner.evictions
    }

    /// Removes the values for which `is_kept` is false.
    pub(crate) fn retain(&self, is_kept: impl Fn(&V) -> bool) {
        let rejected = self.inner.entries.iter().filter(|(_, entry)| !is_kept(&entry.value));
        self.remove(rejected.map(|(key, _)| key));
    }

    /// Removes the half that was stored longest ago: those values have not been requested since they
    /// became stale, or they would have been refreshed.
    pub(crate) fn remove_older_half(&self) {
        let mut ages: Vec<_> = self.inner.entries.iter().map(|(key, entry)| (entry.since, key)).collect();
        let half = ages.len() / 2;
        if !ages.is_empty() {
            ages.select_nth_unstable_by_key(half, |(since, _)| *since);
        }
        self.remove(ages.drain(..half).map(|(_, key)| key));
    }

    fn remove(&self, keys: impl Iterator<Item = Arc<K>>) {
        keys.for_each(|key| self.inner.entries.invalidate(&*key));
        // Removal is otherwise lazy, and the caller needs the memory now.
        self.inner.entries.run_pending_tasks();
    }

    /// Stores a value that was made `age` ago.
    #[cfg(test)]
    fn insert(&self, key: K, value: V, age: Duration) {
        let _writing = self.inner.writes.lock();
        let number = self.inner.flights.lock().next_number();
        let entry = Entry { age, ..Entry::new(value, self.inner.ages, Instant::now(), number) };
        self.inner.entries.insert(key, entry);
    }

    /// The value to serve, or the flight to wait for.
    fn look_up<F>(&self, key: &K, patience: Patience, make: &impl Fn(Option<V>) -> F) -> Lookup<V>
    where
        F: Future<Output = Outcome<V>> + Send + 'static,
    {
        let now = Instant::now();
        let servable = || self.inner.entries.get(key).filter(|entry| entry.is_servable(now));
        let mut entry = servable();
        if let Some(entry) = entry.take_if(|entry| entry.is_settled(now)) {
            return Lookup::Ready(entry.into_hit(now));
        }
        let mut flights = self.inner.flights.lock();
        let mut launch = None;
        let flight = match flights.under_way(key, now) {
            Some(flight) => flight,
            None => {
                // A flight may have ended since the first lookup. A missing key is not read again,
                // because each read counts towards the key's popularity.
                if self.inner.entries.contains_key(key) {
                    entry = servable();
                }
                if let Some(entry) = entry.take_if(|entry| entry.is_settled(now)) {
                    return Lookup::Ready(entry.into_hit(now));
                }
                let last = entry.as_ref().map(|entry| entry.value.clone());
                let flight = flights.start(key.clone(), now);
                let (inner, sender) = (Arc::clone(&self.inner), flight.sender.clone());
                launch =
                    Some(make_and_store(inner, key.clone(), flight.number, sender, Box::pin(make(last))));
                flight
            }
        };
        flight.is_kept |= entry.is_some();
        let (result, started) = (flight.sender.subscribe(), flight.started);
        drop(flights);
        if let Some(launch) = launch {
            // Only after the lock is released: a runtime that is shutting down drops the task at once,
            // and dropping it takes the lock.
            tokio::spawn(launch.instrument(traces::current()));
        }
        match entry {
            None => Lookup::Missing(result),
            Some(_) if patience == Patience::UntilFresh => Lookup::Overdue(result, started + LEASE),
            Some(entry) if entry.is_overdue(now) => Lookup::Overdue(result, started + OVERDUE_WAIT),
            Some(entry) => Lookup::Ready(entry.into_hit(now)),
        }
    }
}
