//! A circuit breaker: after too many failures no call is made for a while, then one probe at a time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::pacing::Backoff;

/// Consecutive failures that open the breaker.
const MAX_CONSECUTIVE_FAILURES: u32 = 5;
/// Size of the window of recent outcomes. The breaker also opens when half of a full window are failures.
const WINDOW: usize = 20;
/// An open time is extended by up to this share at random, so that shops that failed together do not
/// probe together.
const JITTER: f64 = 0.25;

#[derive(Debug)]
pub(super) struct Breaker {
    /// How long it is open, jitter aside: longer after each failed probe.
    open_times: Backoff,
    state: State,
    /// Number of state changes, to recognise the late outcome of a call that began before the last one.
    generation: u64,
    /// Whether each of the last [`WINDOW`] calls failed.
    recent: VecDeque<bool>,
    consecutive_failures: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed,
    /// No call is allowed before `until`.
    Open {
        until: Instant,
    },
    /// One call is under way as a probe.
    Probing,
}

/// Permission for one call, to be returned with its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    generation: u64,
}

/// A state change to report to the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Opened {
        open_for: Duration,
    },
    /// A probe failed.
    StaysOpen {
        open_for: Duration,
    },
    Closed,
}

impl Breaker {
    /// Open for `shortest` at first and never for longer than `longest`, jitter aside.
    pub(super) fn new(shortest: Duration, longest: Duration) -> Self {
        Self {
            open_times: Backoff::new(shortest, longest),
            state: State::Closed,
            generation: 0,
            recent: VecDeque::with_capacity(WINDOW),
            consecutive_failures: 0,
        }
    }

    /// Whether a call is allowed now; if not, how long to wait. The wait is zero while a probe is under
    /// way, because its end is unknown.
    pub(super) fn check(&self, now: Instant) -> Result<(), Duration> {
        match self.state {
            State::Open { until } if now < until => Err(until - now),
            State::Probing => Err(Duration::ZERO),
            State::Closed | State::Open { .. } => Ok(()),
        }
    }

    /// Admits a call; after the open time it is the probe.
    pub(super) fn admit(&mut self, now: Instant) -> Result<Ticket, Duration> {
        self.check(now)?;
        if let State::Open { .. } = self.state {
            self.enter(State::Probing);
        }
        Ok(Ticket { generation: self.generation })
    }

    /// Records the outcome of a call. `random` is between 0 and 1.
    pub(super) fn record(
        &mut self,
        ticket: Ticket,
        failed: bool,
        now: Instant,
        random: f64,
    ) -> Option<Change> {
        if ticket.generation != self.generation {
            return None;
        }
        match self.state {
            State::Closed => {
                self.push_outcome(failed);
                if !(failed && self.should_open()) {
                    return None;
                }
                self.open_times.reset();
                let open_for = self.open(now, random);
                Some(Change::Opened { open_for })
            }
            State::Probing if failed => {
                let open_for = self.open(now, random);
                Some(Change::StaysOpen { open_for })
            }
            State::Probing => {
                self.enter(State::Closed);
                Some(Change::Closed)
            }
            // Unreachable: no ticket is issued in this state.
            State::Open { .. } => None,
        }
    }

    /// Returns the ticket of a call that was cancelled without an outcome. If it was the probe, the next
    /// call becomes the probe.
    pub(super) fn abandon(&mut self, ticket: Ticket, now: Instant) {
        if self.state == State::Probing && ticket.generation == self.generation {
            self.enter(State::Open { until: now });
        }
    }

    fn push_outcome(&mut self, failed: bool) {
        if self.recent.len() == WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(failed);
        self.consecutive_failures = if failed { self.consecutive_failures + 1 } else { 0 };
    }

    fn should_open(&self) -> bool {
        let failures = self.recent.iter().filter(|failed| **failed).count();
        self.consecutive_failures >= MAX_CONSECUTIVE_FAILURES
            || (self.recent.len() == WINDOW && failures * 2 >= WINDOW)
    }

    fn open(&mut self, now: Instant, random: f64) -> Duration {
        let open_for = self.open_times.next_pause().mul_f64(1.0 + JITTER * random);
        self.enter(State::Open { until: now + open_for });
        open_for
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.generation += 1;
        self.recent.clear();
        self.consecutive_failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn breaker() -> Breaker {
        Breaker::new(SECOND, 30 * SECOND)
    }

    /// Makes one call with an outcome.
    fn call(breaker: &mut Breaker, failed: bool, now: Instant) -> Option<Change> {
        let ticket = breaker.admit(now).unwrap();
        breaker.record(ticket, failed, now, 0.0)
    }

    fn opened(now: Instant) -> Breaker {
        let mut breaker = breaker();
        (0..4).for_each(|_| assert_eq!(call(&mut breaker, true, now), None));
        assert_eq!(call(&mut breaker, true, now), Some(Change::Opened { open_for: SECOND }));
        breaker
    }

    #[test]
    fn the_fifth_failure_in_a_row_opens() {
        let now = Instant::now();
        let breaker = opened(now);
        assert_eq!(breaker.check(now), Err(SECOND));
        assert_eq!(breaker.check(now + SECOND / 2), Err(SECOND / 2));
    }

    #[test]
    fn ten_failures_of_the_last_twenty_open_and_fewer_do_not() {
        let now = Instant::now();
        let mut every_third = breaker();
        assert!((0..1_000).all(|number| call(&mut every_third, number % 3 == 0, now).is_none()));
        let mut every_other = breaker();
        let opened = (1..100).find(|number| call(&mut every_other, number % 2 == 0, now).is_some());
        assert_eq!(opened, Some(20));
    }

    #[test]
    fn one_probe_is_admitted_and_its_success_closes() {
        let now = Instant::now();
        let mut breaker = opened(now);
        let later = now + SECOND;
        let probe = breaker.admit(later).unwrap();
        assert_eq!(breaker.admit(later), Err(Duration::ZERO));
        assert_eq!(breaker.record(probe, false, later, 0.0), Some(Change::Closed));
        (0..4).for_each(|_| assert_eq!(call(&mut breaker, true, later), None));
        assert_eq!(call(&mut breaker, true, later), Some(Change::Opened { open_for: SECOND }));
    }

    #[test]
    fn the_open_time_doubles_up_to_a_limit_with_jitter() {
        let mut now = Instant::now();
        let mut breaker = opened(now);
        for seconds in [2, 4, 8, 16, 30, 30] {
            now += 30 * SECOND;
            let probe = breaker.admit(now).unwrap();
            let open_for = seconds * SECOND;
            assert_eq!(breaker.record(probe, true, now, 0.0), Some(Change::StaysOpen { open_for }));
            assert_eq!(breaker.check(now), Err(open_for));
        }
        now += 30 * SECOND;
        let probe = breaker.admit(now).unwrap();
        let longest = Change::StaysOpen { open_for: (30 * SECOND).mul_f64(1.25) };
        assert_eq!(breaker.record(probe, true, now, 1.0), Some(longest));
    }

    #[test]
    fn an_abandoned_probe_is_replaced_by_the_next_call() {
        let now = Instant::now();
        let mut breaker = opened(now);
        let later = now + SECOND;
        let gone = breaker.admit(later).unwrap();
        breaker.abandon(gone, later);
        let next = breaker.admit(later).unwrap();
        assert_eq!(breaker.record(gone, false, later, 0.0), None, "its outcome comes too late");
        assert!(breaker.admit(later).is_err(), "the next probe is under way");
        assert_eq!(breaker.record(next, true, later, 0.0), Some(Change::StaysOpen { open_for: 2 * SECOND }));
    }

    #[test]
    fn outcomes_of_an_earlier_generation_are_ignored() {
        let now = Instant::now();
        let mut breaker = breaker();
        let early: Vec<_> = (0..10).map(|_| breaker.admit(now).unwrap()).collect();
        let changes = early.iter().filter_map(|ticket| breaker.record(*ticket, true, now, 0.0)).count();
        assert_eq!(changes, 1);
        assert_eq!(breaker.record(early[9], false, now, 0.0), None);
        assert_eq!(breaker.check(now), Err(SECOND));
        breaker.abandon(early[9], now);
        assert_eq!(breaker.check(now), Err(SECOND));
    }
}
