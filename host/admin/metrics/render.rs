//! Metrics of renders and isolates.

use super::metric::{BYTES, COUNTER, GAUGE, HISTOGRAM, Metric, SECONDS, by, single};

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_render_duration",
        unit: Some(SECONDS),
        help: "Time of a render inside its isolate, whatever its outcome.",
        read: |admin| single(&admin.shop.renderer().counters().durations),
        ..HISTOGRAM
    },
    Metric {
        name: "vitrine_render_wait",
        unit: Some(SECONDS),
        help: "Time that a render waited for an isolate.",
        read: |admin| single(&admin.shop.renderer().counters().waits),
        ..HISTOGRAM
    },
    Metric {
        name: "vitrine_renders",
        labels: &["outcome"],
        help: "Renders by outcome: `rendered`, `timeout`, `out_of_memory`, `failed` (it threw, or gave incomplete markup), `lost` with its isolate, `avoided` because the page keeps failing, or `no_isolate` and `no_processor_time` because the machine was too slow for it. Without markup the browser draws the page.",
        read: |admin| {
            let counters = admin.shop.renderer().counters();
            by([
                ("rendered", &counters.rendered),
                ("timeout", &counters.timeouts),
                ("out_of_memory", &counters.out_of_memory),
                ("failed", &counters.failed),
                ("lost", &counters.lost),
                ("avoided", &counters.avoided),
                ("no_isolate", &counters.no_isolate),
                ("no_processor_time", &counters.no_processor_time),
            ])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_renders_refused",
        labels: &["cause"],
        help: "Renders that were refused, by the resource that was missing: `queue_full`, `long_wait`, `no_memory`, `too_many_listings`, `crowd`.",
        read: |admin| {
            let counters = admin.shop.renderer().counters();
            by([
                ("queue_full", &counters.queue_full),
                ("long_wait", &counters.long_waits),
                ("no_memory", &counters.no_memory),
                ("too_many_listings", &counters.too_many_listings),
                ("crowd", &counters.crowd),
            ])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_renders_under_way",
        help: "Renders that wait for an isolate or are in one.",
        read: |admin| single(admin.shop.renderer().under_way() as u64),
        ..GAUGE
    },
    Metric {
        name: "vitrine_isolates",
        help: "Isolates that exist, including replaced ones that are about to end.",
        read: |admin| single(admin.shop.renderer().counters().isolates.get()),
        ..GAUGE
    },
    Metric {
        name: "vitrine_isolates_replaced",
        labels: &["cause"],
        help: "Isolates that were replaced: `lost`, or `recycled` after enough renders (`--recycle-after`).",
        read: |admin| {
            let counters = admin.shop.renderer().counters();
            by([("lost", &counters.lost_isolates), ("recycled", &counters.recycled)])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_isolate_heap",
        unit: Some(BYTES),
        labels: &["isolate"],
        help: "Heap that an isolate has in use, by its place in the pool, looked at every 64 renders and every two seconds of idle time. Absent with QuickJS.",
        read: |admin| {
            let heaps = admin.shop.renderer().counters().heaps();
            by(heaps.into_iter().map(|(slot, bytes)| (slot.to_string(), bytes)))
        },
        ..GAUGE
    },
];
