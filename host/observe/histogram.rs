//! Histograms of durations, which any thread can update.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets, in microseconds; one more bucket has everything above. They range from a
/// cached answer to the deadline of a request.
const BOUNDS: [u64; 14] = [
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 2_500_000,
    10_000_000,
];

/// Counts durations by their length.
#[derive(Debug, Default)]
pub struct Histogram {
    /// The numbers of durations. Not cumulative, so that a duration changes only one of them.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    /// The sum of all durations, in nanoseconds.
    sum: AtomicU64,
}

/// The values of a histogram at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramValues {
    /// The sum of all durations, in seconds.
    pub sum: f64,
    /// The number of durations.
    pub count: u64,
    /// Upper bounds in seconds, the last one infinite, each with the number of durations that are longer than
    /// the bound before it.
    pub buckets: Vec<(f64, u64)>,
}

impl Histogram {
    pub(crate) fn record(&self, duration: Duration) {
        let nanoseconds = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| nanoseconds <= bound * 1_000).unwrap_or(BOUNDS.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The values now. A duration that is being recorded may be in the buckets and not yet in the sum.
    #[expect(clippy::cast_precision_loss, reason = "2^53 nanoseconds are a hundred days of work")]
    pub fn values(&self) -> HistogramValues {
        let bounds = BOUNDS.iter().map(|bound| *bound as f64 / 1e6).chain([f64::INFINITY]);
        let counts = self.buckets.iter().map(|count| count.load(Ordering::Relaxed));
        let buckets: Vec<(f64, u64)> = bounds.zip(counts).collect();
        HistogramValues {
            sum: self.sum.load(Ordering::Relaxed) as f64 / 1e9,
            count: buckets.iter().map(|(_, count)| count).sum(),
            buckets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_counted_in_the_first_bucket_that_has_it() {
        let histogram = Histogram::default();
        for microseconds in [0, 100, 101, 3_000, 99_000_000] {
            histogram.record(Duration::from_micros(microseconds));
        }
        let HistogramValues { sum, count, buckets } = histogram.values();
        assert_eq!(count, 5);
        assert!((sum - 99.003_201).abs() < 1e-9, "{sum}");
        let filled: Vec<_> = buckets.into_iter().filter(|(_, count)| *count > 0).collect();
        assert_eq!(filled, [(0.0001, 2), (0.00025, 1), (0.005, 1), (f64::INFINITY, 1)]);
    }
}
