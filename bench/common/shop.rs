//! A shop inside this process, on the embedded sample.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tokio::net::TcpListener;
use vitrine::cache::Ages;
use vitrine::catalogue::Sample;
use vitrine::document::Site;
use vitrine::http::connections::Connections;
use vitrine::observe::request_log::LogQueries;
use vitrine::process::pressure::Pressure;
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::shop::{Shop, ShopSettings};

/// Serves on a free port for as long as the runtime lives. Pages are fresh for `fresh`.
pub(crate) async fn serve(renderer: Renderer, fresh: Duration) -> Result<SocketAddr> {
    let settings = ShopSettings {
        robots: None,
        ages: Ages { fresh, stale: fresh },
        page_memory: 16 << 20,
        log_queries: LogQueries::Off,
    };
    let site = Site::new(&"http://127.0.0.1".parse()?, Vec::new());
    let shop = Shop::new(Arc::new(Sample::load()?), renderer, site, settings, Pressure::default())?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(Connections::default().serve(listener, server::router(shop)?, std::future::pending()));
    Ok(address)
}
