//! What is counted while room, isolates, memory or the catalogue are short.

use std::time::Duration;

use vitrine::cache::Ages;

use vitrine::document::Site;
use vitrine::http::connections::ConnectionLimits;
use vitrine::process::pressure::Pressure;
use vitrine::shop::{Shop, ShopSettings};

use super::ShopWithAdmin;
use crate::common::days::{followed, get, settings, until_read};
use crate::common::faults::Fault;
use crate::common::renders::render_under_way;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{PUBLIC_URL, client, renderer_of, sample, shop_settings};

const FINE: &str = "globalThis.renderPage = () => 'fine';";

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_find_no_room_and_pages_that_are_too_old_are_counted() {
    let moment = Duration::from_millis(20);
    let short_lived = Ages { fresh: moment, stale: moment };
    for (settings, cause) in [
        (ShopSettings { page_memory: 64 << 10, ..shop_settings() }, "cause=\"size\""),
        (ShopSettings { ages: short_lived, ..shop_settings() }, "cause=\"expired\""),
    ] {
        let watched = ShopWithAdmin::start(sample(), renderer_of(FINE).await, settings).await;
        let evicted = async || watched.figure("vitrine_cached_pages_evicted_total", cause).await;
        assert!(evicted().await == 0.0);
        let mut products = (1..=100).cycle();
        until(cause, async || {
            for product in products.by_ref().take(10) {
                assert_eq!(watched.visit(&format!("/product/{product}")).await.status(), 200);
            }
            evicted().await > 0.0
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_that_is_short_is_shown_with_the_renders_that_it_costs() {
    // One byte is less than any process takes.
    let pressure = Pressure::watch(Some(1));
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), Vec::new());
    let shop = Shop::new(sample(), renderer_of(FINE).await, site, shop_settings(), pressure).unwrap();
    let watched = ShopWithAdmin::open(shop, ConnectionLimits::default(), None).await;
    until("the watch over memory", async || watched.figure("vitrine_memory_tight", "").await > 0.0).await;
    let refused = async || watched.figure("vitrine_renders_refused_total", "cause=\"no_memory\"").await;
    assert!(refused().await == 0.0);
    let page = get(watched.visitors, "/product/1").await;
    assert_eq!((page.status, page.is_shell()), (503, true));
    assert!(refused().await == 1.0);
    assert_eq!(get(watched.visitors, "/_data/product/1").await.status, 200, "data needs no render");
    let calm = ShopWithAdmin::start(sample(), renderer_of(FINE).await, shop_settings()).await;
    assert!(calm.figure("vitrine_memory_tight", "").await == 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sold_is_out_of_date_when_the_service_gives_no_new_answer() {
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    until_read(&catalogue).await;
    let watched = ShopWithAdmin::start(catalogue, renderer_of(FINE).await, settings()).await;
    let outdated = async || watched.figure("vitrine_catalogue_outdated_seconds", "").await;
    until("a service that answers", async || outdated().await == 0.0).await;
    upstream.set(Fault::Status(500)).await;
    until("an outage", async || outdated().await >= 1.0).await;
    upstream.set(Fault::None).await;
    until("its end", async || outdated().await == 0.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_under_way_is_counted_and_a_prefetch_that_it_keeps_out_is_no_failed_request() {
    let renderer = renderer_of(FINE).await;
    let watched = ShopWithAdmin::start(sample(), renderer.clone(), shop_settings()).await;
    let under_way = async || watched.figure("vitrine_renders_under_way", "").await;
    assert!(under_way().await == 0.0);
    let render = render_under_way(&renderer).await;
    assert!(under_way().await > 0.0);
    let address = format!("http://{}/product/3", watched.visitors);
    let prefetch = client().get(address).header("sec-purpose", "prefetch").send().await.unwrap();
    assert_eq!(prefetch.status(), 429);
    drop(render);
    assert!(watched.figure("vitrine_prefetches_refused_total", "").await == 1.0);
    assert!(watched.figure("vitrine_http_requests_total", "").await == 0.0);
}
