//! The recipe: settings, tracing, catalogue, renderer, serve.

use std::io::IsTerminal as _;
use std::sync::Arc;

use anyhow::Context;
use axum::http::StatusCode;
use listenfd::ListenFd;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tracing_subscriber::EnvFilter;
use vitrine::catalogue::{Catalogue, Remembered, Sample, Service, ServiceLimits, StateDir, sample};
use vitrine::causes::Causes;
use vitrine::connections::Connections;
use vitrine::contract::{Content, ErrorContent, Page};
use vitrine::page_json::PageJson;
use vitrine::pages::{Shop, ShopSettings};
use vitrine::pressure::Pressure;
use vitrine::render::{Bundle, Renderer, initialize_platform};
use vitrine::settings::{
    CatalogueChoice, Cli, Command, LogFormat, LogSettings, SampleCatalogueSettings, ServeSettings,
};
use vitrine::supervise::{self, lifeline};
use vitrine::{listening, readiness, server};

fn main() -> anyhow::Result<()> {
    // Before any other thread exists, because it takes what it reads out of the environment.
    let handed_over = ListenFd::from_env();
    match Cli::read() {
        // One thread and no engine: it stays small, and there is little in it that can fail.
        Command::Serve(settings) if settings.supervise => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("the async runtime cannot be started")?
            .block_on(supervise(*settings, handed_over)),
        Command::Serve(settings) => {
            // Before any other thread exists, see the function.
            initialize_platform();
            start_runtime(serve(*settings, handed_over))
        }
        Command::SampleCatalogue(settings) => start_runtime(serve_sample_catalogue(settings, handed_over)),
    }
}

fn start_runtime(program: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the async runtime cannot be started")?
        .block_on(program)
}

async fn supervise(settings: ServeSettings, handed_over: ListenFd) -> anyhow::Result<()> {
    start_logging(&settings.log);
    let orders = supervise::from_signals().context("signals cannot be watched")?;
    let listener = listening::open(settings.listen, handed_over)?.into_std()?;
    let plan = supervise::Plan::of_this_process(listener.into())
        .context("the storefront's own executable cannot be found")?;
    Ok(supervise::run(plan, orders).await?)
}

async fn serve(settings: ServeSettings, handed_over: ListenFd) -> anyhow::Result<()> {
    start_logging(&settings.log);
    allow_connections(u64::from(settings.max_connections));
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
    let listener = listening::open(settings.listen, handed_over)?;
    let site = settings.site(listener.local_addr()?).context("the shop needs a public address")?;
    let started = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    let shop = ShopSettings {
        robots,
        started,
        ages: settings.ages(),
        page_memory: u64::from(settings.page_memory) << 20,
        pressure: Pressure::watch(settings.memory_limit.map(|mib| u64::from(mib) << 20)),
    };
    let shop = Shop::new(catalogue, renderer, site, shop);
    tokio::spawn(shop.relief());
    let router = server::router(shop).context("an image host cannot stand in a header")?;
    let shutdown = shutdown_signal(settings.end_with_stdin)?;
    readiness::announce();
    Connections::new(settings.connections()).serve(listener, router, shutdown).await;
    Ok(())
}

/// Each connection is an open file, and so is everything else; the usual limit is for desktops.
fn allow_connections(connections: u64) {
    const FURTHER_FILES: u64 = 256;
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) if files < connections + FURTHER_FILES => {
            tracing::warn!(files, connections, "fewer open files are allowed than connections need");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(error = %Causes(&error), "the limit of open files is not known"),
    }
}

async fn serve_sample_catalogue(
    settings: SampleCatalogueSettings,
    handed_over: ListenFd,
) -> anyhow::Result<()> {
    start_logging(&settings.log);
    let products = match &settings.products {
        None => Sample::load().context("the embedded sample catalogue is broken")?.raw().to_vec(),
        Some(file) => sample::api::read_products(file)
            .with_context(|| format!("cannot read the products of {}", file.display()))?,
    };
    let router = sample::api::router(products).merge(server::images());
    let listener = listening::open(settings.listen, handed_over)?;
    Connections::default().serve(listener, router, shutdown_signal(false)?).await;
    Ok(())
}

fn open_catalogue(settings: &ServeSettings) -> anyhow::Result<Arc<dyn Catalogue>> {
    match &settings.catalogue {
        CatalogueChoice::Sample => {
            Ok(Arc::new(Sample::load().context("the embedded sample catalogue is broken")?))
        }
        CatalogueChoice::Service(base) => {
            let service = Service::new(base.clone(), ServiceLimits::default())
                .context("the catalogue's HTTP client cannot be made")?;
            let catalogue = Arc::new(Remembered::new(service, settings.ages(), settings.mirror));
            if let Some(directory) = &settings.state_dir {
                let state = StateDir::new(directory, base.as_str());
                if let Err(error) = state.load(&catalogue) {
                    tracing::warn!(error = %Causes(&error), "starting without the saved catalogue");
                }
                tokio::spawn(state.keep_saving(Arc::clone(&catalogue)));
            }
            // Without a memory there is nothing to warm.
            if !settings.fresh.is_zero() {
                let warming = Arc::clone(&catalogue);
                tokio::spawn(async move { warming.warm_up().await });
            }
            Ok(catalogue)
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

/// Completes at SIGTERM, Ctrl-C or SIGHUP (which only a supervisor takes for something else), and
/// with the lifeline if there is one; a second signal ends the process at once.
fn shutdown_signal(end_with_stdin: bool) -> anyhow::Result<impl Future<Output = ()> + Send + 'static> {
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM cannot be watched")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT cannot be watched")?;
    let mut hangup = signal(SignalKind::hangup()).context("SIGHUP cannot be watched")?;
    let lifeline =
        end_with_stdin.then(lifeline::cut).transpose().context("standard input cannot be watched")?;
    let mut next = async move || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
    };
    let (signalled, first_signal) = oneshot::channel();
    // Signals are counted apart from the lifeline: its end and one signal are not two signals.
    tokio::spawn(async move {
        next().await;
        let _ = signalled.send(());
        next().await;
        std::process::exit(1);
    });
    let supervisor_ends = async move {
        match lifeline {
            Some(lifeline) => lifeline.await,
            None => std::future::pending().await,
        }
    };
    Ok(async move {
        tokio::select! {
            _ = first_signal => {}
            () = supervisor_ends => {}
        }
        tracing::info!("finishing what is being answered");
        // A worker's supervisor knows, because it was its wish.
        if !end_with_stdin {
            readiness::announce_end();
        }
    })
}
