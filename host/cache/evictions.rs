//! Counts values that a cache has removed by itself.

use moka::notification::RemovalCause;

use crate::observe::counters::Counter;

/// Values that a cache has removed by itself, by cause.
#[derive(Debug, Default)]
pub(crate) struct Evictions {
    /// There was no room for them.
    pub(crate) size: Counter,
    /// They were too old to be served.
    pub(crate) expired: Counter,
}

impl Evictions {
    pub(super) fn count(&self, cause: RemovalCause) {
        match cause {
            RemovalCause::Size => self.size.increment(),
            RemovalCause::Expired => self.expired.increment(),
            RemovalCause::Explicit | RemovalCause::Replaced => {}
        }
    }
}
