//! Scheduling priority and processor time of an isolate's thread.

use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::observe::ErrorChain;

/// Niceness of the isolates' threads. Other threads keep the niceness of the process.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Lowers the calling thread's priority, so that threads that answer requests run first when every core
/// is busy. Most answers need no render and should not wait for one.
#[cfg(target_os = "linux")]
pub(super) fn lower_priority() {
    // On Linux priorities are per thread, and the call accepts a thread id.
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICENESS) {
        tracing::debug!(error = %ErrorChain(&error), "renders compete with everything else");
    }
}

/// Does nothing: only Linux has per-thread niceness.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower_priority() {}

/// Processor time that the calling thread has used so far.
pub(super) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
