//! Everything that is counted and measured, as OpenMetrics.
//!
//! The parts of the program count for themselves; the tables here say under which name each number is
//! published, and read it when somebody asks. `docs/metrics.md` is generated from them.

mod catalogue;
mod process;
mod render;
mod requests;

use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

pub(super) use self::process::ENGINE;
use super::Admin;
use crate::observe::counters::Counter;
use crate::observe::histogram::{Histogram, HistogramValues};

const CONTENT_TYPE: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

/// One name under which numbers are published.
struct Metric {
    /// Without the suffixes for unit and kind.
    name: &'static str,
    kind: Kind,
    unit: Option<Unit>,
    /// The names of its labels.
    labels: &'static [&'static str],
    help: &'static str,
    read: fn(&Admin) -> Vec<Sample>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// A number, or several of a histogram, with the values of its labels.
struct Sample {
    labels: Vec<String>,
    value: Value,
}

enum Value {
    Whole(u64),
    Fraction(f64),
    Histogram(HistogramValues),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Whole(number)
    }
}

impl From<&Counter> for Value {
    fn from(counter: &Counter) -> Self {
        Self::Whole(counter.get())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Fraction(number)
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Self {
        Self::Whole(u64::from(is))
    }
}

impl From<&Histogram> for Value {
    fn from(histogram: &Histogram) -> Self {
        Self::Histogram(histogram.values())
    }
}

/// The only sample of a metric without labels.
fn single(value: impl Into<Value>) -> Vec<Sample> {
    vec![Sample { labels: Vec::new(), value: value.into() }]
}

/// The samples of a metric with one label.
fn by<V: Into<Value>>(samples: impl IntoIterator<Item = (impl Into<String>, V)>) -> Vec<Sample> {
    let sample = |(label, value): (_, V)| (vec![Into::into(label)], value.into());
    samples.into_iter().map(sample).map(|(labels, value)| Sample { labels, value }).collect()
}

fn all() -> impl Iterator<Item = &'static Metric> {
    [requests::METRICS, render::METRICS, catalogue::METRICS, process::METRICS].into_iter().flatten()
}

impl Metric {
    /// The name with its suffixes, as it is queried; a histogram's has more suffixes.
    fn full_name(&self) -> String {
        let unit = self.unit.as_ref().map_or(String::new(), |unit| format!("_{}", unit.as_str()));
        let total = if self.kind == Kind::Counter { "_total" } else { "" };
        format!("{}{unit}{total}", self.name)
    }

    fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        }
    }

    fn encode(&self, admin: &Admin, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Counter => MetricType::Counter,
            Kind::Gauge => MetricType::Gauge,
            Kind::Histogram => MetricType::Histogram,
        };
        let mut encoder = encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), kind)?;
        for Sample { labels, value } in (self.read)(admin) {
            if labels.is_empty() {
                self.encode_value(value, &mut encoder)?;
            } else {
                let labels: Vec<_> = self.labels.iter().copied().zip(labels).collect();
                self.encode_value(value, &mut encoder.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }

    fn encode_value(&self, value: Value, encoder: &mut MetricEncoder<'_>) -> fmt::Result {
        type Nothing = Vec<(&'static str, &'static str)>;
        match (self.kind, value) {
            (Kind::Counter, Value::Whole(number)) => encoder.encode_counter::<Nothing, _, f64>(&number, None),
            (Kind::Counter, Value::Fraction(number)) => {
                encoder.encode_counter::<Nothing, _, f64>(&number, None)
            }
            (_, Value::Whole(number)) => encoder.encode_gauge(&number),
            (_, Value::Fraction(number)) => encoder.encode_gauge(&number),
            (_, Value::Histogram(HistogramValues { sum, count, buckets })) => {
                encoder.encode_histogram::<Nothing>(sum, count, &buckets, None)
            }
        }
    }
}

/// All metrics of a shop, read when they are asked for.
pub(super) struct Everything(pub(super) Arc<Admin>);

impl fmt::Debug for Everything {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Everything")
    }
}

impl Collector for Everything {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        all().try_for_each(|metric| metric.encode(&self.0, &mut encoder))
    }
}

/// Answers with every metric.
pub(super) fn show(registry: &Registry) -> Response {
    let mut text = String::new();
    match encode(&mut text, registry) {
        Ok(()) => {
            let no_store = HeaderValue::from_static("no-store");
            ([(header::CONTENT_TYPE, CONTENT_TYPE), (header::CACHE_CONTROL, no_store)], text).into_response()
        }
        Err(fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The name of every metric, as it is queried; those of histograms have more suffixes.
pub fn names() -> Vec<String> {
    all().map(Metric::full_name).collect()
}

/// The table of `docs/metrics.md`.
pub fn document() -> String {
    let row = |metric: &Metric| {
        let labels: Vec<_> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        let (name, kind) = (metric.full_name(), metric.kind_name());
        format!("| `{name}` | {kind} | {} | {} |\n", labels.join(", "), metric.help)
    };
    let rows: String = all().map(row).collect();
    format!("| Name | Kind | Labels | Meaning |\n|---|---|---|---|\n{rows}")
}
