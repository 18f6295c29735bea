//! Restart back-off: how long to wait before the next worker starts. The first restart is immediate;
//! pauses grow while workers keep dying soon after their start.

use std::time::Duration;

/// A worker that lived this long counts as stable and resets the back-off.
const STABLE_AFTER: Duration = Duration::from_secs(10);
/// The first pause after the immediate restart; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const MAX_PAUSE: Duration = Duration::from_secs(5);

/// The state of the restart back-off.
#[derive(Debug, Default)]
pub(super) struct RestartBackoff {
    /// Restarts since the last stable worker.
    restarts: u32,
}

impl RestartBackoff {
    /// Counts a restart, and returns the pause before it. The previous worker lived for `lived`.
    pub(super) fn after(&mut self, lived: Duration) -> Duration {
        if lived >= STABLE_AFTER {
            self.restarts = 0;
        }
        let pause = match self.restarts.checked_sub(1) {
            None => Duration::ZERO,
            Some(doublings) => FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(MAX_PAUSE),
        };
        self.restarts = self.restarts.saturating_add(1);
        pause
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
