//! A shop on a bad day: its catalogue, its renders and its memory fail as a test decides.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::header;
use vitrine::cache::Ages;
use vitrine::catalogue::{CallTimes, Catalogue, Followed, Service, ServiceLimits};
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::ShopSettings;

use super::faults::Fault;
use super::until::until;
use super::upstream::Upstream;
use super::{client, follow, serve, shop_settings, shop_under};

/// Answers turn stale after a moment, and then stay stale for as long as any test takes.
pub(crate) const AGES: Ages = Ages { fresh: Duration::from_millis(200), stale: Duration::from_secs(3_600) };

/// Long enough for a healthy answer, and soon over when none comes.
pub(crate) const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_secs(2),
    visitor: CallTimes::of(Duration::from_secs(2)),
    reading: CallTimes::of(Duration::from_secs(2)),
    max_body: 1 << 20,
    oversized_for: Duration::from_millis(200),
    calls_per_second: 1_000.0,
    token_wait: Duration::from_millis(50),
    ..super::client::LIMITS
};

/// Pages of every kind that asks the catalogue.
pub(crate) const PAGES: [&str; 7] =
    ["/", "/categories", "/products", "/sale", "/category/beauty", "/search/red", "/product/1"];

/// One fault of each kind: no connection, no answer in time, an answer that is refused (the dearest), and one that could
/// be true. Every other fault is a row of `it/service_faults.rs`.
pub(crate) fn faults() -> [Fault; 4] {
    [Fault::RefuseConnections, Fault::StallMidBody, Fault::GzipBomb, Fault::EmptyList]
}

/// An answer, with how long it took.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) text: String,
    pub(crate) took: Duration,
}

impl Answer {
    pub(crate) fn is_shell(&self) -> bool {
        self.text.contains(r#"<div id="root"></div>"#) && self.text.contains(r#"id="page-data""#)
    }

    pub(crate) fn caching(&self) -> &str {
        self.headers[header::CACHE_CONTROL].to_str().unwrap()
    }
}

pub(crate) async fn get(shop: SocketAddr, path: &str) -> Answer {
    let started = Instant::now();
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.unwrap();
    Answer { status, headers, text, took: started.elapsed() }
}

pub(crate) fn settings() -> ShopSettings {
    ShopSettings { ages: AGES, ..shop_settings() }
}

pub(crate) async fn open(
    catalogue: Arc<dyn Catalogue>,
    renderer: Renderer,
    settings: ShopSettings,
) -> SocketAddr {
    serve(server::router(shop_under(catalogue, renderer, settings)).unwrap()).await
}

/// The catalogue of this service, which is not read yet. A version has at most so many products; with 0 there is never
/// one.
pub(crate) fn unread(upstream: &Upstream, most: u64) -> Followed<Service> {
    Followed::new(Service::new(upstream.base(), LIMITS).unwrap(), AGES, most)
}

/// The same catalogue, which is read again and again.
pub(crate) fn followed(upstream: &Upstream, most: u64) -> Arc<Followed<Service>> {
    follow(unread(upstream, most))
}

/// Waits until a page is answered whole, with its markup.
pub(crate) async fn until_whole(shop: SocketAddr, path: &str) -> Answer {
    let mut last = None;
    until(&format!("{path} as a whole page"), async || {
        let answer = get(shop, path).await;
        let is_whole = answer.status == 200 && !answer.is_shell();
        last = Some(answer);
        is_whole
    })
    .await;
    last.unwrap()
}

/// Waits for the first version.
pub(crate) async fn until_read(catalogue: &Followed<Service>) {
    until("the first version", async || catalogue.version().is_some()).await;
}

/// As [`until_read`], if there is ever a version.
pub(crate) async fn until_read_if(most: u64, catalogue: &Followed<Service>) {
    if most > 0 {
        until_read(catalogue).await;
    }
}

/// Waits until everything that is fresh now is stale.
pub(crate) async fn grow_stale() {
    tokio::time::sleep(AGES.fresh + Duration::from_millis(10)).await;
}
