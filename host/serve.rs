//! Start-up of each program: settings, log, catalogue, renderer, shop, router, connections.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use axum::http::StatusCode;
use listenfd::ListenFd;
use tokio::runtime;
use tokio::task::JoinHandle;

use crate::catalogue::{Catalogue, Remembered, Sample, Service, ServiceLimits, StateDir, sample};
use crate::contract::{Content, ErrorContent, Page, PageJson};
use crate::http::connections::{ConnectionLimits, Connections};
use crate::observe::{ErrorChain, logging};
use crate::process::pressure::Pressure;
use crate::process::supervise::{Plan, orders};
use crate::process::{heartbeat, listening, open_files, readiness, signals, supervise as supervisor};
use crate::render::{Bundle, Renderer, initialize_platform};
use crate::server;
use crate::settings::{CatalogueChoice, LogSettings, SampleCatalogueSettings, ServeSettings};
use crate::shop::{RenderAhead, Shop, make_ahead, make_room, name_blocked_images};

/// Serves the storefront until a signal shuts it down.
///
/// # Errors
/// Fails when a part cannot be started. The process should end with this message.
pub fn serve(settings: ServeSettings, handed_over: ListenFd) -> anyhow::Result<()> {
    // Must run before the runtime starts its threads, see the function.
    initialize_platform();
    runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the async runtime cannot be started")?
        .block_on(storefront(settings, handed_over))
}

/// Supervises a worker process that serves the storefront, until a signal shuts both down.
///
/// # Errors
/// Fails when the first worker does not start, and when a second signal cut the shutdown short.
pub fn supervise(settings: ServeSettings, handed_over: ListenFd) -> anyhow::Result<()> {
    // One thread and no engine: little memory, and little that can fail.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the async runtime cannot be started")?.block_on(async {
        start_logging(&settings.log);
        let orders = orders::from_signals().context("signals cannot be watched")?;
        let listener = listening::open(settings.listen, handed_over)?.into_std()?;
        let plan = Plan::of_this_process(listener.into(), ConnectionLimits::default().drain)
            .context("the storefront's own executable cannot be found")?;
        Ok(supervisor::run(plan, orders).await?)
    })
}

/// Serves the sample catalogue, or the products of a file, through the catalogue service's HTTP API.
///
/// # Errors
/// Fails when a part cannot be started. The process should end with this message.
pub fn serve_sample_catalogue(
    settings: SampleCatalogueSettings,
    handed_over: ListenFd,
) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("the async runtime cannot be started")?.block_on(async {
        start_logging(&settings.log);
        let products = match &settings.products {
            None => load_sample()?.raw().to_vec(),
            Some(file) => sample::api::read_products(file)
                .with_context(|| format!("cannot read the products of {}", file.display()))?,
        };
        let router = sample::api::router(products).merge(server::images());
        let listener = listening::open(settings.listen, handed_over)?;
        Connections::default().serve(listener, router, signals::shutdown(false)?).await;
        Ok(())
    })
}

async fn storefront(settings: ServeSettings, handed_over: ListenFd) -> anyhow::Result<()> {
    start_logging(&settings.log);
    open_files::raise_limit(u64::from(settings.max_connections));
    // The isolates start while the catalogue is opened, which reads the machine's certificates and saved products.
    let starting = tokio::spawn(Renderer::start(Bundle::embedded(), settings.renderer(), warm_up_page()?));
    let OpenCatalogue { catalogue, warming } = open_catalogue(&settings)?;
    let renderer = starting.await.context("the renderer's start failed")?;
    let renderer = renderer.context("the renderer cannot be started")?;
    let robots = settings.robots.as_deref().map(read_robots).transpose()?;
    let listener = listening::open(settings.listen, handed_over)?;
    let site = settings.site(listener.local_addr()?).context("the shop needs a public address")?;
    let pressure = Pressure::watch(settings.memory_limit.map(|mib| u64::from(mib) << 20));
    let shop = Shop::new(catalogue, renderer, site, settings.shop(robots), pressure)
        .context("the threads for listings cannot be started")?;
    shop.finish_variants().context("the thread for compression cannot be started")?;
    let shop = Arc::new(shop);
    tokio::spawn(make_room(&shop));
    // Only a catalogue that was warmed up has the answer already.
    if let Some(warming) = warming {
        let name_images = name_blocked_images(&shop);
        tokio::spawn(async move {
            if warming.await.is_ok() {
                name_images.await;
            }
        });
    }
    // With `--fresh 0` nothing is cached.
    let renders_ahead = settings.render_ahead == RenderAhead::On && !settings.fresh.is_zero();
    let ahead = renders_ahead.then(|| make_ahead(Arc::clone(&shop)));
    let app = server::app(shop).context("an image host cannot stand in a header")?;
    let shutdown = signals::shutdown(settings.end_with_stdin)?;
    readiness::notify_ready();
    if let Some(ahead) = ahead {
        tokio::spawn(ahead);
    }
    let own = app.router().clone();
    tokio::spawn(heartbeat::beat(move || server::answers_itself(own.clone())));
    Connections::new(settings.connections()).serve(listener, app, shutdown).await;
    Ok(())
}

/// A catalogue, and the task that warms it up, if one does.
struct OpenCatalogue {
    catalogue: Arc<dyn Catalogue>,
    warming: Option<JoinHandle<()>>,
}

fn open_catalogue(settings: &ServeSettings) -> anyhow::Result<OpenCatalogue> {
    let base = match &settings.catalogue {
        CatalogueChoice::Sample => {
            return Ok(OpenCatalogue { catalogue: Arc::new(load_sample()?), warming: None });
        }
        CatalogueChoice::Service(base) => base,
    };
    let service = Service::new(base.clone(), ServiceLimits::default())
        .context("the catalogue's HTTP client cannot be made")?;
    let catalogue = Arc::new(Remembered::new(service, settings.ages(), settings.mirror));
    if let Some(directory) = &settings.state_dir {
        let state = StateDir::new(directory, base.as_str());
        if let Err(error) = state.load(&catalogue) {
            tracing::warn!(error = %ErrorChain(&error), "starting without the saved catalogue");
        }
        tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
    }
    // With `--fresh 0` nothing is cached, so there is nothing to warm up.
    let warming = (!settings.fresh.is_zero()).then(|| {
        let warming = Arc::clone(&catalogue);
        tokio::spawn(async move { warming.warm_up().await })
    });
    Ok(OpenCatalogue { catalogue, warming })
}

fn load_sample() -> anyhow::Result<Sample> {
    Sample::load().context("the embedded sample catalogue is broken")
}

fn read_robots(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
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
        category_total: None,
        content: Content::Error(ErrorContent { message: "Not Found".into() }),
    };
    PageJson::new(&page).context("the warm-up page is not representable as JSON")
}

fn start_logging(settings: &LogSettings) {
    logging::start(&settings.log, settings.log_format);
}
