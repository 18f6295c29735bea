//! Where the work of listings runs, and what happens when there is too much of it.

use std::sync::mpsc;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use futures_util::FutureExt as _;
use tokio::net::TcpListener;

use super::answering::files;
use super::answering::prefetch::Admission;
use super::answering::visit::{admit, visit};
use super::making::answer::{Kind, PageAnswer};
use super::making::key::{File, Form, Key};
use super::making::make::make;
use super::*;
use crate::cache::Outcome;
use crate::catalogue::{Followed, Sample, Service, ServiceLimits, sample};
use crate::contract::PageJson;
use crate::http::connections::Connections;
use crate::http::exchange::Exchange;
use crate::http::request_log::LogQueries;
use crate::pages::address::{Address, Preset};
use crate::pages::resolve::{self, Resolved};
use crate::process::compute::off_runtime;
use crate::render::{Bundle, RendererSettings};

const AGES: Ages = Ages { fresh: Duration::from_secs(600), stale: Duration::from_secs(600) };

async fn shop(catalogue: Arc<dyn Catalogue>) -> Shop {
    let renderer_settings = RendererSettings {
        isolates: NonZeroUsize::MIN,
        queue: 8,
        timeout: Duration::from_secs(60),
        heap_limit: 128 << 20,
        recycle_after: 1_000,
        rest_after: Duration::from_secs(30),
    };
    let bundle = Bundle::from_script("globalThis.renderPage = () => 'fine';");
    let warm_up = PageJson::new(&"warm-up").unwrap();
    let renderer = Renderer::start(bundle, renderer_settings, warm_up).await.unwrap();
    let site = Site::new(&"https://shop.example".parse().unwrap(), Vec::new());
    let settings = ShopSettings {
        profile: Arc::default(),
        robots: None,
        ages: AGES,
        page_memory: 1 << 20,
        log_queries: LogQueries::Off,
        log_sample: NonZeroU32::MIN,
        service_worker: ServiceWorker::On,
        exports: Exports::On,
        agents: Agents::On,
        dictionaries: OfferDictionaries::On,
        state_dir: None,
    };
    Shop::new(catalogue, renderer, site, settings, Pressure::default()).unwrap()
}

async fn sample() -> Arc<Sample> {
    off_runtime(|| Arc::new(Sample::load().unwrap())).await
}

/// The sample, asked over HTTP.
async fn followed(most: u64) -> Arc<Followed<Service>> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let router = sample::api::router(sample().await.raw().to_vec());
    tokio::spawn(Connections::default().serve(listener, router, std::future::pending()));
    let limits = ServiceLimits { call_burst: 10_000, ..ServiceLimits::DEFAULT };
    Arc::new(Followed::new(Service::new(base, limits).unwrap(), AGES, most))
}

/// Listings of every kind with every kind of query, and the other pages that go through all products.
fn addresses() -> Vec<Address> {
    let queries =
        ["", "sort=price-desc", "q=a&rating=3&brand=Nobody", "max=20&stock=1&page=99", "q=&max=999999"];
    let listings = queries.iter().flat_map(|query| {
        let presets = Preset::EVERY.map(|preset| Some(resolve::preset(preset, query)));
        let others = [resolve::category("beauty", query), resolve::search("red", query)];
        presets.into_iter().chain(others)
    });
    let page = |resolved| match resolved {
        Some(Resolved::Page(address)) => address,
        other => panic!("{other:?} is no page"),
    };
    let categories = Address::Categories { query: "a".into(), page: 1 };
    let others =
        [categories, Address::Home { seed: 1 }, Address::Brands { page: 1 }, Address::Product(1.into())];
    listings.map(page).chain(others).collect()
}

async fn made(shop: &Shop, form: Form, address: &Address) -> Arc<Made> {
    match make(shop, form, address, None).await {
        Outcome::Store(made)
        | Outcome::StoreFromOldData(made, _)
        | Outcome::StoreFor(made, _)
        | Outcome::Discard(made) => made,
    }
}

fn page(made: &Made) -> &PageAnswer {
    match &made.kind {
        Kind::Page(page) => page,
        other => panic!("no page: {other:?}"),
    }
}

/// `assert_off_runtime` ends the test where the work of a listing runs on a thread of the runtime.
async fn makes_every_page_off_the_runtime(catalogue: Arc<dyn Catalogue>) {
    let mut shop = shop(catalogue).await;
    // As if it had many products.
    shop.pool = Arc::new(ComputePool::start("listings", NonZeroUsize::MIN, 1, None).unwrap());
    for address in addresses() {
        let made = made(&shop, Form::Data, &address).await;
        // Only a version has the presets and the brands.
        let is_of_version = match &address {
            Address::Preset(preset, _) => *preset != Preset::All,
            address => matches!(address, Address::Brands { .. }),
        };
        let status = match shop.catalogue.version() {
            None if is_of_version => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        };
        match &made.kind {
            Kind::Page(_) => assert_eq!(made.status, status, "{address:?}"),
            Kind::Limited(to) => assert_ne!(*to, address),
            other => panic!("{address:?} is {other:?}"),
        }
    }
}

#[tokio::test]
async fn no_long_listing_of_the_sample_is_computed_on_a_thread_of_the_runtime() {
    makes_every_page_off_the_runtime(sample().await).await;
}

#[tokio::test]
async fn no_long_listing_of_a_followed_catalogue_is_computed_on_a_thread_of_the_runtime() {
    let catalogue = followed(5_000).await;
    catalogue.read().await.unwrap();
    makes_every_page_off_the_runtime(catalogue).await;
}

#[tokio::test]
async fn no_long_listing_before_the_first_version_is_computed_on_a_thread_of_the_runtime() {
    makes_every_page_off_the_runtime(followed(0).await).await;
}

/// A shop in which every computation is refused: the returned sender ends the one that keeps its only thread busy.
async fn busy(catalogue: Arc<dyn Catalogue>) -> (Arc<Shop>, mpsc::Sender<()>) {
    let mut shop = shop(catalogue).await;
    shop.pool = Arc::new(ComputePool::start("busy", NonZeroUsize::MIN, 1, None).unwrap());
    let shop = Arc::new(shop);
    let (release, released) = mpsc::channel::<()>();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let work = move || {
        begin.send(()).unwrap();
        let _ = released.recv();
    };
    let running = Arc::clone(&shop);
    tokio::spawn(async move { running.pool.run(work).await });
    begun.await.unwrap();
    let mut waiting = Box::pin(shop.pool.run(|| ()));
    assert!(waiting.as_mut().now_or_never().is_none());
    (Arc::clone(&shop), release)
}

#[tokio::test]
async fn a_part_of_the_sitemap_that_is_not_there_is_refused_before_anything_is_computed() {
    let (shop, _release) = busy(sample().await).await;
    let status =
        async |number| files::answer(&shop, File::SitemapPart(number), &HeaderMap::new()).await.status();
    for number in [0, 2, 9, usize::MAX] {
        assert_eq!(status(number).await, StatusCode::NOT_FOUND, "{number}");
    }
    assert_eq!(status(1).await, StatusCode::SERVICE_UNAVAILABLE, "it is there, and has to be computed");
}

/// Checks that something is computed once for each version of the catalogue, and not on the runtime.
async fn is_computed_once(
    what: impl std::fmt::Debug,
    make: impl AsyncFn(&Shop, Option<Arc<Made>>) -> Outcome<Arc<Made>>,
) {
    let [catalogue, copy]: [Arc<dyn Catalogue>; 2] = [sample().await, sample().await];
    let mut shop = shop(Arc::clone(&catalogue)).await;
    // As if it had many products.
    shop.pool = Arc::new(ComputePool::start("listings", NonZeroUsize::MIN, 1, None).unwrap());
    let Outcome::Store(first) = make(&shop, None).await else { panic!("{what:?} was not made") };
    let (full, _release) = busy(catalogue).await;
    let Outcome::Store(again) = make(&full, Some(Arc::clone(&first))).await else {
        panic!("{what:?} was computed again")
    };
    assert!(Arc::ptr_eq(&first, &again));
    // Another copy with the same products is another version, whose file or page is known from then on.
    shop.catalogue = Arc::clone(&copy);
    let Outcome::Store(same) = make(&shop, Some(again)).await else { panic!("{what:?} was not made") };
    assert!(Arc::ptr_eq(&first, &same));
    let (full, _release) = busy(copy).await;
    assert!(matches!(make(&full, Some(same)).await, Outcome::Store(_)));
}

#[tokio::test]
async fn a_sitemap_is_computed_once_for_each_version_of_the_catalogue_and_not_on_the_runtime() {
    for file in [File::Sitemap, File::SitemapPart(1)] {
        is_computed_once(file, async |shop, last| files::make(shop, file, last).await).await;
    }
}

#[tokio::test]
async fn a_page_of_the_same_copy_of_the_catalogue_is_not_computed_again() {
    let listing = |resolved: Option<Resolved>| match resolved {
        Some(Resolved::Page(address)) => address,
        other => panic!("no page: {other:?}"),
    };
    for address in [
        Address::Home { seed: 1 },
        Address::Brands { page: 1 },
        listing(resolve::search("red", "")),
        listing(resolve::search("a", "sort=price-asc&stock=1")),
    ] {
        is_computed_once(&address, async |shop, last| make(shop, Form::Data, &address, last).await).await;
    }
}

#[tokio::test]
async fn a_shop_that_keeps_no_page_repeats_none() {
    let mut shop = shop(sample().await).await;
    for (page_memory, is_kept) in [(1 << 20, true), (0, false)] {
        shop.settings.page_memory = page_memory;
        let shared = Arc::new(shop);
        assert_eq!(shared.keeps_pages(), is_kept);
        let product = Resolved::Page(Address::Product(1.into()));
        let response = visit(&shared, Form::Document, product, "", &HeaderMap::new()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            Exchange::of(&response).is_some_and(|exchange| exchange.repeatable.is_some()),
            is_kept,
            "{page_memory} bytes"
        );
        shop = Arc::into_inner(shared).expect("nothing else holds the shop");
    }
}

#[tokio::test]
async fn listings_are_refused_early_when_too_many_wait() {
    let mut shop = shop(sample().await).await;
    shop.pool = Arc::new(ComputePool::start("busy", NonZeroUsize::MIN, 1, None).unwrap());
    // The only thread is busy, and the only place in the queue is taken.
    let (release, released) = mpsc::channel::<()>();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let mut running = Box::pin(shop.pool.run(move || {
        begin.send(()).unwrap();
        let _ = released.recv();
    }));
    assert!(running.as_mut().now_or_never().is_none());
    begun.await.unwrap();
    let mut waiting = Box::pin(shop.pool.run(|| ()));
    assert!(waiting.as_mut().now_or_never().is_none());

    let Some(Resolved::Page(listing)) = resolve::search("red", "max=20&page=9") else { panic!("no page") };
    for (refused, form) in [(1, Form::Document), (2, Form::Data)] {
        let outcome = make(&shop, form, &listing, None).await;
        let Outcome::Discard(made) = outcome else { panic!("stored: {outcome:?}") };
        assert_eq!((made.status, made.caching), (StatusCode::SERVICE_UNAVAILABLE, Caching::Never));
        assert_eq!(made.timing.shell, form == Form::Document);
        assert_eq!(page(&made).path, "/search/red?max=20&page=9", "nothing of the query is lost");
        let counters = shop.renderer.counters();
        assert_eq!((counters.too_many_listings.get(), counters.refused()), (refused, refused));
    }
    // Pages that go through no product list are made as usual.
    let product = made(&shop, Form::Document, &Address::Product(1.into())).await;
    assert_eq!(product.status, StatusCode::OK);

    drop(release);
    running.await.unwrap();
    waiting.await.unwrap();
    let listing = made(&shop, Form::Document, &listing).await;
    assert!(matches!(listing.kind, Kind::Limited(_)), "{listing:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_page_at_a_time_is_made_for_prefetches() {
    let shop = shop(sample().await).await;
    let address = Address::Product(1.into());
    let ahead = (HeaderName::from_static("sec-purpose"), HeaderValue::from_static("prefetch"));
    let (visit, prefetch) = (HeaderMap::new(), HeaderMap::from_iter([ahead]));
    let admit = |form, request| admit(&shop, form, &shop.in_cache(Key::Page(form, address.clone())), request);
    let first = admit(Form::Document, &prefetch);
    assert!(matches!(first, Admission::Made { .. }));
    assert!(matches!(admit(Form::Document, &prefetch), Admission::Refused));
    assert!(matches!(admit(Form::Document, &visit), Admission::Answered));
    assert!(matches!(admit(Form::Data, &prefetch), Admission::Answered));
    drop(first);
    assert!(matches!(admit(Form::Document, &prefetch), Admission::Made { .. }));
}
