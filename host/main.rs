//! The recipe: settings, tracing, catalogue, renderer, serve.

use std::io::IsTerminal as _;
use std::sync::Arc;

use anyhow::Context;
use axum::http::StatusCode;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;
use vitrine::catalogue::{Cached, Catalogue, Sample, Service, ServiceLimits, sample};
use vitrine::contract::{Content, ErrorContent, Page};
use vitrine::page_json::PageJson;
use vitrine::pages::{Shop, ShopSettings};
use vitrine::render::{Bundle, Renderer, initialize_platform};
use vitrine::server;
use vitrine::settings::{
    CatalogueChoice, Cli, Command, LogFormat, LogSettings, SampleCatalogueSettings, ServeSettings,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    match Cli::read() {
        Command::Serve(settings) => {
            // Before any other thread exists, see the function.
            initialize_platform();
            start_runtime(serve(*settings))
        }
        Command::SampleCatalogue(settings) => start_runtime(serve_sample_catalogue(settings)),
    }
}

fn start_runtime(program: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the async runtime cannot be started")?
        .block_on(program)
}

async fn serve(settings: ServeSettings) -> anyhow::Result<()> {
    start_logging(&settings.log);
    let catalogue = open_catalogue(&settings)?;
    let renderer = Renderer::start(Bundle::embedded(), settings.renderer(), warm_up_page()?)
        .await
        .context("the renderer cannot be started")?;
    let robots = match &settings.robots {
        None => None,
        Some(file) => {
            Some(std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?)
        }
    };
    let listener = listen(settings.listen).await?;
    let site = settings.site(listener.local_addr()?).context("the shop needs a public address")?;
    let started = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    let shop = ShopSettings {
        robots,
        started,
        ages: settings.ages(),
        page_memory: u64::from(settings.page_memory) << 20,
    };
    let router = server::router(Shop::new(catalogue, renderer, site, shop))
        .context("an image host cannot stand in a header")?;
    server::run(listener, router, shutdown_signal()?).await.context("the server ended")
}

async fn serve_sample_catalogue(settings: SampleCatalogueSettings) -> anyhow::Result<()> {
    start_logging(&settings.log);
    let products = match &settings.products {
        None => Sample::load().context("the embedded sample catalogue is broken")?.raw().to_vec(),
        Some(file) => sample::api::read_products(file)
            .with_context(|| format!("cannot read the products of {}", file.display()))?,
    };
    let router = sample::api::router(products).merge(server::images());
    let listener = listen(settings.listen).await?;
    server::run(listener, router, shutdown_signal()?).await.context("the server ended")
}

fn open_catalogue(settings: &ServeSettings) -> anyhow::Result<Arc<dyn Catalogue>> {
    match &settings.catalogue {
        CatalogueChoice::Sample => {
            Ok(Arc::new(Sample::load().context("the embedded sample catalogue is broken")?))
        }
        CatalogueChoice::Service(base) => {
            let service = Service::new(base.clone(), ServiceLimits::default())
                .context("the catalogue's HTTP client cannot be made")?;
            Ok(Arc::new(Cached::new(service, settings.fresh)))
        }
    }
}

/// The page that every isolate renders before it counts as ready.
fn warm_up_page() -> anyhow::Result<PageJson> {
    let page = Page {
        path: "/".into(),
        canonical: "/".into(),
        status: StatusCode::NOT_FOUND.as_u16(),
        title: "Warm-up".into(),
        robots: "noindex",
        categories: Vec::new(),
        content: Content::Error(ErrorContent { message: "Not Found".into() }),
    };
    PageJson::new(&page).context("the warm-up page is not representable as JSON")
}

async fn listen(address: std::net::SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    tracing::info!(address = %listener.local_addr()?, "listening");
    Ok(listener)
}

fn start_logging(settings: &LogSettings) {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(&settings.log))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match settings.log_format {
        LogFormat::Text => subscriber.init(),
        LogFormat::Json => subscriber.json().init(),
    }
}

/// Completes at SIGTERM or Ctrl-C; a second one ends the process at once.
fn shutdown_signal() -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be watched")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be watched")?;
    let mut next = async move || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    Ok(async move {
        next().await;
        tracing::info!("finishing what is being answered");
        tokio::spawn(async move {
            next().await;
            std::process::exit(1);
        });
    })
}
