//! A cache entry: its age, and whether it is fresh, stale or expired.

use std::time::Duration;

use tokio::time::Instant;

/// How long an entry is fresh, and for how long after that it is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ages {
    /// Fresh for this long: served without a refresh.
    pub fresh: Duration,
    /// Stale for this much longer: served while a refresh runs, or after one has failed.
    pub stale: Duration,
}

impl Ages {
    /// The age from which a caller waits briefly for the refresh. A younger stale value is served at
    /// once while the refresh runs, as with HTTP's `stale-while-revalidate`.
    pub(super) fn overdue(&self) -> Duration {
        const SHORTEST: Duration = Duration::from_secs(1);
        self.fresh.saturating_add(self.fresh.max(SHORTEST))
    }
}

/// A cached value, as a caller receives it.
#[derive(Clone, Debug)]
pub(crate) struct Hit<V> {
    pub(crate) value: V,
    /// Time since the value was made or confirmed.
    pub(crate) age: Duration,
    pub(crate) stale: bool,
    /// The latest refresh failed.
    pub(crate) refresh_failed: bool,
}

/// A value, as the cache stores it.
#[derive(Clone)]
pub(super) struct Entry<V> {
    pub(super) value: V,
    /// The value's age at `since`.
    pub(super) age: Duration,
    pub(super) since: Instant,
    pub(super) ages: Ages,
    /// No refresh is attempted before this time.
    pub(super) not_before: Instant,
    pub(super) refresh_failed: bool,
    /// The purge, if there was one, that makes the value count as stale whatever its age.
    pub(super) purged: Option<Purge>,
    /// Number of the flight that made the value. A value that was stored later has a greater one.
    pub(super) version: u64,
}

/// What a purge does to a value. If several purges concern a value, the greatest variant applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purge {
    /// It is stale, and is served while it is refreshed.
    Stale,
    /// It is stale, and a caller waits briefly for its refresh.
    Overdue,
    /// It is removed.
    Remove,
}

impl<V> Entry<V> {
    /// An entry for a value that has just been made by the flight with this number.
    pub(super) fn new(value: V, ages: Ages, now: Instant, version: u64) -> Self {
        Self {
            value,
            age: Duration::ZERO,
            since: now,
            ages,
            not_before: now,
            refresh_failed: false,
            purged: None,
            version,
        }
    }

    pub(super) fn age_at(&self, now: Instant) -> Duration {
        self.age.saturating_add(now.saturating_duration_since(self.since))
    }

    pub(super) fn is_servable(&self, now: Instant) -> bool {
        self.age_at(now) < self.ages.fresh.saturating_add(self.ages.stale)
    }

    /// Whether no refresh is needed, or allowed, at this time.
    pub(super) fn is_settled(&self, now: Instant) -> bool {
        (self.purged.is_none() && self.age_at(now) < self.ages.fresh) || now < self.not_before
    }

    /// Whether a caller should wait briefly for the refresh. After a failed refresh it should not.
    pub(super) fn is_overdue(&self, now: Instant) -> bool {
        let is_overdue = self.purged == Some(Purge::Overdue) || self.age_at(now) >= self.ages.overdue();
        !self.refresh_failed && is_overdue
    }

    pub(super) fn into_hit(self, now: Instant) -> Hit<V> {
        let age = self.age_at(now);
        let stale = self.purged.is_some() || age >= self.ages.fresh;
        Hit { age, stale, refresh_failed: self.refresh_failed, value: self.value }
    }
}
