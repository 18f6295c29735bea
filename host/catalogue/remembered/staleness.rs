//! Records the age of stale answers and the time since the service last answered, so that stale
//! answers do not hide from operators that the service is down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::observe::LogThrottle;
use crate::observe::counters::Counter;

/// Period over which the oldest answer is determined, and shortest time between two log lines.
const PERIOD: Duration = Duration::from_secs(60);
/// Answers older than this are logged; younger ones are normal when a refresh is slow.
const LOGGED_FROM: Duration = Duration::from_secs(300);

/// Statistics of stale answers. Clones share them.
#[derive(Clone, Debug)]
pub struct Staleness {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// Number of answers that were served stale.
    served: AtomicU64,
    /// Age of the oldest stale answer of this period, in seconds.
    oldest: AtomicU64,
    /// Age of the oldest stale answer of the previous period, in seconds.
    previous_oldest: AtomicU64,
    /// Suspicious answers that were not accepted.
    rejected: Counter,
    /// When this period began.
    period: Mutex<Option<Instant>>,
    throttle: LogThrottle,
    /// When the service last answered.
    last_answer: Mutex<Option<LastAnswer>>,
}

#[derive(Clone, Copy, Debug)]
struct LastAnswer {
    /// The answer's age at `since`. Two fields, because an `Instant` cannot be earlier than the machine's start.
    ago: Duration,
    since: Instant,
}

impl Default for Staleness {
    fn default() -> Self {
        let inner = Inner {
            served: AtomicU64::default(),
            oldest: AtomicU64::default(),
            previous_oldest: AtomicU64::default(),
            rejected: Counter::default(),
            period: Mutex::default(),
            throttle: LogThrottle::every(PERIOD),
            last_answer: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }
}

impl Staleness {
    /// Records that a stale answer of this age was served.
    pub(super) fn record_stale(&self, age: Duration) {
        let Inner { served, oldest, throttle, .. } = &*self.inner;
        served.fetch_add(1, Ordering::Relaxed);
        self.begin_period_if_due();
        let seconds = oldest.fetch_max(age.as_secs(), Ordering::Relaxed).max(age.as_secs());
        if seconds >= LOGGED_FROM.as_secs() && throttle.allows("stale") {
            tracing::warn!(oldest_seconds = seconds, "serving old answers: the catalogue gives no new ones");
        }
    }

    fn begin_period_if_due(&self) {
        let Inner { oldest, previous_oldest, period, .. } = &*self.inner;
        let now = Instant::now();
        let mut period = period.lock();
        if period.is_none_or(|began| now.saturating_duration_since(began) >= PERIOD) {
            *period = Some(now);
            previous_oldest.store(oldest.swap(0, Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// Records that a suspicious answer was not accepted, so that an older one stays.
    pub fn record_rejected(&self) {
        self.inner.rejected.increment();
    }

    /// Number of suspicious answers that were not accepted since the start.
    pub fn rejected(&self) -> u64 {
        self.inner.rejected.get()
    }

    /// Records that the service answered `ago` before now.
    pub fn record_answer(&self, ago: Duration) {
        let since = Instant::now();
        let mut last_answer = self.inner.last_answer.lock();
        if last_answer.is_none_or(|last| last.ago + (since - last.since) > ago) {
            *last_answer = Some(LastAnswer { ago, since });
        }
    }

    /// Time since the service last answered; `None` if it has not answered yet.
    pub fn silence(&self) -> Option<Duration> {
        self.inner.last_answer.lock().map(|last| last.ago + last.since.elapsed())
    }

    /// Number of answers served stale since the start.
    pub fn count(&self) -> u64 {
        self.inner.served.load(Ordering::Relaxed)
    }

    /// Age of the oldest stale answer served in this period or the previous one; zero if there was none.
    pub fn oldest(&self) -> Duration {
        let Inner { oldest, previous_oldest, period, .. } = &*self.inner;
        if period.lock().is_none_or(|began| began.elapsed() > 2 * PERIOD) {
            return Duration::ZERO;
        }
        Duration::from_secs(oldest.load(Ordering::Relaxed).max(previous_oldest.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_counted_from_the_latest_answer() {
        const HOUR: Duration = Duration::from_secs(3_600);
        let staleness = Staleness::default();
        assert_eq!(staleness.silence(), None);
        for (ago, silence) in [(3 * HOUR, 3 * HOUR), (HOUR, HOUR), (2 * HOUR, HOUR)] {
            staleness.record_answer(ago);
            assert!((silence..silence + HOUR).contains(&staleness.silence().unwrap()), "{ago:?}");
        }
    }
}
