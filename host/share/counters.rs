//! Counters of the exchanges with the server, of orders and of versions.

use crate::observe::counters::Counter;

/// Counts since the start; they never decrease.
#[derive(Debug, Default)]
pub struct ShareCounters {
    operations: [Counter; OperationResult::EVERY.len()],
    /// Orders that were given to other replicas.
    pub orders_sent: Counter,
    /// Orders of other replicas that were carried out.
    pub orders_received: Counter,
    /// Versions of the catalogue that were written for other replicas.
    pub versions_sent: Counter,
    /// Versions of other replicas that were put on sale.
    pub versions_received: Counter,
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

impl ShareCounters {
    /// The counter of exchanges with this result.
    pub fn operations(&self, result: OperationResult) -> &Counter {
        &self.operations[result as usize]
    }
}
