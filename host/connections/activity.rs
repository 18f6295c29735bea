//! What a connection waits for, and how long it may.
//!
//! The connection's own task moves it from phase to phase; the accept loop only reads it, and asks
//! it to end. One lock a connection, never held across a wait, and hardly ever contended.

use std::sync::Arc;
use std::task::Waker;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::ConnectionLimits;

/// The activity of one connection.
pub struct Activity {
    state: Mutex<State>,
    /// Wakes the connection's task when it is asked to end.
    task: AtomicWaker,
}

struct State {
    phase: Phase,
    /// When the phase began.
    since: Instant,
    /// Since when the client has taken nothing of what is to be written.
    stalled: Option<Instant>,
    /// When the server began to end.
    draining: Option<Instant>,
    /// The place is needed.
    unwanted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The client sends a head, or has just been accepted.
    Head,
    /// The router works, or its body is being sent.
    Answering,
    /// The whole body has been handed over, but not yet written.
    Answered,
    /// All is written; nothing has come since.
    Idle,
    /// Our side is closed; what still comes is thrown away.
    Closing,
}

/// Why a connection is closed before its client does so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Head,
    Idle,
    Stall,
    Linger,
    Grace,
    Unwanted,
}

/// What is to be done with a connection now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Close(Reason),
    /// It may go on; without a change the next verdict is due then.
    Keep(Option<Instant>),
}

impl Activity {
    pub fn new(now: Instant) -> Self {
        let state = State { phase: Phase::Head, since: now, stalled: None, draining: None, unwanted: false };
        Self { state: Mutex::new(state), task: AtomicWaker::new() }
    }

    /// A request is complete; its answer counts as handed over when the guard is dropped.
    pub fn begin_answer(self: &Arc<Self>) -> Answering {
        self.state.lock().enter(Phase::Answering, Instant::now());
        Answering(Arc::clone(self))
    }

    pub fn received(&self) {
        let mut state = self.state.lock();
        if state.phase == Phase::Idle {
            state.enter(Phase::Head, Instant::now());
        }
    }

    pub fn wrote(&self) {
        self.state.lock().stalled = None;
    }

    pub fn stalled(&self) {
        self.state.lock().stalled.get_or_insert_with(Instant::now);
    }

    pub fn flushed(&self) {
        let mut state = self.state.lock();
        if state.phase == Phase::Answered {
            state.enter(Phase::Idle, Instant::now());
        }
    }

    pub fn closing(&self) {
        self.state.lock().enter(Phase::Closing, Instant::now());
    }

    pub fn is_draining(&self) -> bool {
        self.state.lock().draining.is_some()
    }

    /// Asks the connection to end soon, because the server does.
    pub fn drain(&self, now: Instant) {
        self.state.lock().draining = Some(now);
        self.task.wake();
    }

    /// Asks the connection to make room, which it does if it still waits for its client.
    pub fn evict(&self) {
        self.state.lock().unwanted = true;
        self.task.wake();
    }

    /// Whether the connection has waited for its client for too long to keep a place that another
    /// needs. The smallest value goes first: those between requests before those that are in the
    /// middle of an answer, and each in the order of time.
    pub fn eviction_order(&self, now: Instant, limits: &ConnectionLimits) -> Option<(bool, Instant)> {
        let state = self.state.lock();
        let waiting_since = state.waiting_since()?;
        let order = (state.stalled.is_some(), state.since);
        (now.duration_since(waiting_since) >= limits.patience).then_some(order)
    }

    /// The task that [`Self::drain`] and [`Self::evict`] wake.
    pub fn register(&self, task: &Waker) {
        self.task.register(task);
    }

    pub fn verdict(&self, now: Instant, limits: &ConnectionLimits) -> Verdict {
        let mut state = self.state.lock();
        // An answer may have begun since the place was asked for; then the wish is void.
        if std::mem::take(&mut state.unwanted) && state.waiting_since().is_some() {
            return Verdict::Close(Reason::Unwanted);
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

    /// Since when it is the client's turn.
    fn waiting_since(&self) -> Option<Instant> {
        self.stalled.or(match self.phase {
            Phase::Head | Phase::Idle | Phase::Closing => Some(self.since),
            Phase::Answering | Phase::Answered => None,
        })
    }

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
        // A phase that begins while the server ends has the grace for itself.
        let grace = self.draining.map(|draining| (draining.max(self.since) + limits.grace, Reason::Grace));
        Some(grace.filter(|grace| grace.0 < deadline.0).unwrap_or(deadline))
    }
}

/// An answer on its way to the socket.
pub struct Answering(Arc<Activity>);

impl Answering {
    pub fn is_draining(&self) -> bool {
        self.0.is_draining()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        // The phase keeps its beginning: the whole answer counts when places are scarce.
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
    fn a_silent_connection_has_the_head_s_time() {
        assert!(matches!(after(&new(), 9_999), Verdict::Keep(Some(_))));
        assert_eq!(after(&new(), 10_000), Verdict::Close(Reason::Head));
    }

    #[test]
    fn further_bytes_do_not_prolong_a_head() {
        let activity = idle();
        activity.received();
        let began = activity.state.lock().since;
        std::thread::sleep(Duration::from_millis(2));
        activity.received();
        assert_eq!(activity.state.lock().since, began);
        assert_eq!(after(&activity, 10_000), Verdict::Close(Reason::Head));
    }

    #[test]
    fn an_idle_connection_is_kept_longer() {
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
    fn the_end_leaves_a_short_grace_to_who_has_no_request_yet() {
        for activity in [new(), idle()] {
            let now = activity.state.lock().since;
            activity.drain(now);
            assert!(matches!(after(&activity, 499), Verdict::Keep(Some(_))));
            assert_eq!(after(&activity, 500), Verdict::Close(Reason::Grace));
        }
    }

    #[test]
    fn the_end_does_not_cut_an_answer() {
        let activity = new();
        let answer = activity.begin_answer();
        activity.drain(Instant::now());
        assert!(answer.is_draining());
        assert_eq!(after(&activity, 9_000), Verdict::Keep(None));
        activity.stalled();
        assert!(matches!(after(&activity, 9_000), Verdict::Keep(Some(_))));
    }

    #[test]
    fn only_who_waits_for_its_client_makes_room() {
        let limits = ConnectionLimits::default();
        let later = Instant::now() + Duration::from_secs(5);
        let activity = new();
        assert!(activity.eviction_order(later, &limits).is_some());
        assert!(activity.eviction_order(Instant::now(), &limits).is_none(), "it has just begun");
        activity.evict();
        let answer = activity.begin_answer();
        assert!(activity.eviction_order(later, &limits).is_none());
        assert_eq!(after(&activity, 1), Verdict::Keep(None), "an answer was faster");
        activity.stalled();
        assert!(activity.eviction_order(later, &limits) > idle().eviction_order(later, &limits));
        activity.evict();
        assert_eq!(after(&activity, 1), Verdict::Close(Reason::Unwanted));
        drop(answer);
    }
}
