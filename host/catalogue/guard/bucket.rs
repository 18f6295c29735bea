//! A token bucket: how many calls may be made within a time.

use std::time::{Duration, Instant};

/// Holds at most `burst` tokens and gains `per_second` of them, so within any `t` seconds at most
/// `burst + per_second * t` calls are made.
#[derive(Debug)]
pub struct Bucket {
    per_second: f64,
    burst: f64,
    /// Negative while callers wait for tokens that they have reserved.
    tokens: f64,
    filled_at: Instant,
}

impl Bucket {
    pub fn new(per_second: f64, burst: u32, now: Instant) -> Self {
        Self { per_second, burst: burst.into(), tokens: burst.into(), filled_at: now }
    }

    /// Takes a token that can be used after the returned time, or none when that is longer than
    /// `patience`. Some of the tokens, `kept` of a whole bucket, are not there for this caller.
    pub fn reserve(&mut self, now: Instant, patience: Duration, kept: f64) -> Option<Duration> {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        let tokens = (self.tokens + passed * self.per_second).min(self.burst);
        // Another thread may have read a later clock before it got here.
        self.filled_at = self.filled_at.max(now);
        self.tokens = tokens;
        let missing = (1.0 + self.burst * kept - tokens).max(0.0);
        let wait = Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX);
        if wait > patience {
            return None;
        }
        self.tokens -= 1.0;
        Some(wait)
    }

    /// Returns a token that no call was made with.
    pub fn give_back(&mut self) {
        self.tokens = (self.tokens + 1.0).min(self.burst);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::ServiceLimits;

    #[test]
    fn a_caller_without_a_token_waits_its_turn_or_is_refused() {
        let now = Instant::now();
        let mut bucket = Bucket::new(4.0, 2, now);
        let patience = Duration::from_millis(500);
        let answers: Vec<_> = (0..6).map(|_| bucket.reserve(now, patience, 0.0)).collect();
        let milliseconds = |wait| Some(Duration::from_millis(wait));
        assert_eq!(
            answers,
            [milliseconds(0), milliseconds(0), milliseconds(250), milliseconds(500), None, None]
        );
        bucket.give_back();
        assert_eq!(bucket.reserve(now, patience, 0.0), milliseconds(500));
        // Two are still reserved, two came in.
        assert_eq!(bucket.reserve(now + patience, Duration::ZERO, 0.0), None);
        assert_eq!(bucket.reserve(now + Duration::from_secs(60), Duration::ZERO, 0.0), milliseconds(0));
    }

    #[test]
    fn what_is_kept_is_there_for_others_only() {
        let now = Instant::now();
        let mut bucket = Bucket::new(5.0, 40, now);
        let mut made =
            |kept| (0..100).filter(|_| bucket.reserve(now, Duration::ZERO, kept).is_some()).count();
        assert_eq!([made(0.5), made(0.25), made(0.0)], [20, 10, 10]);
    }

    #[test]
    fn a_bucket_never_holds_more_than_its_burst() {
        let now = Instant::now();
        let mut bucket = Bucket::new(5.0, 3, now);
        bucket.give_back();
        let later = now + Duration::from_secs(86_400);
        let made = (0..10).filter(|_| bucket.reserve(later, Duration::ZERO, 0.0).is_some()).count();
        assert_eq!(made, 3);
    }

    proptest! {
        /// The service allows 100 calls in ten seconds; what is left is for a neighbour behind the
        /// same address.
        #[test]
        fn any_ten_seconds_see_at_most_ninety_calls(
            gaps in prop::collection::vec(prop_oneof![9 => 0_u64..50, 1 => 0_u64..3_000], 1..1_000),
        ) {
            let limits = ServiceLimits::default();
            let mut now = Instant::now();
            let mut bucket = Bucket::new(limits.calls_per_second, limits.call_burst, now);
            let mut calls = Vec::new();
            for gap in gaps {
                now += Duration::from_millis(gap);
                calls.extend(bucket.reserve(now, limits.token_wait, 0.0).map(|wait| now + wait));
            }
            for (first, start) in calls.iter().enumerate() {
                let within = calls[first..].iter().filter(|call| **call - *start < Duration::from_secs(10));
                prop_assert!(within.count() <= 90);
            }
        }
    }
}
