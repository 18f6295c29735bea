//! What the parts of the program that handle one request tell each other besides the answer itself.
//!
//! What is known of the answer is one value in the extensions of the response. In this program only this file
//! puts anything into extensions.

use std::sync::{Arc, Weak};
use std::time::Instant;

use axum::extract::Request;
use axum::http::Response;

use super::answer_log::AnswerLog;
use super::variants::{Variant, Variants};
use crate::observe::requests::Route;

/// What is known of an exchange once its answer exists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchange {
    /// Which body was sent; set with the body.
    pub(crate) sent: Option<Sent>,
    /// How the answer was made; set by the shop.
    pub(crate) answer: Option<AnswerLog>,
    /// For how long the answer may be repeated; set by the shop.
    pub(crate) repeatable: Option<Repeatable>,
    /// Why the shop did not answer; set by the shop.
    pub(crate) turned_away: Option<TurnedAway>,
    /// The route of the request; set by the request log.
    pub(super) route: Option<Arc<Route>>,
}

impl Exchange {
    /// What is known of the exchange with this response.
    pub(crate) fn of<B>(response: &Response<B>) -> Option<&Self> {
        response.extensions().get()
    }

    /// What is known of the exchange with this response, to add to it.
    pub(crate) fn of_mut<B>(response: &mut Response<B>) -> &mut Self {
        response.extensions_mut().get_or_insert_default()
    }
}

/// The body and variant that a response was made from.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    /// The body; a response does not keep it in memory.
    pub(crate) variants: Weak<Variants>,
    pub(crate) variant: Variant,
}

/// Until when an answer may be repeated, and for which turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Repeatable {
    pub(crate) until: Instant,
    /// Which of the address's pages it is, see [`Rotation`](super::recent_answers::Rotation).
    pub(crate) turn: u64,
}

/// Why a request is not answered by the shop although nothing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnedAway {
    /// A browser asked ahead of its visitor, and the page would have to be made.
    Prefetch,
    /// Far more pages are asked for than can be made. The renderer's throttled line tells of it; a line for each such
    /// request would add to the load.
    Crowd,
}

/// Marks, in a request's extensions, a request that the process sends to itself. It is not logged.
#[derive(Clone, Copy)]
struct OwnRequest;

/// Marks a request as one that the process sends to itself, which is not logged.
pub(crate) fn mark_as_own<B>(request: &mut Request<B>) {
    request.extensions_mut().insert(OwnRequest);
}

/// Whether the process has sent this request to itself.
pub(super) fn is_own<B>(request: &Request<B>) -> bool {
    request.extensions().get::<OwnRequest>().is_some()
}
