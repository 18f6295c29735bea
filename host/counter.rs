//! Numbers that many threads write: counts of events, and gauges of what is so just now.

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

/// How much there is of something at this moment.
#[derive(Debug, Default)]
pub struct Gauge(AtomicU64);

impl Gauge {
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub fn set(&self, value: usize) {
        self.0.store(value as u64, Ordering::Relaxed);
    }
}
