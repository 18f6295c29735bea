//! Times of answers and their statistics.

use std::time::Duration;

use parking_lot::Mutex;

/// Any number of latencies, from any number of visitors.
#[derive(Debug, Default)]
pub(crate) struct Latencies {
    /// In microseconds.
    times: Mutex<Vec<u32>>,
}

impl Latencies {
    pub(crate) fn add(&self, took: Duration) {
        self.times.lock().push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn count(&self) -> usize {
        self.times.lock().len()
    }

    /// The latency that this share of the answers, in per cent, did not exceed.
    pub(crate) fn percentile(&self, share: f64) -> Duration {
        let mut times = self.times.lock().clone();
        times.sort_unstable();
        let last = times.len().saturating_sub(1);
        Duration::from_micros(
            times.get((last as f64 * share / 100.0) as usize).copied().unwrap_or_default().into(),
        )
    }
}

/// The time that half of these do not exceed.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
