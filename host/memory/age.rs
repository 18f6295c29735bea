//! How old a remembered value is, and what may be done with it at that age.

use std::time::{Duration, Instant};

/// How long values are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ages {
    /// So long a value is served without a question.
    pub fresh: Duration,
    /// So much longer it is served while, or because nobody can, make it anew.
    pub stale: Duration,
}

impl Ages {
    /// From this age on a value is worth a short wait for the next one. Until then it is served
    /// while the next one is made, as `stale-while-revalidate` tells shared caches to.
    pub fn overdue(&self) -> Duration {
        const LEAST: Duration = Duration::from_secs(1);
        self.fresh.saturating_add(self.fresh.max(LEAST))
    }
}

/// A value with the time since it was made or confirmed.
#[derive(Clone, Debug)]
pub struct Served<V> {
    pub value: V,
    pub age: Duration,
    pub stale: bool,
    /// The last try to make it anew has failed.
    pub failing: bool,
}

/// A value as the memory holds it.
#[derive(Clone)]
pub struct Kept<V> {
    pub value: V,
    /// How old the value was already at `since`.
    pub age: Duration,
    pub since: Instant,
    pub ages: Ages,
    /// No refresh is tried before.
    pub not_before: Instant,
    /// The last refresh has failed.
    pub failing: bool,
}

impl<V> Kept<V> {
    pub fn age_at(&self, now: Instant) -> Duration {
        self.age.saturating_add(now.saturating_duration_since(self.since))
    }

    pub fn is_servable(&self, now: Instant) -> bool {
        self.age_at(now) < self.ages.fresh.saturating_add(self.ages.stale)
    }

    /// Whether nobody has to make it anew now.
    pub fn is_settled(&self, now: Instant) -> bool {
        self.age_at(now) < self.ages.fresh || now < self.not_before
    }

    pub fn served(self, now: Instant) -> Served<V> {
        let age = self.age_at(now);
        Served { age, stale: age >= self.ages.fresh, failing: self.failing, value: self.value }
    }
}
