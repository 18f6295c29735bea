//! Every metric is moved by a test.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use vitrine::admin::{metric_names, metrics_document};
use vitrine::catalogue::MirrorPolicy;
use vitrine::http::connections::ConnectionLimits;
use vitrine::render::{Bundle, Renderer, RendererSettings};
use vitrine::shop::make_ahead;

use super::ShopWithAdmin;
use crate::common::days::{grow_stale, remembered, settings, until_mirrored};
use crate::common::error_page;
use crate::common::faults::Fault;
use crate::common::operators::TOKEN;
use crate::common::raw::Raw;
use crate::common::renderer_settings;
use crate::common::renders::render_under_way;
use crate::common::until::until;
use crate::common::upstream::Upstream;

/// Metrics that the day below moves: each with a label, and all of them grow above zero.
const MOVED: [(&str, &str); 45] = [
    ("vitrine_http_requests_total", "route=\"/products\",status=\"2xx\""),
    ("vitrine_http_requests_total", "route=\"/products/\",status=\"3xx\""),
    ("vitrine_http_requests_total", "route=\"none\",status=\"4xx\""),
    ("vitrine_http_request_duration_seconds", "route=\"/products\""),
    ("vitrine_answers_total", "cache=\"made\""),
    ("vitrine_answers_total", "cache=\"fresh\""),
    ("vitrine_answers_total", "cache=\"stale\""),
    ("vitrine_answers_total", "cache=\"repeated\""),
    ("vitrine_cached_pages", ""),
    ("vitrine_cached_pages_weight_bytes", ""),
    ("vitrine_cached_pages_capacity_bytes", ""),
    ("vitrine_pages_made_ahead_total", ""),
    ("vitrine_purges_total", "mode=\"soft\""),
    ("vitrine_purges_total", "mode=\"hard\""),
    ("vitrine_connections_open", ""),
    ("vitrine_connections_accepted_total", ""),
    ("vitrine_connections_closed_total", "cause=\"head\""),
    ("vitrine_connections_limit_reached_total", ""),
    ("vitrine_render_duration_seconds", ""),
    ("vitrine_render_wait_seconds", ""),
    ("vitrine_renders_total", "outcome=\"rendered\""),
    ("vitrine_isolates", ""),
    ("vitrine_isolates_replaced_total", "cause=\"recycled\""),
    ("vitrine_isolate_heap_bytes", "isolate=\"0\""),
    ("vitrine_catalogue_calls_total", "query=\"everything\",outcome=\"answered\""),
    ("vitrine_catalogue_calls_total", "query=\"everything\",outcome=\"status\""),
    ("vitrine_catalogue_call_duration_seconds", "query=\"everything\""),
    ("vitrine_catalogue_retries_total", ""),
    ("vitrine_catalogue_received_bytes_total", ""),
    ("vitrine_catalogue_answers_total", "content=\"new\""),
    ("vitrine_catalogue_answers_total", "content=\"unchanged\""),
    ("vitrine_catalogue_dropped_entries_total", ""),
    ("vitrine_catalogue_calls_refused_total", "cause=\"breaker\""),
    ("vitrine_catalogue_breaker_open", "breaker=\"everything\""),
    ("vitrine_catalogue_breaker_opened_total", ""),
    ("vitrine_catalogue_stale_answers_total", ""),
    ("vitrine_catalogue_silence_seconds", ""),
    ("vitrine_catalogue_answers_rejected_total", ""),
    ("vitrine_catalogue_copy_products", ""),
    ("vitrine_catalogue_copy_age_seconds", ""),
    ("vitrine_build_info", "version="),
    ("process_start_time_seconds", ""),
    ("process_cpu_seconds_total", ""),
    ("process_resident_memory_bytes", ""),
    ("process_open_fds", ""),
];

/// Metrics that other tests move, with the test.
const MOVED_ELSEWHERE: [(&str, &str, &str); 16] = [
    (
        "vitrine_tls_connections_total",
        "tests/parallel/http2/handshakes.rs",
        "the_first_protocol_of_the_server_that_the_client_knows_is_spoken",
    ),
    (
        "vitrine_tls_handshakes_failed_total",
        "tests/parallel/http2/handshakes.rs",
        "what_is_no_handshake_is_refused",
    ),
    (
        "vitrine_tls_certificate_expiry_seconds",
        "tests/parallel/http2/program.rs",
        "operators_see_when_the_certificate_expires",
    ),
    (
        "vitrine_prefetches_refused_total",
        "tests/parallel/admin/metrics.rs",
        "a_refused_prefetch_is_no_failed_request",
    ),
    (
        "vitrine_cached_pages_evicted_total",
        "tests/parallel/admin/shortages.rs",
        "pages_that_find_no_room_and_pages_that_are_too_old_are_counted",
    ),
    (
        "vitrine_accept_errors_total",
        "tests/parallel/connections/descriptors.rs",
        "accepting_pauses_without_descriptors_and_recovers_by_itself",
    ),
    (
        "vitrine_renders_refused_total",
        "tests/parallel/admin/shortages.rs",
        "renders_for_which_there_is_no_isolate_are_counted",
    ),
    (
        "vitrine_renders_under_way",
        "tests/parallel/admin/metrics.rs",
        "renders_under_way_are_counted_while_they_are",
    ),
    (
        "vitrine_catalogue_oldest_answer_seconds",
        "tests/parallel/admin/metrics.rs",
        "the_age_of_the_oldest_answer_is_that_of_what_visitors_see",
    ),
    (
        "vitrine_catalogue_pass_products",
        "tests/parallel/admin/reading.rs",
        "operators_see_how_far_a_large_catalogue_is_read",
    ),
    (
        "vitrine_worker_restarts_total",
        "tests/parallel/admin/workers.rs",
        "every_worker_is_told_how_often_others_were_started",
    ),
    (
        "vitrine_memory_tight",
        "tests/parallel/admin/shortages.rs",
        "memory_that_is_short_is_shown_with_the_renders_that_it_costs",
    ),
    ("vitrine_share_up", "tests/replicas/deaths.rs", "no_visitor_notices_what_becomes_of_the_parts"),
    ("vitrine_share_operations_total", "tests/replicas/liar.rs", "a_server_that_lies_harms_nothing"),
    (
        "vitrine_share_leases_total",
        "tests/replicas/calls.rs",
        "three_replicas_call_the_catalogue_as_often_as_one_process",
    ),
    (
        "vitrine_share_orders_total",
        "tests/replicas/purges.rs",
        "a_purge_reaches_every_replica_within_a_second_and_later_those_that_were_cut_off",
    ),
];

#[test]
fn every_metric_is_named_with_a_test_that_moves_it() {
    let published: BTreeSet<String> = metric_names().into_iter().collect();
    let here = MOVED.iter().map(|(name, _)| (*name).to_owned());
    let elsewhere = MOVED_ELSEWHERE.iter().map(|(name, ..)| (*name).to_owned());
    assert_eq!(published, here.chain(elsewhere).collect());
    for (name, file, test) in MOVED_ELSEWHERE {
        let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        assert!(source.contains(&format!("fn {test}(")), "{name}: {file} has no {test}");
    }
}

/// Set this variable to write the file instead of comparing it.
const UPDATE: &str = "UPDATE_METRICS";

#[test]
fn the_page_of_metrics_has_every_metric() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, table) = page.split_once("\n| Name |").unwrap();
    let after = table.split_once("\n\n").map_or("", |(_, after)| after);
    let expected =
        format!("{before}\n{}{}{after}", metrics_document(), if after.is_empty() { "" } else { "\n" });
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert!(!expected.contains("|  |\n"), "a metric has no meaning");
    let is_current = std::fs::read_to_string(&path).unwrap() == expected;
    assert!(is_current, "run `{UPDATE}=1 cargo test --release --test parallel the_page_of_metrics`");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_of_a_shop_moves_its_metrics() {
    let upstream = Upstream::start().await;
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    until_mirrored(&catalogue).await;
    let recycling = RendererSettings { recycle_after: 3, ..renderer_settings(1) };
    let renderer = Renderer::start(Bundle::embedded(), recycling, error_page()).await.unwrap();
    let limits =
        ConnectionLimits { connections: 40, head: Duration::from_millis(300), ..ConnectionLimits::default() };
    let watched =
        ShopWithAdmin::start_with(catalogue.clone(), renderer, settings(), limits, Some(TOKEN)).await;

    let mut seen = BTreeSet::new();
    let look = async |seen: &mut BTreeSet<(&'static str, &'static str)>| {
        let scrape = watched.scrape().await;
        seen.extend(MOVED.iter().filter(|(name, label)| scrape.sum(name, label) > 0.0));
    };
    tokio::spawn(make_ahead(Arc::clone(&watched.shop)));
    until("answers of every kind", async || {
        for path in ["/products", "/products", "/products/", "/missing", "/product/1", "/robots.txt"] {
            watched.visit(path).await;
        }
        grow_stale().await;
        look(&mut seen).await;
        ["made", "fresh", "stale", "repeated"].iter().all(|kind| {
            let label = MOVED.iter().find(|(_, label)| label.contains(kind)).unwrap();
            seen.contains(label)
        })
    })
    .await;
    assert_eq!(watched.purge("product=1").await.0, 200);
    assert_eq!(watched.purge("all=1&hard=1").await.0, 200);
    upstream.set(Fault::DuplicateIds).await;
    until("entries that are left out", async || {
        watched.visit("/products").await;
        grow_stale().await;
        watched.scrape().await.sum("vitrine_catalogue_dropped_entries_total", "") > 0.0
    })
    .await;
    upstream.set(Fault::EmptyList).await;
    until("an answer that is not believed", async || {
        watched.visit("/products").await;
        grow_stale().await;
        watched.scrape().await.sum("vitrine_catalogue_answers_rejected_total", "") > 0.0
    })
    .await;
    upstream.set(Fault::Status(500)).await;
    let mut idle = Vec::new();
    for _ in 0..40 {
        idle.push(Raw::connect(watched.visitors).await);
    }
    until("every metric's move", async || {
        let _ = catalogue.mirror().await;
        watched.purge("all=1").await;
        look(&mut seen).await;
        MOVED.iter().all(|moved| seen.contains(moved)) || {
            let missing: Vec<_> = MOVED.iter().filter(|moved| !seen.contains(moved)).collect();
            println!("not moved yet: {missing:?}");
            false
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_under_way_are_counted_while_they_are() {
    let renderer = crate::common::renderer_of(
        "globalThis.renderPage = (json) => { if (json.includes('products')) { for (;;) {} } return 'fine'; };",
    )
    .await;
    let watched = ShopWithAdmin::start(crate::common::sample(), renderer, settings()).await;
    assert!(watched.scrape().await.sum("vitrine_renders_under_way", "") == 0.0);
    let address = watched.visitors;
    let hanging = tokio::spawn(crate::common::client().get(format!("http://{address}/products")).send());
    until("a render under way", async || watched.scrape().await.sum("vitrine_renders_under_way", "") > 0.0)
        .await;
    hanging.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_age_of_the_oldest_answer_is_that_of_what_visitors_see() {
    let upstream = Upstream::start().await;
    let catalogue = remembered(&upstream, MirrorPolicy::UpTo(5_000));
    until_mirrored(&catalogue).await;
    let watched = ShopWithAdmin::start(catalogue, crate::common::real_renderer(1).await, settings()).await;
    upstream.set(Fault::Status(500)).await;
    let oldest = async || watched.scrape().await.sum("vitrine_catalogue_oldest_answer_seconds", "");
    assert!(oldest().await == 0.0);
    until("an old answer", async || {
        watched.visit("/products").await;
        grow_stale().await;
        oldest().await >= 1.0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_prefetch_is_no_failed_request() {
    let renderer = crate::common::renderer_of("globalThis.renderPage = () => 'fine';").await;
    let watched = ShopWithAdmin::start(crate::common::sample(), renderer.clone(), settings()).await;
    let before = watched.scrape().await;
    let render = render_under_way(&renderer).await;
    let address = format!("http://{}/product/3", watched.visitors);
    let prefetch = crate::common::client().get(address).header("sec-purpose", "prefetch");
    assert_eq!(prefetch.send().await.unwrap().status(), StatusCode::TOO_MANY_REQUESTS);
    drop(render);
    let after = watched.scrape().await;
    let moved = |name: &str| after.sum(name, "") - before.sum(name, "");
    assert!(moved("vitrine_prefetches_refused_total") == 1.0);
    assert!(
        moved("vitrine_http_requests_total") == 0.0 && after.sum("vitrine_http_requests_total", "5xx") == 0.0
    );
}
