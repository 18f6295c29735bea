//! Restart back-off: how long to wait before the next worker starts. The first restart is immediate;
//! pauses grow while workers keep dying soon after their start.

use std::time::Duration;

use crate::pacing::Backoff;

/// A worker that lived this long counts as stable and resets the back-off.
const STABLE_AFTER: Duration = Duration::from_secs(10);
/// The first pause after the immediate restart.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// The pauses before restarts.
#[derive(Debug)]
pub(super) struct RestartBackoff {
    /// The pauses after the immediate restart.
    pauses: Backoff,
    /// Whether there was a restart since the last stable worker.
    has_restarted: bool,
}

impl Default for RestartBackoff {
    fn default() -> Self {
        Self { pauses: Backoff::new(FIRST_PAUSE, MAX_PAUSE), has_restarted: false }
    }
}

impl RestartBackoff {
    /// Counts a restart, and returns the pause before it. The previous worker lived for `lived`.
    pub(super) fn after(&mut self, lived: Duration) -> Duration {
        if lived >= STABLE_AFTER {
            *self = Self::default();
        }
        let is_first = !std::mem::replace(&mut self.has_restarted, true);
        if is_first { Duration::ZERO } else { self.pauses.next_pause() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_restart_is_immediate_and_the_pauses_grow() {
        let mut backoff = RestartBackoff::default();
        let milliseconds = [(); 9].map(|()| backoff.after(Duration::from_secs(1)).as_millis());
        assert_eq!(milliseconds, [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
        assert_eq!([(); 100].map(|()| backoff.after(Duration::ZERO)), [MAX_PAUSE; 100]);
    }

    #[test]
    fn a_stable_worker_resets_the_pauses() {
        let mut backoff = RestartBackoff::default();
        for _ in 0..5 {
            backoff.after(Duration::ZERO);
        }
        assert_eq!(backoff.after(STABLE_AFTER), Duration::ZERO);
        assert_eq!(backoff.after(Duration::ZERO), FIRST_PAUSE);
    }
}
