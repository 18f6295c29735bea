//! Rate limit for log lines that an outage would otherwise write thousands of times.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// Default time between two lines about the same topic.
const DEFAULT_PERIOD: Duration = Duration::from_secs(10);

/// Allows one log line per topic and period.
#[derive(Debug)]
pub(crate) struct LogThrottle {
    period: Duration,
    /// When each topic was last logged. Topics are literals or places in the code, so there are only a few.
    logged: Mutex<HashMap<Cow<'static, str>, Instant>>,
}

impl Default for LogThrottle {
    fn default() -> Self {
        Self::every(DEFAULT_PERIOD)
    }
}

impl LogThrottle {
    /// A throttle that allows one line per topic every `period`.
    pub(crate) fn every(period: Duration) -> Self {
        Self { period, logged: Mutex::default() }
    }

    /// Whether a line about this topic may be written now. `true` starts a new period, so the caller must
    /// write the line.
    pub(crate) fn allows(&self, topic: impl Into<Cow<'static, str>>) -> bool {
        let (topic, now) = (topic.into(), Instant::now());
        let mut logged = self.logged.lock();
        let is_due =
            logged.get(&topic).is_none_or(|last| now.saturating_duration_since(*last) >= self.period);
        if is_due {
            logged.insert(topic, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_topic_is_logged_once_per_period() {
        let throttle = LogThrottle::default();
        assert!(throttle.allows("one"));
        assert!(!throttle.allows("one"));
        assert!(throttle.allows("other"));
        tokio::time::advance(DEFAULT_PERIOD).await;
        assert!(throttle.allows("one"));
    }
}
