//! The request log: one line per request, or a sample of them.
//!
//! Paths and query strings hold what shoppers search for. The line names the route instead, and how long
//! path and query are; the texts themselves are logged only if the operator asks for them.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use clap::ValueEnum;
use tracing::Instrument as _;
use tracing::field::{DisplayValue, display};

use super::bounded::Bounded;
use super::request_id::{REQUEST_ID, given_id, request_id};
use super::requests::{Requests, Route};
use super::software::SOFTWARE;
use super::traces;

/// The log target of these lines, by which operators filter them.
const TARGET: &str = "vitrine::request_log";
/// An answer that takes longer is logged whatever the sampling.
const SLOW: Duration = Duration::from_millis(250);

/// How the shop's cache was used for an answer (RFC 9211).
pub(crate) const CACHE_STATUS: HeaderName = HeaderName::from_static("cache-status");
/// How long the parts of making an answer took.
pub(crate) const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
/// The value of [`SERVER_TIMING`] for an answer of the last second, which took no time worth measuring.
pub(crate) const REPEATED_TIMING: HeaderValue = HeaderValue::from_static("cache;desc=repeated");

/// Where requests are counted and logged.
#[derive(Debug)]
pub struct AccessLog {
    queries: LogQueries,
    /// One in this many ordinary requests is logged.
    sample: NonZeroU32,
    /// Ordinary requests so far.
    ordinary: AtomicU32,
    requests: Requests,
}

impl AccessLog {
    /// A log without a line so far.
    pub fn new(queries: LogQueries, sample: NonZeroU32) -> Self {
        Self { queries, sample, ordinary: AtomicU32::new(0), requests: Requests::default() }
    }

    /// What was counted so far.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    pub(crate) fn queries(&self) -> LogQueries {
        self.queries
    }

    /// Whether the next ordinary request is logged: the first is, and then each `sample`th.
    fn is_sampled(&self) -> bool {
        let sample = self.sample.get();
        sample == 1 || self.ordinary.fetch_add(1, Ordering::Relaxed).is_multiple_of(sample)
    }
}

/// Whether the log may show the paths and query strings that were requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogQueries {
    #[default]
    Off,
    /// The beginning of each.
    On,
}

impl LogQueries {
    /// The value of a log field for a path or query string; `None` leaves the field out.
    pub(crate) fn shown(self, text: &str) -> Option<DisplayValue<Bounded<&str>>> {
        (self == Self::On).then(|| display(Bounded(text)))
    }
}

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

/// What an answer adds to its request's log line. Handlers put it into the response's extensions.
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
    /// The entry of an answer that is sent again a moment later.
    pub(crate) fn repeated(&self) -> Self {
        Self { age: self.age.max(Duration::from_nanos(1)), ..*self }
    }

    /// The value of the line's `cache` field.
    fn cache(&self) -> &'static str {
        match (self.age.is_zero(), self.stale) {
            (true, _) => "made",
            (false, false) => "fresh",
            (false, true) => "stale",
        }
    }

    /// The value of `Cache-Status` (RFC 9211): whether the answer was cached, and for how many seconds it is
    /// still fresh. A negative time is that of a stale answer.
    pub(crate) fn cache_status(&self) -> HeaderValue {
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
    fn server_timing(&self, total: Duration) -> HeaderValue {
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

/// Marks, in a request's extensions, a request that the process sends to itself. It is not logged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnRequest;

/// Marks, in a response's extensions, the refusal of a prefetch. It is no failure: only a browser that asks
/// ahead of its visitor gets one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefusedPrefetch;

/// Marks, in a response's extensions, that a visitor was turned away because of a crowd. The renderer's throttled
/// line tells of it; a line for each such request would add to the load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnedAway;

/// The route that answered a request, in its response's extensions.
#[derive(Clone, Debug)]
pub(crate) struct LoggedRoute(Arc<Route>);

/// Middleware that counts and logs each request when its response is ready, before the body is sent, and
/// adds the headers that say how it was answered.
pub(crate) async fn log_requests(
    State(access): State<Arc<AccessLog>>,
    request: Request,
    next: Next,
) -> Response {
    if request.extensions().get::<OwnRequest>().is_some() {
        return next.run(request).await;
    }
    let started = Instant::now();
    let method = name(request.method());
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = LoggedRoute(access.requests.route(matched.as_ref().map(MatchedPath::as_str)));
    let id = request_id();
    let given_id = given_id(request.headers()).map(str::to_owned);
    let uri = request.uri().clone();
    let span =
        traces::of_request(method, matched.as_ref().map_or("none", MatchedPath::as_str), request.headers());
    let mut response = next.run(request).instrument(span.clone()).await;
    let took = started.elapsed();
    let answer = response.extensions().get::<AnswerLog>().copied();
    if let Some(answer) = &answer {
        access.requests.count_answer(answer.cache());
        let headers = response.headers_mut();
        headers.insert(CACHE_STATUS, answer.cache_status());
        headers.insert(SERVER_TIMING, answer.server_timing(took));
    }
    let line = Line {
        method,
        uri: &uri,
        status: response.status(),
        route: &route,
        answer: answer.as_ref(),
        is_refused_prefetch: response.extensions().get::<RefusedPrefetch>().is_some(),
        is_turned_away: response.extensions().get::<TurnedAway>().is_some(),
        id: &id,
        given_id: given_id.as_deref(),
        took,
    };
    line.count_and_log(&access);
    traces::answered(&span, line.status);
    if line.is_failure() {
        traces::failed(&span);
    }
    response.headers_mut().insert(REQUEST_ID, id);
    response.extensions_mut().insert(route);
    response
}

/// Counts and logs a request that was answered with what another one got a moment ago.
pub(crate) fn log_repeated<B>(
    access: &AccessLog,
    request: &axum::http::Request<B>,
    status: StatusCode,
    route: &LoggedRoute,
    answer: &AnswerLog,
    id: &HeaderValue,
    started: Instant,
) {
    let line = Line {
        method: name(request.method()),
        uri: request.uri(),
        status,
        route,
        answer: Some(answer),
        is_refused_prefetch: false,
        is_turned_away: false,
        id,
        given_id: given_id(request.headers()),
        took: started.elapsed(),
    };
    line.count_and_log(access);
}

/// What a line says.
struct Line<'a> {
    method: &'static str,
    uri: &'a Uri,
    status: StatusCode,
    route: &'a LoggedRoute,
    answer: Option<&'a AnswerLog>,
    is_refused_prefetch: bool,
    is_turned_away: bool,
    id: &'a HeaderValue,
    /// The id that the client or a proxy has given the request.
    given_id: Option<&'a str>,
    took: Duration,
}

impl Line<'_> {
    fn count_and_log(&self, access: &AccessLog) {
        if self.is_refused_prefetch {
            access.requests.refused_prefetches.increment();
        } else {
            self.route.0.count(self.status, self.took);
        }
        if !self.is_ordinary() || access.is_sampled() {
            self.write(access.queries);
        }
    }

    /// Whether the server failed its visitor.
    fn is_failure(&self) -> bool {
        self.status.is_server_error()
    }

    /// Whether the line tells nothing that must be known. Any client can have any number of prefetches refused,
    /// and of those turned away there are many or none.
    fn is_ordinary(&self) -> bool {
        let is_good = self.status.as_u16() < 400 || self.is_refused_prefetch || self.is_turned_away;
        is_good && self.took < SLOW && !self.answer.is_some_and(|log| log.timing.shell)
    }

    fn write(&self, queries: LogQueries) {
        let Self { method, uri, status, route, answer, id, given_id, took, .. } = *self;
        let made = answer.filter(|log| log.age.is_zero()).map(|log| log.timing);
        let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
        tracing::info!(
            target: TARGET,
            method,
            route = route.0.name(),
            path_length = uri.path().len(),
            query_length = uri.query().map(str::len),
            path = queries.shown(uri.path()),
            query = uri.query().and_then(|query| queries.shown(query)),
            status = status.as_u16(),
            ms = milliseconds(took),
            page = answer.map(|log| log.timing.kind),
            cache = answer.map(AnswerLog::cache),
            catalogue_ms = made.map(|timing| milliseconds(timing.catalogue)),
            render_ms = made.and_then(|timing| timing.render).map(milliseconds),
            shell = answer.map(|log| log.timing.shell),
            id = id.to_str().ok(),
            given_id,
            "request"
        );
    }
}

/// The method's name; clients may invent methods of any length.
fn name(method: &Method) -> &'static str {
    let known = [
        (Method::GET, "GET"),
        (Method::HEAD, "HEAD"),
        (Method::POST, "POST"),
        (Method::PUT, "PUT"),
        (Method::DELETE, "DELETE"),
        (Method::OPTIONS, "OPTIONS"),
        (Method::PATCH, "PATCH"),
        (Method::TRACE, "TRACE"),
        (Method::CONNECT, "CONNECT"),
    ];
    known.iter().find(|(known, _)| known == method).map_or("other", |(_, name)| name)
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

    #[test]
    fn one_in_many_ordinary_requests_is_logged() {
        let access = AccessLog::new(LogQueries::Off, NonZeroU32::new(3).unwrap());
        let sampled: Vec<bool> = (0..6).map(|_| access.is_sampled()).collect();
        assert_eq!(sampled, [true, false, false, true, false, false]);
    }
}
