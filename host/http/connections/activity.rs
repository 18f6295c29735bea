//! What a connection waits for, and for how long it may.
//!
//! The connection's own task moves it from phase to phase; the accept loop only reads it, and asks it
//! to drain or to close. Each connection has its own lock, which is never held across an await and is
//! rarely contended.

use std::sync::Arc;
use std::task::Waker;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::limits::ConnectionLimits;

/// The state of one connection, shared by its task and the accept loop.
pub(super) struct Activity {
    state: Mutex<State>,
    /// Wakes the connection's task after [`Activity::drain`] and [`Activity::evict`].
    task: AtomicWaker,
}

struct State {
    phase: Phase,
    /// When the phase began.
    since: Instant,
    /// Since when the client has read nothing although there is something to write.
    stalled: Option<Instant>,
    /// When the shutdown began.
    draining: Option<Instant>,
    /// The accept loop needs the place of this connection.
    eviction_requested: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The client sends a head, or the connection has just been accepted.
    Head,
    /// The router makes an answer, or hyper reads its body.
    Answering,
    /// hyper has read the whole body, but has not written all of it.
    Answered,
    /// Everything is written; the client has sent nothing since.
    Idle,
    /// The write side is shut down; further bytes are discarded.
    Closing,
}

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The head was not complete within [`ConnectionLimits::head`].
    Head,
    /// No further request came within [`ConnectionLimits::idle`].
    Idle,
    /// The client read nothing for [`ConnectionLimits::stall`].
    Stall,
    /// The client did not close its side within [`ConnectionLimits::linger`].
    Linger,
    /// During shutdown no request came within [`ConnectionLimits::grace`].
    Grace,
    /// Its place was needed.
    Evicted,
    /// The client reset it.
    Reset,
}

/// Whether to close a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Close(Reason),
    /// Keep it open; unless something changes, ask again at this time.
    Keep(Option<Instant>),
}

impl Activity {
    /// The activity of a connection that was accepted at `now`.
    pub(super) fn new(now: Instant) -> Self {
        let state = State {
            phase: Phase::Head,
            since: now,
            stalled: None,
            draining: None,
            eviction_requested: false,
        };
        Self { state: Mutex::new(state), task: AtomicWaker::new() }
    }

    /// Notes that a request's head is complete. Dropping the guard notes that hyper has read the whole
    /// answer.
    pub(super) fn begin_answer(self: &Arc<Self>) -> Answering {
        self.state.lock().enter(Phase::Answering, Instant::now());
        Answering(Arc::clone(self))
    }

    /// Notes that bytes were read. Only the first bytes of a head start its timeout.
    pub(super) fn received(&self) {
        let mut state = self.state.lock();
        if state.phase == Phase::Idle {
            state.enter(Phase::Head, Instant::now());
        }
    }

    /// Notes that the socket accepted bytes.
    pub(super) fn wrote(&self) {
        self.state.lock().stalled = None;
    }

    /// Notes that the socket accepts no bytes for now.
    pub(super) fn stalled(&self) {
        self.state.lock().stalled.get_or_insert_with(Instant::now);
    }

    /// Notes that everything in hyper's buffer is written.
    pub(super) fn flushed(&self) {
        let mut state = self.state.lock();
        if state.phase == Phase::Answered {
            state.enter(Phase::Idle, Instant::now());
        }
    }

    /// Notes that the write side is shut down.
    pub(super) fn closing(&self) {
        self.state.lock().enter(Phase::Closing, Instant::now());
    }

    /// Whether the server is shutting down.
    pub(super) fn is_draining(&self) -> bool {
        self.state.lock().draining.is_some()
    }

    /// Asks the connection to finish, because the server shuts down.
    pub(super) fn drain(&self, now: Instant) {
        self.state.lock().draining = Some(now);
        self.task.wake();
    }

    /// Asks the connection to close. It does so only if it still waits for its client.
    pub(super) fn evict(&self) {
        self.state.lock().eviction_requested = true;
        self.task.wake();
    }

    /// The connection's place in the order of eviction, smallest first: connections without a stalled
    /// answer come first, and among equals the one in its phase for longest. `None` while it does not
    /// wait for its client, or not yet for [`ConnectionLimits::patience`].
    pub(super) fn eviction_order(&self, now: Instant, limits: &ConnectionLimits) -> Option<(bool, Instant)> {
        let state = self.state.lock();
        let waiting_since = state.waiting_since()?;
        let order = (state.stalled.is_some(), state.since);
        (now.duration_since(waiting_since) >= limits.patience).then_some(order)
    }

    /// Registers the task that [`Self::drain`] and [`Self::evict`] wake.
    pub(super) fn register(&self, task: &Waker) {
        self.task.register(task);
    }

    /// Decides whether the connection has to be closed at `now`.
    pub(super) fn verdict(&self, now: Instant, limits: &ConnectionLimits) -> Verdict {
        let mut state = self.state.lock();
        // A request may have arrived since the eviction was requested; then the connection stays.
        if std::mem::take(&mut state.eviction_requested) && state.waiting_since().is_some() {
            return Verdict::Close(Reason::Evicted);
        }
        match state.deadline(limits) {
            Some((deadline, reason)) if deadline <= now => Verdict::Close(reason),
            deadline => Verdict::Keep(deadline.map(|(deadline, _)| deadline)),
        }
    }
}

impl State {
    fn enter(&mut self, phase: Phase, now: Instant) {
        self.phase = phase;
        self.since = now;
    }

    /// Since when the connection waits for its client, if it does.
    fn waiting_since(&self) -> Option<Instant> {
        self.stalled.or(match self.phase {
            Phase::Head | Phase::Idle | Phase::Closing => Some(self.since),
            Phase::Answering | Phase::Answered => None,
        })
    }

    /// When the connection has to be closed unless something changes, and why.
    fn deadline(&self, limits: &ConnectionLimits) -> Option<(Instant, Reason)> {
        if let Some(stalled) = self.stalled {
            return Some((stalled + limits.stall, Reason::Stall));
        }
        let (limit, reason) = match self.phase {
            Phase::Head => (limits.head, Reason::Head),
            Phase::Idle => (limits.idle, Reason::Idle),
            Phase::Closing => (limits.linger, Reason::Linger),
            Phase::Answering | Phase::Answered => return None,
        };
        let deadline = (self.since + limit, reason);
        // A phase that begins during shutdown gets the whole grace period.
        let grace = self.draining.map(|draining| (draining.max(self.since) + limits.grace, Reason::Grace));
        Some(grace.filter(|grace| grace.0 < deadline.0).unwrap_or(deadline))
    }
}

/// An answer in progress. Dropped when hyper has read its whole body.
pub(super) struct Answering(Arc<Activity>);

impl Answering {
    pub(super) fn is_draining(&self) -> bool {
        self.0.is_draining()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        // `since` stays the beginning of the answer: the order of eviction goes by that.
        if state.phase == Phase::Answering {
            state.phase = Phase::Answered;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn after(activity: &Activity, milliseconds: u64) -> Verdict {
        let since = activity.state.lock().since;
        activity.verdict(since + Duration::from_millis(milliseconds), &ConnectionLimits::default())
    }

    fn new() -> Arc<Activity> {
        Arc::new(Activity::new(Instant::now()))
    }

    fn idle() -> Arc<Activity> {
        let activity = new();
        drop(activity.begin_answer());
        activity.flushed();
        activity
    }

    #[test]
    fn a_silent_connection_gets_the_head_timeout() {
        assert!(matches!(after(&new(), 9_999), Verdict::Keep(Some(_))));
        assert_eq!(after(&new(), 10_000), Verdict::Close(Reason::Head));
    }

    #[test]
    fn further_bytes_do_not_extend_the_head_timeout() {
        let activity = idle();
        activity.received();
        let began = activity.state.lock().since;
        std::thread::sleep(Duration::from_millis(2));
        activity.received();
        assert_eq!(activity.state.lock().since, began);
        assert_eq!(after(&activity, 10_000), Verdict::Close(Reason::Head));
    }

    #[test]
    fn an_idle_connection_gets_the_idle_timeout() {
        assert!(matches!(after(&idle(), 59_999), Verdict::Keep(Some(_))));
        assert_eq!(after(&idle(), 60_000), Verdict::Close(Reason::Idle));
    }

    #[test]
    fn an_answer_has_no_deadline_until_its_client_stalls() {
        let activity = new();
        let answer = activity.begin_answer();
        assert_eq!(after(&activity, 1_000_000), Verdict::Keep(None));
        drop(answer);
        assert_eq!(after(&activity, 1_000_000), Verdict::Keep(None));
        activity.stalled();
        assert_eq!(after(&activity, 16_000), Verdict::Close(Reason::Stall));
        activity.wrote();
        assert_eq!(after(&activity, 16_000), Verdict::Keep(None));
    }

    #[test]
    fn draining_leaves_a_short_grace_period_for_a_request() {
        for activity in [new(), idle()] {
            let now = activity.state.lock().since;
            activity.drain(now);
            assert!(matches!(after(&activity, 499), Verdict::Keep(Some(_))));
            assert_eq!(after(&activity, 500), Verdict::Close(Reason::Grace));
        }
    }

    #[test]
    fn draining_does_not_cut_off_an_answer() {
        let activity = new();
        let answer = activity.begin_answer();
        activity.drain(Instant::now());
        assert!(answer.is_draining());
        assert_eq!(after(&activity, 9_000), Verdict::Keep(None));
        activity.stalled();
        assert!(matches!(after(&activity, 9_000), Verdict::Keep(Some(_))));
    }

    #[test]
    fn only_a_connection_that_waits_for_its_client_is_evicted() {
        let limits = ConnectionLimits::default();
        let later = Instant::now() + Duration::from_secs(5);
        let activity = new();
        assert!(activity.eviction_order(later, &limits).is_some());
        assert!(activity.eviction_order(Instant::now(), &limits).is_none(), "it has not waited long enough");
        activity.evict();
        let answer = activity.begin_answer();
        assert!(activity.eviction_order(later, &limits).is_none());
        assert_eq!(after(&activity, 1), Verdict::Keep(None), "a request arrived before the eviction");
        activity.stalled();
        assert!(activity.eviction_order(later, &limits) > idle().eviction_order(later, &limits));
        activity.evict();
        assert_eq!(after(&activity, 1), Verdict::Close(Reason::Evicted));
        drop(answer);
    }
}
