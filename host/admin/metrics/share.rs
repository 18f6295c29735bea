//! Metrics of what replicas share. They are absent without `--share`.

use super::metric::{COUNTER, GAUGE, Metric, Sample, by, single};
use crate::admin::Admin;
use crate::share::{LeaseOutcome, OperationResult, Share};

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
        name: "vitrine_share_leases",
        labels: &["outcome"],
        help: "Who made a call of the catalogue that this replica needed: this one for all (`taken`), another one (`shared`), or this one for itself, because the server was of no use (`alone`).",
        read: |admin| {
            of(admin, |share| {
                let count = |outcome: LeaseOutcome| (outcome.name(), share.counters().leases(outcome));
                by(LeaseOutcome::EVERY.map(count))
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
