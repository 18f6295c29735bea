//! Remembers the calls whose answers were larger than allowed. Downloading such an answer costs as much as a usable
//! one, and the next answer will be as large, so the call is not repeated for a while.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The largest number of calls that are remembered. It is limited because visitors can invent searches.
const MOST: usize = 256;

/// The calls whose answers were too large, each with the time at which that was noted.
#[derive(Debug)]
pub(super) struct Oversized {
    /// How long a call is not made again.
    lasts: Duration,
    calls: Mutex<HashMap<String, Instant>>,
}

impl Oversized {
    /// Remembers each noted call for `lasts`.
    pub(super) fn new(lasts: Duration) -> Self {
        Self { lasts, calls: Mutex::default() }
    }

    /// Notes that the answer to a call was too large.
    pub(super) fn note(&self, call: String, now: Instant) {
        let mut calls = self.calls.lock();
        calls.retain(|_, noted| self.is_recent(*noted, now));
        if calls.len() >= MOST
            && let Some(oldest) = calls.iter().min_by_key(|(_, noted)| **noted).map(|(call, _)| call.clone())
        {
            calls.remove(&oldest);
        }
        calls.insert(call, now);
    }

    /// Whether the answer to a call was too large within the last `lasts`.
    pub(super) fn has(&self, call: &str, now: Instant) -> bool {
        self.calls.lock().get(call).is_some_and(|noted| self.is_recent(*noted, now))
    }

    /// Forgets every call.
    pub(super) fn clear(&self) {
        self.calls.lock().clear();
    }

    fn is_recent(&self, noted: Instant, now: Instant) -> bool {
        now.saturating_duration_since(noted) < self.lasts
    }
}

#[cfg(test)]
mod tests {
    use super::super::ServiceLimits;
    use super::*;

    #[test]
    fn a_call_counts_for_ten_minutes() {
        let oversized = Oversized::new(ServiceLimits::DEFAULT.oversized_for);
        let then = Instant::now();
        oversized.note("/products".into(), then);
        let minutes = |minutes: u64| then + Duration::from_secs(60 * minutes);
        assert!(oversized.has("/products", minutes(9)) && !oversized.has("/products", minutes(10)));
        assert!(!oversized.has("/products/1", then));
        oversized.note("/products".into(), minutes(10));
        assert!(oversized.has("/products", minutes(19)));
        oversized.clear();
        assert!(!oversized.has("/products", minutes(10)));
    }

    #[test]
    fn the_number_of_calls_is_bounded_and_the_latest_stay() {
        let oversized = Oversized::new(Duration::from_secs(600));
        let then = Instant::now();
        let at = |number: usize| then + Duration::from_millis(number as u64);
        (0..2 * MOST).for_each(|number| oversized.note(number.to_string(), at(number)));
        let now = at(2 * MOST);
        assert!(!oversized.has(&(MOST - 1).to_string(), now) && oversized.has(&MOST.to_string(), now));
        assert_eq!(oversized.calls.lock().len(), MOST);
        oversized.note("later".into(), now + Duration::from_secs(600));
        assert_eq!(oversized.calls.lock().len(), 1);
    }
}
