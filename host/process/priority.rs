//! Scheduling priority of threads.

#[cfg(target_os = "linux")]
use crate::observe::ErrorChain;

/// Niceness of threads that compute. Other threads keep the niceness of the process.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Lowers the calling thread's priority, so that threads that answer requests run first when every core
/// is busy. Most answers need no computation and should not wait for one.
#[cfg(target_os = "linux")]
pub(crate) fn lower_priority() {
    // On Linux priorities are per thread, and the call accepts a thread id.
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICENESS) {
        tracing::debug!(error = %ErrorChain(&error), "computations compete with everything else");
    }
}

/// Does nothing: only Linux has per-thread niceness.
#[cfg(not(target_os = "linux"))]
pub(crate) fn lower_priority() {}
