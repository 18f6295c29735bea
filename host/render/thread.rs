//! Processor time of an isolate's thread.

use std::time::Duration;

/// Processor time that the calling thread has used so far.
pub(super) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
