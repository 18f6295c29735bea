//! How old the answers are that are served because there is nothing newer, and for how long there
//! has been none. Stale answers keep the shop selling; this keeps them from hiding that the service
//! is down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::counter::Counter;

/// Between two log lines.
const PERIOD: Duration = Duration::from_secs(60);
/// A refresh under way makes for stale answers too; only older ones are worth a line.
const WORTH_A_LINE: Duration = Duration::from_secs(300);

/// Watches the ages. Clones share what they have seen.
#[derive(Clone, Debug, Default)]
pub struct Staleness {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// Answers that were served stale.
    served: AtomicU64,
    /// The oldest of them in this period and in the last, in seconds.
    oldest: AtomicU64,
    before: AtomicU64,
    /// Answers that were not believed.
    doubted: Counter,
    period: Mutex<Option<Instant>>,
    /// When the service last answered.
    heard: Mutex<Option<Heard>>,
}

#[derive(Clone, Copy, Debug)]
struct Heard {
    /// How long ago it was already at `since`: instants do not reach back before the machine's start.
    ago: Duration,
    since: Instant,
}

impl Staleness {
    /// An answer of this age was served.
    pub fn served(&self, age: Duration) {
        let Inner { served, oldest, before, period, .. } = &*self.inner;
        served.fetch_add(1, Ordering::Relaxed);
        oldest.fetch_max(age.as_secs(), Ordering::Relaxed);
        let now = Instant::now();
        let mut period = period.lock();
        let over = period.is_none_or(|began| now.saturating_duration_since(began) >= PERIOD);
        if !over {
            return;
        }
        *period = Some(now);
        drop(period);
        let seconds = oldest.swap(age.as_secs(), Ordering::Relaxed);
        before.store(seconds, Ordering::Relaxed);
        if seconds >= WORTH_A_LINE.as_secs() {
            tracing::warn!(oldest_seconds = seconds, "serving old answers: the catalogue gives no new ones");
        }
    }

    /// An answer was not believed, so that an older one stays.
    pub fn doubt(&self) {
        self.inner.doubted.increment();
    }

    /// How many answers were not believed since the start.
    pub fn doubted(&self) -> u64 {
        self.inner.doubted.get()
    }

    /// The service gave an answer so long ago.
    pub fn heard(&self, ago: Duration) {
        let since = Instant::now();
        let mut heard = self.inner.heard.lock();
        if heard.is_none_or(|last| last.ago + (since - last.since) > ago) {
            *heard = Some(Heard { ago, since });
        }
    }

    /// For how long the service has given no answer.
    pub fn silence(&self) -> Duration {
        self.inner.heard.lock().map_or(Duration::ZERO, |heard| heard.ago + heard.since.elapsed())
    }

    /// How many answers were served stale since the start.
    pub fn count(&self) -> u64 {
        self.inner.served.load(Ordering::Relaxed)
    }

    /// The oldest answer served in this period or the one before; nothing when none was stale.
    pub fn oldest(&self) -> Duration {
        let Inner { oldest, before, period, .. } = &*self.inner;
        if period.lock().is_none_or(|began| began.elapsed() > 2 * PERIOD) {
            return Duration::ZERO;
        }
        Duration::from_secs(oldest.load(Ordering::Relaxed).max(before.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_begins_with_the_latest_answer() {
        const HOUR: Duration = Duration::from_secs(3_600);
        let staleness = Staleness::default();
        assert_eq!(staleness.silence(), Duration::ZERO);
        for (ago, silence) in [(3 * HOUR, 3 * HOUR), (HOUR, HOUR), (2 * HOUR, HOUR)] {
            staleness.heard(ago);
            assert!((silence..silence + HOUR).contains(&staleness.silence()), "{ago:?}");
        }
    }
}
