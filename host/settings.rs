//! Every setting of the command line: flag, environment variable, default and help text.

mod admin;

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, Parser, Subcommand};
use url::Url;

pub(crate) use self::admin::AdminSettings;
use crate::cache::Ages;
use crate::catalogue::MirrorPolicy;
use crate::document::{ImageSource, ServiceWorker, Site};
use crate::http::connections::ConnectionLimits;
use crate::observe::logging::LogFormat;
use crate::observe::request_log::LogQueries;
use crate::render::RendererSettings;
use crate::shop::{RenderAhead, ShopSettings};

/// A product-browsing storefront as one executable.
#[derive(Debug, Parser)]
#[command(name = "vitrine", version = VERSION, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeSettings,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves the storefront; the same as no command.
    Serve(Box<ServeSettings>),
    /// Serves the embedded sample catalogue through the catalogue service's HTTP API.
    SampleCatalogue(SampleCatalogueSettings),
}

/// Settings of the storefront.
#[derive(Args, Debug)]
pub struct ServeSettings {
    /// Address and port to listen on.
    #[arg(long, env = "VITRINE_LISTEN", default_value = "127.0.0.1:3000")]
    pub(crate) listen: SocketAddr,

    /// Where products come from: `sample`, or the base address of a catalogue service.
    #[arg(long, env = "VITRINE_CATALOGUE", default_value = "sample", value_parser = parse_catalogue)]
    pub(crate) catalogue: CatalogueChoice,

    /// The shop's own address as visitors see it, for absolute links; without it `http://{listen}`.
    #[arg(long, env = "VITRINE_PUBLIC_URL", value_parser = parse_origin)]
    pub(crate) public_url: Option<Url>,

    /// Further host that product images come from, such as `https://cdn.example`; may be repeated, or
    /// several with commas between them.
    /// The catalogue's own host and its subdomains are allowed already.
    #[arg(long = "image-host", env = "VITRINE_IMAGE_HOSTS", value_delimiter = ',', value_name = "URL")]
    pub(crate) image_hosts: Vec<ImageSource>,

    /// File to answer `/robots.txt` with instead of the shop's own.
    #[arg(long, env = "VITRINE_ROBOTS", value_name = "FILE")]
    pub(crate) robots: Option<PathBuf>,

    /// Seconds for which answers of the catalogue service are fresh, and for which shared caches may keep a
    /// page; with 0 nothing is cached.
    #[arg(long, env = "VITRINE_FRESH", default_value = "60", value_parser = parse_seconds, value_name = "SECONDS")]
    pub(crate) fresh: Duration,

    /// How much longer they are served when there is nothing newer, in seconds.
    #[arg(long, env = "VITRINE_STALE", default_value = "604800", value_parser = parse_seconds, value_name = "SECONDS")]
    pub(crate) stale: Duration,

    /// Keeps a copy of the whole catalogue: `auto` when it has at most 5000 products, a number for
    /// another limit, `off` never.
    #[arg(long, env = "VITRINE_MIRROR", default_value = "auto", value_parser = parse_mirror, value_name = "PRODUCTS")]
    pub(crate) mirror: MirrorPolicy,

    /// Directory for the catalogue's last good answers, from which a start during an outage sells. It has
    /// one file for each address of a service, for the four used last.
    #[arg(long, env = "VITRINE_STATE_DIR", value_name = "DIRECTORY")]
    pub(crate) state_dir: Option<PathBuf>,

    /// Most memory that finished pages take, in MiB; with 0 no page is kept.
    #[arg(long, env = "VITRINE_PAGE_MEMORY", default_value = "64", value_parser = clap::value_parser!(u32).range(0..=65_536), value_name = "MIB")]
    pub(crate) page_memory: u32,

    /// Number of JavaScript isolates, each on a thread of its own; without it one per core.
    #[arg(long, env = "VITRINE_ISOLATES", value_parser = parse_isolates)]
    pub(crate) isolates: Option<NonZeroUsize>,

    /// Renders that may wait for an isolate; further pages are sent for the browser to draw.
    #[arg(long, env = "VITRINE_RENDER_QUEUE", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=65_536), value_name = "RENDERS")]
    pub(crate) render_queue: u32,

    /// Time budget of one render, in milliseconds.
    #[arg(long, env = "VITRINE_RENDER_TIMEOUT", default_value = "500", value_parser = parse_milliseconds, value_name = "MILLISECONDS")]
    pub(crate) render_timeout: Duration,

    /// Heap limit of one isolate, in MiB (at least 32).
    #[arg(long, env = "VITRINE_ISOLATE_HEAP", default_value = "256", value_parser = clap::value_parser!(u32).range(32..=4096), value_name = "MIB")]
    pub(crate) isolate_heap: u32,

    /// Serve from a worker process, which is restarted when it dies; SIGHUP replaces it.
    #[arg(long, env = "VITRINE_SUPERVISE", value_parser = BoolishValueParser::new())]
    pub supervise: bool,

    /// End as on SIGTERM when standard input, a pipe, is closed; for the supervisor's workers.
    #[arg(long, env = "VITRINE_END_WITH_STDIN", hide = true, value_parser = BoolishValueParser::new())]
    pub(crate) end_with_stdin: bool,

    /// How much memory the shop may take, in MiB; near this limit no new page is made. Without it the
    /// limit of the control group counts.
    #[arg(long, env = "VITRINE_MEMORY_LIMIT", value_parser = clap::value_parser!(u32).range(128..), value_name = "MIB")]
    pub(crate) memory_limit: Option<u32>,

    /// After this many renders an isolate is replaced by a fresh one.
    #[arg(long, env = "VITRINE_RECYCLE_AFTER", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..), value_name = "RENDERS")]
    pub(crate) recycle_after: u64,

    /// Connections at once; further ones wait to be accepted.
    #[arg(long, env = "VITRINE_MAX_CONNECTIONS", default_value = "4096", value_parser = clap::value_parser!(u32).range(1..=1_000_000), value_name = "CONNECTIONS")]
    pub(crate) max_connections: u32,

    /// Whether the log shows the paths and query strings of requests, and with them what shoppers search
    /// for; otherwise it shows routes and lengths.
    #[arg(long, env = "VITRINE_LOG_QUERIES", default_value = "off")]
    pub(crate) log_queries: LogQueries,

    /// Of ordinary requests (status below 400, answered quickly) one in this many is logged.
    #[arg(long, env = "VITRINE_LOG_SAMPLE", default_value = "1", value_name = "REQUESTS")]
    pub(crate) log_sample: NonZeroU32,

    /// Whether browsers store pages for when the shop cannot be reached; `off` also removes what they
    /// have stored.
    #[arg(long, env = "VITRINE_SERVICE_WORKER", default_value = "on")]
    pub(crate) service_worker: ServiceWorker,

    /// Whether pages that every shop has are rendered before somebody asks for them, while nothing else is
    /// rendered.
    #[arg(long, env = "VITRINE_RENDER_AHEAD", default_value = "on")]
    pub(crate) render_ahead: RenderAhead,

    #[command(flatten)]
    pub(crate) admin: AdminSettings,

    #[command(flatten)]
    pub(crate) log: LogSettings,
}

/// Settings of `sample-catalogue`.
#[derive(Args, Debug)]
pub struct SampleCatalogueSettings {
    /// Address and port to listen on.
    #[arg(long, env = "VITRINE_LISTEN", default_value = "127.0.0.1:3001")]
    pub(crate) listen: SocketAddr,

    /// Serve the `products` of this JSON file instead of the embedded ones.
    #[arg(long, env = "VITRINE_PRODUCTS", value_name = "FILE")]
    pub(crate) products: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) log: LogSettings,
}

/// What is logged, and how.
#[derive(Args, Debug)]
pub(crate) struct LogSettings {
    /// What is logged: a level, or directives such as `warn,vitrine=debug`.
    #[arg(long, env = "VITRINE_LOG", default_value = "info", value_parser = parse_log, value_name = "FILTER")]
    pub(crate) log: String,

    /// The form of a log line: `auto` is text on a terminal, and JSON elsewhere.
    #[arg(long, env = "VITRINE_LOG_FORMAT", default_value = "auto")]
    pub(crate) log_format: LogFormat,
}

/// Where products come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CatalogueChoice {
    /// The embedded sample.
    Sample,
    /// A catalogue service at this base address.
    Service(Url),
}

impl Cli {
    /// Reads the command line and the environment. An invalid value ends the process with a message that
    /// names the flag and its environment variable.
    pub fn read() -> Command {
        match Self::try_parse() {
            Ok(Self { command: Some(command), .. }) => command,
            Ok(Self { command: None, serve }) => Command::Serve(Box::new(serve)),
            Err(error) => {
                if let Some(variable) = variable_of(&error) {
                    let _ = error.print();
                    eprintln!("\nThe value may come from the environment variable {variable}.");
                    std::process::exit(error.exit_code());
                }
                error.exit()
            }
        }
    }
}

impl ServeSettings {
    /// The shop's public address and its image sources. Without a public address it is that of the
    /// listener, `listening`.
    ///
    /// # Errors
    /// Fails when the listener's address does not make a valid URL.
    pub(crate) fn site(&self, listening: SocketAddr) -> Result<Site, url::ParseError> {
        let public_url = match &self.public_url {
            Some(url) => url.clone(),
            None => Url::parse(&format!("http://{listening}"))?,
        };
        let mut sources = self.image_hosts.clone();
        if let CatalogueChoice::Service(base) = &self.catalogue {
            // `parse_catalogue` accepts no address without an origin.
            sources.extend(ImageSource::of(base));
            sources.extend(ImageSource::subdomains(base));
        }
        Ok(Site::new(&public_url, sources))
    }

    /// How long catalogue answers and pages stay fresh and stale.
    pub(crate) fn ages(&self) -> Ages {
        // With `--fresh 0` nothing is stored, so nothing can be served stale.
        let stale = if self.fresh.is_zero() { Duration::ZERO } else { self.stale };
        Ages { fresh: self.fresh, stale }
    }

    /// The shop's settings. `robots` is the content of the operator's own robots.txt.
    pub(crate) fn shop(&self, robots: Option<String>) -> ShopSettings {
        ShopSettings {
            robots,
            ages: self.ages(),
            page_memory: u64::from(self.page_memory) << 20,
            log_queries: self.log_queries,
            log_sample: self.log_sample,
            service_worker: self.service_worker,
        }
    }

    /// The accept loop's settings.
    pub(crate) fn connections(&self) -> ConnectionLimits {
        ConnectionLimits { connections: self.max_connections as usize, ..ConnectionLimits::default() }
    }

    /// The renderer's settings.
    pub(crate) fn renderer(&self) -> RendererSettings {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        RendererSettings {
            isolates: self.isolates.unwrap_or_else(cores),
            queue: self.render_queue as usize,
            timeout: self.render_timeout,
            heap_limit: (self.isolate_heap as usize) << 20,
            recycle_after: self.recycle_after,
        }
    }
}

/// The environment variable of the setting that an error is about, if it is about one.
fn variable_of(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = argument.split_whitespace().next()?.strip_prefix("--")?;
    let command = Cli::command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let found =
        commands.flat_map(clap::Command::get_arguments).find(|known| known.get_long() == Some(flag))?;
    found.get_env().map(|variable| variable.to_string_lossy().into_owned())
}

/// Includes the engine, because the speed of renders depends on it.
#[cfg(feature = "v8")]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (engine v8)");
#[cfg(not(feature = "v8"))]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (engine quickjs)");

fn parse_catalogue(text: &str) -> Result<CatalogueChoice, String> {
    if text == "sample" {
        return Ok(CatalogueChoice::Sample);
    }
    parse_http_url(text).map(CatalogueChoice::Service).map_err(|problem| format!("{problem}, or `sample`"))
}

fn parse_http_url(text: &str) -> Result<Url, String> {
    let expected = "expected an address such as https://shop.example";
    // The parser of URLs corrects spaces, control characters and backslashes silently.
    let is_corrected =
        |character: char| character.is_whitespace() || character.is_control() || character == '\\';
    let host = text.split_once("://").and_then(|(_, rest)| rest.split('/').next()).unwrap_or_default();
    if text.contains(is_corrected) || host.contains('@') {
        return Err(format!("{expected}, without spaces, backslashes and user"));
    }
    let url = Url::parse(text).map_err(|error| format!("{error}; {expected}"))?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(format!("{expected}, without query or fragment"));
    }
    ImageSource::of(&url).map_err(|error| format!("{expected}; {error}"))?;
    Ok(url)
}

/// Parses an address without a path, because the shop's pages are at the root of their host.
fn parse_origin(text: &str) -> Result<Url, String> {
    let url = parse_http_url(text)?;
    if url.path() == "/" { Ok(url) } else { Err("expected an address without a path".into()) }
}

/// Largest catalogue that `--mirror auto` mirrors, in products.
const AUTO_MIRROR_LIMIT: u64 = 5_000;

fn parse_mirror(text: &str) -> Result<MirrorPolicy, String> {
    match text {
        "auto" => Ok(MirrorPolicy::UpTo(AUTO_MIRROR_LIMIT)),
        "off" => Ok(MirrorPolicy::Never),
        number => number
            .parse()
            .map(MirrorPolicy::UpTo)
            .map_err(|_| "expected `auto`, `off` or a number of products".into()),
    }
}

fn parse_isolates(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= 1_024);
    number.ok_or_else(|| "expected a number from 1 to 1024".into())
}

/// Longest time of a setting in seconds: a year.
const MAX_SECONDS: u64 = 31_536_000;

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds @ 0..=MAX_SECONDS) => Ok(Duration::from_secs(seconds)),
        _ => Err(format!("expected seconds from 0 to {MAX_SECONDS}")),
    }
}

fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(milliseconds @ 1..=60_000) => Ok(Duration::from_millis(milliseconds)),
        _ => Err("expected milliseconds from 1 to 60000".into()),
    }
}

fn parse_log(text: &str) -> Result<String, String> {
    let expected = "expected a level or directives such as `warn,vitrine=debug`";
    if text.trim().is_empty() {
        return Err(format!("nothing would be logged; {expected}"));
    }
    // `EnvFilter` would take a misspelled level for a module's name, and silence everything else.
    let lone_word = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if lone_word && text.parse::<tracing::level_filters::LevelFilter>().is_err() {
        return Err(format!("unknown level; {expected}"));
    }
    match tracing_subscriber::EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("{error}; {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_setting_has_a_variable() {
        let command = Cli::command();
        for argument in command.get_arguments().filter(|argument| argument.get_long().is_some()) {
            let flag = argument.get_long().unwrap_or_default();
            if !["help", "version"].contains(&flag) {
                assert!(argument.get_env().is_some(), "--{flag}");
                assert!(argument.get_help().is_some(), "--{flag}");
            }
        }
    }

    #[test]
    fn without_a_fresh_age_there_is_no_stale_age() {
        let ages = |fresh| Cli::parse_from(["vitrine", "--fresh", fresh, "--stale", "600"]).serve.ages();
        assert_eq!(ages("0").stale, Duration::ZERO);
        assert_eq!(ages("1").stale, Duration::from_secs(600));
    }

    #[test]
    fn pages_may_have_no_memory() {
        let cli = Cli::try_parse_from(["vitrine", "--page-memory", "0"]).unwrap();
        assert_eq!(cli.serve.shop(None).page_memory, 0);
    }

    #[test]
    fn an_invalid_value_is_refused_with_its_variable() {
        for (flag, value, variable) in [
            ("--listen", "nowhere", "VITRINE_LISTEN"),
            ("--catalogue", "ftp://x", "VITRINE_CATALOGUE"),
            ("--public-url", "shop", "VITRINE_PUBLIC_URL"),
            ("--public-url", "https://shop.example/below/", "VITRINE_PUBLIC_URL"),
            ("--catalogue", "https://x;sandbox", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://x;sandbox/api", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://*.shop.example", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://shop.example 'unsafe-inline'", "VITRINE_CATALOGUE"),
            ("--public-url", "https://x;sandbox", "VITRINE_PUBLIC_URL"),
            ("--image-host", "https://cdn.example/images", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://x;sandbox", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://x y", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://user@cdn.example", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://*.cdn.example", "VITRINE_IMAGE_HOSTS"),
            ("--render-timeout", "0", "VITRINE_RENDER_TIMEOUT"),
            ("--isolates", "0", "VITRINE_ISOLATES"),
            ("--isolate-heap", "1", "VITRINE_ISOLATE_HEAP"),
            ("--log", "vitrine=loud=2", "VITRINE_LOG"),
            ("--log", "inof", "VITRINE_LOG"),
            ("--log", "", "VITRINE_LOG"),
            ("--fresh", "99999999999", "VITRINE_FRESH"),
            ("--max-connections", "0", "VITRINE_MAX_CONNECTIONS"),
            ("--render-queue", "18446744073709551615", "VITRINE_RENDER_QUEUE"),
            ("--isolates", "100000", "VITRINE_ISOLATES"),
            ("--mirror", "some", "VITRINE_MIRROR"),
            ("--service-worker", "maybe", "VITRINE_SERVICE_WORKER"),
            ("--render-ahead", "maybe", "VITRINE_RENDER_AHEAD"),
            ("--admin", "nowhere", "VITRINE_ADMIN"),
            ("--admin", "unix:", "VITRINE_ADMIN"),
            ("--log-sample", "0", "VITRINE_LOG_SAMPLE"),
            ("--log-format", "xml", "VITRINE_LOG_FORMAT"),
        ] {
            let error = Cli::try_parse_from(["vitrine", flag, value]).unwrap_err();
            assert_eq!(variable_of(&error).as_deref(), Some(variable), "{error}");
        }
    }

    #[test]
    fn a_catalogue_is_the_sample_or_an_address() {
        assert_eq!(parse_catalogue("sample"), Ok(CatalogueChoice::Sample));
        assert!(matches!(parse_catalogue("https://dummyjson.com"), Ok(CatalogueChoice::Service(_))));
        assert!(parse_catalogue("https://user:secret@shop.example").is_err());
    }
}
