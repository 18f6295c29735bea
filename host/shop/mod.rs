//! Answers requests: this module brings the catalogue, the pages, the renderer and the cache together.
//!
//! - `answering`: from a request to its response, by way of the cache.
//! - `answers`: the cache.
//! - `making`: what is cached, and how it is made when it is missing or old.
//! - `purge`, `named_address`: purges that operators order, and the addresses that they name.
//! - `links`: the links of the shop's file, of which pages show those that lead somewhere.
//! - `upkeep`: what the shop does by itself.
//!
//! It promises that one address has one answer, which is made by one task while all requests for it wait; that a
//! request is answered within its deadline, with an error page at worst; and that an answer whose data has not changed
//! is not made again. The reasons are in `docs/decisions/`: `0009-finished-pages-are-remembered.md`,
//! `0010-overload.md` and `0046-one-way-to-sell.md`.

mod answering;
mod answers;
pub(crate) mod error;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod links;
mod making;
mod named_address;
mod purge;
#[cfg(test)]
mod tests;
mod upkeep;

use std::io;
use std::num::{NonZeroU32, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use self::answering::crowd::Crowd;
use self::answering::export_limits::ExportLimits;
use self::answering::long_exports::{LongExports, Medium};
use self::answering::prefetch::Prefetches;
pub(crate) use self::answering::routes::routes;
use self::answers::Answers;
use self::error::AppError;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::fuzzing::check_address;
use self::links::Frames;
pub(crate) use self::links::{DeadLink, DeadRedirects, Frame, NoTarget};
use self::making::answer::Made;
pub(crate) use self::making::copy_ahead::copy_ahead;
use self::making::finish_variants::Finisher;
pub use self::making::finish_variants::IDLE_NICENESS;
use self::making::key::{CacheKey, Key};
pub use self::making::make_ahead::{RenderAhead, make_ahead};
use self::making::render_failures::RenderFailures;
pub use self::purge::{GivenOrder, PurgeError, PurgeOrder, PurgeScope};
pub(crate) use self::upkeep::{
    follow_pictures, follow_versions, make_room, name_blocked_images, name_versions,
};
use crate::cache::{Ages, Died, Hit, Patience, Purge};
use crate::catalogue::Catalogue;
use crate::contract::{self, PageJson};
use crate::document::blocked_images::BlockedImages;
use crate::document::icons::Icons;
use crate::document::texts::TextsFile;
use crate::document::{Agents, ServiceWorker, Site};
use crate::exports::Exports;
use crate::http::caching::Caching;
use crate::http::compression::Accepted;
use crate::http::dictionaries::{Dictionaries, OfferDictionaries};
use crate::http::recent_answers::{RecentAnswers, Rotation};
use crate::http::request_log::{AccessLog, LogQueries};
use crate::http::variants::Variants;
use crate::observe::LogThrottle;
use crate::pages::address::HOME;
use crate::pictures::{Copies, Elsewhere};
use crate::process::compute::ComputePool;
use crate::process::pressure::Pressure;
use crate::profile::Profile;
use crate::render::Renderer;

/// Number of seeds a day for home's random categories; visits use them in turn.
const HOME_SEEDS_PER_DAY: u64 = 8;
/// Shortest time after which a cached page is compared with its data again.
const COMPARED_AFTER: Duration = Duration::from_secs(5);

/// For this many cores there is one thread that computes listings. A listing takes much less time than its
/// render, so half of the cores keep every isolate busy.
const CORES_PER_THREAD: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1);
/// Most listings that wait for a thread to be computed.
const COMPUTE_QUEUE: usize = 64;
/// Most calls of assistants that wait for their thread.
const AGENTS_QUEUE: usize = 32;
/// A listing that reads at most this many bytes is computed where it is asked for, which saves the 20 µs of handing
/// it to a thread. A listing of a usual shop with 500 products reads that many.
const SHORT_LISTING: usize = 128 << 10;

/// The state that all requests share. A clone shares it too.
#[derive(Clone)]
pub struct Shop {
    catalogue: Arc<dyn Catalogue>,
    renderer: Renderer,
    /// Computes what listings show.
    pool: Arc<ComputePool>,
    site: Site,
    settings: ShopSettings,
    /// What every page shows of the profile.
    shown_profile: Arc<contract::Shop>,
    /// What pages show of it with the current version of the catalogue.
    frames: Frames,
    icons: Arc<Icons>,
    /// The texts that documents name, if they are not the client's own.
    texts: Arc<Option<TextsFile>>,
    /// The number of the profile: answers in the cache that show another one are not used.
    edition: u32,
    /// Tells when memory is too short to make new pages.
    pressure: Pressure,
    answers: Answers,
    prefetches: Arc<Prefetches>,
    crowd: Arc<Crowd>,
    render_failures: Arc<RenderFailures>,
    blocked_images: Arc<BlockedImages>,
    throttle: Arc<LogThrottle>,
    access: Arc<AccessLog>,
    /// What is done for pictures on other hosts.
    elsewhere: Elsewhere,
    /// What pages are compressed with for browsers that have it.
    dictionaries: Dictionaries,
    /// Makes final variants, once it is started.
    finisher: Arc<OnceLock<Finisher>>,
    exports: ExportLimits,
    /// Computes what assistants ask.
    agents: Arc<ComputePool>,
    long_exports: LongExports,
    /// Visits of the home page.
    visits: Arc<AtomicU64>,
}

/// Figures of the cached pages and files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CachedAnswers {
    pub(crate) number: u64,
    /// Estimated, in bytes.
    pub(crate) weight: u64,
    /// Most that they may weigh.
    pub(crate) capacity: u64,
    /// Removed because there was no room for them.
    pub(crate) evicted_for_room: u64,
    /// Removed because they were too old to be served.
    pub(crate) expired: u64,
}

/// The operator's settings for pages and files.
#[derive(Clone, Debug)]
pub struct ShopSettings {
    /// What the shop says of itself.
    pub profile: Arc<Profile>,
    /// The operator's own robots.txt, instead of the generated one.
    pub robots: Option<String>,
    /// How long data, and therefore pages, are fresh, and how long stale ones are served. With a `fresh`
    /// of zero nothing is cached.
    pub ages: Ages,
    /// Capacity of the answer cache, in bytes.
    pub page_memory: u64,
    /// Whether the log may show the requested paths and query strings.
    pub log_queries: LogQueries,
    /// One in this many ordinary requests is logged.
    pub log_sample: NonZeroU32,
    /// Whether browsers install the service worker.
    pub service_worker: ServiceWorker,
    /// Whether the shop offers its products as files.
    pub exports: Exports,
    /// Whether assistants are answered.
    pub agents: Agents,
    /// Whether browsers are offered a dictionary.
    pub dictionaries: OfferDictionaries,
    /// Where long exports are kept, in files without names; without a directory they are kept in memory.
    pub state_dir: Option<PathBuf>,
}

impl Shop {
    /// A shop with an empty cache.
    ///
    /// # Errors
    /// Fails when a thread cannot be started.
    pub fn new(
        catalogue: Arc<dyn Catalogue>,
        renderer: Renderer,
        site: Site,
        settings: ShopSettings,
        pressure: Pressure,
    ) -> io::Result<Self> {
        let Ages { fresh, stale } = settings.ages;
        let ages = Ages { fresh: fresh.min(COMPARED_AFTER), stale };
        let answers = Answers::new(ages, settings.page_memory);
        let cores = available_parallelism()?;
        let threads = cores.div_ceil(CORES_PER_THREAD);
        let access = AccessLog::new(settings.log_queries, settings.log_sample);
        Ok(Self {
            catalogue,
            renderer: renderer.with_texts(texts_of(&settings.profile)),
            pool: Arc::new(ComputePool::start("listings", threads, COMPUTE_QUEUE, Some(SHORT_LISTING))?),
            site,
            shown_profile: Arc::new(contract::Shop::from(&*settings.profile)),
            frames: Frames::default(),
            icons: Arc::new(Icons::of(&settings.profile)),
            texts: Arc::new(TextsFile::of(&settings.profile.texts)),
            edition: 0,
            crowd: Arc::new(Crowd::new(cores, &settings.profile)),
            long_exports: LongExports::new(
                settings.page_memory,
                settings.state_dir.clone(),
                Arc::clone(pressure.files_in_memory()),
            ),
            settings,
            pressure,
            answers,
            prefetches: Arc::default(),
            render_failures: Arc::default(),
            elsewhere: Elsewhere::default(),
            blocked_images: Arc::default(),
            throttle: Arc::default(),
            access: Arc::new(access),
            dictionaries: Dictionaries::default(),
            finisher: Arc::default(),
            exports: ExportLimits::default(),
            agents: Arc::new(ComputePool::start("agents", NonZeroUsize::MIN, AGENTS_QUEUE, None)?),
            visits: Arc::default(),
        })
    }

    /// The same shop with copies of pictures on other hosts.
    pub(crate) fn with_elsewhere(self, elsewhere: Elsewhere) -> Self {
        Self { elsewhere, ..self }
    }

    /// Where copies of pictures are kept, if any are made.
    pub(crate) fn copies(&self) -> Option<Copies> {
        self.elsewhere.hosts().map(|hosts| hosts.copies().clone()).or_else(|| self.catalogue.copies())
    }

    /// The same shop with another profile. It shares everything but the answers that show the profile.
    pub(crate) fn with_profile(&self, profile: Arc<Profile>) -> Self {
        Self {
            shown_profile: Arc::new(contract::Shop::from(&*profile)),
            frames: Frames::default(),
            renderer: self.renderer.with_texts(texts_of(&profile)),
            icons: Arc::new(Icons::of(&profile)),
            texts: Arc::new(TextsFile::of(&profile.texts)),
            crowd: Arc::new(self.crowd.with_profile(&profile)),
            edition: self.edition + 1,
            settings: ShopSettings { profile, ..self.settings.clone() },
            ..self.clone()
        }
    }

    /// Removes the answers that show another profile. An answer that is made meanwhile is never used, and expires.
    pub(crate) fn forget_other_profiles(&self) {
        self.answers.purge(|key, _| (key.edition != self.edition).then_some(Purge::Remove));
    }

    /// The key of an answer in the cache.
    fn in_cache(&self, key: Key) -> CacheKey {
        CacheKey { edition: self.edition, key }
    }

    /// What the shop says of itself.
    pub(crate) fn profile(&self) -> &Arc<Profile> {
        &self.settings.profile
    }

    pub(crate) fn site(&self) -> &Site {
        &self.site
    }

    /// Where requests are counted and logged.
    pub(crate) fn access(&self) -> &Arc<AccessLog> {
        &self.access
    }

    pub(crate) fn catalogue(&self) -> &dyn Catalogue {
        &*self.catalogue
    }

    /// The catalogue, to be kept.
    pub(crate) fn shared_catalogue(&self) -> Arc<dyn Catalogue> {
        Arc::clone(&self.catalogue)
    }

    /// The thread for what assistants ask. Shops with other profiles share it.
    pub(crate) fn agents_pool(&self) -> Arc<ComputePool> {
        Arc::clone(&self.agents)
    }

    /// Whether assistants are answered.
    pub(crate) fn agents(&self) -> Agents {
        self.settings.agents
    }

    pub(crate) fn renderer(&self) -> &Renderer {
        &self.renderer
    }

    pub(crate) fn pressure(&self) -> &Pressure {
        &self.pressure
    }

    /// Figures of the cached pages and files.
    pub(crate) fn cached_answers(&self) -> CachedAnswers {
        let (evicted_for_room, expired) = self.answers.evicted();
        CachedAnswers {
            number: self.answers.len(),
            weight: self.answers.weight(),
            capacity: self.settings.page_memory,
            evicted_for_room,
            expired,
        }
    }

    /// How many long exports were made to be kept, or are being made.
    pub(crate) fn exports_made(&self) -> u64 {
        self.long_exports.begun()
    }

    /// Bytes of the long exports that are kept, by the name of their medium.
    pub(crate) fn kept_exports(&self) -> [(&'static str, u64); Medium::EVERY.len()] {
        Medium::EVERY.map(|medium| (medium.name(), self.long_exports.bytes(medium)))
    }

    fn log_queries(&self) -> LogQueries {
        self.access.queries()
    }

    pub(crate) fn service_worker(&self) -> ServiceWorker {
        self.settings.service_worker
    }

    /// A memory for the answers of the last second.
    pub(crate) fn recent_answers(&self) -> RecentAnswers {
        let turns = Rotation { path: HOME, pages: HOME_SEEDS_PER_DAY, visits: Arc::clone(&self.visits) };
        RecentAnswers::new(turns, Arc::clone(&self.access))
    }

    /// Whether a finished page is ever cached, and so whether one is worth making ahead.
    pub fn keeps_pages(&self) -> bool {
        self.settings.page_memory > 0 && !self.settings.ages.fresh.is_zero()
    }

    /// How long a page is served without a comparison with its data.
    fn compared_after(&self) -> Duration {
        self.settings.ages.fresh.min(COMPARED_AFTER)
    }

    /// Starts to make final variants of popular answers, on a thread of this niceness: [`IDLE_NICENESS`], but for tests,
    /// which share the machine with others. Without this call every variant stays as it was first made.
    ///
    /// # Errors
    /// Fails when the thread cannot be started.
    pub fn finish_variants(&self, niceness: i32) -> io::Result<()> {
        let (renderer, pressure) = (self.renderer.clone(), self.pressure.clone());
        let finisher = Finisher::start(renderer, pressure, self.dictionaries.clone(), niceness)?;
        // A second one is dropped, and ends.
        let _ = self.finisher.set(finisher);
        Ok(())
    }

    /// See [`Finisher::finish_later`].
    fn finish_later(&self, variants: &Arc<Variants>, accepted: Accepted) {
        if let Some(finisher) = self.finisher.get() {
            finisher.finish_later(variants, accepted);
        }
    }

    /// See [`Finisher::is_behind`].
    fn is_behind_with_variants(&self) -> bool {
        self.finisher.get().is_some_and(Finisher::is_behind)
    }

    /// The caching of a complete page.
    fn caching(&self) -> Caching {
        let Ages { fresh, stale } = self.settings.ages;
        Caching::Shared { fresh, stale }
    }

    /// The next seed for home's categories. The choice changes from visit to visit and from day to day.
    /// There are only a few seeds a day, the same in every replica, so that each page can be cached.
    fn next_home_seed(&self) -> u64 {
        self.home_seeds_of_today().start + self.visits.fetch_add(1, Ordering::Relaxed) % HOME_SEEDS_PER_DAY
    }

    /// The seeds for home's categories that visits use today.
    fn home_seeds_of_today(&self) -> Range<u64> {
        let today = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
        today * HOME_SEEDS_PER_DAY..(today + 1) * HOME_SEEDS_PER_DAY
    }

    /// The cached answer; on a miss one task makes it while all requests for it wait. Once every one of
    /// their connections is gone, the task is cancelled, with its place in the renderer's queue.
    async fn cached(self: &Arc<Self>, key: &CacheKey) -> Result<Hit<Arc<Made>>, AppError> {
        self.cached_within(key, Patience::Brief).await
    }

    /// As [`Self::cached`], with another patience.
    async fn cached_within(
        self: &Arc<Self>,
        key: &CacheKey,
        patience: Patience,
    ) -> Result<Hit<Arc<Made>>, AppError> {
        let made = self.answers.get(key.clone(), patience, |last| {
            let (shop, key) = (Arc::clone(self), key.key.clone());
            async move {
                match key {
                    Key::Page(form, address) => making::make::make(&shop, form, &address, last).await,
                    Key::File(file) => answering::files::make(&shop, file, last).await,
                    Key::Suggestions(text) => answering::suggest::make(&shop, text, last).await,
                    Key::Cards(keys) => answering::saved_cards::make(&shop, &keys, last),
                }
            }
        });
        made.await.map_err(|Died| AppError::Died)
    }
}

/// The texts for the isolates, if they are not those of the bundle. Nothing in them can fail to be serialised.
fn texts_of(profile: &Profile) -> Option<PageJson> {
    profile.texts.of_pages().and_then(|texts| PageJson::new(&texts).ok())
}
