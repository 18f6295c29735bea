//! Start-up of each program: settings, log, catalogue, renderer, shop, router, connections. Every part is
//! made here once and handed to the parts that need it.
//!
//! It promises that the sandbox is entered before any thread is started; that the process reports that it is ready
//! only when every part has started and the purges of other workers are carried out; and that the process ends with
//! a message if a part cannot be started. `docs/decisions/0006-supervisor.md` and `0032-sandbox.md` say why.

mod open_catalogue;
mod own_catalogue;
mod own_sandbox;
mod profile;
mod replaced_paths;

use std::io::IsTerminal as _;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::http::StatusCode;
use tokio::runtime;
use tokio::sync::oneshot;

use self::open_catalogue::{OpenCatalogue, open_catalogue};
pub(crate) use self::open_catalogue::{followed, load_sample, service};
pub(crate) use self::own_catalogue::{Own, read_catalogue};
use self::profile::{ChangingShop, follow_shop_file};
pub(crate) use self::profile::{currency_of, profile_of, read_shop_file, spelling_of};
use crate::admin::{self, Admin};
use crate::catalogue::file::LONGEST_PASS;
use crate::catalogue::sample;
use crate::contract::{self, Content, ErrorContent, Page, PageJson};
use crate::document::Site;
use crate::http::connections::{ConnectionLimits, Connections};
use crate::http::tls::{Tls, TlsError};
use crate::observe::logging;
use crate::observe::traces::Exporter;
use crate::process::listening::{AdminListener, HandedOver};
use crate::process::pressure::Pressure;
use crate::process::role::Role;
use crate::process::sandbox::{Enforcement, Refused, Restricted, Restrictions};
use crate::process::supervise::{Plan, instructions};
use crate::process::{
    allocator, heartbeat, listening, open_files, readiness, signals, supervise as supervisor,
};
use crate::profile::{Currency, Profile};
use crate::render::{Bundle, Renderer, RendererSettings, check_address_space, initialize_platform};
use crate::server;
use crate::settings::{
    CatalogueChoice, LogSettings, SampleCatalogueSettings, ServeSettings, bounded_text_of,
};
use crate::shop::{
    IDLE_NICENESS, RenderAhead, Shop, copy_ahead, follow_pictures, follow_versions, make_room,
    name_blocked_images, name_versions,
};

/// How long a process that ends leaves the reading of the catalogue to other replicas: longer than it lives.
const LAST_REST: Duration = Duration::from_secs(3_600);

/// Serves the storefront, in this process or in a worker of it, until a signal ends it.
///
/// # Errors
/// Fails when a part cannot be started. The process should end with this message.
pub fn serve(settings: ServeSettings, handed_over: HandedOver) -> anyhow::Result<()> {
    let role = Role::of_this_process(settings.supervise);
    match role.context("the supervisor's journal cannot be opened")? {
        Role::Supervisor => supervise(settings, handed_over),
        role => serve_here(settings, role, handed_over),
    }
}

/// Serves the storefront in this process.
fn serve_here(settings: ServeSettings, role: Role, mut handed_over: HandedOver) -> anyhow::Result<()> {
    check_address_space(settings.renderer().isolates)?;
    AdminListener::bind_early(own_operators(&settings, &role), &mut handed_over)?;
    // Before any thread is started, because it holds only for this thread and those that it starts later.
    let sandbox = own_sandbox::enter(&settings);
    // Must run before the runtime starts its threads, see the function.
    initialize_platform();
    runtime::Builder::new_multi_thread()
        .enable_all()
        .on_thread_park(allocator::release_if_requested)
        .build()
        .context("the async runtime cannot be started")?
        .block_on(storefront(settings, role, handed_over, sandbox))
}

/// Supervises a worker process that serves the storefront, until a signal shuts both down.
///
/// # Errors
/// Fails when the first worker does not start, and when a second signal cut the shutdown short.
fn supervise(settings: ServeSettings, mut handed_over: HandedOver) -> anyhow::Result<()> {
    // Checked here, because the workers inherit the limit.
    check_address_space(settings.renderer().isolates)?;
    // One thread and no engine: little memory, and little that can fail.
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the async runtime cannot be started")?.block_on(async {
        start_logging(&settings.log);
        // Workers that cannot use the certificate would be started again and again.
        open_tls(&settings)?;
        let instructions = instructions::from_signals().context("signals cannot be watched")?;
        let listener = listening::open(settings.listen, &mut handed_over)?.into_std()?;
        let admin = AdminListener::open(settings.admin.admin.as_ref(), &mut handed_over)?;
        let admin = admin.map(AdminListener::into_fd).transpose()?;
        let mut plan = Plan::of_this_process(listener.into(), admin, ConnectionLimits::default().drain)
            .context("the storefront's own executable cannot be found")?;
        if let CatalogueChoice::Shop(_) = settings.catalogue {
            plan.ready_within += LONGEST_PASS;
        }
        Ok(supervisor::run(plan, instructions).await?)
    })
}

/// Serves the sample catalogue, or the products of a file, through the catalogue service's HTTP API.
///
/// # Errors
/// Fails when a part cannot be started. The process should end with this message.
pub fn serve_sample_catalogue(
    settings: SampleCatalogueSettings,
    mut handed_over: HandedOver,
) -> anyhow::Result<()> {
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    runtime.context("the async runtime cannot be started")?.block_on(async {
        start_logging(&settings.log);
        let products = match &settings.products {
            None => load_sample(Currency::default())?.raw().to_vec(),
            Some(file) => sample::api::read_products(file)
                .with_context(|| format!("cannot read {} (--products)", file.display()))?,
        };
        let router = sample::api::router(products).merge(server::images());
        let listener = listening::open(settings.listen, &mut handed_over)?;
        Connections::default().serve(listener, router, signals::shutdown(false)?).await;
        Ok(())
    })
}

/// Runs the storefront, from the first line of its log to its last trace.
async fn storefront(
    settings: ServeSettings,
    role: Role,
    handed_over: HandedOver,
    sandbox: Restricted,
) -> anyhow::Result<()> {
    let traces = Exporter::from_env().context("the exporter of traces cannot be started")?;
    logging::start(settings.log.log.clone(), settings.log.log_format, traces.as_ref());
    let sandbox = own_sandbox::report(sandbox);
    let served = open_shop(settings, role, handed_over, sandbox).await;
    if let Some(traces) = traces {
        traces.finish().await;
    }
    served
}

/// Keeps cached answers up to date and within the memory there is, names versions and blocked images, and copies pictures,
/// `ahead` of requests if that is wanted.
fn tend(shop: &Arc<Shop>, ahead: RenderAhead) {
    tokio::spawn(make_room(shop));
    tokio::spawn(follow_versions(shop));
    tokio::spawn(follow_pictures(shop));
    tokio::spawn(name_blocked_images(shop));
    tokio::spawn(name_versions(shop));
    tokio::spawn(copy_ahead(Arc::clone(shop), ahead));
}

/// Looks for paths of the settings that the sandbox refuses, if it restricts files. Returns what it finds.
fn follow_paths(settings: &ServeSettings, sandbox: &Restrictions, is_worker: bool) -> Refused {
    let refused = Refused::default();
    if matches!(sandbox.files, Enforcement::Full | Enforcement::Partial) {
        tokio::spawn(replaced_paths::follow(settings.followed_paths(), refused.clone(), is_worker));
    }
    refused
}

/// Builds every part of the shop in numbered steps, whose order matters, and answers visitors and operators until
/// a signal ends it.
async fn open_shop(
    mut settings: ServeSettings,
    role: Role,
    mut handed_over: HandedOver,
    sandbox: Restrictions,
) -> anyhow::Result<()> {
    // 1. A certificate that cannot be used is reported before anything takes time.
    open_files::raise_limit(u64::from(settings.max_connections));
    let tls = open_tls(&settings)?;
    // 2. Isolates start while the catalogue is opened, which reads the machine's certificates and saved data.
    let starting = tokio::spawn(start_renderer(settings.renderer()));
    let shop_file = read_shop_file(&settings)?;
    // Before the hosts that the catalogue names are added to those that the operator has named.
    let reach = settings.reach();
    let OpenCatalogue { catalogue, profile, share } =
        open_catalogue(&mut settings, shop_file.as_ref()).await?;
    let renderer = starting.await.context("the renderer's start failed")??;
    let robots = settings.robots.as_deref().map(read_robots).transpose()?;
    // 3. From here on connections wait. Before, a socket that this process opens itself refuses them.
    let listener = listening::open(settings.listen, &mut handed_over)?;
    let operators = open_operators(&settings, &role, &mut handed_over)?;
    let token = settings.admin.token().cloned();
    let address = listener.local_addr()?;
    let site = site(&settings, address)?;
    // 4. The shop, and what it does by itself.
    settings.shares().log();
    let pressure = Pressure::watch(settings.memory_limit());
    let elsewhere =
        settings.elsewhere(reach, catalogue.copies()).context("pictures cannot be asked for (--pictures)")?;
    let shop = Shop::new(catalogue, renderer, site, settings.shop(profile, robots), pressure)
        .context("the threads for listings cannot be started")?;
    let shop = shop.with_elsewhere(elsewhere);
    shop.finish_variants(IDLE_NICENESS).context("the thread for compression cannot be started")?;
    let shop = Arc::new(shop);
    tend(&shop, settings.render_ahead);
    let renders_ahead = settings.render_ahead == RenderAhead::On && shop.keeps_pages();
    let app = server::app(Arc::clone(&shop)).context("an image host cannot stand in a header")?;
    let connections = connections(&settings, tls.as_ref());
    // 5. Operators. Purges that other workers received are carried out before a page is answered, and so are
    // those of replicas that are known within half a second.
    let admin = Admin::new(Arc::clone(&shop), app.clone(), connections.clone(), token, warm_up_page()?);
    let is_worker = role.is_worker();
    let refused = follow_paths(&settings, &sandbox, is_worker);
    let admin = Arc::new(admin.supervised(role).sandboxed(sandbox, refused).sharing(share.clone()));
    admin::follow_replicas(&admin).await;
    if admin::catch_up(&admin).await {
        tokio::spawn(admin::follow(Arc::clone(&admin)));
    }
    // 6. Signals are watched before the process reports that it is ready: one may come right after that.
    let shutdown = signals::shutdown(is_worker)?;
    let (shutdown, ended) = announced(shutdown);
    let operators = operators.map(|listener| tokio::spawn(admin::serve(admin, listener, ended)));
    // 7. Visitors are answered.
    readiness::notify_ready();
    if std::io::stderr().is_terminal() {
        eprintln!("The shop is open at {}", where_to_open(address, tls.is_some()));
    }
    let changing = ChangingShop::new(shop, app.clone(), renders_ahead);
    if let Some(file) = shop_file {
        tokio::spawn(follow_shop_file(settings, file, changing));
    }
    let own = app.clone();
    tokio::spawn(heartbeat::beat(move || server::answers_itself(own.router())));
    connections.serve(listener, app, shutdown).await;
    if let Some(operators) = operators {
        operators.await.context("operators were not answered to the end")?;
    }
    if let Some(share) = share {
        // Another replica reads the catalogue from now on.
        share.release_lease(LAST_REST).await;
    }
    Ok(())
}

/// The shop's address in absolute links. Logs a line if visitors may use another one.
fn site(settings: &ServeSettings, address: SocketAddr) -> anyhow::Result<Site> {
    let site = settings.site(address).context("the shop needs a public address")?;
    if settings.public_url.is_none() {
        tracing::warn!(
            origin = site.origin(),
            "absolute links, the sitemap and previews name the listener's address; --public-url names the visitors'"
        );
    }
    Ok(site)
}

/// The address for operators that this process opens itself. A worker takes the supervisor's socket: one of its own
/// would be in the way of the worker that replaces it.
fn own_operators<'a>(settings: &'a ServeSettings, role: &Role) -> Option<&'a listening::Address> {
    settings.admin.admin.as_ref().filter(|_| !role.is_worker())
}

/// The listener for operators, if there is one.
fn open_operators(
    settings: &ServeSettings,
    role: &Role,
    handed_over: &mut HandedOver,
) -> Result<Option<AdminListener>, listening::ListenError> {
    let operators = AdminListener::open(own_operators(settings, role), handed_over)?;
    if operators.is_none() && settings.admin.admin.is_some() {
        tracing::warn!("--admin takes effect when the supervisor is started again");
    }
    Ok(operators)
}

fn open_tls(settings: &ServeSettings) -> Result<Option<Tls>, TlsError> {
    settings.tls.files()?.map(Tls::open).transpose()
}

/// The visitors' connections, with a certificate that follows its files.
fn connections(settings: &ServeSettings, tls: Option<&Tls>) -> Connections {
    let connections = Connections::new(settings.connections());
    let Some(tls) = tls else { return connections };
    tokio::spawn(tls.clone().follow());
    connections.with_tls(tls.clone())
}

/// The trigger of a shutdown, and a future that completes once the trigger has.
fn announced(
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> (impl Future<Output = ()> + Send + 'static, impl Future<Output = ()> + Send + 'static) {
    let (begun, begins) = oneshot::channel::<()>();
    let shutdown = async move {
        shutdown.await;
        drop(begun);
    };
    let announced = async move {
        // Nothing is ever sent.
        let _ = begins.await;
    };
    (shutdown, announced)
}

pub(crate) fn read_robots(file: &Path) -> anyhow::Result<String> {
    bounded_text_of(file).with_context(|| format!("cannot read {} (--robots)", file.display()))
}

pub(crate) async fn start_renderer(settings: RendererSettings) -> anyhow::Result<Renderer> {
    let started = Renderer::start(Bundle::embedded(), settings, warm_up_page()?).await;
    started.context("the renderer cannot be started")
}

/// The address at which a browser on this machine opens the shop that listens at `address`.
fn where_to_open(address: SocketAddr, is_encrypted: bool) -> String {
    let scheme = if is_encrypted { "https" } else { "http" };
    // `localhost` is a loopback address of either kind.
    let is_here = address.ip().is_unspecified() || address.ip() == IpAddr::from([127, 0, 0, 1]);
    if is_here {
        format!("{scheme}://localhost:{}/", address.port())
    } else {
        format!("{scheme}://{address}/")
    }
}

/// The page that every isolate renders before it counts as ready.
fn warm_up_page() -> anyhow::Result<PageJson> {
    let page = Page {
        path: "/".into(),
        canonical: "/".into(),
        status: StatusCode::NOT_FOUND.as_u16(),
        shop: Arc::new(contract::Shop::from(&Profile::default())),
        title: "Warm-up".into(),
        robots: "noindex",
        categories: Vec::new(),
        category_total: None,
        empty: Vec::new(),
        content: Content::Error(ErrorContent { message: "Not Found".into() }),
    };
    PageJson::new(&page).context("the warm-up page is not representable as JSON")
}

fn start_logging(settings: &LogSettings) {
    logging::start(settings.log.clone(), settings.log_format, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shop_that_listens_everywhere_is_opened_on_this_machine() {
        let opened = |address: &str| where_to_open(address.parse().unwrap(), false);
        assert_eq!(opened("0.0.0.0:80"), "http://localhost:80/");
        assert_eq!(opened("[::]:3000"), "http://localhost:3000/");
        assert_eq!(opened("127.0.0.1:3000"), "http://localhost:3000/");
        assert_eq!(opened("[::1]:3000"), "http://[::1]:3000/");
        assert_eq!(opened("192.0.2.7:3000"), "http://192.0.2.7:3000/");
        assert_eq!(where_to_open(([0; 4], 443).into(), true), "https://localhost:443/");
    }
}
