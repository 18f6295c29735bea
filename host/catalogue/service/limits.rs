//! Time and size budgets of a call, and rate limits.

use std::time::Duration;

use crate::catalogue::query::QueryKind;

/// Budgets of one call, and limits for all calls together.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Longest time to connect, including TLS.
    pub connect_timeout: Duration,
    /// For a call that a visitor waits for.
    pub visitor: CallTimes,
    /// For a call of the reading, for which no visitor waits.
    pub reading: CallTimes,
    /// Largest body after decompression, in bytes.
    pub max_body: usize,
    /// How long a call is not made again after its answer was larger than `max_body`.
    pub oversized_for: Duration,
    /// Refill rate of the token bucket: calls per second in the long run.
    pub calls_per_second: f64,
    /// Capacity of the token bucket: calls that may be made at once after an idle time.
    pub call_burst: u32,
    /// How long a call waits for a token before it is refused.
    pub token_wait: Duration,
    /// How long a breaker is open the first time.
    pub open_shortest: Duration,
    /// Longest time that a breaker is open, before jitter.
    pub open_longest: Duration,
}

/// Time budgets of a call.
#[derive(Clone, Copy, Debug)]
pub struct CallTimes {
    /// Longest time from the start of the call to the answer's headers, including connecting.
    pub first_byte: Duration,
    /// Longest time between two reads of the body.
    pub read: Duration,
    /// Longest time of the whole call, including the body and a retry.
    pub total: Duration,
}

impl CallTimes {
    /// The same budget for each part of a call and for all of it.
    pub const fn of(each: Duration) -> Self {
        Self { first_byte: each, read: each, total: each }
    }
}

impl ServiceLimits {
    /// The time budgets of a call of this kind.
    pub(super) fn times_of(&self, kind: QueryKind) -> CallTimes {
        if kind.is_of_reading() { self.reading } else { self.visitor }
    }

    /// The service refuses more than 100 calls in ten seconds; these limits allow at most 90.
    pub const DEFAULT: Self = Self {
        connect_timeout: Duration::from_secs(1),
        visitor: CallTimes { total: Duration::from_secs(4), ..CallTimes::of(Duration::from_secs(2)) },
        reading: CallTimes { total: Duration::from_secs(30), ..CallTimes::of(Duration::from_secs(10)) },
        max_body: 16 << 20,
        oversized_for: Duration::from_secs(600),
        calls_per_second: 5.0,
        call_burst: 40,
        token_wait: Duration::from_millis(500),
        open_shortest: Duration::from_secs(1),
        open_longest: Duration::from_secs(30),
    };
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;
    use crate::pacing::TokenBucket;

    proptest! {
        /// The service allows 100 calls in ten seconds from one address; the remaining ten are for other
        /// clients behind the same address.
        #[test]
        fn at_most_ninety_calls_are_made_within_any_ten_seconds(
            gaps in prop::collection::vec(prop_oneof![9 => 0_u64..50, 1 => 0_u64..3_000], 1..1_000),
        ) {
            let limits = ServiceLimits::DEFAULT;
            let mut now = Instant::now();
            let mut bucket = TokenBucket::new(limits.calls_per_second, limits.call_burst, now);
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
