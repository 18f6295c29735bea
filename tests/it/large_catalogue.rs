//! A catalogue whose list is too large for one answer is read in pages, and sold like any other.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use vitrine::catalogue::{
    CallTimes, Catalogue as _, CataloguePurge, Followed, Outdated, PurgeMode, ServiceLimits,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, get, grow_stale, open as serve_shop, settings, until_read};
use crate::common::large::{Large, PRODUCTS, open};
use crate::common::queries::Sold as _;
use crate::common::until::until;
use crate::common::{follow, real_renderer};

/// The queries of readings among these. A shop that was not read within a second also asks for a section of its home page.
fn of_readings(mut queries: Vec<String>) -> Vec<String> {
    queries.retain(|query| !query.starts_with("limit=8&skip=0&select=title"));
    queries
}

#[tokio::test]
async fn a_large_catalogue_is_sold_as_a_whole_and_read_again_only_where_it_has_changed() {
    let large = Large::default();
    let shop = open(&large.start().await);
    until_read(&shop).await;
    let all = shop.all_products().await.unwrap();
    assert_eq!(all.len() as u64, PRODUCTS);
    let ids: HashSet<String> = all.products().map(|product| product.id.to_string()).collect();
    assert_eq!(ids.len() as u64, PRODUCTS);
    assert_eq!(shop.status().copy.map(|(products, _)| products as u64), Some(PRODUCTS));
    assert!(shop.status().pass.is_none(), "the pass has ended");

    // A pass that finds nothing new is answered without a body, and the copy stays the same one.
    let (first, _) = shop.current().unwrap();
    let mut pages =
        [0, 992, 1984, 2976, 3968, 4960, 5952].map(|skip| format!("limit=1000&skip={skip}")).to_vec();
    pages.push("limit=0&skip=0&select=id".into());
    let mut queries = of_readings(large.take_sent());
    assert_eq!(queries.remove(0), "limit=1&select=id");
    assert_eq!(queries, pages);
    let before = large.0.lock().unchanged;
    until("passes without news", async || {
        grow_stale().await;
        large.0.lock().unchanged >= before + 14
    })
    .await;
    assert!(Arc::ptr_eq(&first, &shop.current().unwrap().0));
    assert_eq!(large.take_sent(), Vec::<String>::new());

    large.0.lock().last_title = Some("Renamed".into());
    until("the new title", async || {
        grow_stale().await;
        shop.product(PRODUCTS).await.unwrap().is_some_and(|product| product.summary.title == "Renamed")
    })
    .await;

    let purge = CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
    large.take_sent();
    shop.purge(&[purge]);
    until("everything again", async || {
        let sent = &large.0.lock().sent;
        pages.iter().all(|page| sent.contains(page))
    })
    .await;
}

/// Budgets and times are a seventh of those of a shop.
#[tokio::test]
async fn a_service_that_is_too_slow_for_a_visitor_is_copied_all_the_same() {
    let [visitor, reading] =
        [300, 1_500].map(|milliseconds| CallTimes::of(Duration::from_millis(milliseconds)));
    let limits = ServiceLimits { visitor, reading, max_body: 1 << 20, ..LIMITS };
    for takes in [(Duration::from_millis(310), Duration::ZERO), (Duration::ZERO, Duration::from_micros(310))]
    {
        let large = Large::default();
        large.0.lock().takes = takes;
        let service = service_at(large.start().await, limits);
        let shop = follow(Followed::new(service, AGES, 10_000));
        until_read(&shop).await;
        assert_eq!(shop.all_products().await.unwrap().len() as u64, PRODUCTS, "{takes:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn before_a_large_catalogue_is_read_its_calls_sell_what_they_can() {
    let large = Large::default();
    // The reading never ends.
    large.0.lock().fails_behind = Some(1_500);
    let catalogue = open(&large.start().await);
    let shop = serve_shop(catalogue.clone(), real_renderer(1).await, settings()).await;
    until("the first answers", async || catalogue.is_stocked()).await;
    for path in ["/", "/categories", "/category/c-3", "/product/7", "/llms.txt"] {
        assert_eq!(get(shop, path).await.status, 200, "{path}");
    }
    // A list that is too large for one answer, and what only the whole catalogue tells.
    let text = "The catalogue is being read: 1992 of 6000 products.";
    until("the number of products", async || get(shop, "/products").await.text.contains(text)).await;
    for path in
        ["/products", "/products?max=5", "/sale", "/new-arrivals", "/best-sellers", "/deals", "/brands"]
    {
        let page = get(shop, path).await;
        assert!(page.status == 503 && page.headers.contains_key("retry-after"), "{path}: {}", page.status);
        assert!(page.text.contains(text) && page.caching() == "no-store", "{path}");
    }
    for path in ["/sitemap.xml", "/sitemap/1.xml", "/feed.xml", "/merchant.xml"] {
        assert_eq!(get(shop, path).await.status, 503, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_come_when_the_catalogue_is_read() {
    let large = Large::default();
    let catalogue = open(&large.start().await);
    let shop = serve_shop(catalogue.clone(), real_renderer(1).await, settings()).await;
    until("a page of the whole catalogue", async || {
        let page: Value = serde_json::from_str(&get(shop, "/_data/products?brand=B1").await.text).unwrap();
        let listing = &page["content"];
        listing["failed"] == false && listing["total"] == 60
    })
    .await;
}

#[tokio::test]
async fn a_catalogue_of_more_products_than_are_wanted_is_not_read() {
    let large = Large::default();
    let base = large.start().await;
    let shop = follow(Followed::new(service_at(base, LIMITS), AGES, PRODUCTS - 1));
    until("the number of products", async || {
        large.0.lock().sent.iter().any(|query| query == "limit=1&select=id")
    })
    .await;
    grow_stale().await;
    assert!(shop.version().is_none());
    // Calls that it has begun are sent meanwhile.
    grow_stale().await;
    assert_eq!(of_readings(large.take_sent()), ["limit=1&select=id"]);
    assert!(shop.product(1).await.unwrap().is_some(), "it is asked for each page");
}
