//! What visitors see after a purge.

use std::sync::Arc;
use std::time::{Duration, Instant};

use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue, CataloguePurge, MirrorPolicy, Outdated, PurgeMode, Remembered, Service};
use vitrine::shop::{GivenOrder, PurgeOrder, ShopSettings};

use super::ShopWithAdmin;
use crate::common::days::{LIMITS, until_mirrored, until_mirrored_if};
use crate::common::faults::Fault;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{real_renderer, shop_settings};

/// Nothing turns stale by itself while a test runs.
const LONG: Ages = Ages { fresh: Duration::from_secs(3_600), stale: Duration::from_secs(3_600) };

async fn start(upstream: &Upstream, mirror: MirrorPolicy) -> (ShopWithAdmin, Arc<Remembered<Service>>) {
    let service = Service::new(upstream.base(), LIMITS).unwrap();
    let catalogue = Arc::new(Remembered::new(service, LONG, mirror));
    let settings = ShopSettings { ages: LONG, ..shop_settings() };
    let shared: Arc<dyn Catalogue> = catalogue.clone();
    (ShopWithAdmin::start(shared, real_renderer(1).await, settings).await, catalogue)
}

/// How long the maker of a page waits for an overdue answer of the catalogue.
const WAIT: Duration = Duration::from_millis(500);

const EVERY_KIND: [MirrorPolicy; 2] = [MirrorPolicy::Never, MirrorPolicy::UpTo(5_000)];

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
    for mirror in EVERY_KIND {
        let upstream = Upstream::start().await;
        let (watched, catalogue) = start(&upstream, mirror).await;
        until_mirrored_if(mirror, &catalogue).await;
        let paths = ["/product/1", "/products", "/_data/product/1"];
        retitle(&upstream, &watched, &paths).await;
        let (status, text) = watched.purge("product=1").await;
        assert_eq!(status, 200);
        assert!(
            text.ends_with(" pages and files purged: product, soft.\n") && !text.starts_with('0'),
            "{text}"
        );
        let first = watched.visit("/product/1").await;
        assert_eq!(
            first.headers()["cache-status"].to_str().unwrap().split("ttl=").next(),
            Some("Vitrine; hit; ")
        );
        assert!(
            !first.text().await.unwrap().contains("Anew"),
            "the old page is served while the new one is made"
        );
        for path in paths {
            until(&format!("the new title on {path}"), async || watched.text(path).await.contains("Anew"))
                .await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_hard_purge_the_next_visitor_sees_what_is_new() {
    for (mirror, order) in EVERY_KIND.into_iter().flat_map(|mirror| {
        ["product=1&hard=1", "category=beauty&hard=1", "all=1&hard=1", "address=/product/1&hard=1"]
            .map(|order| (mirror, order))
    }) {
        let upstream = Upstream::start().await;
        let (watched, catalogue) = start(&upstream, mirror).await;
        until_mirrored_if(mirror, &catalogue).await;
        retitle(&upstream, &watched, &["/product/1"]).await;
        let asked = Instant::now();
        assert_eq!(watched.purge(order).await.0, 200);
        if watched.text("/product/1").await.contains("Anew") {
            continue;
        }
        // The maker of the page has waited for the catalogue, on a machine that is busy with other things.
        assert!(asked.elapsed() >= WAIT, "{order} {mirror:?}");
        until("the new title", async || watched.text("/product/1").await.contains("Anew")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_purge_does_not_name_stays() {
    let upstream = Upstream::start().await;
    let (watched, _) = start(&upstream, MirrorPolicy::Never).await;
    retitle(&upstream, &watched, &["/product/1", "/category/groceries"]).await;
    for order in ["product=99", "category=tops", "address=/product/2"] {
        assert_eq!(watched.purge(&format!("{order}&hard=1")).await.0, 200);
        assert!(!watched.text("/product/1").await.contains("Anew"), "{order}");
    }
    let (_, text) = watched.purge("address=/category/groceries&hard=1").await;
    assert_eq!(text, "1 pages and files purged: address, hard.\n");
    assert!(watched.text("/category/groceries").await.contains("Anew"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hard_purge_believes_at_once_that_most_of_the_catalogue_is_gone() {
    let upstream = Upstream::start().await;
    let (watched, catalogue) = start(&upstream, MirrorPolicy::UpTo(5_000)).await;
    until_mirrored(&catalogue).await;
    let products = async || catalogue.last_mirror().map_or(0, |_| catalogue.status().copy.unwrap().0);
    let before = products().await;
    upstream.set(Fault::HalfTheProducts).await;
    assert_eq!(watched.purge("all=1").await.0, 200);
    watched.visit("/products").await;
    until("a rejected answer", async || {
        watched.visit("/products").await;
        catalogue.staleness().rejected() > 0
    })
    .await;
    assert_eq!(products().await, before, "a soft purge does not believe it");
    assert_eq!(watched.purge("all=1&hard=1").await.0, 200);
    watched.visit("/products").await;
    until("the smaller catalogue", async || {
        watched.visit("/products").await;
        products().await < before
    })
    .await;
    assert_eq!(catalogue.staleness().rejected(), 1);
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
        let catalogue =
            Remembered::new(Service::new(upstream.base(), LIMITS).unwrap(), LONG, MirrorPolicy::UpTo(5_000));
        until_mirrored(&catalogue).await;
        let products = || catalogue.status().copy.map_or(0, |(number, _)| number);
        let before = products();
        upstream.set(Fault::HalfTheProducts).await;
        let order = CataloguePurge { outdated, mode, ago };
        // The copy is younger than some of the orders; this one makes sure that it is made again.
        let now =
            CataloguePurge { outdated: Outdated::Everything, mode: PurgeMode::Soft, ago: Duration::ZERO };
        catalogue.purge(&[order.clone(), now]);
        until("a verdict on the smaller catalogue", async || {
            catalogue.mirror().await;
            catalogue.staleness().rejected() > 0 || products() < before
        })
        .await;
        assert_eq!(products() < before, is_believed, "{order:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_during_an_outage_takes_nothing_away_from_a_copied_catalogue() {
    let upstream = Upstream::start().await;
    let (watched, catalogue) = start(&upstream, MirrorPolicy::UpTo(5_000)).await;
    until_mirrored(&catalogue).await;
    upstream.set(Fault::RefuseConnections).await;
    for order in ["all=1", "all=1&hard=1"] {
        assert_eq!(watched.purge(order).await.0, 200);
        for path in ["/products", "/product/1", "/category/beauty"] {
            assert_eq!(watched.visit(path).await.status(), 200, "{path} after {order}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_was_on_its_way_at_a_hard_purge_is_not_repeated() {
    let upstream = Upstream::start().await;
    let (watched, _catalogue) = start(&upstream, MirrorPolicy::Never).await;
    upstream.set(Fault::Held).await;
    // Only the title is compared: the other products on the page are asked for later.
    let title = async || {
        let text = watched.text("/product/1").await;
        text.split("</title>").next().map(str::to_owned).unwrap()
    };
    let (first, ()) = tokio::join!(title(), async {
        until("the call", async || upstream.calls().iter().any(|call| call.target == "/products/1")).await;
        assert_eq!(watched.purge("all=1&hard=1").await.0, 200);
        upstream.set(Fault::Retitled(" Before".into())).await;
    });
    assert!(first.contains(" Before"), "who waited gets what was made");
    upstream.set(Fault::Retitled(" Anew".into())).await;
    let next = title().await;
    assert!(next.contains(" Anew"), "{next}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_purged_as_access_logs_have_it_with_its_data() {
    for (logged, path, kept) in [
        ("/_data/product/1", "/product/1", 2),
        ("/product/01/?ref=mail", "/product/1", 2),
        ("/search/red%20lipstick", "/search/red%20lipstick", 2),
        ("%2Fsearch%2Fred%2520lipstick", "/search/red%20lipstick", 2),
        ("/search?q=red+lipstick", "/search/red%20lipstick", 2),
        ("/products?q=red+lipstick", "/products?q=red%20lipstick", 2),
    ] {
        let upstream = Upstream::start().await;
        let (watched, _) = start(&upstream, MirrorPolicy::Never).await;
        watched.text(path).await;
        watched.text(&format!("/_data{path}")).await;
        let (status, text) = watched.purge(&format!("address={logged}&hard=1")).await;
        assert_eq!(
            (status.as_u16(), text),
            (200, format!("{kept} pages and files purged: address, hard.\n"))
        );
        upstream.set(Fault::Retitled(" Anew".into())).await;
        if path.starts_with("/product/") {
            assert!(watched.text(path).await.contains("Anew"), "{logged} purges the catalogue's answer");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_of_no_address_is_told_from_one_of_nothing() {
    let upstream = Upstream::start().await;
    let (watched, _) = start(&upstream, MirrorPolicy::Never).await;
    for nothing in ["/product/77", "/categories?page=9", "/sitemap/7.xml", "/favicon.svg", "/assets/none.js"]
    {
        let (status, text) = watched.purge(&format!("address={nothing}")).await;
        assert!(status == 200 && text.starts_with("0 "), "{nothing}: {status} {text}");
    }
    for (unknown, nearest) in [("/prodct/7", "/product/7"), ("/categorys", "/categories"), ("/%20", "/")] {
        let (status, text) = watched.purge(&format!("address={unknown}")).await;
        assert!(status == 404 && text.ends_with(&format!(" {nearest}.\n")), "{unknown}: {status} {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_learned_of_late_purges_a_page_made_since_from_older_answers() {
    let upstream = Upstream::start().await;
    let (watched, _catalogue) = start(&upstream, MirrorPolicy::Never).await;
    retitle(&upstream, &watched, &["/product/1"]).await;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let given = Instant::now();
    assert!(!watched.text("/_data/product/1").await.contains("Anew"), "made from what is remembered");
    let order = PurgeOrder::parse("product=1&hard=1").unwrap();
    let (shop, ago) = (Arc::clone(&watched.shop), given.elapsed());
    tokio::task::spawn_blocking(move || shop.purge(&[GivenOrder { order, ago }])).await.unwrap();
    assert!(watched.text("/_data/product/1").await.contains("Anew"));
}
