//! The keeper of the isolates: it replaces those that were lost or have rendered enough.

use std::collections::HashSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};

use super::error::BootError;
use super::worker::{Ended, Event, News, Recipe, spawn};
use crate::causes::Causes;

/// Pause before another try when a replacement isolate did not start.
const REBOOT_PAUSE: Duration = Duration::from_secs(1);

/// Replaces isolates that were lost or have rendered enough, one at a time, until the renderer is
/// dropped.
pub fn keep(recipe: &Arc<Recipe>, tell: &Sender<News>, news: &Receiver<News>) {
    let mut running = recipe.settings.isolates.get();
    // Isolates whose successors have started already, however they are going to end.
    let mut succeeded = HashSet::new();
    while running > 0 {
        recipe.counters.isolates.set(running);
        let Ok(News { slot, isolate, event }) = news.recv() else { return };
        match event {
            // It went on while its successor started, and asked again.
            Event::Due(_) if succeeded.contains(&isolate) => {}
            Event::Due(retire) => match replace(slot, recipe, tell) {
                Ok(()) => {
                    recipe.counters.recycled.increment();
                    running += 1;
                    succeeded.insert(isolate);
                    // It may have ended by itself meanwhile.
                    let _ = retire.try_send(());
                }
                // It goes on, and asks again later.
                Err(error) => log_failed_replacement(slot, &error),
            },
            Event::Ended(Ended::Spent) if !succeeded.contains(&isolate) => {
                recipe.counters.lost_isolates.increment();
                tracing::warn!(slot, "an isolate was lost; starting another");
                while let Err(error) = replace(slot, recipe, tell) {
                    log_failed_replacement(slot, &error);
                    thread::sleep(REBOOT_PAUSE);
                }
            }
            Event::Ended(_) => {
                succeeded.remove(&isolate);
                running -= 1;
            }
        }
    }
}

fn log_failed_replacement(slot: usize, error: &BootError) {
    tracing::error!(slot, error = %Causes(error), "no replacement isolate");
}

fn replace(slot: usize, recipe: &Arc<Recipe>, tell: &Sender<News>) -> Result<(), BootError> {
    let ready = spawn(slot, recipe, tell).map_err(BootError::Thread)?;
    ready.blocking_recv().map_err(|_| BootError::Lost)?
}
