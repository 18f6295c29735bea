//! Metrics of the process and its supervisor.

use std::time::UNIX_EPOCH;

use super::metric::{BYTES, COUNTER, GAUGE, Metric, SECONDS, Sample, by, single};
use crate::process::own_usage;

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_build_info",
        labels: &["version", "engine"],
        help: "Always 1; the labels say what is running.",
        read: |_| {
            let labels = vec![env!("CARGO_PKG_VERSION").into(), ENGINE.into()];
            vec![Sample { labels, value: 1_u64.into() }]
        },
        ..GAUGE
    },
    Metric {
        name: "vitrine_worker_restarts",
        labels: &["cause"],
        help: "Starts of a worker after the first one, whether they succeeded or not, counted by the supervisor: the last one `died`, did not answer any more (`hung`), or was replaced by order (`ordered`). Absent without `--supervise`.",
        read: |admin| {
            admin.restarts.as_ref().map_or(Vec::new(), |restarts| {
                by([("died", &restarts.died), ("hung", &restarts.hung), ("ordered", &restarts.ordered)])
            })
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_memory_tight",
        help: "1 while memory is so short that no new page is made.",
        read: |admin| single(admin.shop.pressure().is_tight()),
        ..GAUGE
    },
    Metric {
        name: "process_start_time",
        unit: Some(SECONDS),
        help: "When the worker started, in seconds since 1970.",
        read: |admin| {
            let started = admin.started_at.duration_since(UNIX_EPOCH).unwrap_or_default();
            single(started.as_secs_f64())
        },
        ..GAUGE
    },
    Metric {
        name: "process_cpu",
        unit: Some(SECONDS),
        help: "Processor time of the worker.",
        read: |_| own_usage::processor_time().map_or(Vec::new(), |time| single(time.as_secs_f64())),
        ..COUNTER
    },
    Metric {
        name: "process_resident_memory",
        unit: Some(BYTES),
        help: "Memory of the worker that is in RAM.",
        read: |_| own_usage::resident_memory().map_or(Vec::new(), single),
        ..GAUGE
    },
    Metric {
        name: "process_open_fds",
        help: "File descriptors that the worker has open.",
        read: |_| own_usage::open_files().map_or(Vec::new(), single),
        ..GAUGE
    },
];

/// The name of the JavaScript engine.
pub(in crate::admin) const ENGINE: &str = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
