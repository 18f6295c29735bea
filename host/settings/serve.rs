//! The settings of the storefront, and the parts' own settings that follow from them.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgAction, Args};
use url::Url;

use super::admin::AdminSettings;
use super::log::LogSettings;
use super::memory::Shares;
use super::parse::{
    Buy, CatalogueChoice, CopiedPictures, MirrorChoice, parse_catalogue, parse_currency, parse_isolates,
    parse_listen, parse_milliseconds, parse_mirror, parse_number, parse_origin, parse_seconds, parse_switch,
};
use super::tls::TlsSettings;
use crate::cache::Ages;
use crate::document::{Agents, ImageSource, ServiceWorker, Site};
use crate::exports::Exports;
use crate::http::connections::ConnectionLimits;
use crate::http::dictionaries::OfferDictionaries;
use crate::http::request_log::LogQueries;
use crate::pictures::{Copies, Elsewhere, FetchError, OtherHosts};
use crate::process::sandbox::Sandbox;
use crate::profile::{Currency, Profile};
use crate::public_network::Reach;
use crate::render::{REST_AFTER, RendererSettings};
use crate::share::{AddressError, Share, ShareAddress};
use crate::shop::{RenderAhead, ShopSettings};

/// Where the storefront listens unless it is told otherwise.
pub(super) const DEFAULT_LISTEN: &str = "127.0.0.1:3000";

/// Settings of the storefront.
#[derive(Args, Debug)]
pub struct ServeSettings {
    /// Address and port to listen on.
    #[arg(long, env = "VITRINE_LISTEN", default_value = DEFAULT_LISTEN, value_parser = parse_listen, value_name = "ADDRESS")]
    pub(crate) listen: SocketAddr,

    /// Where products come from: `sample`, the base address of a catalogue service, a file with the shop's own
    /// products, as `file:` and its path or `feed:` and its address, or a shop on Shopify or WooCommerce, as `shop:` and
    /// its address, see docs/catalogues.md.
    #[arg(long, env = "VITRINE_CATALOGUE", default_value = "sample", value_parser = parse_catalogue)]
    pub(crate) catalogue: CatalogueChoice,

    /// File that says how the catalogue's file is to be read, see docs/catalogues.md; without it the one beside the
    /// catalogue's file, such as `products.csv.toml`, if there is one.
    #[arg(long, env = "VITRINE_CATALOGUE_OPTIONS", value_name = "FILE")]
    pub(crate) catalogue_options: Option<PathBuf>,

    /// File with headers, one `Name: value` a line, that are sent to the shop of `shop:` with each call, such as a
    /// signature or a password; it is read before each reading of the shop.
    #[arg(long, env = "VITRINE_CATALOGUE_HEADERS", value_name = "FILE")]
    pub(crate) catalogue_headers: Option<PathBuf>,

    /// Sell also if the catalogue's file has half of the products of the last start, or fewer, that
    /// the state directory knows of; and the 25,000 products that Shopify shows, even if the shop has more.
    #[arg(long, env = "VITRINE_ACCEPT_LOSS", default_value = "false", default_missing_value = "true", num_args = 0..=1, require_equals = true, value_parser = parse_switch, action = ArgAction::Set, value_name = "BOOLEAN")]
    pub(crate) accept_loss: bool,

    /// Currency of the prices in a file that names none, such as `EUR`.
    #[arg(long, env = "VITRINE_CURRENCY", value_parser = parse_currency, value_name = "CODE")]
    pub(crate) currency: Option<Currency>,

    /// File that says what the shop is called and what it tells of itself, see docs/shop.md.
    #[arg(long, env = "VITRINE_SHOP", value_name = "FILE")]
    pub(crate) shop: Option<PathBuf>,

    /// Folder with pictures that lie beside a file of products, which names them by their paths in the folder.
    #[arg(long, env = "VITRINE_IMAGES", value_name = "DIRECTORY")]
    pub(crate) images: Option<PathBuf>,

    /// Whether the shop makes copies of pictures that fit a screen: `own` of those in `--images`, `all` also of those on other
    /// hosts, which it asks for them, `off` of none.
    #[arg(long, env = "VITRINE_PICTURES", default_value = "own")]
    pub(crate) pictures: CopiedPictures,

    /// Most room for copies of pictures below the state directory, in MiB, and never more than half of the free disk. Without
    /// a state directory they take at most 64 MiB of memory.
    #[arg(long, env = "VITRINE_PICTURE_SPACE", default_value = "1024", value_parser = parse_number::<u32, 1, 16_777_216>, value_name = "MIB")]
    pub(crate) picture_space: u32,

    /// How the products of a file can be bought: `link` shows the link that a product has to where it is sold, `none`
    /// nothing.
    #[arg(long, env = "VITRINE_BUY", default_value = "link")]
    pub(crate) buy: Buy,

    /// The shop's own address as visitors see it, for absolute links; without it the listener's own address,
    /// which visitors can rarely open.
    #[arg(long, env = "VITRINE_PUBLIC_URL", value_parser = parse_origin)]
    pub(crate) public_url: Option<Url>,

    /// Further host that product images come from, such as `https://cdn.example`; may be repeated, or
    /// several with commas between them. All together they may take 1500 bytes of the content security policy.
    /// The catalogue's own host and its subdomains are allowed already.
    #[arg(long = "image-host", env = "VITRINE_IMAGE_HOSTS", value_delimiter = ',', value_name = "URL")]
    pub(crate) image_hosts: Vec<ImageSource>,

    /// File to answer `/robots.txt` with instead of the shop's own.
    #[arg(long, env = "VITRINE_ROBOTS", value_name = "FILE")]
    pub(crate) robots: Option<PathBuf>,

    /// Whether the shop offers its products as files for other programs: `/merchant.xml`, `/products.jsonl` and
    /// `/products.csv`, see docs/catalogues.md.
    #[arg(long, env = "VITRINE_EXPORTS", default_value = "on")]
    pub(crate) exports: Exports,

    /// Whether the shop answers assistants that shop for people, by the protocols UCP and MCP, and offers its pages as
    /// Markdown, see docs/agents.md.
    #[arg(long, env = "VITRINE_AGENTS", default_value = "on")]
    pub(crate) agents: Agents,

    /// Seconds between two readings of the catalogue service, feed or shop (of a shop at least 300), and for which shared caches may keep a page; with 0 no
    /// page is cached.
    #[arg(long, env = "VITRINE_FRESH", default_value = "60", value_parser = parse_seconds, value_name = "SECONDS")]
    pub(crate) fresh: Duration,

    /// How much longer pages and what was read are used when there is nothing newer, in seconds.
    #[arg(long, env = "VITRINE_STALE", default_value = "604800", value_parser = parse_seconds, value_name = "SECONDS")]
    pub(crate) stale: Duration,

    /// The largest catalogue that is copied: `auto` what fits in memory, or a number of products. A larger one is asked
    /// for each page.
    #[arg(long, env = "VITRINE_MIRROR", default_value = "auto", value_parser = parse_mirror, value_name = "PRODUCTS")]
    pub(crate) mirror: MirrorChoice,

    /// Directory for the copy of the catalogue, from which a start during an outage sells. It has
    /// one file for each address of a service, for the four used last; for a catalogue file the number of products,
    /// and for a feed its last version. Long files of all products are kept there too, without names, for as long as the
    /// process runs.
    #[arg(long, env = "VITRINE_STATE_DIR", value_name = "DIRECTORY")]
    pub(crate) state_dir: Option<PathBuf>,

    /// Server of the Redis protocol through which replicas share purges, and the catalogue, which one of them reads for all,
    /// such as `redis://:PASSWORD@cache.example:6379/0`, or `rediss://` with TLS; without it
    /// each replica is alone.
    #[arg(long, env = "VITRINE_SHARE", hide_env_values = true, value_name = "URL")]
    pub(crate) share: Option<String>,

    /// Most memory that finished pages take, in MiB, a tenth of it for pages of variants; with 0 no page is kept. Without it
    /// 64, and less if memory is limited, see docs/operations.md.
    #[arg(long, env = "VITRINE_PAGE_MEMORY", value_parser = parse_number::<u32, 0, 65_536>, value_name = "MIB")]
    pub(crate) page_memory: Option<u32>,

    /// Number of JavaScript isolates, each on a thread of its own; without it one per core, and fewer if memory is limited.
    #[arg(long, env = "VITRINE_ISOLATES", value_parser = parse_isolates)]
    pub(crate) isolates: Option<NonZeroUsize>,

    /// Renders that may wait for an isolate; further pages are sent for the browser to draw.
    #[arg(long, env = "VITRINE_RENDER_QUEUE", default_value = "256", value_parser = parse_number::<u32, 1, 65_536>, value_name = "RENDERS")]
    pub(crate) render_queue: u32,

    /// Time budget of one render, in milliseconds; the isolate may use as much processor time.
    #[arg(long, env = "VITRINE_RENDER_TIMEOUT", default_value = "500", value_parser = parse_milliseconds, value_name = "MILLISECONDS")]
    pub(crate) render_timeout: Duration,

    /// Heap limit of one isolate, in MiB (at least 32). Without it 256, and less if memory is limited.
    #[arg(long, env = "VITRINE_ISOLATE_HEAP", value_parser = parse_number::<u32, 32, 4_096>, value_name = "MIB")]
    pub(crate) isolate_heap: Option<u32>,

    /// Serve from a worker process, which is restarted when it dies; SIGHUP replaces it.
    #[arg(
        long,
        env = "VITRINE_SUPERVISE",
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true,
        value_parser = parse_switch,
        action = ArgAction::Set,
        value_name = "BOOLEAN"
    )]
    pub supervise: bool,

    /// How much memory the shop may take, in MiB; near this limit no new page is made. Without it the
    /// limit of the control group counts.
    #[arg(long, env = "VITRINE_MEMORY_LIMIT", value_parser = parse_number::<u32, 128, 16_777_216>, value_name = "MIB")]
    pub(crate) memory_limit: Option<u32>,

    /// After this many renders an isolate is replaced by a fresh one.
    #[arg(long, env = "VITRINE_RECYCLE_AFTER", default_value = "20000", value_parser = parse_number::<u64, 1, 1_000_000_000>, value_name = "RENDERS")]
    pub(crate) recycle_after: u64,

    /// Connections at once; further ones wait to be accepted.
    #[arg(long, env = "VITRINE_MAX_CONNECTIONS", default_value = "4096", value_parser = parse_number::<u32, 1, 1_000_000>, value_name = "CONNECTIONS")]
    pub(crate) max_connections: u32,

    /// Whether the log shows the paths and query strings of requests, and with them what shoppers search
    /// for; otherwise it shows routes and lengths.
    #[arg(long, env = "VITRINE_LOG_QUERIES", default_value = "off")]
    pub(crate) log_queries: LogQueries,

    /// One in this many ordinary requests (status below 400, answered quickly) is logged.
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

    /// Whether browsers that know shared dictionaries keep one, with which a page takes about two kilobytes. Needs
    /// `--render-ahead on`. See docs/install.md for caches in front of the shop.
    #[arg(long, env = "VITRINE_DICTIONARIES", default_value = "on")]
    pub(crate) dictionaries: OfferDictionaries,

    /// Whether the kernel keeps the worker from files that it does not need, and from executing programs.
    /// Kernels without Landlock are no error.
    #[arg(long, env = "VITRINE_SANDBOX", default_value = "on")]
    pub(crate) sandbox: Sandbox,

    #[command(flatten)]
    pub(crate) tls: TlsSettings,

    #[command(flatten)]
    pub(crate) admin: AdminSettings,

    #[command(flatten)]
    pub(crate) log: LogSettings,
}

impl ServeSettings {
    /// The shop's public address and its image sources. Without a public address it is that of the
    /// listener, `listening`, or `localhost` where the shop listens on every address of the machine.
    ///
    /// # Errors
    /// Fails when the listener's address does not make a valid URL.
    pub(crate) fn site(&self, listening: SocketAddr) -> Result<Site, url::ParseError> {
        let public_url = match &self.public_url {
            Some(url) => url.clone(),
            None => {
                let scheme = if self.tls.tls_cert.is_some() { "https" } else { "http" };
                let authority = match listening.ip().is_unspecified() {
                    true => format!("localhost:{}", listening.port()),
                    false => listening.to_string(),
                };
                Url::parse(&format!("{scheme}://{authority}"))?
            }
        };
        Ok(Site::new(&public_url, self.image_sources()))
    }

    /// Where images may come from besides the shop itself.
    pub(super) fn image_sources(&self) -> Vec<ImageSource> {
        let mut sources = self.image_hosts.clone();
        if let CatalogueChoice::Service(base) = &self.catalogue {
            // `parse_catalogue` accepts no address without an origin.
            sources.extend(ImageSource::of(base));
            sources.extend(ImageSource::subdomains(base));
        }
        sources
    }

    /// What replicas share, if a server is named. Only shops whose products come from a service use it.
    ///
    /// # Errors
    /// When the server's address is not understood. It is parsed here, because the command line's errors
    /// repeat the values that they refuse, and this one has a password.
    pub(crate) fn share(&self) -> Result<Option<Share>, AddressError> {
        let address: Option<ShareAddress> = self.share.as_deref().map(str::parse).transpose()?;
        let catalogue = match &self.catalogue {
            CatalogueChoice::Service(base) => base.as_str(),
            _ => "sample",
        };
        Ok(address.map(|address| Share::new(address, catalogue)))
    }

    /// How much memory the shop may take, in bytes.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.memory_limit.map(|mib| u64::from(mib) << 20)
    }

    /// The copies of pictures, if any are made.
    pub(crate) fn copies(&self) -> Option<Copies> {
        let place = self
            .state_dir
            .as_ref()
            .map(|directory| (directory.join("pictures"), u64::from(self.picture_space) << 20));
        self.copies_pictures().then(|| Copies::new(place, self.shares().copies))
    }

    /// Whether copies of pictures are made.
    pub(super) fn copies_pictures(&self) -> bool {
        match self.pictures {
            CopiedPictures::Own => self.images.is_some(),
            // The sample's pictures are in the program.
            CopiedPictures::All => !matches!(self.catalogue, CatalogueChoice::Sample),
            CopiedPictures::Off => false,
        }
    }

    /// The servers of pictures that may be called, if copies are made of pictures on other hosts: public ones, and those that
    /// the operator has named.
    pub(crate) fn reach(&self) -> Option<Reach> {
        let named = self.image_hosts.iter().filter_map(|source| Url::parse(&source.to_string()).ok());
        let service = match &self.catalogue {
            CatalogueChoice::Service(base) => Some(base.clone()),
            CatalogueChoice::Feed(address) | CatalogueChoice::Shop(address) => Some(address.origin()),
            CatalogueChoice::Sample | CatalogueChoice::File(_) => None,
        };
        let is_wanted = self.pictures == CopiedPictures::All && self.copies_pictures();
        is_wanted.then(|| Reach::of_catalogue(&named.chain(service).collect::<Vec<_>>()))
    }

    /// What is done for pictures on other hosts within this reach, with the `copies` of the shop's own.
    ///
    /// # Errors
    /// When no client can be made, such as on a machine that trusts no certificates.
    pub(crate) fn elsewhere(
        &self,
        reach: Option<Reach>,
        copies: Option<Copies>,
    ) -> Result<Elsewhere, FetchError> {
        match (reach, copies.or_else(|| self.copies())) {
            (Some(reach), Some(copies)) => Ok(Elsewhere::Copied(OtherHosts::new(copies, reach)?)),
            _ if self.pictures == CopiedPictures::Off => Ok(Elsewhere::Off),
            _ => Ok(Elsewhere::Asked),
        }
    }

    /// How long catalogue answers and pages stay fresh and stale.
    pub(crate) fn ages(&self) -> Ages {
        // With `--fresh 0` nothing is stored, so nothing can be served stale.
        let stale = if self.fresh.is_zero() { Duration::ZERO } else { self.stale };
        Ages { fresh: self.fresh, stale }
    }

    /// The shop's settings, with what it says of itself. `robots` is the content of the operator's own robots.txt.
    pub(crate) fn shop(&self, profile: Arc<Profile>, robots: Option<String>) -> ShopSettings {
        ShopSettings {
            profile,
            robots,
            ages: self.ages(),
            page_memory: self.shares().pages,
            log_queries: self.log_queries,
            log_sample: self.log_sample,
            service_worker: self.service_worker,
            exports: self.exports,
            agents: self.agents,
            dictionaries: self.dictionaries,
            state_dir: self.state_dir.clone(),
        }
    }

    /// The accept loop's settings.
    pub(crate) fn connections(&self) -> ConnectionLimits {
        ConnectionLimits { connections: self.max_connections as usize, ..ConnectionLimits::default() }
    }

    /// The renderer's settings.
    pub(crate) fn renderer(&self) -> RendererSettings {
        let Shares { number, heap, .. } = self.shares();
        let fitting = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        RendererSettings {
            isolates: NonZeroUsize::new(fitting(number)).unwrap_or(NonZeroUsize::MIN),
            queue: self.render_queue as usize,
            timeout: self.render_timeout,
            heap_limit: fitting(heap),
            recycle_after: self.recycle_after,
            rest_after: REST_AFTER,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    fn settings(flags: &[&str]) -> ServeSettings {
        let command = ServeSettings::augment_args(clap::Command::new("vitrine").no_binary_name(true));
        ServeSettings::from_arg_matches(&command.get_matches_from(flags)).unwrap()
    }

    #[test]
    fn without_a_fresh_age_there_is_no_stale_age() {
        let ages = |fresh| settings(&["--fresh", fresh, "--stale", "600"]).ages();
        assert_eq!(ages("0").stale, Duration::ZERO);
        assert_eq!(ages("1").stale, Duration::from_secs(600));
    }

    #[test]
    fn without_a_public_address_absolute_links_name_the_listener_s_with_its_scheme() {
        let origin = |flags: &[&str], listening: &str| {
            let site = settings(flags).site(listening.parse().unwrap()).unwrap();
            (site.origin().to_owned(), site.is_https())
        };
        let tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
        assert_eq!(origin(&[], "127.0.0.1:3000"), ("http://127.0.0.1:3000".into(), false));
        assert_eq!(origin(&tls, "192.0.2.7:443"), ("https://192.0.2.7".into(), true));
        assert_eq!(origin(&[], "0.0.0.0:80"), ("http://localhost".into(), false));
        assert_eq!(origin(&tls, "[::]:8443"), ("https://localhost:8443".into(), true));
        let public = [&tls[..], &["--public-url", "http://shop.example"]].concat();
        assert_eq!(origin(&public, "0.0.0.0:443"), ("http://shop.example".into(), false), "as it is said");
    }

    #[test]
    fn pages_may_have_no_memory() {
        assert_eq!(settings(&["--page-memory", "0"]).shop(Arc::default(), None).page_memory, 0);
    }
}
