//! Everything that is counted and measured, as OpenMetrics.
//!
//! The parts of the program count for themselves; the tables here say under which name each number is
//! published, and read it when somebody asks. `docs/metrics.md` is generated from them.

mod catalogue;
mod metric;
mod pictures;
mod process;
mod render;
mod requests;
mod share;
mod tls;

use std::fmt;
use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

pub(super) use self::catalogue::version_on_sale;
use self::metric::Metric;
pub(super) use self::process::ENGINE;
use super::Admin;

const CONTENT_TYPE: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

fn all() -> impl Iterator<Item = &'static Metric> {
    [
        requests::METRICS,
        tls::METRICS,
        render::METRICS,
        catalogue::METRICS,
        pictures::METRICS,
        share::METRICS,
        process::METRICS,
    ]
    .into_iter()
    .flatten()
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
        let (name, kind) = (metric.full_name(), metric.kind.as_str());
        format!("| `{name}` | {kind} | {} | {} |\n", labels.join(", "), metric.help)
    };
    let rows: String = all().map(row).collect();
    format!("| Name | Kind | Labels | Meaning |\n|---|---|---|---|\n{rows}")
}
