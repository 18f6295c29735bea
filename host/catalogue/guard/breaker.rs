//! A circuit breaker: after too many failures no call is made for a while, then one that probes.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Failures in a row that open it.
const IN_A_ROW: u32 = 5;
/// The outcomes that are remembered; half of them failures open it too.
const REMEMBERED: usize = 20;
/// Shops that failed together shall not probe together: an open time is up to this share longer.
const JITTER: f64 = 0.25;

#[derive(Debug)]
pub struct Breaker {
    shortest: Duration,
    longest: Duration,
    state: State,
    /// Counts the changes of state, so that the outcome of a call from before one is recognised.
    generation: u64,
    /// Whether each of the last calls failed.
    recent: VecDeque<bool>,
    in_a_row: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed,
    /// No call before `until`; `length` doubles with each probe that fails.
    Open {
        until: Instant,
        length: Duration,
    },
    /// One call is under way as a probe.
    Probing {
        length: Duration,
    },
}

/// The right to make one call, to be handed back with its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    generation: u64,
}

/// A change of state that an operator wants to know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
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
    pub fn new(shortest: Duration, longest: Duration) -> Self {
        Self {
            shortest,
            longest,
            state: State::Closed,
            generation: 0,
            recent: VecDeque::with_capacity(REMEMBERED),
            in_a_row: 0,
        }
    }

    /// Whether a call could be made now; if not, how long to wait. While a probe is under way that
    /// is zero: it ends when it ends.
    pub fn check(&self, now: Instant) -> Result<(), Duration> {
        match self.state {
            State::Open { until, .. } if now < until => Err(until - now),
            State::Probing { .. } => Err(Duration::ZERO),
            State::Closed | State::Open { .. } => Ok(()),
        }
    }

    /// Lets a call through, as the probe if the time of being open has passed.
    pub fn admit(&mut self, now: Instant) -> Result<Ticket, Duration> {
        self.check(now)?;
        if let State::Open { length, .. } = self.state {
            self.enter(State::Probing { length });
        }
        Ok(Ticket { generation: self.generation })
    }

    /// Takes the outcome of a call. `random` lies between 0 and 1.
    pub fn record(&mut self, ticket: Ticket, failed: bool, now: Instant, random: f64) -> Option<Change> {
        if ticket.generation != self.generation {
            return None;
        }
        match self.state {
            State::Closed => {
                self.remember(failed);
                if !(failed && self.has_enough()) {
                    return None;
                }
                let open_for = self.open(self.shortest, now, random);
                Some(Change::Opened { open_for })
            }
            State::Probing { length } if failed => {
                let open_for = self.open((length * 2).min(self.longest), now, random);
                Some(Change::StaysOpen { open_for })
            }
            State::Probing { .. } => {
                self.enter(State::Closed);
                Some(Change::Closed)
            }
            // A ticket of this generation does not exist.
            State::Open { .. } => None,
        }
    }

    /// Takes the ticket of a call that was given up without an outcome: the next call probes.
    pub fn abandon(&mut self, ticket: Ticket, now: Instant) {
        if let State::Probing { length } = self.state
            && ticket.generation == self.generation
        {
            self.enter(State::Open { until: now, length });
        }
    }

    fn remember(&mut self, failed: bool) {
        if self.recent.len() == REMEMBERED {
            self.recent.pop_front();
        }
        self.recent.push_back(failed);
        self.in_a_row = if failed { self.in_a_row + 1 } else { 0 };
    }

    fn has_enough(&self) -> bool {
        let failures = self.recent.iter().filter(|failed| **failed).count();
        self.in_a_row >= IN_A_ROW || (self.recent.len() == REMEMBERED && failures * 2 >= REMEMBERED)
    }

    fn open(&mut self, length: Duration, now: Instant, random: f64) -> Duration {
        let open_for = length.mul_f64(1.0 + JITTER * random);
        self.enter(State::Open { until: now + open_for, length });
        open_for
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.generation += 1;
        self.recent.clear();
        self.in_a_row = 0;
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
    fn half_of_the_last_twenty_opens_and_less_does_not() {
        let now = Instant::now();
        let mut every_third = breaker();
        assert!((0..1_000).all(|number| call(&mut every_third, number % 3 == 0, now).is_none()));
        let mut every_other = breaker();
        let opened = (1..100).find(|number| call(&mut every_other, number % 2 == 0, now).is_some());
        assert_eq!(opened, Some(20));
    }

    #[test]
    fn exactly_one_probe_is_let_through_and_its_success_closes() {
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
    fn the_time_of_being_open_doubles_up_to_a_limit_and_varies() {
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
    fn an_abandoned_probe_makes_way_for_the_next() {
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
    fn late_outcomes_of_calls_from_before_change_nothing() {
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
