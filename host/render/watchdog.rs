//! The watchdog: one thread that terminates renders of all isolates that have used up their time.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::isolate::Terminator;
use super::thread::Meter;

/// A render that uses no processor time at all for this many budgets is terminated too. On an overloaded machine
/// even a thread of low priority runs now and then.
const MOST_BUDGETS_WITHOUT_USE: u32 = 10;

/// Least time between two looks at a render.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

/// A handle on the watchdog's thread. The thread ends when the handle is dropped.
pub(super) struct Watchdog {
    shared: Arc<Alarm>,
}

#[derive(Default)]
struct Alarm {
    state: Mutex<State>,
    /// Signalled when a render has to be looked at earlier, and when the thread has to stop.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next_key: u64,
    armed: HashMap<u64, Watched>,
    /// When the thread wakes up next. It is notified only if a render has to be looked at before that, which is
    /// rare; this saves two context switches a render.
    wakes_at: Option<Instant>,
    stopping: bool,
}

struct Watched {
    use_of_time: UseOfTime,
    meter: Meter,
    terminator: Terminator,
}

/// How much of its budget of processor time a render has used.
struct UseOfTime {
    budget: Duration,
    used: Duration,
    /// When it last used processor time.
    idle_since: Instant,
    looked_at_next: Instant,
}

impl UseOfTime {
    fn new(budget: Duration, now: Instant) -> Self {
        Self { budget, used: Duration::ZERO, idle_since: now, looked_at_next: now + budget }
    }

    /// Whether the render has to end at `now`, after it has used this much. If not, says when to look again.
    fn is_over(&mut self, now: Instant, used: Duration) -> bool {
        if used > self.used {
            self.used = used;
            self.idle_since = now;
        }
        let left = self.budget.saturating_sub(used);
        self.looked_at_next = now + left.max(SHORTEST_PAUSE);
        let is_idle =
            now.saturating_duration_since(self.idle_since) >= self.budget * MOST_BUDGETS_WITHOUT_USE;
        left.is_zero() || is_idle
    }
}

impl Watchdog {
    /// Starts the thread.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub(super) fn start() -> io::Result<Self> {
        let shared = Arc::new(Alarm::default());
        let watched = Arc::clone(&shared);
        thread::Builder::new().name("watchdog".into()).spawn(move || watched.run())?;
        Ok(Self { shared })
    }

    /// Calls `terminator` once the thread of `meter` has used `budget` of processor time, or has used none for
    /// [`MOST_BUDGETS_WITHOUT_USE`], unless the guard is dropped first.
    pub(super) fn arm(&self, meter: Meter, budget: Duration, terminator: Terminator) -> Armed<'_> {
        let use_of_time = UseOfTime::new(budget, meter.since());
        let look_at = use_of_time.looked_at_next;
        let mut state = self.shared.state.lock();
        let key = state.next_key;
        state.next_key += 1;
        state.armed.insert(key, Watched { use_of_time, meter, terminator });
        if state.wakes_at.is_none_or(|wakes_at| look_at < wakes_at) {
            self.shared.changed.notify_one();
        }
        Armed { shared: &self.shared, key }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.state.lock().stopping = true;
        self.shared.changed.notify_one();
    }
}

/// Ends the watch when dropped. The drop waits for the lock that the watchdog holds while it
/// terminates, so no termination reaches the isolate after it.
pub(super) struct Armed<'a> {
    shared: &'a Alarm,
    key: u64,
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        self.shared.state.lock().armed.remove(&self.key);
    }
}

impl Alarm {
    fn run(&self) {
        let mut state = self.state.lock();
        while !state.stopping {
            let now = Instant::now();
            state.armed.retain(|_, Watched { use_of_time, meter, terminator }| {
                let is_over = use_of_time.looked_at_next <= now && use_of_time.is_over(now, meter.used());
                if is_over {
                    terminator.terminate();
                }
                !is_over
            });
            state.wakes_at = state.armed.values().map(|watched| watched.use_of_time.looked_at_next).min();
            match state.wakes_at {
                Some(next) => drop(self.changed.wait_until(&mut state, next)),
                None => self.changed.wait(&mut state),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: Duration = Duration::from_millis(500);

    /// When the watchdog ends a render that gets this share of a processor, in percent. `None` if the render still
    /// runs after a hundred budgets.
    fn ends_after(share: impl Fn(Duration) -> u32) -> Option<Duration> {
        let begin = Instant::now();
        let mut render = UseOfTime::new(BUDGET, begin);
        let (mut before, mut used) = (begin, Duration::ZERO);
        while render.looked_at_next <= begin + BUDGET * 100 {
            let now = render.looked_at_next;
            used += (now - before) * share(now - begin) / 100;
            before = now;
            if render.is_over(now, used) {
                return Some(now - begin);
            }
        }
        None
    }

    #[test]
    fn a_render_ends_when_its_processor_time_is_used_up() {
        assert_eq!(ends_after(|_| 100), Some(BUDGET));
        for share in [50, 25, 2] {
            let whole = BUDGET * 100 / share;
            let ended = ends_after(|_| share).unwrap();
            assert!(ended >= whole && ended < whole + BUDGET, "{share} %: {ended:?}");
        }
    }

    #[test]
    fn a_render_without_any_processor_time_ends_after_ten_budgets() {
        assert_eq!(ends_after(|_| 0), Some(BUDGET * 10));
        // A render that gets some once in a while continues.
        let is_run_at = |time: Duration| time.as_millis() / BUDGET.as_millis() % 9 == 1;
        assert_eq!(ends_after(|time| is_run_at(time).into()), None);
    }
}
