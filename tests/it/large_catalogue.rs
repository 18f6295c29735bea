//! A catalogue whose list is too large for one answer is read in pages, and sold like any other.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use vitrine::catalogue::{
    CallTimes, Catalogue as _, CataloguePurge, MirrorPolicy, Outdated, PurgeMode, Remembered, ServiceLimits,
};

use crate::common::client::service_at;
use crate::common::days::{AGES, LIMITS, get, grow_stale, open as serve_shop, settings, until_mirrored};
use crate::common::large::{Large, PRODUCTS, open, open_with};
use crate::common::queries::Queries as _;
use crate::common::real_renderer;
use crate::common::until::until;

#[tokio::test]
async fn a_large_catalogue_is_sold_as_a_whole_and_read_again_only_where_it_has_changed() {
    let large = Large::default();
    let shop = open(&large.start().await);
    until_mirrored(&shop).await;
    let all = shop.all_products().await.unwrap();
    assert_eq!(all.len() as u64, PRODUCTS);
    let ids: HashSet<String> = all.products().map(|product| product.id.to_string()).collect();
    assert_eq!(ids.len() as u64, PRODUCTS);
    assert_eq!(shop.status().copy.map(|(products, _)| products as u64), Some(PRODUCTS));
    assert!(shop.status().pass.is_none(), "the pass has ended");

    // A pass that finds nothing new is answered without a body, and the copy stays the same one.
    let (first, _) = shop.last_mirror().unwrap();
    let mut pages =
        [0, 992, 1984, 2976, 3968, 4960, 5952].map(|skip| format!("limit=1000&skip={skip}")).to_vec();
    pages.push("limit=0&skip=0&select=id".into());
    let mut queries = large.take_sent();
    assert_eq!(queries.remove(0), "limit=1&select=id");
    assert_eq!(queries, pages);
    let before = large.0.lock().unchanged;
    until("passes without news", async || {
        grow_stale().await;
        shop.mirror().await;
        large.0.lock().unchanged >= before + 14
    })
    .await;
    assert!(Arc::ptr_eq(&first, &shop.last_mirror().unwrap().0));
    assert_eq!(large.take_sent(), Vec::<String>::new());

    large.0.lock().last_title = Some("Renamed".into());
    until("the new title", async || {
        grow_stale().await;
        shop.mirror().await;
        shop.product(PRODUCTS).await.unwrap().is_some_and(|product| product.summary.title == "Renamed")
    })
    .await;

    let purge = CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
    large.take_sent();
    shop.purge(&[purge]);
    until("everything again", async || {
        shop.mirror().await;
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
    let limits = ServiceLimits {
        first_byte_timeout: visitor.first_byte,
        total_timeout: visitor.total,
        reading,
        max_body: 1 << 20,
        ..LIMITS
    };
    for takes in [(Duration::from_millis(310), Duration::ZERO), (Duration::ZERO, Duration::from_micros(310))]
    {
        let large = Large::default();
        large.0.lock().takes = takes;
        let service = service_at(large.start().await, limits);
        let shop = Arc::new(Remembered::new(service, AGES, MirrorPolicy::UpTo(10_000)));
        until_mirrored(&shop).await;
        assert_eq!(shop.all_products().await.unwrap().len() as u64, PRODUCTS, "{takes:?}");
    }
}

/// The ids on the cards of a listing, in their order, and how many products it has.
async fn listed(shop: SocketAddr, path: &str) -> (Vec<u64>, u64) {
    let answer = get(shop, &format!("/_data{path}")).await;
    assert_eq!(answer.status, 200, "{path}");
    let page: Value = serde_json::from_str(&answer.text).unwrap();
    let listing = &page["content"];
    assert!(listing["unread"] == true && listing["failed"] == false, "{path}: {listing}");
    let cards = listing["products"].as_array().unwrap().iter();
    let ids = cards.map(|card| card["id"].as_str().unwrap().parse().unwrap());
    (ids.collect(), listing["total"].as_u64().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_not_read_is_sold_page_by_page() {
    for is_slow in [false, true] {
        let large = Large::default();
        large.0.lock().is_slow = is_slow;
        let catalogue = open_with(&large.start().await, MirrorPolicy::Never);
        catalogue.warm_up().await;
        assert!(catalogue.is_stocked(), "slow: {is_slow}");
        let shop = serve_shop(catalogue.clone(), real_renderer(1).await, settings()).await;
        let (first, total) = listed(shop, "/products").await;
        assert_eq!((first, total), ((1..=48).collect(), PRODUCTS));
        let brands = get(shop, "/brands").await;
        assert!(brands.status == 200 && brands.text.contains("Brands come when"), "{}", brands.status);
        // 500 prices come again and again; the cheapest products are those with the numbers 500, 1,000 and so on.
        let (cheapest, _) = listed(shop, "/products?sort=price-asc").await;
        assert!(cheapest.iter().take(12).all(|id| id % 500 == 0), "{cheapest:?}");
        let (last, _) = listed(shop, "/products?page=125").await;
        assert_eq!(last, (5_953..=6_000).collect::<Vec<_>>());
        let (newest, _) = listed(shop, "/new-arrivals").await;
        assert_eq!(newest, (5_953..=6_000).rev().collect::<Vec<_>>());
        let (deals, total) = listed(shop, "/deals").await;
        assert_eq!((deals.len(), total), (24, 24));
        let (cheapest_deals, _) = listed(shop, "/deals?sort=price-asc").await;
        assert!(deals.iter().all(|id| cheapest_deals.contains(id)));
        assert!(cheapest_deals.is_sorted_by_key(|id| id % 500), "{cheapest_deals:?}");
        let (found, _) = listed(shop, "/search/product?sort=price-desc").await;
        assert!(found.iter().take(12).all(|id| id % 500 == 499), "{found:?}");
        // A filter stays in the address, for when the catalogue is read.
        let (unfiltered, _) = listed(shop, "/products?brand=B1").await;
        assert_eq!(unfiltered.first(), Some(&1));
        let beyond = get(shop, "/products?page=9999").await;
        assert_eq!(beyond.status, 307);
        assert_eq!(beyond.headers["location"], "/products?page=125");

        let page = get(shop, "/products?max=5").await;
        assert!(page.status == 200 && page.text.contains("Filters come when"), "{}", page.status);
        assert_eq!(get(shop, "/sitemap/1.xml").await.status, 503, "it is not known which parts there are");
        let sitemap = get(shop, "/sitemap.xml").await.text;
        assert!(sitemap.contains("/sale") && !sitemap.contains("/brands"), "{sitemap}");
        for path in ["/", "/category/c-3", "/product/7", "/sitemap.xml", "/feed.xml", "/llms.txt"] {
            assert_eq!(get(shop, path).await.status, 200, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_gives_fewer_products_than_a_page_has_loses_none() {
    let large = Large::default();
    (large.0.lock().is_slow, large.0.lock().most) = (true, Some(30));
    let catalogue = open_with(&large.start().await, MirrorPolicy::Never);
    let shop = serve_shop(catalogue, real_renderer(1).await, settings()).await;
    for (path, ids) in
        [("/products", 1..=30), ("/products?page=2", 31..=60), ("/products?page=200", 5_971..=6_000)]
    {
        assert_eq!(listed(shop, path).await, (ids.collect(), PRODUCTS), "{path}");
    }
    let second = get(shop, "/products?page=2").await.text;
    assert!(second.contains("\"position\":31,") && !second.contains("\"position\":61,"), "{second}");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_come_when_the_catalogue_is_read() {
    let large = Large::default();
    let catalogue = open(&large.start().await);
    let shop = serve_shop(catalogue.clone(), real_renderer(1).await, settings()).await;
    until("a page of the whole catalogue", async || {
        let page: Value = serde_json::from_str(&get(shop, "/_data/products?brand=B1").await.text).unwrap();
        let listing = &page["content"];
        assert_eq!(listing["failed"], false, "{listing}");
        listing["unread"].is_null() && listing["total"] == 60
    })
    .await;
}

#[tokio::test]
async fn a_catalogue_of_more_products_than_are_wanted_is_not_read() {
    let large = Large::default();
    let base = large.start().await;
    let shop = Remembered::new(service_at(base, LIMITS), AGES, MirrorPolicy::UpTo(PRODUCTS - 1));
    until("the number of products", async || {
        shop.mirror().await;
        large.0.lock().sent.iter().any(|query| query == "limit=1&select=id")
    })
    .await;
    grow_stale().await;
    assert!(shop.mirror().await.is_none());
    // Calls that it has begun are sent meanwhile.
    grow_stale().await;
    assert_eq!(large.take_sent(), ["limit=1&select=id"]);
    assert!(shop.product(1).await.unwrap().is_some(), "it is asked query by query");
}
