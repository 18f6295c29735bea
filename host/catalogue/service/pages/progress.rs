//! How far a pass is, for operators.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far the pass is that is under way.
#[derive(Debug, Default)]
pub struct PassProgress {
    is_under_way: AtomicBool,
    read: AtomicU64,
    total: AtomicU64,
}

impl PassProgress {
    /// Whether a pass is under way, or waits for the next attempt.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Relaxed)
    }

    /// The number of entries of the list that have been read.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The number of entries of the list, as the service states it; 0 if it does not.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, read: u64, total: Option<u64>) {
        self.is_under_way.store(true, Ordering::Relaxed);
        self.read.store(read, Ordering::Relaxed);
        self.total.store(total.unwrap_or_default(), Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        self.is_under_way.store(false, Ordering::Relaxed);
    }
}

impl fmt::Display for PassProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total() {
            0 => write!(formatter, "{} products", self.read()),
            total => write!(formatter, "{} of {total} products", self.read()),
        }
    }
}
