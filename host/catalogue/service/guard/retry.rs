//! Whether and when a call is retried.

use std::time::Duration;

/// Retries that each call adds to the budget. Together with [`INITIAL_RETRIES`] this limits retries to a
/// tenth of all calls after a few hundred calls.
const RETRIES_PER_CALL: f64 = 0.09;
/// Maximum number of retries that the budget can hold.
const MAX_RETRIES: f64 = 10.0;
/// Retries in the budget at the start, so that even the first calls can be retried.
const INITIAL_RETRIES: f64 = 3.0;
/// Longest pause before a retry.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// A retry budget. Retries help against rare failures but add load during common ones, so they are
/// limited to a share of all calls.
#[derive(Debug)]
pub(super) struct RetryBudget {
    retries: f64,
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self { retries: INITIAL_RETRIES }
    }
}

impl RetryBudget {
    /// Adds the share of one call to the budget.
    pub(super) fn deposit(&mut self) {
        self.retries = (self.retries + RETRIES_PER_CALL).min(MAX_RETRIES);
    }

    /// Takes a retry from the budget, for a call that took `elapsed` and has `remaining` left, and
    /// returns the pause before it. `random` is between 0 and 1; it spreads the retries of callers that
    /// failed together.
    pub(super) fn withdraw(
        &mut self,
        elapsed: Duration,
        remaining: Duration,
        random: f64,
    ) -> Option<Duration> {
        let pause = LONGEST_PAUSE.mul_f64(random);
        // A retry usually takes as long as the first attempt, and two calls do not help a hanging service.
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
    fn the_first_call_may_be_retried_and_the_budget_is_capped() {
        let mut budget = RetryBudget::default();
        budget.deposit();
        assert!(budget.withdraw(SOON, BUDGET, 0.5).is_some());
        (0..100_000).for_each(|_| budget.deposit());
        let burst = (0..100).filter(|_| budget.withdraw(SOON, BUDGET, 0.5).is_some()).count();
        assert_eq!(burst, 10);
    }

    #[test]
    fn a_retry_needs_as_much_time_as_the_first_attempt_took() {
        let mut budget = RetryBudget::default();
        let two = Duration::from_secs(2);
        assert!(budget.withdraw(two, two - SOON, 0.0).is_none());
        assert!(budget.withdraw(two, two + SOON, 1.0).is_none());
        assert_eq!(budget.withdraw(two, two + SOON, 0.0), Some(Duration::ZERO));
        assert_eq!(budget.withdraw(SOON, two, 1.0), Some(LONGEST_PAUSE));
    }
}
