//! Heartbeats: a process reports regularly that it still answers. This is the watchdog protocol of
//! systemd (`WatchdogSec=` of a unit, `sd_watchdog_enabled(3)`), which a supervisor speaks with its
//! workers too.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use super::readiness;

/// The environment variable with the time after which a silent process counts as hung, in microseconds.
pub(crate) const TIMEOUT_VARIABLE: &str = "WATCHDOG_USEC";
/// The environment variable with the id of the process that is watched; without it, any process is watched.
pub(crate) const PROCESS_VARIABLE: &str = "WATCHDOG_PID";

/// Longest time between two heartbeats. Short, so that a single late one does not matter.
const LONGEST_PERIOD: Duration = Duration::from_secs(1);

/// How long the service manager or supervisor lets this process be silent; `None` when it does not
/// watch this process.
pub(crate) fn timeout() -> Option<Duration> {
    let variable = |name| std::env::var(name).ok();
    timeout_of(
        variable(TIMEOUT_VARIABLE)?.as_str(),
        variable(PROCESS_VARIABLE).as_deref(),
        std::process::id(),
    )
}

fn timeout_of(microseconds: &str, watched: Option<&str>, own_process: u32) -> Option<Duration> {
    let is_watched = watched.is_none_or(|process| process.parse() == Ok(own_process));
    let timeout = Duration::from_micros(microseconds.parse().ok()?);
    (is_watched && !timeout.is_zero()).then_some(timeout)
}

/// The time between two heartbeats: at most half of `timeout`, as the protocol recommends.
fn period(timeout: Duration) -> Duration {
    (timeout / 2).min(LONGEST_PERIOD)
}

/// If this process is watched, sends heartbeats while it answers its own requests. `answers` tells whether it
/// does. A process whose async runtime is blocked, or which gets no processor time, is silent.
pub(crate) async fn beat<A>(answers: impl Fn() -> A)
where
    A: Future<Output = bool>,
{
    let Some(timeout) = timeout() else { return };
    let mut ticks = interval(period(timeout));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if answers().await {
            readiness::notify_alive();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_process_that_is_watched_has_a_timeout() {
        let timeout = Some(Duration::from_secs(30));
        assert_eq!(timeout_of("30000000", None, 7), timeout);
        assert_eq!(timeout_of("30000000", Some("7"), 7), timeout);
        assert_eq!(timeout_of("30000000", Some("8"), 7), None);
        assert_eq!(timeout_of("30000000", Some("seven"), 7), None);
        for nothing in ["0", "", "soon", "-1", "99999999999999999999999"] {
            assert_eq!(timeout_of(nothing, None, 7), None, "{nothing}");
        }
    }

    #[test]
    fn a_heartbeat_comes_at_least_twice_within_the_timeout() {
        assert_eq!(period(Duration::from_millis(800)), Duration::from_millis(400));
        assert_eq!(period(Duration::from_secs(3_600)), LONGEST_PERIOD);
    }
}
