//! Metrics of the copies of pictures. They are absent where none are made.

use super::metric::{BYTES, COUNTER, GAUGE, Metric, Sample, Value, by, single};
use crate::admin::Admin;
use crate::pictures::Copies;

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_picture_copies",
        labels: &["outcome"],
        help: "Copies of pictures: made (`made`) and sent (`sent`); and pictures of which no copy could be made, or that were not received from their host (`failed`), or not now, because too many waited or it would have taken too much memory (`refused`).",
        read: |admin| {
            of(admin, |copies| {
                let counters = copies.counters();
                by([
                    ("made", &counters.made),
                    ("sent", &counters.sent),
                    ("failed", &counters.failed),
                    ("refused", &counters.refused),
                ])
            })
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_picture_copies_kept",
        unit: Some(BYTES),
        help: "Room that copies of pictures take, in files or in memory.",
        read: |admin| {
            of(admin, |copies| copies.taken().map_or(Vec::new(), |(taken, _)| single(Value::from(taken))))
        },
        ..GAUGE
    },
];

fn of(admin: &Admin, read: impl FnOnce(&Copies) -> Vec<Sample>) -> Vec<Sample> {
    admin.shop.copies().as_ref().map(read).unwrap_or_default()
}
