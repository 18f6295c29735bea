//! Metrics of requests, cached pages and connections.

use super::metric::{BYTES, COUNTER, GAUGE, HISTOGRAM, Metric, SECONDS, Sample, by, single};
use crate::admin::Admin;
use crate::catalogue::PurgeMode;

pub(super) const METRICS: &[Metric] = &[
    Metric {
        name: "vitrine_http_requests",
        labels: &["route", "status"],
        help: "Requests by route and class of status. Routes are those of the shop's URL table, where a slash at the end, which leads to a redirect, is another one; the route `none` stands for every other path.",
        read: by_route_and_status,
        ..COUNTER
    },
    Metric {
        name: "vitrine_http_request_duration",
        unit: Some(SECONDS),
        labels: &["route"],
        help: "Time from a request's head to its answer's head, by route.",
        read: |admin| {
            let routes = admin.shop.access().requests().routes();
            by(routes.iter().map(|route| (route.name(), &route.durations)))
        },
        ..HISTOGRAM
    },
    Metric {
        name: "vitrine_answers",
        labels: &["cache"],
        help: "Pages and files by the use of the cache: `made` for the request, cached and `fresh`, cached and `stale`, or `repeated` from the answers of the last second.",
        read: |admin| {
            let requests = admin.shop.access().requests();
            let repeated = admin.app.recent().map_or(0, |recent| recent.repeated.get());
            by([
                ("made", requests.made.get()),
                ("fresh", requests.fresh.get()),
                ("stale", requests.stale.get()),
                ("repeated", repeated),
            ])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_cached_pages",
        help: "Pages and files in the cache.",
        read: |admin| single(admin.shop.cached_answers().number),
        ..GAUGE
    },
    Metric {
        name: "vitrine_cached_pages_weight",
        unit: Some(BYTES),
        help: "Estimated memory of the cached pages and files.",
        read: |admin| single(admin.shop.cached_answers().weight),
        ..GAUGE
    },
    Metric {
        name: "vitrine_cached_pages_capacity",
        unit: Some(BYTES),
        help: "Most memory that they may take (`--page-memory`).",
        read: |admin| single(admin.shop.cached_answers().capacity),
        ..GAUGE
    },
    Metric {
        name: "vitrine_cached_pages_evicted",
        labels: &["cause"],
        help: "Cached pages and files that were removed: no room (`size`), or too old to be served (`expired`).",
        read: |admin| {
            let cached = admin.shop.cached_answers();
            by([("size", cached.evicted_for_room), ("expired", cached.expired)])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_pages_made_ahead",
        help: "Pages that were made before anybody asked for them.",
        read: |admin| single(&admin.shop.renderer().counters().ahead),
        ..COUNTER
    },
    Metric {
        name: "vitrine_prefetches_refused",
        help: "Prefetches that were refused, because their pages would have had to be made while others were. Their visitors notice nothing, so they count among neither requests nor failures.",
        read: |admin| single(&admin.shop.access().requests().refused_prefetches),
        ..COUNTER
    },
    Metric {
        name: "vitrine_exports_made",
        help: "Files of all products with more than 2 MiB that were made, each for any number of clients.",
        read: |admin| single(admin.shop.exports_made()),
        ..COUNTER
    },
    Metric {
        name: "vitrine_exports_kept",
        unit: Some(BYTES),
        labels: &["place"],
        help: "Room that they take: on the `disk` of `--state-dir`, where they have no names, or in `memory`.",
        read: |admin| by(admin.shop.kept_exports()),
        ..GAUGE
    },
    Metric {
        name: "vitrine_purges",
        labels: &["mode"],
        help: "Purges that were carried out, also those that another worker was ordered meanwhile; those from before the worker's start are not counted again.",
        read: |admin| by([PurgeMode::Soft, PurgeMode::Hard].map(|mode| (mode.name(), admin.purges.of(mode)))),
        ..COUNTER
    },
    Metric {
        name: "vitrine_connections_open",
        help: "Connections of visitors that are open.",
        read: |admin| single(admin.connections.counters().open.get()),
        ..GAUGE
    },
    Metric {
        name: "vitrine_connections_accepted",
        help: "Connections of visitors that were accepted.",
        read: |admin| single(&admin.connections.counters().accepted),
        ..COUNTER
    },
    Metric {
        name: "vitrine_connections_closed",
        labels: &["cause"],
        help: "Connections that ended early: the TLS handshake (`handshake`) or the head of a request (`head`) was late, no further request came (`idle`), the client stopped reading (`write`), it reset the connection (`reset`), it cancelled nearly every request (`cancelled`), or its place was needed (`evicted`).",
        read: |admin| {
            let counters = admin.connections.counters();
            by([
                ("handshake", &counters.handshake_timeouts),
                ("head", &counters.head_timeouts),
                ("idle", &counters.idle_timeouts),
                ("write", &counters.write_timeouts),
                ("reset", &counters.resets),
                ("cancelled", &counters.cancellations),
                ("evicted", &counters.evicted),
            ])
        },
        ..COUNTER
    },
    Metric {
        name: "vitrine_connections_limit_reached",
        help: "How often every place for a connection was taken (`--max-connections`).",
        read: |admin| single(&admin.connections.counters().over_limit),
        ..COUNTER
    },
    Metric {
        name: "vitrine_accept_errors",
        help: "Failures to accept a connection, including those that the client aborted.",
        read: |admin| single(&admin.connections.counters().accept_errors),
        ..COUNTER
    },
];

fn by_route_and_status(admin: &Admin) -> Vec<Sample> {
    let mut samples = Vec::new();
    for route in admin.shop.access().requests().routes() {
        // Each class from its first request on, so that there are not five series for each route.
        for (class, count) in route.by_class().filter(|(_, count)| *count > 0) {
            samples.push(Sample { labels: vec![route.name().into(), class.into()], value: count.into() });
        }
    }
    samples
}
