//! How long a server in trouble is left alone.

use std::time::Duration;

use tokio::time::Instant;

use crate::pacing::Backoff;

/// Pause before a server in trouble is tried again.
const SHORTEST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(4);
/// A server that has worked for this long is tried again after the shortest pause.
const HEALTHY_AFTER: Duration = Duration::from_secs(30);

/// The pauses between attempts to use a server in trouble.
#[derive(Debug)]
pub(super) struct Pauses {
    backoff: Backoff,
    works_since: Option<Instant>,
}

impl Default for Pauses {
    fn default() -> Self {
        Self { backoff: Backoff::new(SHORTEST_PAUSE, LONGEST_PAUSE), works_since: None }
    }
}

impl Pauses {
    /// Notes that the server answers.
    pub(super) fn works(&mut self) {
        self.works_since = Some(Instant::now());
    }

    /// The next pause, with up to a quarter more at random, so that replicas do not come together.
    pub(super) fn next(&mut self) -> Duration {
        if self.works_since.take().is_some_and(|since| since.elapsed() >= HEALTHY_AFTER) {
            self.backoff.reset();
        }
        self.backoff.next_pause().mul_f64(1.0 + 0.25 * fastrand::f64())
    }
}
