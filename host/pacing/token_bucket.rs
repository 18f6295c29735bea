//! A token bucket, which limits a rate.

use std::time::{Duration, Instant};

/// Holds at most `burst` tokens and gains `per_second` tokens each second, so at most
/// `burst + per_second * t` tokens are taken within any `t` seconds.
#[derive(Debug)]
pub(crate) struct TokenBucket {
    per_second: f64,
    burst: f64,
    /// Negative while callers wait for tokens that they have reserved.
    tokens: f64,
    filled_at: Instant,
}

impl TokenBucket {
    pub(crate) fn new(per_second: f64, burst: u32, now: Instant) -> Self {
        Self { per_second, burst: burst.into(), tokens: burst.into(), filled_at: now }
    }

    /// Takes a token that may be used after the returned wait; `None` if the wait is longer than `max_wait`.
    /// The share `kept_back` of a full bucket (0 to 1) is not available to this caller.
    pub(crate) fn reserve(&mut self, now: Instant, max_wait: Duration, kept_back: f64) -> Option<Duration> {
        let passed = now.saturating_duration_since(self.filled_at).as_secs_f64();
        let tokens = (self.tokens + passed * self.per_second).min(self.burst);
        // Another thread may have read the clock later but taken the lock earlier.
        self.filled_at = self.filled_at.max(now);
        self.tokens = tokens;
        let missing = (1.0 + self.burst * kept_back - tokens).max(0.0);
        let wait = Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX);
        if wait > max_wait {
            return None;
        }
        self.tokens -= 1.0;
        Some(wait)
    }

    /// Returns an unused token.
    pub(crate) fn give_back(&mut self) {
        self.tokens = (self.tokens + 1.0).min(self.burst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_without_a_token_waits_or_is_refused() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(4.0, 2, now);
        let max_wait = Duration::from_millis(500);
        let answers: Vec<_> = (0..6).map(|_| bucket.reserve(now, max_wait, 0.0)).collect();
        let milliseconds = |wait| Some(Duration::from_millis(wait));
        assert_eq!(
            answers,
            [milliseconds(0), milliseconds(0), milliseconds(250), milliseconds(500), None, None]
        );
        bucket.give_back();
        assert_eq!(bucket.reserve(now, max_wait, 0.0), milliseconds(500));
        // Two tokens are owed, and two have been added since.
        assert_eq!(bucket.reserve(now + max_wait, Duration::ZERO, 0.0), None);
        assert_eq!(bucket.reserve(now + Duration::from_secs(60), Duration::ZERO, 0.0), milliseconds(0));
    }

    #[test]
    fn kept_back_tokens_remain_for_other_callers() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(5.0, 40, now);
        let mut made =
            |kept_back| (0..100).filter(|_| bucket.reserve(now, Duration::ZERO, kept_back).is_some()).count();
        assert_eq!([made(0.5), made(0.25), made(0.0)], [20, 10, 10]);
    }

    #[test]
    fn a_bucket_never_holds_more_than_its_burst() {
        let now = Instant::now();
        let mut bucket = TokenBucket::new(5.0, 3, now);
        bucket.give_back();
        let later = now + Duration::from_secs(86_400);
        let made = (0..10).filter(|_| bucket.reserve(later, Duration::ZERO, 0.0).is_some()).count();
        assert_eq!(made, 3);
    }
}
