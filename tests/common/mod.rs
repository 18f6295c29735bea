//! What the test programs share: the engine's start, renderers, shops on a free port, a catalogue
//! service that fails on demand, the program as a process, and waiting.
#![allow(dead_code, reason = "every test program uses its own part of this module")]

pub(crate) mod client;
pub(crate) mod days;
pub(crate) mod faults;
pub(crate) mod large;
pub(crate) mod load;
pub(crate) mod log;
pub(crate) mod operators;
pub(crate) mod pages;
pub(crate) mod program;
pub(crate) mod queries;
pub(crate) mod raw;
pub(crate) mod renders;
pub(crate) mod shops;
pub(crate) mod small_server;
pub(crate) mod state;
pub(crate) mod tls;
pub(crate) mod until;
pub(crate) mod upstream;
pub(crate) mod versioned;

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::net::TcpListener;
use vitrine::cache::Ages;
use vitrine::catalogue::{
    Ask, Catalogue, CatalogueError, Followed, LiveMemory, Product, ProductSet, Query, Result, Sample, Source,
    Stock, Version,
};
use vitrine::contract::PageJson;
use vitrine::document::{Agents, ServiceWorker, Site};
use vitrine::exports::Exports;
use vitrine::http::connections::{App, Connections};
use vitrine::http::dictionaries::OfferDictionaries;
use vitrine::http::request_log::LogQueries;
use vitrine::process::choose_cryptography;
use vitrine::process::pressure::Pressure;
use vitrine::profile::Profile;
use vitrine::render::{Bundle, Renderer, RendererSettings, initialize_platform};
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

/// Tests run on threads of their own, but the engine has to be initialised on the main thread:
/// this runs before `main`.
#[ctor::ctor(unsafe)]
fn initialize_process() {
    choose_cryptography();
    initialize_platform();
}

/// Under these settings no healthy render runs out of time.
pub(crate) fn renderer_settings(isolates: usize) -> RendererSettings {
    RendererSettings {
        isolates: NonZeroUsize::new(isolates).unwrap(),
        queue: 64,
        timeout: Duration::from_secs(60),
        heap_limit: 128 << 20,
        recycle_after: 10_000,
        rest_after: Duration::from_secs(30),
    }
}

/// A page that the real bundle renders.
pub(crate) fn error_page() -> PageJson {
    PageJson::new(&json!({
        "path": "/", "status": 404, "title": "Not Found", "categories": [],
        "shop": vitrine::contract::Shop::from(&Profile::default()),
        "content": { "kind": "error", "message": "Not Found" },
    }))
    .unwrap()
}

pub(crate) async fn real_renderer(isolates: usize) -> Renderer {
    Renderer::start(Bundle::embedded(), renderer_settings(isolates), error_page()).await.unwrap()
}

pub(crate) async fn renderer_of(source: &str) -> Renderer {
    renderer_with(source, renderer_settings(1)).await
}

pub(crate) async fn renderer_with(source: &str, settings: RendererSettings) -> Renderer {
    let bundle = Bundle::from_script(source);
    Renderer::start(bundle, settings, error_page()).await.unwrap()
}

pub(crate) fn sample() -> Arc<Sample> {
    Arc::new(Sample::load().unwrap())
}

/// The sample with each product changed by `change`.
pub(crate) fn changed(change: impl FnMut(&mut Product)) -> Sample {
    let sample = sample();
    let mut products = sample.products();
    products.iter_mut().for_each(change);
    sample.with_products(&products)
}

/// The products as a list of the service has them: without the second pictures, which are in a mirror only.
pub(crate) fn listed(products: &ProductSet) -> Arc<ProductSet> {
    let listed = products.whole().map(|product| product.unwrap().summary);
    Arc::new(ProductSet::new(listed.collect(), products.currency()))
}

/// A storefront on a free port of the loopback interface, for as long as the test's runtime lives.
pub(crate) async fn start_shop(catalogue: Arc<dyn Catalogue>) -> SocketAddr {
    start_shop_with(catalogue, real_renderer(1).await).await
}

pub(crate) async fn start_shop_with(catalogue: Arc<dyn Catalogue>, renderer: Renderer) -> SocketAddr {
    serve(server::app(shop(catalogue, renderer)).unwrap()).await
}

pub(crate) fn shop(catalogue: Arc<dyn Catalogue>, renderer: Renderer) -> Shop {
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), vec!["https://cdn.example".parse().unwrap()]);
    Shop::new(catalogue, renderer, site, shop_settings(), Pressure::default()).unwrap()
}

/// A shop with these settings, and without further hosts of images.
pub(crate) fn shop_under(catalogue: Arc<dyn Catalogue>, renderer: Renderer, settings: ShopSettings) -> Shop {
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), Vec::new());
    Shop::new(catalogue, renderer, site, settings, Pressure::default()).unwrap()
}

/// The settings of the test shops.
pub(crate) fn shop_settings() -> ShopSettings {
    ShopSettings {
        profile: Arc::default(),
        robots: None,
        ages: Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(600) },
        page_memory: 16 << 20,
        log_queries: LogQueries::Off,
        log_sample: NonZeroU32::MIN,
        service_worker: ServiceWorker::On,
        exports: Exports::On,
        agents: Agents::On,
        dictionaries: OfferDictionaries::On,
        state_dir: None,
    }
}

/// The address that the test shops say they have.
pub(crate) const PUBLIC_URL: &str = "https://shop.example";

pub(crate) async fn serve(app: impl Into<App>) -> SocketAddr {
    serve_with(app, Connections::default()).await
}

pub(crate) async fn serve_with(app: impl Into<App>, connections: Connections) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(connections.serve(listener, app.into(), std::future::pending()));
    address
}

/// A client that follows no redirect, uses no proxy and unpacks nothing.
pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .no_gzip()
        .no_brotli()
        .build()
        .unwrap()
}

/// Addresses of every kind of page of the sample shop.
pub(crate) const PATHS: [&str; 18] = [
    "/",
    "/categories",
    "/categories?q=mens",
    "/categories?q=M%EF%BC%A5%C3%92ns%E2%80%90",
    "/brands",
    "/products",
    "/products?sort=price-asc&page=2",
    "/products?tag=lipstick&stock=1",
    "/products?q=a&rating=4&category=beauty&category=tops&stock=1",
    "/sale",
    "/new-arrivals",
    "/best-sellers",
    "/deals",
    "/category/groceries",
    "/search/red",
    "/search/no%20such%20thing",
    "/product/1",
    "/missing",
];

/// A catalogue whose every query fails.
pub(crate) struct NoCatalogue;

#[async_trait]
impl<Q: Query> Ask<Q> for NoCatalogue {
    async fn ask(&self, _: &Q) -> Result<Q::Answer> {
        Err(CatalogueError::Status(500))
    }
}

#[async_trait]
impl Catalogue for NoCatalogue {
    fn version(&self) -> Option<Arc<Version>> {
        None
    }

    async fn stock(&self) -> Stock {
        Stock::Live { live: Arc::new(Self), memory: LiveMemory::default(), reading: None }
    }
}

/// A catalogue that follows its source.
pub(crate) fn follow<C: Source>(catalogue: Followed<C>) -> Arc<Followed<C>> {
    let catalogue = Arc::new(catalogue);
    tokio::spawn(catalogue.follow());
    catalogue
}
