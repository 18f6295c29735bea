//! Traces: the spans of a request, from its head through calls of the catalogue to its render, for an
//! OpenTelemetry collector.
//!
//! Only a build with the Cargo feature `otel` has them, and only if the environment names a collector. In every
//! other build the functions here give spans that do nothing.

#[cfg(not(feature = "otel"))]
mod off;
#[cfg(feature = "otel")]
mod otlp;

use std::fmt::Display;

use axum::http::{HeaderMap, StatusCode};
use tracing::Span;
use url::Url;

#[cfg(not(feature = "otel"))]
use self::off as exporting;
#[cfg(feature = "otel")]
use self::otlp as exporting;

pub(crate) use self::exporting::{Exporter, layer, propagated, with_spans};

/// A span for the exporter, or none in a build without traces.
macro_rules! span {
    ($($fields:tt)*) => {{
        #[cfg(feature = "otel")]
        let span = tracing::info_span!(target: exporting::TARGET, $($fields)*);
        #[cfg(not(feature = "otel"))]
        let span = Span::none();
        span
    }};
}

/// The span of a visitor's request. It continues the trace that `headers` name, if they do (W3C Trace Context).
/// Names follow OpenTelemetry's conventions for HTTP; the path is left out, as in the log.
#[cfg_attr(not(feature = "otel"), expect(unused_variables, reason = "there is no span that has them"))]
pub(crate) fn of_request(method: &'static str, route: impl Display, headers: &HeaderMap) -> Span {
    let span = span!(
        "request",
        otel.kind = "server",
        otel.status_code = tracing::field::Empty,
        http.request.method = method,
        http.route = %route,
        http.response.status_code = tracing::field::Empty,
    );
    exporting::continue_trace(&span, headers);
    span
}

/// Notes the status of a request's answer.
pub(crate) fn answered(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", status.as_u16());
}

/// The span of one call of the catalogue service.
#[cfg_attr(not(feature = "otel"), expect(unused_variables, reason = "there is no span that has them"))]
pub(crate) fn of_catalogue_call(url: &Url) -> Span {
    span!(
        "catalogue call",
        otel.kind = "client",
        otel.status_code = tracing::field::Empty,
        http.request.method = "GET",
        server.address = url.host_str().unwrap_or_default(),
    )
}

/// The span of a render, with its wait for an isolate.
pub(crate) fn of_render() -> Span {
    span!("render", otel.status_code = tracing::field::Empty)
}

/// Notes that the work of a span failed.
pub(crate) fn failed(span: &Span) {
    span.record("otel.status_code", "ERROR");
}

/// The span that this task is in, for work that is handed to another task.
pub(crate) fn current() -> Span {
    if cfg!(feature = "otel") { Span::current() } else { Span::none() }
}
