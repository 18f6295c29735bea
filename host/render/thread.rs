//! Scheduling priority and processor time of an isolate's thread.

use std::time::Duration;

use crate::process::priority;

/// Niceness of the isolates' threads. Most answers need no render and should not wait for one.
const NICENESS: i32 = 5;

/// Lowers the calling thread's priority, so that threads that answer requests run first when every core
/// is busy.
pub(super) fn lower_priority() {
    priority::lower_priority(NICENESS);
}

/// Processor time that the calling thread has used so far.
pub(super) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
