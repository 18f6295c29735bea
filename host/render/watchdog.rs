//! The watchdog: one thread that terminates renders of all isolates at their deadlines.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

use super::isolate::Terminator;

/// A handle on the watchdog's thread. The thread ends when the last handle is dropped.
#[derive(Clone)]
pub(super) struct Watchdog {
    inner: Arc<Inner>,
}

struct Inner {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Signalled when an earlier deadline is armed, and when the thread has to stop.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next_key: u64,
    armed: HashMap<u64, (Instant, Terminator)>,
    /// When the thread wakes up next. Only an earlier deadline has to notify it. A later one, which is
    /// the usual case, does not, which saves two context switches a render.
    wakes_at: Option<Instant>,
    stopping: bool,
}

impl Watchdog {
    /// Starts the thread.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let watched = Arc::clone(&shared);
        thread::Builder::new().name("watchdog".into()).spawn(move || watched.run())?;
        Ok(Self { inner: Arc::new(Inner { shared }) })
    }

    /// Calls `terminator` at `deadline`, unless the guard is dropped before.
    pub(super) fn arm(&self, deadline: Instant, terminator: Terminator) -> Armed<'_> {
        let mut state = self.inner.shared.state.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.armed.insert(key, (deadline, terminator));
        if state.wakes_at.is_none_or(|wakes_at| deadline < wakes_at) {
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

/// Disarms the deadline when dropped. The drop waits for the lock that the watchdog holds while it
/// terminates, so no termination reaches the isolate after it.
pub(super) struct Armed<'a> {
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
            state.wakes_at = state.armed.values().map(|(deadline, _)| *deadline).min();
            match state.wakes_at {
                Some(next) => drop(self.changed.wait_until(&mut state, next)),
                None => self.changed.wait(&mut state),
            }
        }
    }
}
