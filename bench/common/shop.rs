//! A shop inside this process.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::net::TcpListener;
use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue, Sample};
use vitrine::document::{Agents, ServiceWorker, Site};
use vitrine::exports::Exports;
use vitrine::http::connections::Connections;
use vitrine::http::dictionaries::OfferDictionaries;
use vitrine::http::request_log::LogQueries;
use vitrine::process::pressure::Pressure;
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

/// Serves the sample on a free port for as long as the runtime lives. Pages are fresh for `fresh`.
pub(crate) async fn serve(renderer: Renderer, fresh: Duration) -> Result<SocketAddr> {
    serve_catalogue(Arc::new(Sample::load()?), renderer, fresh).await
}

/// Serves another catalogue than the sample.
pub(crate) async fn serve_catalogue(
    catalogue: Arc<dyn Catalogue>,
    renderer: Renderer,
    fresh: Duration,
) -> Result<SocketAddr> {
    let settings = ShopSettings {
        profile: Arc::default(),
        robots: None,
        ages: Ages { fresh, stale: fresh },
        page_memory: 16 << 20,
        log_queries: LogQueries::Off,
        log_sample: NonZeroU32::MIN,
        service_worker: ServiceWorker::On,
        exports: Exports::On,
        agents: Agents::On,
        dictionaries: OfferDictionaries::On,
        state_dir: None,
    };
    let site = Site::new(&"http://127.0.0.1".parse()?, Vec::new());
    let shop = Shop::new(catalogue, renderer, site, settings, Pressure::default())?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(Connections::default().serve(listener, server::app(shop)?, std::future::pending()));
    Ok(address)
}
