//! What visitors see after a purge.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue, CataloguePurge, Followed, Outdated, PurgeMode, Service};
use vitrine::shop::ShopSettings;

use super::ShopWithAdmin;
use crate::common::days::{LIMITS, until_read, until_read_if};
use crate::common::faults::Fault;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{follow, real_renderer, shop_settings};

/// Nothing turns stale by itself while a test runs.
const LONG: Ages = Ages { fresh: Duration::from_secs(3_600), stale: Duration::from_secs(3_600) };

async fn start(upstream: &Upstream, most: u64) -> (ShopWithAdmin, Arc<Followed<Service>>) {
    let service = Service::new(upstream.base(), LIMITS).unwrap();
    let catalogue = follow(Followed::new(service, LONG, most));
    let settings = ShopSettings { ages: LONG, ..shop_settings() };
    let shared: Arc<dyn Catalogue> = catalogue.clone();
    (ShopWithAdmin::start(shared, real_renderer(1).await, settings).await, catalogue)
}

/// How long the maker of a page waits for an overdue answer of the catalogue.
const WAIT: Duration = Duration::from_millis(500);

const EVERY_KIND: [u64; 2] = [0, 5_000];

/// The catalogue has new titles, which nobody sees until there is a purge.
async fn retitle(upstream: &Upstream, watched: &ShopWithAdmin, paths: &[&str]) {
    for path in paths {
        assert!(!watched.text(path).await.contains("Anew"), "{path}");
    }
    upstream.set(Fault::Retitled(" Anew".into())).await;
    for path in paths {
        assert!(!watched.text(path).await.contains("Anew"), "{path} is cached");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_soft_purge_is_seen_soon_and_nobody_waits_for_it() {
    for most in EVERY_KIND {
        let upstream = Upstream::start().await;
        let (watched, catalogue) = start(&upstream, most).await;
        until_read_if(most, &catalogue).await;
        let paths = ["/product/1", "/products", "/_data/product/1"];
        retitle(&upstream, &watched, &paths).await;
        let (status, text) = watched.purge("product=1").await;
        let is_told = text.ends_with(" pages and files purged: product, soft.\n") && !text.starts_with('0');
        assert!(status == 200 && is_told, "{text}");
        // The old page is served while the new one is made.
        let first = watched.visit("/product/1").await;
        assert!(first.headers()["cache-status"].to_str().unwrap().starts_with("Vitrine; hit; "));
        assert!(!first.text().await.unwrap().contains("Anew"));
        for path in paths {
            until(path, async || watched.text(path).await.contains("Anew")).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_hard_purge_the_next_visitor_sees_what_is_new() {
    for (most, order) in EVERY_KIND.into_iter().flat_map(|most| {
        ["product=1&hard=1", "category=beauty&hard=1", "all=1&hard=1", "address=/product/1&hard=1"]
            .map(|order| (most, order))
    }) {
        let upstream = Upstream::start().await;
        let (watched, catalogue) = start(&upstream, most).await;
        until_read_if(most, &catalogue).await;
        retitle(&upstream, &watched, &["/product/1"]).await;
        let asked = Instant::now();
        assert_eq!(watched.purge(order).await.0, 200);
        if watched.text("/product/1").await.contains("Anew") {
            continue;
        }
        // The maker of the page has waited for the catalogue, on a machine that is busy with other things.
        assert!(asked.elapsed() >= WAIT, "{order} {most}");
        until("the new title", async || watched.text("/product/1").await.contains("Anew")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_purge_does_not_name_stays() {
    let upstream = Upstream::start().await;
    let (watched, _) = start(&upstream, 0).await;
    retitle(&upstream, &watched, &["/product/1", "/category/groceries"]).await;
    for order in ["product=99", "category=tops", "address=/product/2"] {
        assert_eq!(watched.purge(&format!("{order}&hard=1")).await.0, 200);
        assert!(!watched.text("/product/1").await.contains("Anew"), "{order}");
    }
    watched.text("/_data/category/groceries").await;
    // As an access log may have it, and encoded once more. The page and its data are purged.
    let (_, text) = watched.purge("address=%2F_data%2Fcategory%2FGroceries%2F&hard=1").await;
    assert_eq!(text, "2 pages and files purged: address, hard.\n");
    assert!(watched.text("/category/groceries").await.contains("Anew"));
    // An address of nothing is told from what is no address.
    for (address, expected, end) in [
        ("/product/77", 200, "0 pages and files purged: address, soft.\n"),
        ("/prodct/7", 404, " the nearest one is /product/7.\n"),
    ] {
        let (status, text) = watched.purge(&format!("address={address}")).await;
        assert!(status == expected && text.ends_with(end), "{address}: {status} {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_hard_purge_of_everything_believes_and_only_the_next_copy_that_most_is_gone() {
    const YOUNG: Duration = Duration::from_secs(30);
    let one_product = Outdated::Product(1.into());
    for (outdated, mode, ago, is_believed) in [
        (Outdated::Everything, PurgeMode::Hard, Duration::ZERO, true),
        // The copy was asked for after this order, so it was the next one.
        (Outdated::Everything, PurgeMode::Hard, YOUNG, false),
        (Outdated::Everything, PurgeMode::Soft, Duration::ZERO, false),
        (one_product, PurgeMode::Hard, Duration::ZERO, false),
    ] {
        let upstream = Upstream::start().await;
        let catalogue = follow(Followed::new(Service::new(upstream.base(), LIMITS).unwrap(), LONG, 5_000));
        until_read(&catalogue).await;
        let products = || catalogue.status().copy.map_or(0, |(number, _)| number);
        let before = products();
        upstream.set(Fault::HalfTheProducts).await;
        let order = CataloguePurge { outdated, mode, ago };
        // The copy is younger than some of the orders; this one makes sure that it is made again.
        let now =
            CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
        catalogue.purge(&[order.clone(), now]);
        until("a verdict on the smaller catalogue", async || catalogue.rejected() > 0 || products() < before)
            .await;
        assert_eq!(products() < before, is_believed, "{order:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_during_an_outage_takes_nothing_away_from_a_copied_catalogue() {
    let upstream = Upstream::start().await;
    let (watched, catalogue) = start(&upstream, 5_000).await;
    until_read(&catalogue).await;
    upstream.set(Fault::RefuseConnections).await;
    for order in ["all=1", "all=1&hard=1"] {
        assert_eq!(watched.purge(order).await.0, 200);
        for path in ["/products", "/product/1", "/category/beauty"] {
            assert_eq!(watched.visit(path).await.status(), 200, "{path} after {order}");
        }
    }
}
