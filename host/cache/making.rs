//! The task that makes a missing or stale value and stores it.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use moka::sync::Cache as Store;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use super::entry::{Ages, Entry};
use super::flight::{Fate, FlightResult, Flights};
use super::{Cached, Evictions, Key};

/// No refresh is attempted for this long after a failed one.
pub(super) const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// A value that was made, and whether to store it.
#[derive(Clone, Debug)]
pub(crate) enum Outcome<V> {
    /// Store it.
    Store(V),
    /// Store it as already this old, because it was made from data of that age.
    StoreFromOldData(V, Duration),
    /// Store it as fresh and stale for these times.
    StoreFor(V, Ages),
    /// Return it to the waiters without storing it, because making a proper one failed. An older value stays, and the next
    /// refresh waits for a moment.
    Discard(V),
}

impl<V> Outcome<V> {
    pub(crate) fn value(&self) -> &V {
        match self {
            Self::Store(value)
            | Self::StoreFromOldData(value, _)
            | Self::StoreFor(value, _)
            | Self::Discard(value) => value,
        }
    }
}

/// What the clones of a cache share.
pub(super) struct Inner<K, V> {
    pub(super) ages: Ages,
    pub(super) entries: Store<K, Entry<V>>,
    pub(super) evictions: Arc<Evictions>,
    pub(super) flights: Flights<K, V>,
    /// Held while a value is stored, changed or purged: from reading the present value until the change is made.
    pub(super) writes: Mutex<()>,
}

/// Makes the value of a flight and stores it. `sender` sends it to the callers that wait for it; when none waits, the
/// work is cancelled unless the flight is kept. `make` is boxed, so that the task is compiled once for all makers of
/// such a value.
pub(super) fn make_and_store<K: Key, V: Cached>(
    inner: Arc<Inner<K, V>>,
    key: K,
    number: u64,
    sender: watch::Sender<FlightResult<V>>,
    make: BoxFuture<'static, Outcome<V>>,
) -> impl Future<Output = ()> + Send + 'static {
    // Made here, so that a task that never runs ends its flight too.
    let guard = FlightGuard { inner, key, number };
    async move {
        let made = tokio::select! {
            biased;
            made = make => made,
            // Drops what has been made so far, with its places in queues.
            () = guard.unwanted(&sender) => return,
        };
        guard.store(&made);
        drop(guard);
        // An error means that there are no waiters.
        let _ = sender.send(Some(made.value().clone()));
    }
}

/// Ends its flight when it is dropped, also after a panic.
struct FlightGuard<K: Key, V> {
    inner: Arc<Inner<K, V>>,
    key: K,
    number: u64,
}

impl<K: Key, V: Cached> FlightGuard<K, V> {
    /// Completes when the flight is cancelled, because no caller waits for its value.
    async fn unwanted(&self, sender: &watch::Sender<FlightResult<V>>) {
        loop {
            sender.closed().await;
            match self.inner.flights.leave(&self.key, self.number) {
                Fate::Cancelled => return,
                Fate::Joined => {}
                Fate::Kept => std::future::pending().await,
            }
        }
    }

    /// Stores what the flight made, or delays the next refresh if it is discarded.
    fn store(&self, made: &Outcome<V>) {
        let _writing = self.inner.writes.lock();
        if !self.inner.flights.may_store(&self.key, self.number) {
            return;
        }
        let (now, ages) = (Instant::now(), self.inner.ages);
        let new = |value: &V| Entry::new(value.clone(), ages, now, self.number);
        let entry = match made {
            Outcome::Store(value) => Some(new(value)),
            Outcome::StoreFromOldData(value, age) => {
                Some(Entry { age: *age, not_before: now + ages.fresh, refresh_failed: true, ..new(value) })
            }
            Outcome::StoreFor(value, ages) => Some(Entry { ages: *ages, ..new(value) }),
            Outcome::Discard(_) => self.inner.entries.get(&self.key).map(|entry| Entry {
                not_before: now + PAUSE_AFTER_FAILURE,
                refresh_failed: true,
                ..entry
            }),
        };
        if let Some(entry) = entry {
            self.inner.entries.insert(self.key.clone(), entry);
        }
    }
}

impl<K: Key, V> Drop for FlightGuard<K, V> {
    fn drop(&mut self) {
        self.inner.flights.end(&self.key, self.number);
    }
}
