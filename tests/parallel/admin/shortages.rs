//! What is counted when room, isolates or memory are short.

use std::time::Duration;

use futures_util::future::join_all;
use vitrine::cache::Ages;
use vitrine::document::Site;
use vitrine::http::connections::ConnectionLimits;
use vitrine::process::pressure::Pressure;
use vitrine::shop::{Shop, ShopSettings};

use super::ShopWithAdmin;
use crate::common::renders::{ENDLESS, hanging_products};
use crate::common::until::until;
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
        let evicted = async || watched.scrape().await.sum("vitrine_cached_pages_evicted_total", cause);
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
async fn renders_for_which_there_is_no_isolate_are_counted() {
    let renderer = hanging_products("true", ENDLESS[0], 1, 1, Duration::from_secs(60)).await;
    let watched = ShopWithAdmin::start(sample(), renderer, shop_settings()).await;
    let refused = async |cause| watched.scrape().await.sum("vitrine_renders_refused_total", cause);
    assert!(refused("").await == 0.0);
    let address = watched.visitors;
    let crowd = tokio::spawn(join_all(
        (1..=8).map(move |product| client().get(format!("http://{address}/product/{product}")).send()),
    ));
    until("refused renders", async || refused("cause=\"queue_full\"").await > 0.0).await;
    crowd.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_that_is_short_is_shown_with_the_renders_that_it_costs() {
    // One byte is less than any process takes.
    let pressure = Pressure::watch(Some(1));
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), Vec::new());
    let shop = Shop::new(sample(), renderer_of(FINE).await, site, shop_settings(), pressure).unwrap();
    let watched = ShopWithAdmin::open(shop, ConnectionLimits::default(), None).await;
    until("the watch over memory", async || watched.scrape().await.sum("vitrine_memory_tight", "") > 0.0)
        .await;
    let refused = async || watched.scrape().await.sum("vitrine_renders_refused_total", "cause=\"no_memory\"");
    assert!(refused().await == 0.0);
    assert_eq!(watched.visit("/product/1").await.status(), 503);
    assert!(refused().await == 1.0);
    let calm = ShopWithAdmin::start(sample(), renderer_of(FINE).await, shop_settings()).await;
    assert!(calm.scrape().await.sum("vitrine_memory_tight", "") == 0.0);
}
