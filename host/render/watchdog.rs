//! One thread that ends renders which take too long, for all isolates.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

use super::isolate::Terminator;

/// A handle on the watchdog's thread, which ends when the last handle is dropped.
#[derive(Clone)]
pub struct Watchdog {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Signalled when something is armed or the watchdog shall stop.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next_key: u64,
    armed: HashMap<u64, (Instant, Terminator)>,
    /// When the thread looks next by itself. An earlier deadline has to wake it; the usual later
    /// one does not, which spares two context switches a render.
    looks_at: Option<Instant>,
    stopping: bool,
}

impl Watchdog {
    /// Starts the thread.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let watched = Arc::clone(&shared);
        thread::Builder::new().name("watchdog".into()).spawn(move || watched.run())?;
        Ok(Self { inner: Arc::new(Inner { shared }) })
    }

    /// Terminates through `terminator` at `deadline`, unless the guard is dropped before.
    pub fn arm(&self, deadline: Instant, terminator: Terminator) -> Armed<'_> {
        let mut state = self.inner.shared.state.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.armed.insert(key, (deadline, terminator));
        if state.looks_at.is_none_or(|looks_at| deadline < looks_at) {
            self.inner.shared.changed.notify_one();
        }
        Armed { shared: &self.inner.shared, key }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.shared.state.lock().stopping = true;
        self.shared.changed.notify_one();
    }
}

/// Disarms when dropped. After that no termination can reach the isolate any more, because the
/// watchdog holds the same lock while it terminates.
pub struct Armed<'a> {
    shared: &'a Shared,
    key: u64,
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        self.shared.state.lock().armed.remove(&self.key);
    }
}

impl Shared {
    fn run(&self) {
        let mut state = self.state.lock();
        while !state.stopping {
            let now = Instant::now();
            state.armed.retain(|_, (deadline, terminator)| {
                let late = *deadline <= now;
                if late {
                    terminator.terminate();
                }
                !late
            });
            state.looks_at = state.armed.values().map(|(deadline, _)| *deadline).min();
            match state.looks_at {
                Some(next) => drop(self.changed.wait_until(&mut state, next)),
                None => self.changed.wait(&mut state),
            }
        }
    }
}
