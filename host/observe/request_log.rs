//! The request log: one line per request.
//!
//! Paths and query strings hold what shoppers search for. The line names the route instead, and how long
//! path and query are; the texts themselves are logged only if the operator asks for them.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use clap::ValueEnum;
use tracing::field::{DisplayValue, display};

use super::bounded::Bounded;

/// The log target of these lines, by which operators filter them.
const TARGET: &str = "vitrine::request_log";
/// Stands for the route of a path that matches none.
const NO_ROUTE: &str = "none";

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
    /// Whether the answer was cached and no longer fresh.
    pub(crate) stale: bool,
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
}

/// Marks, in a request's extensions, a request that the process sends to itself. It is not logged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnRequest;

/// The route that answered a request, in its response's extensions; `None` for a path that matches none.
#[derive(Clone, Debug)]
pub(crate) struct LoggedRoute(Option<MatchedPath>);

/// Middleware that logs each request when its response is ready, before the body is sent.
pub(crate) async fn log_requests(
    State(queries): State<LogQueries>,
    request: Request,
    next: Next,
) -> Response {
    if request.extensions().get::<OwnRequest>().is_some() {
        return next.run(request).await;
    }
    let started = Instant::now();
    let method = name(request.method());
    let route = LoggedRoute(request.extensions().get::<MatchedPath>().cloned());
    let uri = request.uri().clone();
    let mut response = next.run(request).await;
    let answer = response.extensions().get::<AnswerLog>();
    log(queries, method, &uri, response.status(), &route, answer, started);
    response.extensions_mut().insert(route);
    response
}

/// Logs a request that was answered with what another one got a moment ago.
pub(crate) fn log_repeated<B>(
    queries: LogQueries,
    request: &axum::http::Request<B>,
    status: StatusCode,
    route: &LoggedRoute,
    answer: &AnswerLog,
    started: Instant,
) {
    log(queries, name(request.method()), request.uri(), status, route, Some(answer), started);
}

fn log(
    queries: LogQueries,
    method: &'static str,
    uri: &Uri,
    status: StatusCode,
    LoggedRoute(route): &LoggedRoute,
    answer: Option<&AnswerLog>,
    started: Instant,
) {
    let made = answer.filter(|log| log.age.is_zero()).map(|log| log.timing);
    let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1_000.0;
    tracing::info!(
        target: TARGET,
        method,
        route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str),
        path_length = uri.path().len(),
        query_length = uri.query().map(str::len),
        path = queries.shown(uri.path()),
        query = uri.query().and_then(|query| queries.shown(query)),
        status = status.as_u16(),
        ms = milliseconds(started.elapsed()),
        page = answer.map(|log| log.timing.kind),
        cache = answer.map(AnswerLog::cache),
        catalogue_ms = made.map(|timing| milliseconds(timing.catalogue)),
        render_ms = made.and_then(|timing| timing.render).map(milliseconds),
        shell = answer.map(|log| log.timing.shell),
        "request"
    );
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
