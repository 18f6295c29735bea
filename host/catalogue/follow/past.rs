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
        self.ago.saturating_add(self.noted.elapsed())
    }

    /// Whether it was before the `other` moment.
    pub(super) fn is_before(self, other: Self) -> bool {
        self.elapsed() > other.elapsed()
    }
}
