//! Counters of the calls to the catalogue service.

use crate::catalogue::error::CatalogueError;
use crate::observe::counters::Counter;

/// Counts since the start; they never decrease.
#[derive(Debug, Default)]
pub struct CatalogueCounters {
    /// Calls that were made, including retries.
    pub calls: Counter,
    /// Retries.
    pub retries: Counter,
    /// Bytes of bodies that were read, after decompression.
    pub bytes: Counter,
    /// Calls whose connection failed or broke.
    pub transport_failures: Counter,
    /// Calls that exceeded a time budget.
    pub timeouts: Counter,
    /// Calls answered with a status that the API does not use, except 429.
    pub unexpected_statuses: Counter,
    /// Calls answered with 429.
    pub rate_limited: Counter,
    /// Answers that exceeded the size limit.
    pub too_large: Counter,
    /// Answers that do not match the API's schema.
    pub malformed: Counter,
    /// Single products with invalid or implausible values.
    pub implausible: Counter,
    /// Invalid entries that were dropped from an answer.
    pub dropped_entries: Counter,
    /// How often a breaker opened, including after a failed probe.
    pub circuit_opened: Counter,
    /// Calls not made because a breaker was open.
    pub refused_by_circuit: Counter,
    /// Calls not made because of an earlier 429.
    pub refused_by_pause: Counter,
    /// Calls not made because the token bucket was empty.
    pub throttled: Counter,
}

impl CatalogueCounters {
    /// Counts the error of a call that was made.
    pub(super) fn count_failure(&self, error: &CatalogueError) {
        match error {
            CatalogueError::Transport(_) => self.transport_failures.increment(),
            CatalogueError::TimedOut(_) => self.timeouts.increment(),
            CatalogueError::Status(_) => self.unexpected_statuses.increment(),
            CatalogueError::RateLimited { .. } => self.rate_limited.increment(),
            CatalogueError::TooLarge { .. } => self.too_large.increment(),
            CatalogueError::Malformed(_) => self.malformed.increment(),
            CatalogueError::Implausible { .. } => self.implausible.increment(),
            CatalogueError::CircuitOpen { .. } | CatalogueError::Throttled => self.count_refusal(error),
            // Concerns a waiter; the call itself is counted separately.
            CatalogueError::Died => {}
        }
    }

    /// Counts a call that the guard refused.
    pub(super) fn count_refusal(&self, error: &CatalogueError) {
        match error {
            CatalogueError::CircuitOpen { .. } => self.refused_by_circuit.increment(),
            CatalogueError::RateLimited { .. } => self.refused_by_pause.increment(),
            CatalogueError::Throttled => self.throttled.increment(),
            _ => {}
        }
    }
}
