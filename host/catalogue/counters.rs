//! What happened to the calls of the catalogue service, in numbers.

use super::CatalogueError;
use crate::counter::Counter;

/// Counts since the start, each of them only ever growing.
#[derive(Debug, Default)]
pub struct CatalogueCounters {
    /// Calls that were made, retries among them.
    pub calls: Counter,
    /// Second tries.
    pub retries: Counter,
    /// Bytes of bodies that were read, after decompression.
    pub bytes: Counter,
    /// Calls without a connection, or with one that broke.
    pub transport_failures: Counter,
    /// Calls that were cut because a time budget ran out.
    pub timeouts: Counter,
    /// Calls answered with a status that the API does not use, 429 aside.
    pub unexpected_statuses: Counter,
    /// Answers of 429.
    pub rate_limited: Counter,
    /// Answers larger than allowed.
    pub too_large: Counter,
    /// Answers that are not the API's JSON.
    pub malformed: Counter,
    /// Single products whose values make no sense.
    pub implausible: Counter,
    /// Entries without sense that were left out of an answer.
    pub dropped_entries: Counter,
    /// How often the breaker opened, after a probe that failed too.
    pub circuit_opened: Counter,
    /// Calls not made because the breaker was open.
    pub refused_by_circuit: Counter,
    /// Calls not made because the service had asked for a pause.
    pub refused_by_pause: Counter,
    /// Calls not made because this shop had made too many.
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
            CatalogueError::Implausible(_) => self.implausible.increment(),
            CatalogueError::CircuitOpen { .. } | CatalogueError::Throttled => self.count_refusal(error),
            // Not the end of a call, but of somebody who waited for one.
            CatalogueError::Died => {}
        }
    }

    /// Counts the error of a call that the guard did not let through.
    pub(super) fn count_refusal(&self, error: &CatalogueError) {
        match error {
            CatalogueError::CircuitOpen { .. } => self.refused_by_circuit.increment(),
            CatalogueError::RateLimited { .. } => self.refused_by_pause.increment(),
            CatalogueError::Throttled => self.throttled.increment(),
            _ => {}
        }
    }
}
