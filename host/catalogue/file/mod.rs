//! A catalogue of products in a file of this machine. It is read as a whole, and again when it changes. A file that cannot
//! be used changes nothing: what was read last is sold.

mod amounts;
mod dialects;
mod error;
mod json;
mod picture;
mod pictures;
mod plain;
mod reading;
mod report;
mod rows;
mod served_picture;
mod table;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use parking_lot::RwLock;
use tokio::sync::Notify;

pub(crate) use self::amounts::PricesIn;
pub use self::error::FileError;
pub use self::picture::PictureError;
use self::pictures::PictureIndex;
pub(crate) use self::pictures::Pictures;
use self::reading::Stamp;
pub(crate) use self::reading::{Reading, read};
pub(crate) use self::report::Report;
pub use self::served_picture::ServedPicture;
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
    path: PathBuf,
    currency: Currency,
    current: RwLock<Version>,
    /// Asks for a reading.
    reload: Arc<Notify>,
    /// Whether the next reading may have half of the products or fewer.
    accepts_loss: AtomicBool,
    throttle: LogThrottle,
}

/// What was read of a file that could be used.
#[derive(Clone)]
struct Version {
    mirror: Arc<Mirror>,
    pictures: Arc<PictureIndex>,
    read: Instant,
    stamp: Option<Stamp>,
}

impl FileCatalogue {
    /// The catalogue of what was read of a file, with prices in `currency`. Takes long, see `process/compute.rs`.
    pub(crate) fn new(path: &Path, reading: &Reading, currency: Currency) -> Self {
        reading.log(path);
        let mirror = Arc::new(reading.mirror(currency));
        let pictures = Arc::clone(&reading.index);
        let version = Version { mirror, pictures, read: Instant::now(), stamp: reading.stamp };
        Self {
            path: path.into(),
            currency,
            current: RwLock::new(version),
            reload: Arc::default(),
            accepts_loss: AtomicBool::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        }
    }

    /// Reads the file again whenever it has changed, for as long as the program runs.
    pub(crate) async fn follow(self: Arc<Self>) {
        let mut last = self.stamp().await;
        loop {
            let is_ordered = tokio::time::timeout(PERIOD, self.reload.notified()).await.is_ok();
            let stamp = self.stamp().await;
            if last.is_some() && stamp.is_none() {
                tracing::warn!(
                    file = %Bounded(self.path.display()),
                    "the file is gone; what was read before stays on sale"
                );
            }
            // A file that is being written changes again.
            let is_changed = stamp.is_some() && stamp == last && stamp != self.current.read().stamp;
            last = stamp;
            if is_ordered || is_changed {
                self.reload(stamp).await;
            }
        }
    }

    /// `None` without a file: it may come back.
    async fn stamp(&self) -> Option<Stamp> {
        let path = self.path.clone();
        off_runtime(move || Stamp::of(&path).ok()).await
    }

    async fn reload(&self, stamp: Option<Stamp>) {
        let (path, currency) = (self.path.clone(), self.currency);
        let Version { mirror: old, pictures, .. } = self.current.read().clone();
        let accepts_loss = self.accepts_loss.swap(false, Ordering::Relaxed);
        let made = off_runtime(move || {
            let reading = read(&path, PricesIn::Only(currency), Pictures::after(pictures))?;
            let (old, new) = (old.products().len() as u64, reading.report.products);
            if new <= old / 2 && !accepts_loss {
                return Err(FileError::Loss { old, new });
            }
            let mirror = reading.mirror(currency);
            reading.log(&path);
            Ok((mirror, reading.index))
        });
        let error = match made.await {
            Ok((mirror, pictures)) => {
                let mirror = Arc::new(mirror);
                *self.current.write() = Version { mirror, pictures, read: Instant::now(), stamp };
                return;
            }
            Err(error) => error,
        };
        // A version that was refused is not read again until it changes. What could not be read may be readable soon.
        let is_unreadable = matches!(error, FileError::Unreadable(_));
        if !is_unreadable {
            self.current.write().stamp = stamp;
        }
        if !is_unreadable || self.throttle.allows("read") {
            tracing::error!(
                file = %Bounded(self.path.display()), error = %ErrorChain(&error),
                "the file is not used; what was read before stays on sale"
            );
        }
    }
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

    fn picture(&self, name: &str) -> Option<ServedPicture> {
        let pictures = Arc::clone(&self.current.read().pictures);
        ServedPicture::find(&pictures, name, &self.reload)
    }

    fn category_sizes(&self) -> Option<Arc<CategorySizes>> {
        Some(self.current.read().mirror.category_sizes())
    }
}
