//! Counters of the exchanges with the server, of leases and of orders.

use crate::observe::counters::Counter;

/// Counts since the start; they never decrease.
#[derive(Debug, Default)]
pub struct ShareCounters {
    operations: [Counter; OperationResult::EVERY.len()],
    leases: [Counter; LeaseOutcome::EVERY.len()],
    /// Orders that were given to other replicas.
    pub orders_sent: Counter,
    /// Orders of other replicas that were carried out.
    pub orders_received: Counter,
}

/// What became of an exchange with the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperationResult {
    Answered,
    /// The server refuses a command, for example because its memory is full.
    Refused,
    /// No answer in time, or none that is understood.
    Failed,
    /// The server was not asked, because it is in trouble or too much is asked of it.
    Skipped,
    /// A stored value that cannot be used.
    Unusable,
}

impl OperationResult {
    /// Every result, in the order of their numbers.
    pub const EVERY: [Self; 5] = [Self::Answered, Self::Refused, Self::Failed, Self::Skipped, Self::Unusable];

    /// The name in a metric's label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Unusable => "unusable",
        }
    }
}

/// Who made a call of the catalogue that this replica needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseOutcome {
    /// This replica, for all of them.
    Taken,
    /// Another replica, whose answer was used.
    Shared,
    /// This replica for itself, because the server could not be used.
    Alone,
}

impl LeaseOutcome {
    /// Every outcome, in the order of their numbers.
    pub const EVERY: [Self; 3] = [Self::Taken, Self::Shared, Self::Alone];

    /// The name in a metric's label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Shared => "shared",
            Self::Alone => "alone",
        }
    }
}

impl ShareCounters {
    /// The counter of exchanges with this result.
    pub fn operations(&self, result: OperationResult) -> &Counter {
        &self.operations[result as usize]
    }

    /// The counter of calls with this outcome.
    pub fn leases(&self, outcome: LeaseOutcome) -> &Counter {
        &self.leases[outcome as usize]
    }
}
