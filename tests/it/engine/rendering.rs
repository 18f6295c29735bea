//! A shop whose renders hang, throw, and take every isolate with them. How soon it answers meanwhile
//! is in `timed/renders.rs`.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream;
use vitrine::cache::Ages;
use vitrine::shop::ShopSettings;

use crate::common::days::{Answer, get, grow_stale, open, settings, until_whole};
use crate::common::renders::{ENDLESS, hanging_products};
use crate::common::until::until;
use crate::common::{real_renderer, sample, shop_settings};

/// The budget of a render: long enough for one that ends, and soon over for one that never does.
const BUDGET: Duration = Duration::from_secs(2);

async fn get_product(shop: SocketAddr, id: u32) -> Answer {
    get(shop, &format!("/product/{id}")).await
}

fn long_ages() -> ShopSettings {
    let minute = Duration::from_secs(60);
    ShopSettings { ages: Ages { fresh: minute, stale: minute }, ..shop_settings() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_keeps_failing_is_a_shell_without_a_try() {
    let renderer = hanging_products("id === 1", ENDLESS[0], 1, 64, BUDGET).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let counters = renderer.counters();
    until("a page that is avoided", async || {
        // Requests without a pause would keep the next isolate from starting.
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(get(shop, "/product/1").await.is_shell());
        counters.avoided.get() > 0
    })
    .await;
    let (failed, avoided) = (counters.timeouts.get(), counters.avoided.get());
    assert!(failed >= 3, "{failed}");
    for _ in 0..20 {
        let answer = get(shop, "/product/1").await;
        assert!(answer.is_shell() && answer.status == 200);
    }
    assert_eq!((counters.timeouts.get(), counters.avoided.get()), (failed, avoided + 20));
    // Other pages do not suffer.
    until_whole(shop, "/product/2").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_visitors_at_once_are_no_crowd_even_where_renders_take_long() {
    let renderer = hanging_products("true", ENDLESS[0], 1, 64, BUDGET).await;
    let shop = open(sample(), renderer, settings()).await;
    // The second four come when it is known that a render takes long.
    for first in [1, 5] {
        for answer in join_all((first..first + 4).map(|id| get_product(shop, id))).await {
            assert_eq!((answer.status, answer.is_shell(), answer.caching()), (200, true, "no-store"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_renders_are_refused_early_with_a_document_that_draws_itself() {
    let renderer = hanging_products("true", ENDLESS[0], 1, 2, BUDGET).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let answers = join_all((1..40).map(|id| get_product(shop, id))).await;
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 503).collect();
    assert!(refused.len() >= 30, "{} of 39 were refused", refused.len());
    for answer in refused {
        assert!(answer.is_shell(), "the browser cannot draw the page");
        assert_eq!((answer.caching(), &answer.headers["retry-after"]), ("no-store", &"10".parse().unwrap()));
    }
    assert!(renderer.counters().refused() >= 30);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_is_asked_to_come_back_while_kept_pages_and_data_are_answered() {
    let renderer = hanging_products("id > 5", ENDLESS[0], 1, 4, BUDGET).await;
    let shop = open(sample(), renderer.clone(), long_ages()).await;
    until_whole(shop, "/product/1").await;
    // They fill the queue again whenever others have given up.
    let hanging = tokio::spawn(join_all((6..60).map(move |id| async move {
        loop {
            get_product(shop, id).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })));
    let searches = AtomicU32::new(0);
    until("visitors who are turned away", async || {
        let visits = (0..200).map(|_| {
            let path = format!("/search/{}", searches.fetch_add(1, Ordering::Relaxed));
            async move { get(shop, &path).await }
        });
        let answers: Vec<_> = stream::iter(visits).buffer_unordered(200).collect().await;
        for answer in answers.iter().filter(|answer| !answer.is_shell() && answer.status != 200) {
            assert_eq!((answer.status, answer.caching()), (503, "no-store"));
            assert!(answer.headers.contains_key("retry-after") && answer.headers.contains_key("refresh"));
            assert!(answer.text.contains("Try again now"), "{}", answer.text);
        }
        renderer.counters().crowd.get() > 0
    })
    .await;
    let kept = get(shop, "/product/1").await;
    assert_eq!((kept.status, kept.is_shell()), (200, false));
    assert_eq!(get(shop, "/_data/product/2").await.status, 200);
    hanging.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_rendered_again_only_when_its_data_has_changed() {
    let renderer = real_renderer(1).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    let first = get(shop, "/product/1").await;
    for _ in 0..3 {
        grow_stale().await;
        let again = get(shop, "/product/1").await;
        assert_eq!(again.headers["etag"], first.headers["etag"]);
    }
    assert_eq!(renderer.counters().rendered.get(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_memory_for_pages_every_request_is_rendered() {
    let renderer = real_renderer(1).await;
    let shop = open(sample(), renderer.clone(), ShopSettings { page_memory: 0, ..long_ages() }).await;
    for renders in 1..=3 {
        let page = get(shop, "/product/1").await;
        assert_eq!((page.status, page.is_shell(), renderer.counters().rendered.get()), (200, false, renders));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_asks_for_more_than_there_is_makes_no_page_of_its_own() {
    let renderer = real_renderer(1).await;
    let shop = open(sample(), renderer.clone(), shop_settings()).await;
    for (beyond, right) in [
        ("/products?max=999999", "/products"),
        ("/products?max=777777&page=77", "/products?page=4"),
        ("/_data/products?max=888888", "/_data/products"),
    ] {
        let answer = get(shop, beyond).await;
        assert_eq!((answer.status, &answer.headers["location"]), (307, &right.parse().unwrap()), "{beyond}");
    }
    assert_eq!(renderer.counters().rendered.get(), 0);
    let campaign = get(shop, "/products?max=999999&utm_source=letter").await;
    assert_eq!((campaign.status, campaign.is_shell()), (200, false));
    assert_eq!(campaign.headers["etag"], get(shop, "/products").await.headers["etag"]);
    assert_eq!(renderer.counters().rendered.get(), 1);
}
