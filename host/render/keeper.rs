//! The keeper: one thread that replaces isolates which were lost or have rendered enough.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use flume::{Receiver, Sender};

use super::boot_error::BootError;
use super::worker::{Ended, Event, PoolContext, Report, spawn};
use crate::observe::ErrorChain;

/// Pause before another try after a replacement isolate did not start.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// Replaces isolates that were lost or have rendered enough, one at a time, until the renderer is
/// dropped.
pub(super) fn keep(shared: &Arc<PoolContext>, report: &Sender<Report>, reports: &Receiver<Report>) {
    let mut running = shared.settings.isolates.get();
    // Isolates that have a successor but have not ended yet.
    let mut replaced = HashSet::new();
    while running > 0 {
        shared.counters.isolates.set(running);
        let Ok(Report { slot, isolate, event }) = reports.recv() else { return };
        match event {
            // The isolate went on rendering while its successor started, and asked again.
            Event::RecycleDue(_) if replaced.contains(&isolate) => {}
            Event::RecycleDue(retired) => match replace(slot, shared, report) {
                Ok(()) => {
                    shared.counters.recycled.increment();
                    running += 1;
                    replaced.insert(isolate);
                    retired.store(true, Ordering::Relaxed);
                }
                // The isolate goes on rendering and asks again later.
                Err(error) => log_failed_replacement(slot, &error),
            },
            Event::Ended(Ended::Lost) if !replaced.contains(&isolate) => {
                shared.counters.lost_isolates.increment();
                tracing::warn!(slot, "an isolate was lost; starting another");
                while let Err(error) = replace(slot, shared, report) {
                    log_failed_replacement(slot, &error);
                    thread::sleep(RETRY_PAUSE);
                }
            }
            Event::Ended(_) => {
                replaced.remove(&isolate);
                running -= 1;
            }
        }
    }
}

fn log_failed_replacement(slot: usize, error: &BootError) {
    tracing::error!(slot, error = %ErrorChain(error), "no replacement isolate");
}

/// Starts a successor in `slot` and waits until it is warm.
fn replace(slot: usize, shared: &Arc<PoolContext>, report: &Sender<Report>) -> Result<(), BootError> {
    let ready = spawn(slot, shared, report).map_err(BootError::Thread)?;
    ready.blocking_recv().map_err(|_| BootError::Lost)?
}
