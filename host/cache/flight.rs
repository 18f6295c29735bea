//! Single flight: one task makes a value, and every caller that needs the value waits for that task.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

/// After this long another flight of the same key may start, so that a hung task does not block the key.
pub(super) const LEASE: Duration = Duration::from_secs(15);

/// A flight's result; `None` while it is under way.
pub(super) type FlightResult<V> = Option<V>;

/// A flight under way.
pub(super) struct Flight<V> {
    pub(super) started: Instant,
    /// Distinguishes this flight from later ones of the same key.
    pub(super) number: u64,
    /// Sends the result to the waiters.
    pub(super) sender: watch::Sender<FlightResult<V>>,
    /// Whether it continues when no caller waits for it.
    pub(super) is_kept: bool,
}

/// What becomes of a flight that had no waiters a moment ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is cancelled, and no caller can join it.
    Cancelled,
    /// It continues, because a caller has joined it meanwhile.
    Joined,
    /// It continues in any case.
    Kept,
}

/// The flights under way, by key.
pub(super) struct Flights<K, V> {
    table: Mutex<Table<K, V>>,
}

pub(super) struct Table<K, V> {
    flights: HashMap<K, Flight<V>>,
    next_number: u64,
}

impl<K, V> Default for Flights<K, V> {
    fn default() -> Self {
        Self { table: Mutex::new(Table { flights: HashMap::new(), next_number: 0 }) }
    }
}

impl<K: Hash + Eq + Clone, V> Flights<K, V> {
    /// Locks the table. Holding the lock from lookup to start keeps two callers from starting the same
    /// flight.
    pub(super) fn lock(&self) -> parking_lot::MutexGuard<'_, Table<K, V>> {
        self.table.lock()
    }

    /// Whether this flight may store its value. It may not if its lease expired and another flight has started, or if it
    /// was purged.
    pub(super) fn may_store(&self, key: &K, number: u64) -> bool {
        self.table.lock().flights.get(key).is_some_and(|flight| flight.number == number)
    }

    /// Decides whether a flight that had no waiters a moment ago is cancelled. Callers join a flight under the same
    /// lock, so no caller can join a cancelled one.
    pub(super) fn leave(&self, key: &K, number: u64) -> Fate {
        let mut table = self.table.lock();
        match table.flights.get(key).filter(|flight| flight.number == number) {
            Some(flight) if flight.is_kept => Fate::Kept,
            Some(flight) if flight.sender.receiver_count() > 0 => Fate::Joined,
            Some(_) => {
                table.flights.remove(key);
                Fate::Cancelled
            }
            // Another flight has replaced it.
            None => Fate::Cancelled,
        }
    }

    /// Ends the flights that `is_concerned` selects: callers that wait for them get their values, later ones do not.
    /// Returns the first number of later flights.
    pub(super) fn forget(&self, is_concerned: impl Fn(&K) -> bool) -> u64 {
        let mut table = self.table.lock();
        table.flights.retain(|key, _| !is_concerned(key));
        table.next_number
    }

    /// Ends a flight, unless another flight has replaced it.
    pub(super) fn end(&self, key: &K, number: u64) {
        let mut table = self.table.lock();
        if table.flights.get(key).is_some_and(|flight| flight.number == number) {
            table.flights.remove(key);
        }
    }
}

impl<K: Hash + Eq + Clone, V> Table<K, V> {
    /// The flight of `key`, if one is under way and within its lease.
    pub(super) fn under_way(&mut self, key: &K, now: Instant) -> Option<&mut Flight<V>> {
        self.flights.get_mut(key).filter(|flight| now.saturating_duration_since(flight.started) < LEASE)
    }

    /// Adds a flight for `key`, replacing one whose lease has expired.
    pub(super) fn start(&mut self, key: K, now: Instant) -> &mut Flight<V> {
        let (number, sender) = (self.next_number(), watch::Sender::new(None));
        let flight = Flight { started: now, number, sender, is_kept: false };
        self.flights.entry(key).insert_entry(flight).into_mut()
    }

    /// A number that is greater than all earlier ones.
    pub(super) fn next_number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number - 1
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.flights.is_empty()
    }
}
