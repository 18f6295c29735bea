//! Silence: a worker that sends no heartbeat for some time counts as hung.

use std::pin::pin;
use std::time::Duration;

use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// After this long without a heartbeat a worker counts as hung.
pub(super) const LIMIT: Duration = TICK.saturating_mul(TICKS);

/// Silence is counted in ticks of this length.
const TICK: Duration = Duration::from_secs(1);
const TICKS: u32 = 10;

/// A tick that comes later than this does not count: if even the supervisor, which does next to nothing, got
/// no processor time, its worker may have got none either. The same holds after a suspension of the machine.
const TOLERANCE: Duration = Duration::from_millis(250);

/// What a wait for a worker's reports has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// It has sent a heartbeat.
    Alive,
    /// It has asked to be replaced.
    AsksToBeReplaced,
    /// It has been silent for [`LIMIT`].
    Hung,
}

/// How long a worker has been silent.
#[derive(Debug)]
pub(super) struct Silence {
    ticks: Interval,
    /// Ticks that came on time since the latest heartbeat.
    counted: u32,
}

impl Silence {
    /// The silence of a worker that has just become ready.
    pub(super) fn new() -> Self {
        let mut ticks = interval_at(Instant::now() + TICK, TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { ticks, counted: 0 }
    }

    /// Waits for the worker's next sign, or until it counts as hung. Cancel-safe if `heard` is.
    pub(super) async fn next(&mut self, heard: impl Future<Output = Sign>) -> Sign {
        let mut heard = pin!(heard);
        loop {
            tokio::select! {
                // Heartbeats first: after a pause of the supervisor, some may be waiting.
                biased;
                sign = &mut heard => {
                    self.counted = 0;
                    self.ticks.reset();
                    return sign;
                }
                due = self.ticks.tick() => self.counted += u32::from(due.elapsed() <= TOLERANCE),
            }
            if self.counted >= TICKS {
                self.counted = 0;
                return Sign::Hung;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_util::FutureExt as _;
    use tokio::time::{advance, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_worker_without_a_heartbeat_is_hung_after_the_limit() {
        let (started, mut silence) = (Instant::now(), Silence::new());
        assert_eq!(silence.next(pending()).await, Sign::Hung);
        assert!((LIMIT..LIMIT + TICK).contains(&started.elapsed()), "{:?}", started.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_heartbeat_ends_the_silence() {
        let mut silence = Silence::new();
        for _ in 0..100 {
            assert_eq!(silence.next(sleep(LIMIT - TICK / 10).map(|()| Sign::Alive)).await, Sign::Alive);
        }
        let heard = Instant::now();
        assert_eq!(silence.next(pending()).await, Sign::Hung);
        assert!(heard.elapsed() >= LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn silence_goes_on_where_the_wait_for_it_was_interrupted() {
        let (started, mut silence) = (Instant::now(), Silence::new());
        let interrupted = tokio::time::timeout(LIMIT / 2, silence.next(pending())).await;
        assert!(interrupted.is_err());
        assert_eq!(silence.next(pending()).await, Sign::Hung);
        assert!(started.elapsed() < LIMIT + TICK);
    }

    #[tokio::test(start_paused = true)]
    async fn time_in_which_the_supervisor_s_own_timers_were_late_does_not_count() {
        let mut silence = Silence::new();
        for _ in 0..100 {
            advance(TICK + 2 * TOLERANCE).await;
            assert_eq!(silence.next(pending()).now_or_never(), None);
        }
        let punctual = Instant::now();
        assert_eq!(silence.next(pending()).await, Sign::Hung);
        assert!(punctual.elapsed() >= LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_pause_a_heartbeat_that_was_waiting_counts_first() {
        let mut silence = Silence::new();
        sleep(LIMIT * 2).await;
        assert_eq!(silence.next(ready(Sign::Alive)).await, Sign::Alive);
    }
}
