//! The requests of one HTTP/2 connection, which are worked on at the same time.

use tokio::time::Instant;

use super::Reason;
use crate::http::connections::limits::ConnectionLimits;

/// How many requests a client may cancel before they are answered. Each answer makes up for one. Browsers
/// cancel requests that a page no longer needs; a client that cancels nearly everything costs work and takes nothing
/// (CVE-2023-44487, also where it waits before each cancellation).
const CANCELLATIONS: u32 = 100;

/// The streams of a connection: requests that are worked on, and answers that are being sent.
#[derive(Debug)]
pub(super) struct Streams {
    /// Requests that the router works on.
    working: u32,
    /// Answers of which not every part has been handed to the socket.
    sending: u32,
    /// When a part of an answer was last handed to the socket, or sending began after a time without answers.
    progress: Instant,
    /// When the last stream ended, or the connection began.
    idle: Instant,
    /// Whether there has been a request.
    begun: bool,
    cancellations_left: u32,
}

impl Streams {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            working: 0,
            sending: 0,
            progress: now,
            idle: now,
            begun: false,
            cancellations_left: CANCELLATIONS,
        }
    }

    /// Notes that a request arrived.
    pub(super) fn begin(&mut self) {
        self.working += 1;
        self.begun = true;
    }

    /// Notes that an answer was made, and is to be sent now.
    pub(super) fn answered(&mut self, now: Instant) {
        self.working -= 1;
        if self.sending == 0 {
            self.progress = now;
        }
        self.sending += 1;
        self.cancellations_left = (self.cancellations_left + 1).min(CANCELLATIONS);
    }

    /// Notes that a part of an answer was handed to the socket.
    pub(super) fn progressed(&mut self, now: Instant) {
        self.progress = now;
    }

    /// Notes that an answer was handed to the socket, or that the client does not want the rest.
    pub(super) fn sent(&mut self, now: Instant) {
        self.sending -= 1;
        self.idle = now;
    }

    /// Notes that a request ended before there was an answer.
    pub(super) fn cancelled(&mut self, now: Instant) {
        self.working -= 1;
        self.idle = now;
        self.cancellations_left = self.cancellations_left.saturating_sub(1);
    }

    /// Whether the client has cancelled too many requests.
    pub(super) fn are_abused(&self) -> bool {
        self.cancellations_left == 0
    }

    /// Since when the connection waits for its client, if it does, and whether for the client to read.
    pub(super) fn waiting(&self) -> Option<(Instant, bool)> {
        match (self.working, self.sending) {
            (0, 0) => Some((self.idle, false)),
            (0, _) => Some((self.progress, true)),
            _ => None,
        }
    }

    /// When the connection has to be closed unless something changes, and why. A client that reads none of its
    /// answers has the same time as with HTTP/1.1, whatever else it asks for meanwhile.
    pub(super) fn deadline(&self, limits: &ConnectionLimits) -> Option<(Instant, Reason)> {
        match (self.working, self.sending) {
            (0, 0) if self.begun => Some((self.idle + limits.idle, Reason::Idle)),
            (0, 0) => Some((self.idle + limits.head, Reason::Head)),
            (_, 0) => None,
            _ => Some((self.progress + limits.stall, Reason::Stall)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_connection_waits_for_its_client_only_while_no_request_is_worked_on() {
        let start = Instant::now();
        let mut streams = Streams::new(start);
        assert_eq!(streams.waiting(), Some((start, false)));
        streams.begin();
        streams.begin();
        assert_eq!(streams.waiting(), None);
        streams.answered(at(start, 1));
        assert_eq!(streams.waiting(), None, "the other request is worked on");
        streams.answered(at(start, 2));
        assert_eq!(streams.waiting(), Some((at(start, 1), true)));
        streams.sent(at(start, 3));
        streams.sent(at(start, 4));
        assert_eq!(streams.waiting(), Some((at(start, 4), false)));
    }

    #[test]
    fn a_client_that_takes_nothing_is_stalled_although_it_keeps_asking() {
        let (start, limits) = (Instant::now(), ConnectionLimits::default());
        let mut streams = Streams::new(start);
        streams.begin();
        streams.answered(start);
        streams.begin();
        assert_eq!(streams.deadline(&limits), Some((start + limits.stall, Reason::Stall)));
        streams.answered(at(start, 5));
        assert_eq!(streams.deadline(&limits), Some((start + limits.stall, Reason::Stall)));
        streams.progressed(at(start, 6));
        assert_eq!(streams.deadline(&limits), Some((at(start, 6) + limits.stall, Reason::Stall)));
    }

    #[test]
    fn the_first_request_has_the_time_of_a_head_and_further_ones_that_of_an_idle_connection() {
        let (start, limits) = (Instant::now(), ConnectionLimits::default());
        let mut streams = Streams::new(start);
        assert_eq!(streams.deadline(&limits), Some((start + limits.head, Reason::Head)));
        streams.begin();
        assert_eq!(streams.deadline(&limits), None);
        streams.answered(start);
        streams.sent(at(start, 1));
        assert_eq!(streams.deadline(&limits), Some((at(start, 1) + limits.idle, Reason::Idle)));
    }

    #[test]
    fn answers_make_up_for_cancellations() {
        let start = Instant::now();
        let mut streams = Streams::new(start);
        for _ in 0..10 * CANCELLATIONS {
            streams.begin();
            streams.cancelled(start);
            streams.begin();
            streams.answered(start);
            streams.sent(start);
        }
        assert!(!streams.are_abused());
        for _ in 0..CANCELLATIONS {
            streams.begin();
            streams.cancelled(start);
        }
        assert!(streams.are_abused());
    }
}
