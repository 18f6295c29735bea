//! A metric: its name, and how it is read and encoded.

use std::fmt;

use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use crate::admin::Admin;
use crate::observe::counters::Counter;
use crate::observe::histogram::{Histogram, HistogramValues};

/// One name under which numbers are published.
pub(super) struct Metric {
    /// The name without the suffixes for unit and kind.
    pub(super) name: &'static str,
    pub(super) kind: MetricType,
    pub(super) unit: Option<&'static Unit>,
    /// The names of the metric's labels.
    pub(super) labels: &'static [&'static str],
    pub(super) help: &'static str,
    pub(super) read: fn(&Admin) -> Vec<Sample>,
}

pub(super) const SECONDS: &Unit = &Unit::Seconds;
pub(super) const BYTES: &Unit = &Unit::Bytes;

/// The defaults of a counter. Each counter sets its name, its help and how it is read.
pub(super) const COUNTER: Metric =
    Metric { name: "", kind: MetricType::Counter, unit: None, labels: &[], help: "", read: |_| Vec::new() };
pub(super) const GAUGE: Metric = Metric { kind: MetricType::Gauge, ..COUNTER };
pub(super) const HISTOGRAM: Metric = Metric { kind: MetricType::Histogram, ..COUNTER };

/// A number, or several of a histogram, with the values of its labels.
pub(super) struct Sample {
    pub(super) labels: Vec<String>,
    pub(super) value: Value,
}

pub(super) enum Value {
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
pub(super) fn single(value: impl Into<Value>) -> Vec<Sample> {
    vec![Sample { labels: Vec::new(), value: value.into() }]
}

/// The samples of a metric with one label.
pub(super) fn by<V: Into<Value>>(samples: impl IntoIterator<Item = (impl Into<String>, V)>) -> Vec<Sample> {
    let sample = |(label, value): (_, V)| (vec![Into::into(label)], value.into());
    samples.into_iter().map(sample).map(|(labels, value)| Sample { labels, value }).collect()
}

impl Metric {
    /// The name with its suffixes, as it is queried; a histogram's has more suffixes.
    pub(super) fn full_name(&self) -> String {
        let unit = self.unit.map_or(String::new(), |unit| format!("_{}", unit.as_str()));
        let total = if matches!(self.kind, MetricType::Counter) { "_total" } else { "" };
        format!("{}{unit}{total}", self.name)
    }

    pub(super) fn encode(&self, admin: &Admin, encoder: &mut DescriptorEncoder<'_>) -> fmt::Result {
        let mut encoder = encoder.encode_descriptor(self.name, self.help, self.unit, self.kind)?;
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
            (MetricType::Counter, Value::Whole(number)) => {
                encoder.encode_counter::<Nothing, _, f64>(&number, None)
            }
            (MetricType::Counter, Value::Fraction(number)) => {
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
