//! A catalogue of products in a file of this machine. It is read as a whole, and again when it changes. A file that cannot
//! be used changes nothing: what was read last is sold.

mod amounts;
mod budget;
mod dialects;
mod draft;
mod error;
mod json;
mod moments;
mod options;
mod origin;
mod plain;
mod quotes;
mod reading;
mod report;
mod row;
mod rows;
mod table;
mod text;
mod xml;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use jiff::Timestamp;
use parking_lot::RwLock;
use tokio::sync::Notify;

pub(crate) use self::amounts::PricesIn;
pub use self::error::FileError;
pub(crate) use self::origin::Origin;
pub(crate) use self::reading::Reading;
use self::reading::Stamp;
pub(crate) use self::report::Report;
use super::mirror::{Mirror, MirrorQuery};
use super::query::{Ask, Result as Answer};
use super::{Catalogue, CataloguePurge, CatalogueStatus, CategorySizes, Outdated, PurgeMode};
use crate::observe::{Bounded, ErrorChain, LogThrottle};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// Shortest time between two lines about a file that cannot be read.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);
/// Time between two looks at a file.
const PERIOD: Duration = Duration::from_secs(2);

/// A catalogue of the products in a file.
pub struct FileCatalogue {
    origin: Origin,
    currency: Currency,
    current: RwLock<Version>,
    /// Asks for a reading.
    reload: Notify,
    /// Whether the next reading may have half of the products or fewer.
    accepts_loss: AtomicBool,
    throttle: LogThrottle,
}

/// What was read of a file that could be used.
#[derive(Clone)]
struct Version {
    mirror: Arc<Mirror>,
    read: Instant,
    stamp: Option<Stamp>,
    /// When a sale begins or ends next, in seconds since 1970.
    changes_at: Option<i64>,
}

impl FileCatalogue {
    /// The catalogue of what was read, with prices in `currency`. Takes long, see `process/compute.rs`.
    pub(crate) fn new(origin: Origin, reading: &Reading, currency: Currency) -> Self {
        reading.log(&origin.name());
        Self {
            origin,
            currency,
            current: RwLock::new(Version::of(reading, currency)),
            reload: Notify::new(),
            accepts_loss: AtomicBool::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        }
    }

    /// Reads the file again whenever it has changed or a sale begins or ends, for as long as the program runs.
    pub(crate) async fn follow(self: Arc<Self>) {
        let mut last = self.stamp().await;
        // How long before a sale the file is read.
        let mut ahead = PERIOD;
        loop {
            let due = self.due().map(|due| due.saturating_sub(ahead));
            let pause = due.unwrap_or(PERIOD).min(PERIOD);
            let is_ordered = tokio::time::timeout(pause, self.reload.notified()).await.is_ok();
            let stamp = self.stamp().await;
            if last.is_some() && stamp.is_none() {
                tracing::warn!(
                    file = %Bounded(self.origin.name()),
                    "the file is gone; what was read before stays on sale"
                );
            }
            // A file that is being written changes again.
            let is_changed = stamp.is_some() && stamp == last && stamp != self.current.read().stamp;
            last = stamp;
            let is_due = self.due().is_some_and(|due| due <= ahead) && last.is_some();
            if is_ordered || is_changed || is_due {
                let began = Instant::now();
                let at = self.current.read().changes_at.filter(|_| is_due && !is_ordered && !is_changed);
                self.reload(last.clone(), at).await;
                ahead = PERIOD + began.elapsed().min(Duration::from_secs(60)) * 2;
            }
        }
    }

    /// How long it is until a sale begins or ends.
    fn due(&self) -> Option<Duration> {
        self.current.read().changes_at.map(until)
    }

    async fn stamp(&self) -> Option<Stamp> {
        let origin = self.origin.clone();
        off_runtime(move || origin.stamp()).await
    }

    /// Reads the file, and sells what it has, with the prices of now or of the moment `at`, for which this waits.
    async fn reload(&self, stamp: Option<Stamp>, at: Option<i64>) {
        let (origin, currency) = (self.origin.clone(), self.currency);
        let old = self.current.read().mirror.products().len() as u64;
        let accepts_loss = self.accepts_loss.swap(false, Ordering::Relaxed);
        let made = off_runtime(move || {
            let reading = origin.read(PricesIn::Only(currency), at.unwrap_or_else(now))?;
            let new = reading.report.products;
            if new <= old / 2 && !accepts_loss {
                return Err(FileError::Loss { old, new });
            }
            if at.is_none() {
                reading.log(&origin.name());
            }
            Ok(Version::of(&reading, currency))
        });
        let error = match made.await {
            Ok(version) => {
                tokio::time::sleep(at.map(until).unwrap_or_default()).await;
                *self.current.write() = version;
                return;
            }
            Err(error) => error,
        };
        // A version that was refused is not read again until it changes. What could not be read may be readable soon.
        let is_unreadable = matches!(error, FileError::Unreadable(_) | FileError::Changed);
        let mut current = self.current.write();
        current.changes_at = None;
        if !is_unreadable {
            current.stamp = stamp;
        }
        drop(current);
        if !is_unreadable || self.throttle.allows("read") {
            tracing::error!(
                file = %Bounded(self.origin.name()), error = %ErrorChain(&error),
                "the file is not used; what was read before stays on sale"
            );
        }
    }
}

impl Version {
    fn of(reading: &Reading, currency: Currency) -> Self {
        Self {
            mirror: Arc::new(reading.mirror(currency)),
            read: Instant::now(),
            stamp: reading.stamp.clone(),
            changes_at: reading.changes_at,
        }
    }
}

/// The present moment, in seconds since 1970.
pub(crate) fn now() -> i64 {
    Timestamp::now().as_second()
}

/// How long it is until a moment in seconds since 1970.
fn until(moment: i64) -> Duration {
    let from = Timestamp::now();
    let until = Timestamp::from_second(moment).unwrap_or(Timestamp::MAX);
    until.duration_since(from).try_into().unwrap_or_default()
}

#[async_trait]
impl<Q: MirrorQuery> Ask<Q> for FileCatalogue {
    async fn ask(&self, query: &Q) -> Answer<Q::Answer> {
        let mirror = Arc::clone(&self.current.read().mirror);
        query.answer_from(&mirror)
    }
}

impl Catalogue for FileCatalogue {
    fn currency(&self) -> Currency {
        self.currency
    }

    /// Files have no ratings, unless some product of JSON has one.
    fn knows_ratings(&self) -> bool {
        false
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        let everything = || purges.iter().filter(|purge| purge.outdated == Outdated::Everything);
        if everything().next().is_some() {
            let is_hard = everything().any(|purge| purge.mode == PurgeMode::Hard);
            self.accepts_loss.fetch_or(is_hard, Ordering::Relaxed);
            self.reload.notify_one();
        }
    }

    fn status(&self) -> CatalogueStatus {
        let Version { mirror, read, .. } = &*self.current.read();
        CatalogueStatus {
            copy: Some((mirror.products().len(), read.elapsed())),
            ..CatalogueStatus::default()
        }
    }

    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        Some(self.current.read().mirror.category_sizes())
    }
}
