//! Metrics of what replicas share. They are absent without `--share`.

use super::metric::{COUNTER, GAUGE, Metric, Sample, by, single};
use crate::admin::Admin;
use crate::share::{OperationResult, Share};

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_share_up",
        help: "1 while the server that replicas share answers in time; without it this replica is alone.",
        read: |admin| of(admin, |share| single(share.is_up())),
        ..GAUGE
    },
    Metric {
        name: "vitrine_share_operations",
        labels: &["result"],
        help: "Exchanges with that server: `answered`, `refused` (for example, its memory is full), `failed`, `skipped` while it is in trouble, and stored values that were `unusable`.",
        read: |admin| {
            of(admin, |share| {
                let count = |result: OperationResult| (result.name(), share.counters().operations(result));
                by(OperationResult::EVERY.map(count))
            })
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_share_reader",
        help: "1 while this replica reads the catalogue for all.",
        read: |admin| of(admin, |share| single(share.is_reader())),
        ..GAUGE
    },
    Metric {
        name: "vitrine_share_versions",
        labels: &["direction"],
        help: "Versions of the catalogue that this replica has read for all (`sent`), and those of others that it sells (`received`). A version that was only confirmed is not counted.",
        read: |admin| {
            of(admin, |share| {
                let counters = share.counters();
                by([("sent", &counters.versions_sent), ("received", &counters.versions_received)])
            })
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_share_orders",
        labels: &["direction"],
        help: "Purges that were given to other replicas (`sent`), and those of others that were carried out (`received`).",
        read: |admin| {
            of(admin, |share| {
                let counters = share.counters();
                by([("sent", &counters.orders_sent), ("received", &counters.orders_received)])
            })
        },
        ..COUNTER
    },
];

fn of(admin: &Admin, read: impl FnOnce(&Share) -> Vec<Sample>) -> Vec<Sample> {
    admin.share.as_ref().map(read).unwrap_or_default()
}
