//! Log lines that would come by the thousand on a bad day, and come now and then instead.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// Between two lines about the same thing.
const PERIOD: Duration = Duration::from_secs(10);

/// Remembers when each thing was said last.
#[derive(Debug, Default)]
pub struct Seldom {
    said: Mutex<HashMap<&'static str, Instant>>,
}

impl Seldom {
    /// Whether it is time to say this; from then on it was said.
    pub fn is_time_for(&self, what: &'static str) -> bool {
        let now = Instant::now();
        let mut said = self.said.lock();
        let is_time = said.get(what).is_none_or(|last| now.saturating_duration_since(*last) >= PERIOD);
        if is_time {
            said.insert(what, now);
        }
        is_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thing_is_said_once_in_a_while_and_does_not_silence_another() {
        let seldom = Seldom::default();
        assert!(seldom.is_time_for("one"));
        assert!(!seldom.is_time_for("one"));
        assert!(seldom.is_time_for("other"));
    }
}
