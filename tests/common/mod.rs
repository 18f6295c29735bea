//! What the integration tests share: the engine's start, a renderer, a shop on a free port.
#![allow(dead_code, reason = "every test binary uses its own part of this module")]

pub mod client;
pub mod faults;
pub mod log;
pub mod upstream;

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::net::TcpListener;
use vitrine::catalogue::{
    Catalogue, CatalogueError, Category, CategoryPreview, Product, ProductId, Result, Sample, Section, Slug,
    Summary,
};
use vitrine::connections::Connections;
use vitrine::memory::Ages;
use vitrine::page_json::PageJson;
use vitrine::pages::{Shop, ShopSettings};
use vitrine::pressure::Pressure;
use vitrine::render::{Bundle, Renderer, RendererSettings, initialize_platform};
use vitrine::server;
use vitrine::shelf::Shelf;
use vitrine::site::Site;

/// Tests run on threads of their own, but the engine has to be initialised on the main thread:
/// this runs before `main`.
#[ctor::ctor(unsafe)]
fn initialize_engine() {
    initialize_platform();
}

pub const RENDER_TIMEOUT: Duration = Duration::from_millis(500);

pub fn renderer_settings(isolates: usize) -> RendererSettings {
    RendererSettings {
        isolates: NonZeroUsize::new(isolates).unwrap(),
        queue: 64,
        timeout: RENDER_TIMEOUT,
        heap_limit: 128 << 20,
        recycle_after: 10_000,
    }
}

/// A page that the real bundle renders.
pub fn error_page() -> PageJson {
    PageJson::new(&json!({
        "path": "/", "status": 404, "title": "Not Found", "categories": [],
        "content": { "kind": "error", "message": "Not Found" },
    }))
    .unwrap()
}

pub async fn real_renderer(isolates: usize) -> Renderer {
    Renderer::start(Bundle::embedded(), renderer_settings(isolates), error_page()).await.unwrap()
}

pub async fn renderer_of(source: &str) -> Renderer {
    let bundle = Bundle { source: source.into(), source_map: b"" };
    Renderer::start(bundle, renderer_settings(1), error_page()).await.unwrap()
}

pub fn sample() -> Arc<Sample> {
    Arc::new(Sample::load().unwrap())
}

/// A storefront on a free port of the loopback interface, for as long as the test's runtime lives.
pub async fn start_shop(catalogue: Arc<dyn Catalogue>) -> SocketAddr {
    start_shop_with(catalogue, real_renderer(1).await).await
}

pub async fn start_shop_with(catalogue: Arc<dyn Catalogue>, renderer: Renderer) -> SocketAddr {
    serve(server::router(shop(catalogue, renderer)).unwrap()).await
}

pub fn shop(catalogue: Arc<dyn Catalogue>, renderer: Renderer) -> Shop {
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), vec!["https://cdn.example".into()]);
    Shop::new(catalogue, renderer, site, shop_settings())
}

/// The settings of the test shops.
pub fn shop_settings() -> ShopSettings {
    ShopSettings {
        robots: None,
        started: "2026-01-02T03:04:05Z".into(),
        ages: Ages { fresh: Duration::from_secs(60), stale: Duration::from_secs(600) },
        page_memory: 16 << 20,
        pressure: Pressure::default(),
    }
}

/// The address that the test shops say they have.
pub const PUBLIC_URL: &str = "https://shop.example";

pub async fn serve(router: axum::Router) -> SocketAddr {
    serve_with(router, Connections::default()).await
}

pub async fn serve_with(router: axum::Router, connections: Connections) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(connections.serve(listener, router, std::future::pending()));
    address
}

/// A client that follows no redirect, uses no proxy and unpacks nothing.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .no_gzip()
        .no_brotli()
        .build()
        .unwrap()
}

/// Addresses of every kind of page of the sample shop.
pub const PATHS: [&str; 16] = [
    "/",
    "/categories",
    "/categories?q=mens",
    "/brands",
    "/products",
    "/products?sort=price-asc&page=2",
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

/// A catalogue that never answers.
pub struct NoCatalogue;

fn broken<T>() -> Result<T> {
    Err(CatalogueError::Status(500))
}

#[async_trait]
impl Catalogue for NoCatalogue {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        broken()
    }
    async fn category_preview(&self, _: &Slug) -> Result<CategoryPreview> {
        broken()
    }
    async fn category_products(&self, _: &Slug) -> Result<Arc<Shelf>> {
        broken()
    }
    async fn all_products(&self) -> Result<Arc<Shelf>> {
        broken()
    }
    async fn search(&self, _: &str) -> Result<Arc<Shelf>> {
        broken()
    }
    async fn product(&self, _: ProductId) -> Result<Option<Arc<Product>>> {
        broken()
    }
    async fn section(&self, _: Section) -> Result<Arc<[Summary]>> {
        broken()
    }
}
