//! The catalogue of what was read of a file. A file that cannot be used changes nothing: what was read last is sold.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use jiff::Timestamp;
use parking_lot::RwLock;
use tokio::sync::{Notify, watch};

use super::amounts::PricesIn;
use super::error::FileError;
use super::origin::Origin;
use super::pictures::{PictureIndex, Pictures};
use super::reading::{Reading, Stamp};
use super::served_picture::ServedPicture;
use super::state::FileState;
use crate::catalogue::mirror::{Mirror, MirrorQuery};
use crate::catalogue::query::{Ask, Result as Answer};
use crate::catalogue::{Catalogue, CataloguePurge, CatalogueStatus, CategorySizes, Outdated, PurgeMode};
use crate::observe::{Bounded, ErrorChain, LogThrottle};
use crate::process::compute::off_runtime;
use crate::profile::Currency;

/// Shortest time between two lines about a file that cannot be read.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);
/// How soon it is tried again to read a file for a sale that has begun or ended meanwhile.
const AGAIN: i64 = 60;

/// A catalogue of the products in a file.
pub struct FileCatalogue {
    pub(super) origin: Origin,
    state: Option<FileState>,
    currency: Currency,
    current: RwLock<Version>,
    /// Asks for a reading.
    pub(super) reload: Arc<Notify>,
    /// Whether the next reading may have half of the products or fewer.
    accepts_loss: AtomicBool,
    pub(super) throttle: LogThrottle,
    versions: watch::Sender<()>,
}

/// What was read of a file that could be used.
#[derive(Clone)]
struct Version {
    mirror: Arc<Mirror>,
    pictures: Arc<PictureIndex>,
    read: Instant,
    stamp: Option<Stamp>,
    /// When a sale begins or ends next, in seconds since 1970.
    changes_at: Option<i64>,
}

impl FileCatalogue {
    /// The catalogue of what was read, with prices in `currency`. Takes long, see `process/compute.rs`.
    /// What is known for the next start is kept in `state`.
    pub(crate) fn new(
        origin: Origin,
        reading: &Reading,
        currency: Currency,
        state: Option<FileState>,
    ) -> Self {
        reading.log(&origin.name());
        Self {
            origin,
            state,
            currency,
            current: RwLock::new(Version::of(reading, currency)),
            reload: Arc::default(),
            accepts_loss: AtomicBool::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
            versions: watch::Sender::new(()),
        }
    }

    /// What tells whether the version on sale is that of the files.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.current.read().stamp.clone()
    }

    /// When a sale begins or ends next, in seconds since 1970.
    pub(super) fn changes_at(&self) -> Option<i64> {
        self.current.read().changes_at
    }

    /// Reads the file or what was `received` of a feed, and sells what it has, with the prices of now or of the moment `at`,
    /// for which this waits. Returns whether it could be used. `stamp` is that of the files before.
    pub(super) async fn read_again(
        &self,
        received: Option<Bytes>,
        stamp: Option<Stamp>,
        at: Option<i64>,
    ) -> bool {
        let (origin, currency, state) = (self.origin.clone(), self.currency, self.state.clone());
        let Version { mirror, pictures, .. } = self.current.read().clone();
        let old = mirror.products().len() as u64;
        drop(mirror);
        let accepts_loss = self.accepts_loss.swap(false, Ordering::Relaxed);
        let made = off_runtime(move || {
            let (prices, now) = (PricesIn::Only(currency), at.unwrap_or_else(now));
            let reading = origin.read(received.clone(), Pictures::after(pictures), prices, now)?;
            reading.check_loss(Some(old).filter(|_| !accepts_loss))?;
            if at.is_none() {
                reading.log(&origin.name());
                if let Some(state) = state {
                    state.keep(&reading, received.as_deref());
                }
            }
            Ok(Version::of(&reading, currency))
        });
        let error = match made.await {
            Ok(version) => {
                tokio::time::sleep(at.map(until).unwrap_or_default()).await;
                *self.current.write() = version;
                self.versions.send_replace(());
                return true;
            }
            Err(error) => error,
        };
        self.refuse(&error, stamp, at.is_some());
        false
    }

    /// Goes on with the version on sale.
    fn refuse(&self, error: &FileError, stamp: Option<Stamp>, is_for_sale: bool) {
        // A version that was refused is not read again until it changes. What could not be read may be readable soon.
        let is_unreadable = matches!(error, FileError::Unreadable(_) | FileError::Changed);
        let mut current = self.current.write();
        if !is_unreadable {
            current.stamp = stamp;
        }
        if is_for_sale {
            // Prices have changed all the same.
            current.changes_at = Some(now() + AGAIN);
        }
        drop(current);
        if !is_unreadable && !is_for_sale || self.throttle.allows("read") {
            tracing::error!(
                file = %Bounded(self.origin.name()), error = %ErrorChain(error),
                "the file is not used; what was read before stays on sale"
            );
        }
    }
}

impl Version {
    fn of(reading: &Reading, currency: Currency) -> Self {
        Self {
            mirror: Arc::new(reading.mirror(currency)),
            pictures: Arc::clone(&reading.index),
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
pub(super) fn until(moment: i64) -> Duration {
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

    fn versions(&self) -> Option<watch::Receiver<()>> {
        Some(self.versions.subscribe())
    }

    fn changes_in(&self) -> Option<Duration> {
        self.changes_at().map(until)
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

    fn picture(&self, name: &str) -> Option<ServedPicture> {
        let pictures = Arc::clone(&self.current.read().pictures);
        ServedPicture::find(&pictures, name, &self.reload)
    }

    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        Some(self.current.read().mirror.category_sizes())
    }
}
