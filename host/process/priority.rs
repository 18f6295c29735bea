//! Scheduling priority of single threads.

#[cfg(target_os = "linux")]
use crate::observe::ErrorChain;

/// Lowers the calling thread's priority to this niceness, which is at most 19. Other threads keep the
/// niceness of the process, so when every core is busy they run first.
#[cfg(target_os = "linux")]
pub(crate) fn lower_priority(niceness: i32) {
    // On Linux priorities are per thread, and the call accepts a thread id.
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), niceness) {
        tracing::debug!(niceness, error = %ErrorChain(&error), "a thread keeps the usual priority");
    }
}

/// Does nothing: only Linux has per-thread niceness.
#[cfg(not(target_os = "linux"))]
pub(crate) fn lower_priority(_: i32) {}
