//! Every metric is moved by a test.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use vitrine::admin::{metric_names, metrics_document};

use vitrine::http::connections::ConnectionLimits;
use vitrine::render::{Bundle, Renderer, RendererSettings};
use vitrine::shop::make_ahead;

use super::ShopWithAdmin;
use crate::common::days::{followed, grow_stale, settings, until_read};
use crate::common::faults::Fault;
use crate::common::operators::TOKEN;
use crate::common::raw::Raw;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{error_page, renderer_settings, shop_under};

/// What the day below moves of a metric that has several samples: each grows above zero. Every other metric that no
/// other test moves grows as a whole.
const MOVED: [(&str, &str); 22] = [
    ("vitrine_http_requests_total", "route=\"/products\",status=\"2xx\""),
    ("vitrine_http_requests_total", "route=\"/products/\",status=\"3xx\""),
    ("vitrine_http_requests_total", "route=\"none\",status=\"4xx\""),
    ("vitrine_http_request_duration_seconds", "route=\"/products\""),
    ("vitrine_answers_total", "cache=\"made\""),
    ("vitrine_answers_total", "cache=\"fresh\""),
    ("vitrine_answers_total", "cache=\"stale\""),
    ("vitrine_answers_total", "cache=\"repeated\""),
    ("vitrine_purges_total", "mode=\"soft\""),
    ("vitrine_purges_total", "mode=\"hard\""),
    ("vitrine_connections_closed_total", "cause=\"head\""),
    ("vitrine_renders_total", "outcome=\"rendered\""),
    ("vitrine_isolates_replaced_total", "cause=\"recycled\""),
    ("vitrine_isolate_heap_bytes", "isolate=\"0\""),
    ("vitrine_catalogue_calls_total", "query=\"everything\",outcome=\"answered\""),
    ("vitrine_catalogue_calls_total", "query=\"everything\",outcome=\"status\""),
    ("vitrine_catalogue_call_duration_seconds", "query=\"everything\""),
    ("vitrine_catalogue_answers_total", "content=\"new\""),
    ("vitrine_catalogue_answers_total", "content=\"unchanged\""),
    ("vitrine_catalogue_calls_refused_total", "cause=\"breaker\""),
    ("vitrine_catalogue_breaker_open", "breaker=\"reading\""),
    ("vitrine_build_info", "version="),
];

/// Metrics that other tests move: the name without `vitrine_`, the file below `tests/it/`, and the test.
const MOVED_ELSEWHERE: &str = "
tls_connections_total http2/handshakes the_first_protocol_of_the_server_that_the_client_knows_is_spoken
tls_handshakes_failed_total http2/handshakes what_is_no_handshake_is_refused
tls_certificate_expiry_seconds http2/program health_is_asked_with_encryption_and_operators_see_when_the_certificate_expires
exports_made_total admin/exports who_asks_at_the_same_time_for_a_new_version_gets_one_file_of_it
exports_kept_bytes admin/exports who_asks_at_the_same_time_for_a_new_version_gets_one_file_of_it
prefetches_refused_total admin/shortages a_render_under_way_is_counted_and_a_prefetch_that_it_keeps_out_is_no_failed_request
cached_pages_evicted_total admin/shortages pages_that_find_no_room_and_pages_that_are_too_old_are_counted
accept_errors_total connections/descriptors accepting_pauses_without_descriptors_and_recovers_by_itself
renders_refused_total admin/shortages memory_that_is_short_is_shown_with_the_renders_that_it_costs
renders_under_way admin/shortages a_render_under_way_is_counted_and_a_prefetch_that_it_keeps_out_is_no_failed_request
catalogue_outdated_seconds admin/shortages what_is_sold_is_out_of_date_when_the_service_gives_no_new_answer
catalogue_version_timestamp_seconds admin/version the_version_on_sale_is_named_also_of_a_file_and_of_the_sample
catalogue_pass_products admin/readiness operators_see_how_far_a_large_catalogue_is_read
worker_restarts_total admin/workers every_worker_is_told_how_often_others_were_started
picture_copies_total own_copies pictures_beside_a_file_are_sent_as_small_as_they_are_shown
picture_copies_kept_bytes own_copies pictures_beside_a_file_are_sent_as_small_as_they_are_shown
memory_tight admin/shortages memory_that_is_short_is_shown_with_the_renders_that_it_costs
share_up replicas/deaths no_visitor_notices_what_becomes_of_the_parts
share_operations_total replicas/liar a_server_that_lies_harms_nothing
share_reader replicas/reader one_replica_reads_and_another_takes_over_when_it_dies_or_ends
share_versions_total replicas/unchanged replicas_share_an_unchanged_version_once
share_orders_total replicas/purges a_purge_reaches_every_replica_within_a_second_and_later_those_that_were_cut_off
";

/// What the day has to move. Every row of [`MOVED_ELSEWHERE`] names a metric and a test that exist.
fn moved() -> BTreeSet<(String, &'static str)> {
    let mut metrics: BTreeSet<String> = metric_names().into_iter().collect();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    for row in MOVED_ELSEWHERE.trim().lines() {
        let [name, file, test] = row.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let source = std::fs::read_to_string(tests.join(file).with_extension("rs")).unwrap();
        assert!(source.contains(&format!("fn {test}(")), "{name}: {file} has no {test}");
        assert!(metrics.remove(&format!("vitrine_{name}")), "there is no {name}");
    }
    let samples = MOVED.into_iter().map(|(name, label)| (name.to_owned(), label));
    metrics.into_iter().map(|name| (name, "")).chain(samples).collect()
}

/// Set this variable to write the file instead of comparing it.
const UPDATE: &str = "UPDATE_METRICS";

#[test]
fn the_page_of_metrics_has_every_metric() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, table) = page.split_once("\n| Name |").unwrap();
    let after = table.split_once("\n\n").map(|(_, after)| format!("\n{after}")).unwrap_or_default();
    let expected = format!("{before}\n{}{after}", metrics_document());
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    assert!(!expected.contains("|  |\n"), "a metric has no meaning");
    assert!(page == expected, "run `{UPDATE}=1 cargo t --test it the_page_of_metrics`");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_a_shop_moves_its_metrics() {
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    until_read(&catalogue).await;
    let recycling = RendererSettings { recycle_after: 3, ..renderer_settings(1) };
    let renderer = Renderer::start(Bundle::embedded(), recycling, error_page()).await.unwrap();
    let limits =
        ConnectionLimits { connections: 40, head: Duration::from_millis(300), ..ConnectionLimits::default() };
    let shop = shop_under(catalogue.clone(), renderer, settings());
    let watched = ShopWithAdmin::open(shop, limits, Some(TOKEN)).await;

    let mut missing = moved();
    let look = async |missing: &mut BTreeSet<(String, &'static str)>| {
        let scrape = watched.scrape().await;
        missing.retain(|(name, label)| scrape.sum(name, label) == 0.0);
    };
    tokio::spawn(make_ahead(Arc::clone(&watched.shop)));
    until("answers of every kind", async || {
        for path in ["/products", "/products", "/products/", "/missing", "/product/1", "/robots.txt"] {
            watched.visit(path).await;
        }
        grow_stale().await;
        look(&mut missing).await;
        !missing.iter().any(|(name, _)| name == "vitrine_answers_total")
    })
    .await;
    assert_eq!(watched.purge("product=1").await.0, 200);
    assert_eq!(watched.purge("all=1&hard=1").await.0, 200);
    for (fault, metric) in [
        (Fault::DuplicateIds, "vitrine_catalogue_dropped_entries_total"),
        (Fault::EmptyList, "vitrine_catalogue_answers_rejected_total"),
    ] {
        upstream.set(fault).await;
        until(metric, async || {
            watched.visit("/products").await;
            grow_stale().await;
            watched.figure(metric, "").await > 0.0
        })
        .await;
    }
    upstream.set(Fault::Status(500)).await;
    let mut idle = Vec::new();
    for _ in 0..40 {
        idle.push(Raw::connect(watched.visitors).await);
    }
    until("every metric's move", async || {
        watched.purge("all=1").await;
        // Each asks for the product at once, which opens a breaker.
        watched.purge("product=1").await;
        look(&mut missing).await;
        println!("not moved yet: {missing:?}");
        missing.is_empty()
    })
    .await;
}
