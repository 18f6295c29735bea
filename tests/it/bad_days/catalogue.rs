//! The catalogue service fails in every way that a test can bring about. How soon shoppers are
//! answered meanwhile is in `timed/catalogue.rs`.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use vitrine::cache::Ages;
use vitrine::catalogue::{
    Catalogue as _, CatalogueError, CataloguePurge, Followed, Listing, Outdated, PurgeMode, Service,
    ServiceLimits,
};
use vitrine::shop::ShopSettings;

use crate::common::days::{
    AGES, LIMITS, PAGES, faults, followed, get, grow_stale, open, settings, until_read, until_whole,
};
use crate::common::faults::Fault;
use crate::common::log::logged;
use crate::common::until::until;
use crate::common::upstream::{Call, Upstream};
use crate::common::{client, follow, real_renderer, sample, shop_settings};

/// Whether a call was made three times, so that the shop believes the answer in the end. How often it asks depends on how
/// busy the machine is.
fn has_said_it_three_times(calls: &[Call]) -> bool {
    calls.iter().any(|call| calls.iter().filter(|other| other.target == call.target).count() >= 3)
}

#[tokio::test(flavor = "multi_thread")]
async fn shoppers_see_the_last_good_pages_and_then_what_is_new() {
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    let shop = open(catalogue.clone(), real_renderer(1).await, settings()).await;
    let mut good = Vec::new();
    for path in PAGES {
        good.push(until_whole(shop, path).await.text.len());
    }
    until_read(&catalogue).await;
    for (number, fault) in faults().into_iter().enumerate() {
        let what = format!("{fault:?}");
        let is_doubted = matches!(fault, Fault::EmptyList);
        // Counted first, because a refresh under way may get the fault at once.
        let calls = upstream.calls().len();
        upstream.set(fault).await;
        'rounds: for round in 0..2 {
            grow_stale().await;
            for (path, length) in PAGES.iter().zip(&good) {
                let answer = get(shop, path).await;
                if is_doubted && has_said_it_three_times(&upstream.calls()[calls..]) {
                    break 'rounds;
                }
                assert_eq!(answer.status, 200, "{path} during {what}, round {round}");
                // The home page has other categories each time; no page is ever empty or an error.
                assert!(answer.text.len() > length / 2, "{path} has lost its products during {what}");
            }
        }
        let edition = format!(" (edition {number})");
        let title = format!("{}{edition}", sample().products()[0].summary.title);
        let broken = upstream.calls().len() - calls;
        upstream.set(Fault::Retitled(edition)).await;
        for path in ["/product/1", "/products"] {
            until(&format!("a new {path} after {what} ({broken} calls during it)"), async || {
                grow_stale().await;
                get(shop, path).await.text.contains(&title)
            })
            .await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_not_served_for_longer_than_its_data() {
    let ages = Ages { stale: Duration::from_secs(2), ..AGES };
    let upstream = Upstream::start().await;
    let service = Service::new(upstream.base(), LIMITS).unwrap();
    let catalogue = follow(Followed::new(service, ages, 5_000));
    let shop = open(catalogue.clone(), real_renderer(1).await, ShopSettings { ages, ..settings() }).await;
    until_read(&catalogue).await;
    until_whole(shop, "/product/1").await;
    upstream.set(Fault::Status(500)).await;
    let began = Instant::now();
    let mut old = 0;
    // At each visit the page is compared with a version that is as old as the page.
    while began.elapsed() < ages.stale + Duration::from_secs(1) {
        old += usize::from(get(shop, "/product/1").await.status == 200);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(old > 0, "it was never served meanwhile");
    assert_eq!(get(shop, "/product/1").await.status, 503);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_costs_one_call_a_reading() {
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream, 5_000);
    let shop = open(catalogue.clone(), real_renderer(1).await, settings()).await;
    until_whole(shop, "/products").await;
    until_read(&catalogue).await;
    let before = upstream.calls().len();
    for number in 1..=40 {
        assert_eq!(get(shop, &format!("/product/{number}")).await.status, 200);
        assert_eq!(get(shop, &format!("/search/word{number}")).await.status, 200);
    }
    let calls = upstream.calls()[before..].to_vec();
    assert!(calls.iter().all(|call| call.target == "/products?limit=0"), "{calls:?}");
    assert_eq!(get(shop, "/product/99999").await.status, 404, "what the version lacks is not asked for");
}

#[tokio::test]
async fn an_answer_that_was_too_large_is_not_asked_for_again_and_the_limit_is_logged_once() {
    let ServiceLimits { oversized_for, .. } = ServiceLimits::DEFAULT;
    let upstream = Upstream::start().await;
    let service = Service::new(upstream.base(), ServiceLimits { oversized_for, ..LIMITS }).unwrap();
    let catalogue = Followed::new(service, AGES, 5_000);
    upstream.set(Fault::HugeAndHonest).await;
    let log = logged(async {
        for _ in 0..3 {
            let stock = catalogue.stock().await;
            assert!(matches!(stock.list(Listing::All).await, Err(CatalogueError::TooLarge { .. })));
            assert!(matches!(stock.product(&1.into()).await, Err(CatalogueError::TooLarge { .. })));
            assert!(catalogue.read().await.is_err());
        }
    })
    .await;
    let calls = |end: &str| upstream.calls().iter().filter(|call| call.target.ends_with(end)).count();
    let lists = || upstream.calls().iter().filter(|call| call.target.contains("description")).count();
    assert_eq!((lists(), calls("/products/1")), (1, 1), "{:?}", upstream.calls());
    assert_eq!(calls("limit=1&select=id"), 1, "the size of the catalogue");
    let lines = log.lines().filter(|line| line.contains("query=\"listing\"")).collect::<Vec<_>>();
    assert!(lines.len() == 1 && lines[0].contains("limit_bytes=1048576"), "{log}");
    assert!(catalogue.status().trouble.is_some_and(|trouble| trouble.contains("1 MiB")));

    // An operator who has made it smaller does not wait for ten minutes.
    upstream.set(Fault::None).await;
    let outdated = Outdated::Everything;
    catalogue.purge(&[CataloguePurge { outdated, mode: PurgeMode::Soft, ago: Duration::ZERO }]);
    catalogue.read().await.unwrap();
    assert_eq!(catalogue.status().trouble, None);
}

/// A shop with ordinary ages whose service is asked for each page, because it has too many products.
async fn open_live(upstream: &Upstream, limits: ServiceLimits) -> SocketAddr {
    let service = Service::new(upstream.base(), limits).unwrap();
    let catalogue = follow(Followed::new(service, shop_settings().ages, 0));
    open(catalogue, real_renderer(1).await, shop_settings()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_visitor_gets_every_page_before_the_first_version() {
    let ServiceLimits { calls_per_second, call_burst, .. } = ServiceLimits::DEFAULT;
    let upstream = Upstream::start().await;
    let limits = ServiceLimits { calls_per_second, call_burst, ..client::LIMITS };
    let shop = open_live(&upstream, limits).await;
    for path in ["/", "/categories", "/category/groceries", "/search/phone", "/product/1"] {
        assert_eq!(get(shop, path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn an_invalid_product_is_a_404_that_is_remembered() {
    let upstream = Upstream::start().await;
    let shop = open_live(&upstream, client::LIMITS).await;
    upstream.set(Fault::PoisonedProducts).await;
    for visit in 0..3 {
        assert_eq!(get(shop, "/product/2").await.status, 404, "visit {visit}");
    }
    let calls = upstream.calls().into_iter().filter(|call| call.target == "/products/2");
    assert_eq!(calls.count(), 1);
}
