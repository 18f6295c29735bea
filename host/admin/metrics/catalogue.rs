//! Metrics of the catalogue and the calls to its service. The embedded sample has only that of its version, a file also
//! those of its copy.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::metric::{BYTES, COUNTER, GAUGE, HISTOGRAM, Metric, SECONDS, Sample, Value, by, single};
use crate::admin::Admin;
use crate::catalogue::{CallOutcome, CatalogueCounters, QueryKind};
use crate::observe::counters::Counter;

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_catalogue_calls",
        labels: &["query", "outcome"],
        help: "Calls to the catalogue service, including retries, by kind of query and outcome: `answered`, `transport`, `timeout`, `status`, `rate_limited`, `too_large`, `malformed`, `implausible`.",
        read: calls_by_outcome,
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_call_duration",
        unit: Some(SECONDS),
        labels: &["query"],
        help: "Time of a call, by kind of query.",
        read: durations,
        ..HISTOGRAM
    },
    Metric {
        name: "vitrine_catalogue_retries",
        help: "Calls that were made again after a failure.",
        read: |admin| calls(admin, |calls| &calls.retries),
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_received",
        unit: Some(BYTES),
        help: "Bytes of answers, after decompression.",
        read: |admin| calls(admin, |calls| &calls.bytes),
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_answers",
        labels: &["content"],
        help: "Answers of the catalogue by what became of them: read (`new`), or the same as the last one, which costs nothing (`unchanged`). Only readings of the catalogue are compared: the list of everything, or its pages and lists of ids.",
        read: |admin| {
            counters(admin)
                .map_or(Vec::new(), |calls| by([("new", &calls.parsed), ("unchanged", &calls.unchanged)]))
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_dropped_entries",
        help: "Invalid entries and values that were left out of an answer.",
        read: |admin| calls(admin, |calls| &calls.dropped_entries),
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_calls_refused",
        labels: &["cause"],
        help: "Calls that were not made: a breaker was open (`breaker`), the service had asked for a pause (`pause`), or there would have been too many (`rate`).",
        read: |admin| {
            counters(admin).map_or(Vec::new(), |calls| {
                by([
                    ("breaker", &calls.refused_by_circuit),
                    ("pause", &calls.refused_by_pause),
                    ("rate", &calls.throttled),
                ])
            })
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_breaker_open",
        labels: &["breaker"],
        help: "1 while a circuit breaker lets no call through: for the `reading` of the whole catalogue, or for a kind of query that visitors ask.",
        read: |admin| by(admin.shop.catalogue().status().breakers),
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_breaker_opened",
        help: "How often a breaker opened, including after a failed probe.",
        read: |admin| calls(admin, |calls| &calls.circuit_opened),
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_outdated",
        unit: Some(SECONDS),
        help: "For how long what is sold may have been out of date, because the service has given no new answer; 0 while it gives some.",
        read: |admin| {
            let catalogue = admin.shop.catalogue();
            let outdated = Value::from(catalogue.outdated_for().as_secs_f64());
            catalogue.status().calls.map_or(Vec::new(), |_| single(outdated))
        },
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_silence",
        unit: Some(SECONDS),
        help: "Time since the catalogue was last asked for, of what was read or confirmed; 0 before the first time.",
        read: |admin| {
            let status = admin.shop.catalogue().status();
            let silence = Value::from(status.silence.unwrap_or_default().as_secs_f64());
            status.calls.map_or(Vec::new(), |_| single(silence))
        },
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_answers_rejected",
        help: "Readings of the catalogue that were not believed, because most of it was missing in them.",
        read: |admin| {
            let rejected = admin.shop.catalogue().status().rejected;
            rejected.map_or(Vec::new(), |rejected| single(Value::from(rejected)))
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_catalogue_copy_products",
        help: "Products in the copy of the whole catalogue; absent without a copy.",
        read: |admin| copy(admin, |products, _| (products as u64).into()),
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_copy_age",
        unit: Some(SECONDS),
        help: "Age of the copy of the whole catalogue; absent without a copy.",
        read: |admin| copy(admin, |_, age| age.as_secs_f64().into()),
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_version_timestamp",
        unit: Some(SECONDS),
        labels: &["digest"],
        help: "Unix time at which the version on sale was asked for or last confirmed, with the start of its digest, by which replicas and restarts are compared; absent before it is known.",
        read: |admin| {
            let version = version_on_sale(admin);
            by(version.map(|(name, since)| (name, since.as_second().unsigned_abs())))
        },
        ..GAUGE
    },
    Metric {
        name: "vitrine_catalogue_pass_products",
        help: "Products read so far, while the catalogue is read in pages; absent otherwise.",
        read: |admin| {
            let pass = admin.shop.catalogue().status().pass;
            pass.map_or(Vec::new(), |pass| single(Value::from(pass.read())))
        },
        ..GAUGE
    },
];

/// The name of the version on sale, and when it was asked for or last confirmed; for the sample, when it was loaded.
/// `None` before the name is known.
pub(in crate::admin) fn version_on_sale(admin: &Admin) -> Option<(String, Timestamp)> {
    let catalogue = admin.shop.catalogue();
    let name = catalogue.version()?.name()?;
    let age = catalogue.status().copy.map_or_else(|| admin.started.elapsed(), |(_, age)| age);
    Some((name, Timestamp::now().checked_sub(age).ok()?))
}

fn counters(admin: &Admin) -> Option<Arc<CatalogueCounters>> {
    admin.shop.catalogue().status().calls
}

fn calls(admin: &Admin, counter: fn(&CatalogueCounters) -> &Counter) -> Vec<Sample> {
    counters(admin).map_or(Vec::new(), |calls| single(counter(&calls)))
}

fn calls_by_outcome(admin: &Admin) -> Vec<Sample> {
    let mut samples = Vec::new();
    let Some(calls) = counters(admin) else { return samples };
    for query in QueryKind::EVERY {
        for outcome in CallOutcome::EVERY {
            let number = calls.calls_for(query, outcome);
            // Each kind of failure appears with its first call.
            if number > 0 || outcome == CallOutcome::Answered {
                let labels = vec![query.name().into(), outcome.name().into()];
                samples.push(Sample { labels, value: number.into() });
            }
        }
    }
    samples
}

fn durations(admin: &Admin) -> Vec<Sample> {
    let Some(calls) = counters(admin) else { return Vec::new() };
    by(QueryKind::EVERY.map(|query| (query.name(), calls.durations_of(query))))
}

fn copy(admin: &Admin, value: fn(usize, Duration) -> Value) -> Vec<Sample> {
    let status = admin.shop.catalogue().status();
    status.copy.map_or(Vec::new(), |(products, age)| single(value(products, age)))
}
