//! How old the answers are that are served because there is nothing newer. Stale answers keep the
//! shop selling; this keeps them from hiding that the service is down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

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
    period: Mutex<Option<Instant>>,
}

impl Staleness {
    /// An answer of this age was served.
    pub fn served(&self, age: Duration) {
        let Inner { served, oldest, before, period } = &*self.inner;
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
