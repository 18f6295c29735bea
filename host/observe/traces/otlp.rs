//! Sends spans to a collector with OTLP, as protobuf over HTTP.
//!
//! Spans wait in a bounded queue for a thread that sends them in batches; when the queue is full they are dropped.
//! No request waits for the collector. Everything is set with OpenTelemetry's own variables.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::Key;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator as _};
use opentelemetry::trace::{TraceContextExt as _, TracerProvider as _};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::{EnvResourceDetector, ResourceDetector as _};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::registry::LookupSpan;

use crate::observe::ErrorChain;

/// The target of every span that is sent.
pub(super) const TARGET: &str = "vitrine::traces";

/// The variables that name the collector. Without one of them nothing is sent.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
const DISABLED: &str = "OTEL_SDK_DISABLED";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
/// The attribute of `OTEL_RESOURCE_ATTRIBUTES` that also names the service.
const SERVICE_NAME_ATTRIBUTE: Key = Key::from_static_str("service.name");
/// How long the process waits at its end for the last spans to be sent.
const FINISH: Duration = Duration::from_secs(3);

/// Sends spans to a collector.
#[derive(Debug)]
pub(crate) struct Exporter(SdkTracerProvider);

impl Exporter {
    /// The exporter, if the environment asks for one.
    ///
    /// # Errors
    /// Fails when a variable has an invalid value.
    pub(crate) fn from_env() -> Result<Option<Self>, ExporterBuildError> {
        let is_disabled = std::env::var(DISABLED).is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        if is_disabled || !ENDPOINTS.into_iter().any(is_set) {
            return Ok(None);
        }
        let exporter = SpanExporter::builder().with_http().build()?;
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter);
        Ok(Some(Self(provider.with_resource(resource()).build())))
    }

    /// Sends the spans that still wait, if the collector takes them in time.
    pub(crate) async fn finish(self) {
        let ended = tokio::task::spawn_blocking(move || self.0.shutdown_with_timeout(FINISH)).await;
        if let Ok(Err(error)) = ended {
            tracing::warn!(error = %ErrorChain(&error), "the last traces were not sent");
        }
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// The service as the environment describes it. Its name is the program's, unless the environment names another.
fn resource() -> Resource {
    let is_named =
        is_set(SERVICE_NAME) || EnvResourceDetector::new().detect().get(&SERVICE_NAME_ATTRIBUTE).is_some();
    let resource = Resource::builder();
    if is_named { resource.build() } else { resource.with_service_name("vitrine").build() }
}

/// The layer that turns our spans into OpenTelemetry's.
pub(crate) fn layer<S>(exporter: Option<&Exporter>) -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    exporter.map(|Exporter(provider)| {
        let tracer = provider.tracer("vitrine");
        let layer =
            tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_threads(false);
        layer.with_filter(filter_fn(|metadata| metadata.is_span() && metadata.target() == TARGET))
    })
}

/// The filter of the log, which also lets spans through, whatever its level, if there is an exporter for them.
pub(crate) fn with_spans(filter: Targets, exporter: Option<&Exporter>) -> Targets {
    filter.with_target(TARGET, if exporter.is_some() { LevelFilter::INFO } else { LevelFilter::OFF })
}

/// Makes the span a part of the trace that the headers name.
pub(super) fn continue_trace(span: &Span, headers: &HeaderMap) {
    let parent = TraceContextPropagator::new().extract(&Received(headers));
    if parent.span().span_context().is_valid() {
        // Fails for a span that is not recorded.
        let _ = span.set_parent(parent);
    }
}

/// The headers that name a span to a service that is called within it.
pub(crate) fn propagated(span: &Span) -> HeaderMap {
    let mut headers = HeaderMap::new();
    TraceContextPropagator::new().inject_context(&span.context(), &mut Sent(&mut headers));
    headers
}

struct Received<'a>(&'a HeaderMap);

impl Extractor for Received<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

struct Sent<'a>(&'a mut HeaderMap);

impl Injector for Sent<'_> {
    fn set(&mut self, key: &str, value: String) {
        // An empty `tracestate` says nothing.
        if !value.is_empty()
            && let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value))
        {
            self.0.insert(name, value);
        }
    }
}
