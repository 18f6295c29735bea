//! How an answer was made, as the log and two headers of the answer tell it.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};

use crate::observe::SOFTWARE;

/// How the shop's cache was used for an answer (RFC 9211).
pub(super) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");
/// How long the parts of making an answer took.
pub(super) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// The value of [`SERVER_TIMING`] for an answer of the last second, which took no time worth measuring.
pub(super) const REPEATED_TIMING: HeaderValue = HeaderValue::from_static("cache;desc=repeated");

/// How an answer was made, and how long that took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The kind of page, or `file` or `error`.
    pub(crate) kind: &'static str,
    /// Time to get its data from the catalogue.
    pub(crate) catalogue: Duration,
    /// Time inside the isolate; `None` when nothing was rendered.
    pub(crate) render: Option<Duration>,
    /// Whether the document has no markup, so that the browser renders the page.
    pub(crate) shell: bool,
}

impl Timing {
    /// An answer that needed neither catalogue data nor a render.
    pub(crate) fn of(kind: &'static str) -> Self {
        Self { kind, catalogue: Duration::ZERO, render: None, shell: false }
    }
}

/// What an answer adds to its request's log line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnswerLog {
    pub(crate) timing: Timing,
    /// Time since the answer was made; zero when it was made for this request.
    pub(crate) age: Duration,
    /// For how long an answer is fresh.
    pub(crate) fresh: Duration,
    /// Whether the answer was cached and no longer fresh.
    pub(crate) stale: bool,
    /// Whether it is cached for later requests.
    pub(crate) stored: bool,
}

impl AnswerLog {
    /// The log entry of an answer that is sent again a moment later.
    pub(super) fn repeated(&self) -> Self {
        Self { age: self.age.max(Duration::from_nanos(1)), ..*self }
    }

    /// The value of the line's `cache` field.
    pub(super) fn cache(&self) -> &'static str {
        match (self.age.is_zero(), self.stale) {
            (true, _) => "made",
            (false, false) => "fresh",
            (false, true) => "stale",
        }
    }

    /// The value of `Cache-Status` (RFC 9211): whether the answer was cached, and for how many seconds it is
    /// still fresh. The time of a stale answer is negative.
    pub(super) fn cache_status(&self) -> HeaderValue {
        let text = match (self.age.is_zero(), self.stored) {
            (true, false) => format!("{SOFTWARE}; fwd=miss"),
            (true, true) => format!("{SOFTWARE}; fwd=miss; stored"),
            (false, _) => match self.fresh.checked_sub(self.age) {
                Some(left) if !self.stale => format!("{SOFTWARE}; hit; ttl={}", left.as_secs()),
                _ => {
                    format!("{SOFTWARE}; hit; ttl=-{}", self.age.saturating_sub(self.fresh).as_secs().max(1))
                }
            },
        };
        // ASCII text is always a valid header value.
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(SOFTWARE))
    }

    /// The value of `Server-Timing`: the parts in which an answer was made, and the whole time, in
    /// milliseconds.
    pub(super) fn server_timing(&self, total: Duration) -> HeaderValue {
        let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
        let total = milliseconds(total);
        let catalogue = milliseconds(self.timing.catalogue);
        let text = match self.timing.render {
            _ if !self.age.is_zero() => format!("total;dur={total}"),
            None => format!("catalogue;dur={catalogue}, total;dur={total}"),
            Some(render) => {
                format!("catalogue;dur={catalogue}, render;dur={}, total;dur={total}", milliseconds(render))
            }
        };
        // ASCII text is always a valid header value.
        HeaderValue::try_from(text).unwrap_or(REPEATED_TIMING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn answer(age: Duration, stale: bool) -> AnswerLog {
        let timing = Timing { catalogue: 2 * SECOND, render: Some(SECOND), ..Timing::of("home") };
        AnswerLog { timing, age, fresh: 5 * SECOND, stale, stored: true }
    }

    #[test]
    fn the_cache_status_says_how_long_an_answer_is_fresh() {
        let status = |answer: AnswerLog| answer.cache_status().to_str().unwrap().to_owned();
        assert_eq!(status(answer(Duration::ZERO, false)), "Vitrine; fwd=miss; stored");
        assert_eq!(status(AnswerLog { stored: false, ..answer(Duration::ZERO, false) }), "Vitrine; fwd=miss");
        assert_eq!(status(answer(2 * SECOND, false)), "Vitrine; hit; ttl=3");
        assert_eq!(status(answer(12 * SECOND, true)), "Vitrine; hit; ttl=-7");
        assert_eq!(status(answer(2 * SECOND, true)), "Vitrine; hit; ttl=-1", "purged before its time");
    }

    #[test]
    fn the_timing_names_the_parts_of_an_answer_that_was_made() {
        let timing = |answer: AnswerLog| answer.server_timing(4 * SECOND).to_str().unwrap().to_owned();
        let made = answer(Duration::ZERO, false);
        assert_eq!(timing(made), "catalogue;dur=2000, render;dur=1000, total;dur=4000");
        let data = AnswerLog { timing: Timing { render: None, ..made.timing }, ..made };
        assert_eq!(timing(data), "catalogue;dur=2000, total;dur=4000");
        assert_eq!(timing(answer(SECOND, false)), "total;dur=4000");
    }
}
