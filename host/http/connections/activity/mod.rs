//! What a connection waits for, and for how long it may.
//!
//! The connection's own task moves it from phase to phase; the accept loop only reads it, and asks it
//! to drain or to close. Each connection has its own lock, which is never held across an await and is
//! rarely contended.

mod streams;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::task::Waker;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use self::streams::Streams;
use super::limits::ConnectionLimits;

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The handshake was not complete within `ConnectionLimits::handshake`.
    Handshake,
    /// The head was not complete within `ConnectionLimits::head`.
    Head,
    /// No further request came within `ConnectionLimits::idle`.
    Idle,
    /// The client read nothing for `ConnectionLimits::stall`.
    Stall,
    /// The client did not close its side within `ConnectionLimits::linger`.
    Linger,
    /// Once it was to end, no request came within `ConnectionLimits::grace`.
    Grace,
    /// The client cancelled nearly every request.
    Cancellations,
    /// Its place was needed.
    Evicted,
    /// The client reset it.
    Reset,
}

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
    /// Since when the connection is to end after the requests in progress.
    draining: Option<Instant>,
    /// The accept loop needs the place of this connection.
    eviction_requested: bool,
}

#[derive(Debug)]
enum Phase {
    /// The client and the server agree on keys. Only encrypted connections begin like this.
    Handshake,
    /// The client sends a head, or the connection has just begun.
    Head,
    /// The router makes an answer, or hyper reads its body.
    Answering,
    /// hyper has read the whole body, but has not written all of it.
    Answered,
    /// Everything is written; the client has sent nothing since.
    Idle,
    /// HTTP/2, which has no phases because several requests are answered at once.
    Multiplexed(Streams),
    /// The write side is shut down; further bytes are discarded.
    Closing,
}

/// What to do with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Close(Reason),
    /// It has been idle for too long, and drains now, as after [`Activity::drain`]: count it. Returned once.
    Leave,
    /// Keep it open; unless something changes, ask again at this time.
    Keep(Option<Instant>),
}

impl Activity {
    /// The activity of a connection that was accepted at `now`, and begins with a handshake if it `is_encrypted`.
    pub(super) fn new(now: Instant, is_encrypted: bool) -> Self {
        let state = State {
            phase: if is_encrypted { Phase::Handshake } else { Phase::Head },
            since: now,
            stalled: None,
            draining: None,
            eviction_requested: false,
        };
        Self { state: Mutex::new(state), task: AtomicWaker::new() }
    }

    /// Notes that the handshake is complete. From here on the connection has several requests at once if it
    /// `is_multiplexed`.
    pub(super) fn agreed(&self, is_multiplexed: bool) {
        let now = Instant::now();
        let phase = if is_multiplexed { Phase::Multiplexed(Streams::new(now)) } else { Phase::Head };
        self.state.lock().enter(phase, now);
    }

    /// Notes that another request of a multiplexed connection arrived. The guard follows its answer.
    pub(super) fn begin_stream(self: &Arc<Self>) -> Stream {
        self.of_streams(|streams, _| streams.begin());
        Stream { activity: Arc::clone(self), is_answered: false }
    }

    /// Notes something about the streams, unless the connection is closing.
    fn of_streams(&self, note: impl FnOnce(&mut Streams, Instant)) {
        if let Phase::Multiplexed(streams) = &mut self.state.lock().phase {
            note(streams, Instant::now());
        }
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
        if matches!(state.phase, Phase::Idle) {
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
        if matches!(state.phase, Phase::Answered) {
            state.enter(Phase::Idle, Instant::now());
        }
    }

    /// Notes that the write side is shut down.
    pub(super) fn closing(&self) {
        self.state.lock().enter(Phase::Closing, Instant::now());
    }

    /// Whether the connection is to end after the requests in progress.
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
    /// answer come first, and among equals the one that has been in its phase the longest. `None` while it
    /// does not wait for its client, or has not waited for [`ConnectionLimits::patience`].
    pub(super) fn eviction_order(&self, now: Instant, limits: &ConnectionLimits) -> Option<(bool, Instant)> {
        let state = self.state.lock();
        let (waiting_since, order) = (state.waiting_since()?, state.order());
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
        if matches!(&state.phase, Phase::Multiplexed(streams) if streams.are_abused()) {
            return Verdict::Close(Reason::Cancellations);
        }
        match state.deadline(limits) {
            // A request that is on its way is not lost: the client learns which requests were answered.
            Some((deadline, Reason::Idle)) if deadline <= now && state.is_multiplexed() => {
                state.draining = Some(now);
                Verdict::Leave
            }
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
        self.stalled.or(match &self.phase {
            Phase::Handshake | Phase::Head | Phase::Idle | Phase::Closing => Some(self.since),
            Phase::Multiplexed(streams) => streams.waiting().map(|(since, _)| since),
            Phase::Answering | Phase::Answered => None,
        })
    }

    /// The order of eviction of a connection that waits for its client.
    fn order(&self) -> (bool, Instant) {
        let is_stalled = self.stalled.is_some();
        match &self.phase {
            Phase::Multiplexed(streams) => {
                let (since, is_unread) = streams.waiting().unwrap_or((self.since, is_stalled));
                (is_stalled || is_unread, since)
            }
            _ => (is_stalled, self.since),
        }
    }

    fn is_multiplexed(&self) -> bool {
        matches!(self.phase, Phase::Multiplexed(_))
    }

    /// When the connection has to be closed unless something changes, and why.
    fn deadline(&self, limits: &ConnectionLimits) -> Option<(Instant, Reason)> {
        if let Some(stalled) = self.stalled {
            return Some((stalled + limits.stall, Reason::Stall));
        }
        let (since, deadline) = match &self.phase {
            // A handshake has several exchanges with the client, and gets no grace period.
            Phase::Handshake => return Some((self.since + limits.handshake, Reason::Handshake)),
            Phase::Head => (self.since, (self.since + limits.head, Reason::Head)),
            Phase::Idle => (self.since, (self.since + limits.idle, Reason::Idle)),
            Phase::Closing => (self.since, (self.since + limits.linger, Reason::Linger)),
            Phase::Multiplexed(streams) => match (streams.waiting(), streams.deadline(limits)?) {
                (Some((since, false)), deadline) => (since, deadline),
                // Something is under way.
                (_, deadline) => return Some(deadline),
            },
            Phase::Answering | Phase::Answered => return None,
        };
        // A phase that begins while draining gets the whole grace period; an idle one gets only that.
        let grace = self.draining.map(|draining| (draining.max(since) + limits.grace, Reason::Grace));
        let is_shorter = |grace: &(Instant, Reason)| grace.0 < deadline.0 || deadline.1 == Reason::Idle;
        Some(grace.filter(is_shorter).unwrap_or(deadline))
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
        if matches!(state.phase, Phase::Answering) {
            state.phase = Phase::Answered;
        }
    }
}

/// A request of a multiplexed connection, and then its answer. Dropped when every part of the answer is
/// handed to the socket, or when the client wants no more of it.
pub(super) struct Stream {
    activity: Arc<Activity>,
    is_answered: bool,
}

impl Stream {
    /// Notes that the answer was made.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
        self.activity.of_streams(Streams::answered);
    }

    /// Notes that a part of the answer was handed to the socket.
    pub(super) fn progressed(&self) {
        self.activity.of_streams(Streams::progressed);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.activity.of_streams(if self.is_answered { Streams::sent } else { Streams::cancelled });
    }
}
