//! Counters of the calls to the catalogue service.

use std::time::Duration;

use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::QueryKind;
use crate::observe::counters::Counter;
use crate::observe::histogram::Histogram;

/// Counts since the start; they never decrease.
#[derive(Debug, Default)]
pub struct CatalogueCounters {
    /// Calls that were made, including retries.
    pub calls: Counter,
    /// Retries.
    pub retries: Counter,
    /// Bytes of bodies that were read, after decompression.
    pub bytes: Counter,
    /// Answers that were parsed, also those that other replicas received.
    pub parsed: Counter,
    /// Answers that were the same as the last one, so that they were not parsed.
    pub unchanged: Counter,
    /// Invalid entries and values that were left out of an answer.
    pub dropped_entries: Counter,
    /// How often a breaker opened, including after a failed probe.
    pub circuit_opened: Counter,
    /// Calls not made because a breaker was open.
    pub refused_by_circuit: Counter,
    /// Calls not made because of an earlier 429.
    pub refused_by_pause: Counter,
    /// Calls not made because the token bucket was empty.
    pub throttled: Counter,
    by_query: [QueryCounters; QueryKind::COUNT],
}

/// Counts of the calls for one kind of query.
#[derive(Debug, Default)]
struct QueryCounters {
    outcomes: [Counter; CallOutcome::EVERY.len()],
    durations: Histogram,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    Answered,
    TransportFailure,
    Timeout,
    UnexpectedStatus,
    RateLimited,
    TooLarge,
    Malformed,
    Implausible,
}

impl CallOutcome {
    /// Every outcome, in the order of their numbers.
    pub const EVERY: [Self; 8] = [
        Self::Answered,
        Self::TransportFailure,
        Self::Timeout,
        Self::UnexpectedStatus,
        Self::RateLimited,
        Self::TooLarge,
        Self::Malformed,
        Self::Implausible,
    ];

    /// The name in a metric's label.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::TransportFailure => "transport",
            Self::Timeout => "timeout",
            Self::UnexpectedStatus => "status",
            Self::RateLimited => "rate_limited",
            Self::TooLarge => "too_large",
            Self::Malformed => "malformed",
            Self::Implausible => "implausible",
        }
    }

    /// The outcome of a call with this error; `None` if no call was made or its outcome is counted
    /// elsewhere.
    fn of(error: Option<&CatalogueError>) -> Option<Self> {
        Some(match error.map(CatalogueError::cause) {
            None => Self::Answered,
            Some(CatalogueError::Transport(_)) => Self::TransportFailure,
            Some(CatalogueError::TimedOut(_)) => Self::Timeout,
            Some(CatalogueError::Status(_)) => Self::UnexpectedStatus,
            Some(CatalogueError::RateLimited { .. }) => Self::RateLimited,
            Some(CatalogueError::TooLarge { .. }) => Self::TooLarge,
            Some(CatalogueError::Malformed(_)) => Self::Malformed,
            Some(CatalogueError::Implausible { .. }) => Self::Implausible,
            Some(
                CatalogueError::CircuitOpen { .. }
                | CatalogueError::Throttled
                | CatalogueError::NoCertificates(_)
                | CatalogueError::Died
                | CatalogueError::Details(_)
                | CatalogueError::TooMany { .. }
                | CatalogueError::TooMuch { .. }
                | CatalogueError::Unsettled { .. }
                | CatalogueError::Senseless
                | CatalogueError::TooLong { .. }
                | CatalogueError::ThroughProxy { .. },
            ) => {
                return None;
            }
        })
    }
}

impl CatalogueCounters {
    /// The number of calls for queries of this kind that ended in this way.
    pub fn calls_for(&self, query: QueryKind, outcome: CallOutcome) -> u64 {
        self.by_query[query as usize].outcomes[outcome as usize].get()
    }

    /// The number of calls that ended in this way.
    pub fn ended(&self, outcome: CallOutcome) -> u64 {
        QueryKind::EVERY.into_iter().map(|query| self.calls_for(query, outcome)).sum()
    }

    /// How long calls for queries of this kind took, whatever their outcome.
    pub fn durations_of(&self, query: QueryKind) -> &Histogram {
        &self.by_query[query as usize].durations
    }

    /// Counts a call that was made.
    pub(super) fn count_call(&self, query: QueryKind, error: Option<&CatalogueError>, took: Duration) {
        let QueryCounters { outcomes, durations } = &self.by_query[query as usize];
        durations.record(took);
        if let Some(outcome) = CallOutcome::of(error) {
            outcomes[outcome as usize].increment();
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
