//! The pause that a service requests with 429 and `Retry-After`.

use std::time::{Duration, Instant};

use crate::pacing::parse_retry_after;

/// Length without a valid `Retry-After`.
const DEFAULT: Duration = Duration::from_secs(10);
/// Shortest length: an immediate call would only be refused again.
const SHORTEST: Duration = Duration::from_secs(1);
/// Longest length, so that a wrong value does not disable the service for days.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// Until when no call is made.
#[derive(Debug, Default)]
pub(super) struct Pause {
    until: Option<Instant>,
}

impl Pause {
    /// Begins a pause, or prolongs the current one. Returns whether it began.
    pub(super) fn begin(&mut self, now: Instant, length: Duration) -> bool {
        let begins = self.remaining(now).is_none();
        self.until = self.until.max(Some(now + length));
        begins
    }

    /// The time until the pause ends; `None` if there is none.
    pub(super) fn remaining(&self, now: Instant) -> Option<Duration> {
        self.until?.checked_duration_since(now).filter(|left| !left.is_zero())
    }
}

/// The length of the pause that a service requests, within sensible bounds.
pub(crate) fn retry_after(header: Option<&str>, date: Option<&str>) -> Duration {
    parse_retry_after(header, date).unwrap_or(DEFAULT).clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let sent = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        for (header, date, seconds) in [
            (Some("120"), None, 120),
            (Some("0"), None, 1),
            (Some("86400"), None, 600),
            (Some("18446744073709551615"), None, 600),
            (Some("99999999999999999999999"), None, 10),
            (Some("-5"), None, 10),
            (Some("soon"), sent, 10),
            (None, sent, 10),
            (Some("Sun, 06 Nov 1994 08:50:37 GMT"), sent, 60),
            (Some("Sun, 06 Nov 1994 08:40:00 GMT"), sent, 1),
            (Some("Fri, 31 Dec 9999 23:59:59 GMT"), sent, 600),
            (Some("Sun, 06 Nov 1994 08:50:37 GMT"), None, 10),
        ] {
            assert_eq!(retry_after(header, date), Duration::from_secs(seconds), "{header:?} {date:?}");
        }
    }

    #[test]
    fn a_pause_ends_and_is_never_shortened() {
        let now = Instant::now();
        let mut pause = Pause::default();
        assert_eq!(pause.remaining(now), None);
        assert!(pause.begin(now, Duration::from_secs(120)));
        assert!(!pause.begin(now, Duration::from_secs(1)));
        assert_eq!(pause.remaining(now + Duration::from_secs(100)), Some(Duration::from_secs(20)));
        assert_eq!(pause.remaining(now + Duration::from_secs(120)), None);
    }
}
