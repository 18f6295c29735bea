//! Counts purges.

use crate::catalogue::PurgeMode;
use crate::observe::counters::Counter;

/// Orders that were carried out, by mode.
#[derive(Debug, Default)]
pub(super) struct PurgeCounters {
    soft: Counter,
    hard: Counter,
}

impl PurgeCounters {
    pub(super) fn of(&self, mode: PurgeMode) -> &Counter {
        match mode {
            PurgeMode::Soft => &self.soft,
            PurgeMode::Hard => &self.hard,
        }
    }
}
