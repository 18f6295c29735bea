//! What the operating system gives an isolate's thread.

use std::time::Duration;

#[cfg(target_os = "linux")]
use crate::causes::Causes;

/// How much kinder than other threads those of the isolates are.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// Lets the threads that answer go first when every core is busy: most answers need no render, and
/// none of them shall wait for one.
#[cfg(target_os = "linux")]
pub fn yield_to_others() {
    // On Linux a priority belongs to a thread, and a thread's number stands for it.
    let thread = rustix::thread::gettid();
    if let Err(error) = rustix::process::setpriority_process(Some(thread), NICENESS) {
        tracing::debug!(error = %Causes(&error), "renders compete with everything else");
    }
}

#[cfg(not(target_os = "linux"))]
pub fn yield_to_others() {}

/// How long the calling thread has been running on a core so far.
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
