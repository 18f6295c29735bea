//! Tells how long ago a state file was written.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// A name that the kernel gives to each start of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// A moment on two clocks.
#[derive(Debug)]
pub(super) struct Moment {
    /// The time by the system's clock, in seconds since 1970. It jumps when the clock is set.
    pub(super) at: u64,
    /// The time since the machine's start; `None` if it is not known.
    pub(super) boot: Option<BootTime>,
}

/// A time since the machine's start, which setting the system's clock does not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BootTime {
    /// The start of the machine from which it is counted.
    id: String,
    seconds: u64,
}

impl Moment {
    pub(super) fn now() -> Self {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let seconds = u64::try_from(clock_gettime(ClockId::Boottime).tv_sec).unwrap_or_default();
        let boot = fs::read_to_string(BOOT_ID).ok().map(|id| BootTime { id: id.trim().into(), seconds });
        Self { at, boot }
    }

    /// The time from an earlier moment to this one; `None` if the system's clock was set back in between
    /// and the machine was restarted, so that no clock tells the time.
    pub(super) fn since(&self, earlier: &Self) -> Option<Duration> {
        let since_boot = match (&self.boot, &earlier.boot) {
            (Some(now), Some(then)) if now.id == then.id => now.seconds.checked_sub(then.seconds),
            _ => None,
        };
        since_boot.or_else(|| self.at.checked_sub(earlier.at)).map(Duration::from_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: u64, boot: Option<(&str, u64)>) -> Moment {
        Moment { at, boot: boot.map(|(id, seconds)| BootTime { id: id.into(), seconds }) }
    }

    #[test]
    fn the_system_s_clock_counts_only_across_starts_of_the_machine() {
        let seconds = |now: &Moment, then: &Moment| now.since(then).map(|since| since.as_secs());
        let now = moment(1_000, Some(("this", 500)));
        assert_eq!(seconds(&now, &moment(900, Some(("this", 490)))), Some(10));
        assert_eq!(seconds(&now, &moment(9_000, Some(("this", 490)))), Some(10));
        assert_eq!(seconds(&now, &moment(900, Some(("other", 490)))), Some(100));
        assert_eq!(seconds(&now, &moment(900, None)), Some(100));
        assert_eq!(seconds(&moment(1_000, None), &moment(900, Some(("this", 490)))), Some(100));
        assert_eq!(seconds(&now, &moment(900, Some(("this", 501)))), Some(100), "another time namespace");
        assert_eq!(seconds(&now, &moment(1_001, Some(("other", 490)))), None);
    }

    #[test]
    fn this_moment_is_not_before_itself() {
        let earlier = Moment::now();
        assert!(earlier.boot.is_some());
        assert!(Moment::now().since(&earlier).is_some_and(|since| since < Duration::from_secs(60)));
    }
}
