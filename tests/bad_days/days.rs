//! A shop whose troubles a test decides.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::header;
use vitrine::catalogue::{Catalogue, MirrorPolicy, Remembered, Service, ServiceLimits};
use vitrine::memory::Ages;
use vitrine::pages::{Shop, ShopSettings};
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::site::Site;

use crate::common::upstream::Upstream;
use crate::common::{PUBLIC_URL, client, serve, shop_settings};

/// Tests with endless loops, crowds or tight limits take turns, so that each has the machine to
/// itself when it is timed.
pub static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// What is fresh is stale a moment later, and then stale for as long as any test takes.
pub const AGES: Ages = Ages { fresh: Duration::from_millis(200), stale: Duration::from_secs(3_600) };

/// Budgets that run out soon.
pub const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_millis(150),
    first_byte_timeout: Duration::from_millis(200),
    read_timeout: Duration::from_millis(200),
    total_timeout: Duration::from_millis(400),
    max_body: 1 << 20,
    calls_per_second: 1_000.0,
    call_burst: 10_000,
    token_wait: Duration::from_millis(50),
    open_shortest: Duration::from_millis(50),
    open_longest: Duration::from_millis(200),
};

/// An answer, with how long it took.
pub struct Answer {
    pub status: u16,
    pub headers: axum::http::HeaderMap,
    pub text: String,
    pub took: Duration,
}

impl Answer {
    pub fn is_shell(&self) -> bool {
        self.text.contains(r#"<div id="root"></div>"#) && self.text.contains(r#"id="page-data""#)
    }

    pub fn caching(&self) -> &str {
        self.headers[header::CACHE_CONTROL].to_str().unwrap()
    }
}

pub async fn get(shop: SocketAddr, path: &str) -> Answer {
    let started = Instant::now();
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    Answer { status, headers, text, took: started.elapsed() }
}

pub fn settings() -> ShopSettings {
    ShopSettings { ages: AGES, ..shop_settings() }
}

pub async fn open(catalogue: Arc<dyn Catalogue>, renderer: Renderer, settings: ShopSettings) -> SocketAddr {
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), Vec::new());
    serve(server::router(Shop::new(catalogue, renderer, site, settings)).unwrap()).await
}

pub fn remembered(upstream: &Upstream, mirror: MirrorPolicy) -> Arc<Remembered<Service>> {
    Arc::new(Remembered::new(Service::new(upstream.base(), LIMITS).unwrap(), AGES, mirror))
}

pub async fn until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(10), "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Waits until the whole catalogue has been copied.
pub async fn until_mirrored(catalogue: &Remembered<Service>) {
    // A first try that fails on a busy machine is repeated after half a minute.
    let mirrored = tokio::time::timeout(Duration::from_secs(60), async {
        while catalogue.mirror().await.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    assert!(mirrored.await.is_ok(), "there is no copy of the catalogue");
}

/// Waits until everything that is fresh now is stale.
pub async fn grow_stale() {
    tokio::time::sleep(AGES.fresh + Duration::from_millis(10)).await;
}
