//! How long to wait before the next worker starts: not at all, unless workers keep dying young.

use std::time::Duration;

/// A worker that lived this long did not die of its start.
const GROWN: Duration = Duration::from_secs(10);
/// The first pause that is one; each further one is twice as long.
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub struct Pauses {
    /// Restarts since a worker last grew old enough.
    restarts: u32,
}

impl Pauses {
    /// The pause after a worker that lived so long.
    pub fn after(&mut self, lived: Duration) -> Duration {
        if lived >= GROWN {
            self.restarts = 0;
        }
        let pause = match self.restarts.checked_sub(1) {
            None => Duration::ZERO,
            Some(doublings) => SHORTEST.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST),
        };
        self.restarts = self.restarts.saturating_add(1);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_restart_is_at_once_and_the_pauses_grow() {
        let mut pauses = Pauses::default();
        let milliseconds = [(); 9].map(|()| pauses.after(Duration::from_secs(1)).as_millis());
        assert_eq!(milliseconds, [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
        assert_eq!([(); 100].map(|()| pauses.after(Duration::ZERO)), [LONGEST; 100]);
    }

    #[test]
    fn a_grown_worker_s_end_starts_over() {
        let mut pauses = Pauses::default();
        for _ in 0..5 {
            pauses.after(Duration::ZERO);
        }
        assert_eq!(pauses.after(GROWN), Duration::ZERO);
        assert_eq!(pauses.after(Duration::ZERO), SHORTEST);
    }
}
