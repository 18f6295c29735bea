//! Scheduling priority and processor time of an isolate's thread.

use std::time::{Duration, Instant};

use crate::process::priority;

/// Niceness of the isolates' threads. Most answers need no render and should not wait for one.
const NICENESS: i32 = 5;

/// Lowers the calling thread's priority, so that threads that answer requests run first when every core
/// is busy.
pub(super) fn lower_priority() {
    priority::lower_priority(NICENESS);
}

/// The processor time that a thread uses from a moment on. Any thread can read it.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    since: Instant,
    clock: ThreadClock,
    /// The clock's time at the beginning.
    used_before: Option<Duration>,
}

impl Meter {
    /// Measures the calling thread from now on.
    pub(super) fn start() -> Self {
        let clock = ThreadClock::of_this_thread();
        Self { since: Instant::now(), clock, used_before: clock.now() }
    }

    /// When the measurement began.
    pub(super) fn since(&self) -> Instant {
        self.since
    }

    /// Processor time since then; where the system does not report it, the elapsed time.
    pub(super) fn used(&self) -> Duration {
        match (self.clock.now(), self.used_before) {
            (Some(now), Some(before)) => now.saturating_sub(before),
            _ => self.since.elapsed(),
        }
    }
}

/// The clock of one thread's processor time.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug)]
struct ThreadClock(nix::time::ClockId);

#[cfg(target_os = "linux")]
impl ThreadClock {
    fn of_this_thread() -> Self {
        // What `pthread_getcpuclockid` answers: the kernel's `CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED`.
        const OF_A_THREAD: i32 = 4 | 2;
        let thread = rustix::thread::gettid().as_raw_nonzero().get();
        Self(nix::time::ClockId::from_raw((!thread << 3) | OF_A_THREAD))
    }

    /// Processor time so far; `None` once the thread has ended.
    fn now(self) -> Option<Duration> {
        self.0.now().ok().map(Duration::from)
    }
}

/// Only Linux has a clock for each thread that other threads can read.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug)]
struct ThreadClock;

#[cfg(not(target_os = "linux"))]
impl ThreadClock {
    fn of_this_thread() -> Self {
        Self
    }

    fn now(self) -> Option<Duration> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn another_thread_reads_how_much_processor_time_a_thread_uses() {
        let (send, meters) = channel();
        let (work, orders) = channel::<()>();
        let worker = thread::spawn(move || {
            for () in orders {
                let meter = Meter::start();
                while meter.used() < Duration::from_millis(20) {}
                send.send(meter).unwrap();
            }
        });
        work.send(()).unwrap();
        let meter = meters.recv().unwrap();
        let used = meter.used();
        // The worker sleeps, and this thread works.
        let own = Meter::start();
        while own.used() < Duration::from_millis(20) {}
        let then = meter.used();
        assert!(then >= used && then - used < Duration::from_millis(10), "{used:?}, then {then:?}");
        drop(work);
        worker.join().unwrap();
    }
}
