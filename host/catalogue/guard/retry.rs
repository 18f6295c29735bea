//! Whether and when a call is tried a second time.

use std::time::Duration;

/// What each call adds. With what is there at the start, retries are a tenth of all calls once
/// there were a few hundred.
const SHARE: f64 = 0.09;
/// Most retries that can be saved up.
const MOST: f64 = 10.0;
/// Retries at the start, so that the first connection closed under a call is not noticed.
const START: f64 = 3.0;
/// Longest pause before a retry.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Retries help against a rare failure and make a common one worse, so they are a share of calls.
#[derive(Debug)]
pub struct RetryBudget {
    retries: f64,
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self { retries: START }
    }
}

impl RetryBudget {
    /// A call is made.
    pub fn deposit(&mut self) {
        self.retries = (self.retries + SHARE).min(MOST);
    }

    /// Pays for a retry of a call that took `elapsed` and has `remaining` left, and says after
    /// which pause it may be made. `random` lies between 0 and 1: callers that failed together
    /// come back spread over the whole pause.
    pub fn withdraw(&mut self, elapsed: Duration, remaining: Duration, random: f64) -> Option<Duration> {
        let pause = LONGEST_PAUSE.mul_f64(random);
        // A second try usually takes as long as the first one did, and a service that hangs is not
        // helped by two calls instead of one.
        if self.retries < 1.0 || remaining < pause + elapsed {
            return None;
        }
        self.retries -= 1.0;
        Some(pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(10);
    const BUDGET: Duration = Duration::from_secs(4);

    #[test]
    fn retries_are_a_tenth_of_all_calls() {
        let mut budget = RetryBudget::default();
        let mut retries = 0;
        for calls in 1..1_000 {
            budget.deposit();
            retries += u32::from(budget.withdraw(SOON, BUDGET, 0.5).is_some());
            assert!(calls < 300 || retries * 10 <= calls, "{retries} retries of {calls} calls");
        }
        assert!(retries > 80, "{retries}");
    }

    #[test]
    fn the_first_call_of_all_may_be_retried_and_a_quiet_time_saves_up_few() {
        let mut budget = RetryBudget::default();
        budget.deposit();
        assert!(budget.withdraw(SOON, BUDGET, 0.5).is_some());
        (0..100_000).for_each(|_| budget.deposit());
        let burst = (0..100).filter(|_| budget.withdraw(SOON, BUDGET, 0.5).is_some()).count();
        assert_eq!(burst, 10);
    }

    #[test]
    fn a_retry_needs_as_much_time_as_the_first_try_took() {
        let mut budget = RetryBudget::default();
        let two = Duration::from_secs(2);
        assert!(budget.withdraw(two, two - SOON, 0.0).is_none());
        assert!(budget.withdraw(two, two + SOON, 1.0).is_none());
        assert_eq!(budget.withdraw(two, two + SOON, 0.0), Some(Duration::ZERO));
        assert_eq!(budget.withdraw(SOON, two, 1.0), Some(LONGEST_PAUSE));
    }
}
