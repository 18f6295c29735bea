//! Tells the operator of a crowd, without a line for each of its visitors.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Between two log lines.
const PERIOD: Duration = Duration::from_secs(10);

/// Remembers when it was said last that renders are refused.
#[derive(Debug, Default)]
pub struct Overload {
    said: Mutex<Option<Instant>>,
}

impl Overload {
    /// A render was refused, as so many since the start.
    pub fn note(&self, refused: u64) {
        let now = Instant::now();
        let mut said = self.said.lock();
        if said.is_none_or(|said| now.saturating_duration_since(said) >= PERIOD) {
            *said = Some(now);
            tracing::warn!(refused, "more pages are asked for than can be rendered");
        }
    }
}
