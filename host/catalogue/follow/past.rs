//! A moment in the past, which may be before the machine's start.

use std::time::Duration;

use tokio::time::Instant;

/// A moment in the past. Two fields, because an `Instant` cannot be earlier than the machine's start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past {
    noted: Instant,
    /// How long before `noted` it was.
    ago: Duration,
}

impl Past {
    /// The moment that was this long `ago`.
    pub(super) fn new(ago: Duration) -> Self {
        Self { noted: Instant::now(), ago }
    }

    /// The time since then.
    pub(super) fn elapsed(self) -> Duration {
        self.elapsed_at(Instant::now())
    }

    fn elapsed_at(self, now: Instant) -> Duration {
        self.ago.saturating_add(now.saturating_duration_since(self.noted))
    }

    /// Whether it was before the `other` moment.
    pub(super) fn is_before(self, other: Self) -> bool {
        // One look at the clock: between two, more time may pass than is between the moments.
        let now = Instant::now();
        self.elapsed_at(now) > other.elapsed_at(now)
    }
}
