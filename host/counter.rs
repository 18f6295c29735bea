//! One number that many threads add to.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts events since the start of the process.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn increment(&self) {
        self.add(1);
    }

    pub fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }
}
