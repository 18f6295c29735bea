//! The catalogue of a file's products. A file that cannot be used changes nothing: the version before stays on sale.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use jiff::Timestamp;
use parking_lot::RwLock;
use tokio::sync::{Notify, watch};

use super::amounts::PricesIn;
use super::categories::Renamed;
use super::error::FileError;
use super::keys::OtherKeys;
use super::moments::Changes;
use super::origin::Origin;
use super::pictures::{PictureIndex, Pictures};
use super::reading::{ReadOptions, Reading, Stamp};
use super::served_picture::ServedPicture;
use super::state::FileState;
use crate::catalogue::store::Bytes;
use crate::catalogue::version::Version;
use crate::catalogue::{
    Catalogue, CataloguePurge, CatalogueStatus, Outdated, ProductKey, Slug, Spelling, Stock,
};
use crate::observe::{Bounded, ErrorChain, LogThrottle};
use crate::pictures::Copies;
use crate::process::compute::in_background;
use crate::profile::Currency;

/// Shortest time between two log lines about the same kind of failure.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);

/// A catalogue of the products in a file.
pub struct FileCatalogue {
    pub(super) origin: Origin,
    state: Option<FileState>,
    currency: Currency,
    /// The currency that an operator has said.
    given: Option<Currency>,
    /// How many products fit in memory.
    most: u64,
    /// How addresses are written.
    spelling: Spelling,
    current: RwLock<FileVersion>,
    /// Asks for a reading.
    pub(super) reload: Arc<Notify>,
    /// Whether the next reading may have half of the products or fewer.
    accepts_loss: AtomicBool,
    /// The pictures that the shop's own texts name.
    named_pictures: RwLock<Vec<String>>,
    pub(super) throttle: LogThrottle,
    versions: watch::Sender<()>,
}

/// A version of the file that could be used.
#[derive(Clone)]
pub(super) struct FileVersion {
    sold: Arc<Version>,
    renamed: Arc<Renamed>,
    other_keys: Arc<OtherKeys>,
    pictures: Arc<PictureIndex>,
    read: Instant,
    stamp: Option<Stamp>,
    /// When sales begin and end around the moment whose prices it has.
    changes: Changes,
}

/// Why a file is read.
#[derive(Clone, Copy)]
pub(super) enum Occasion {
    /// The file has changed, or an operator has ordered a reading, which may be allowed half of the products or fewer.
    NewVersion { accepts_loss: bool },
    /// The prices of this moment are wanted, in seconds since 1970: a sale begins or ends, or the clock was set.
    Sale { at: i64 },
}

impl FileCatalogue {
    /// The catalogue of this reading, with prices in `currency`, which may be the one that an operator has `given`.
    /// Later versions may have at most `most` products, and addresses in the same `spelling`. What the next start needs is kept
    /// in `state`.
    pub(crate) fn new(
        origin: Origin,
        reading: &Reading,
        currency: Currency,
        given: Option<Currency>,
        (most, spelling): (u64, Spelling),
        state: Option<FileState>,
    ) -> Self {
        reading.log(&origin.name());
        Self {
            origin,
            state,
            currency,
            given,
            most,
            spelling,
            current: RwLock::new(FileVersion::of(reading.version(currency), reading)),
            reload: Arc::default(),
            accepts_loss: AtomicBool::default(),
            named_pictures: RwLock::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
            versions: watch::Sender::new(()),
        }
    }

    /// The same, of whose reading the shop's own texts have named these pictures.
    pub(crate) fn naming(self, names: Vec<String>) -> Self {
        Self { named_pictures: RwLock::new(names), ..self }
    }

    /// The stamp of the version on sale, which tells whether the files have changed since.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        self.current.read().stamp.clone()
    }

    /// When sales begin and end around the moment whose prices the version on sale has.
    pub(super) fn changes(&self) -> Changes {
        self.current.read().changes
    }

    /// Takes an operator's permission that the next reading has half of the products or fewer. Returns whether there is
    /// one.
    pub(super) fn take_permission(&self) -> bool {
        self.accepts_loss.swap(false, Ordering::Relaxed)
    }

    /// Grants that permission, if `accepts_loss`; also again, after nothing could be used with it.
    pub(crate) fn permit(&self, accepts_loss: bool) {
        self.accepts_loss.fetch_or(accepts_loss, Ordering::Relaxed);
    }

    /// Reads a new version of the file, or the bytes `received` of a feed, and sells it. Returns whether it could be
    /// used. `stamp` is the stamp of the files before the reading.
    pub(super) async fn take(
        &self,
        received: Option<Bytes>,
        stamp: Option<Stamp>,
        accepts_loss: bool,
    ) -> bool {
        match self.read(received, Occasion::NewVersion { accepts_loss }).await {
            Ok(version) => self.sell(version),
            Err(error) => {
                // A refused version is not read again until it changes. An unreadable one may recover.
                let is_unreadable = matches!(
                    error,
                    FileError::Unreadable(_) | FileError::Refused { .. } | FileError::Changed
                );
                self.permit(accepts_loss);
                if !is_unreadable {
                    self.current.write().stamp = stamp;
                }
                if !is_unreadable || self.throttle.allows("read") {
                    self.log_refusal(&error);
                }
                return false;
            }
        }
        true
    }

    /// Reads the file, or the bytes `received` of a feed. The result is not yet on sale.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(super) async fn read(
        &self,
        received: Option<Bytes>,
        occasion: Occasion,
    ) -> Result<FileVersion, FileError> {
        let (origin, currency, given, state) =
            (self.origin.clone(), self.currency, self.given, self.state.clone());
        let (most, spelling) = (self.most, self.spelling);
        let FileVersion { sold, pictures, .. } = self.current.read().clone();
        let named = self.named_pictures.read().clone();
        let old = sold.products().len() as u64;
        let read = in_background(move || {
            let now = match occasion {
                Occasion::NewVersion { .. } => now(),
                Occasion::Sale { at } => at,
            };
            let _mark = state.as_ref().filter(|_| origin.is_feed()).and_then(FileState::mark);
            let prices = PricesIn::Only { currency, given };
            let read = ReadOptions { prices, now, most, spelling, rejected: None };
            let pictures = Pictures::after(pictures).naming(named);
            // Otherwise its products would lose theirs.
            pictures.check_folder()?;
            let mut reading = origin.read(received.clone(), pictures, read)?;
            let accepts_loss = matches!(occasion, Occasion::NewVersion { accepts_loss: true });
            reading.check_loss(Some(old).filter(|_| !accepts_loss))?;
            if let Occasion::NewVersion { .. } = occasion {
                reading.log(&origin.name());
                if let Some(state) = &state {
                    state.keep(&reading, received.as_ref());
                }
            }
            Ok(FileVersion::of(reading.take_version(currency), &reading))
        });
        read.await
    }

    /// Puts a version on sale.
    pub(super) fn sell(&self, version: FileVersion) {
        *self.current.write() = version;
        self.versions.send_replace(());
    }

    /// Says in the log why a version is not used.
    pub(super) fn log_refusal(&self, error: &FileError) {
        tracing::error!(
            file = %Bounded(self.origin.name()), error = %ErrorChain(error),
            "the file is not used; what was read before stays on sale"
        );
    }
}

impl FileVersion {
    fn of(sold: Version, reading: &Reading) -> Self {
        Self {
            other_keys: Arc::new(OtherKeys::new(sold.products().store(), &reading.former)),
            sold: Arc::new(sold),
            renamed: Arc::new(reading.renamed.clone()),
            pictures: Arc::clone(&reading.index),
            read: Instant::now(),
            stamp: reading.stamp.clone(),
            changes: reading.changes,
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
impl Catalogue for FileCatalogue {
    fn version(&self) -> Option<Arc<Version>> {
        Some(Arc::clone(&self.current.read().sold))
    }

    async fn stock(&self) -> Stock {
        Arc::clone(&self.current.read().sold).into()
    }

    fn currency(&self) -> Currency {
        self.currency
    }

    fn versions(&self) -> Option<watch::Receiver<()>> {
        Some(self.versions.subscribe())
    }

    fn changes_in(&self) -> Option<Duration> {
        self.changes().next.map(until)
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        if purges.iter().any(|purge| purge.outdated == Outdated::Everything) {
            self.permit(purges.iter().any(CataloguePurge::accepts_loss));
            self.reload.notify_one();
        }
    }

    fn status(&self) -> CatalogueStatus {
        let FileVersion { sold, read, .. } = &*self.current.read();
        CatalogueStatus { copy: Some((sold.products().len(), read.elapsed())), ..CatalogueStatus::default() }
    }

    fn picture(&self, name: &str) -> Option<ServedPicture> {
        let pictures = Arc::clone(&self.current.read().pictures);
        ServedPicture::find(&pictures, name, &self.reload)
    }

    fn pictures(&self) -> Vec<ServedPicture> {
        let pictures = Arc::clone(&self.current.read().pictures);
        ServedPicture::all(&pictures, &self.reload)
    }

    fn name_pictures(&self, names: Vec<String>) {
        let are_new = *self.named_pictures.read() != names;
        *self.named_pictures.write() = names;
        if are_new {
            self.reload.notify_one();
        }
    }

    fn named_picture(&self, name: &str) -> Option<String> {
        self.current.read().pictures.named(name).cloned()
    }

    fn read_again(&self) {
        self.reload.notify_one();
    }

    fn copies(&self) -> Option<Copies> {
        self.current.read().pictures.copies.clone()
    }

    fn renamed(&self, category: &Slug) -> Option<Slug> {
        self.current.read().renamed.get(category).cloned()
    }

    fn respelled(&self, written: &str) -> Option<ProductKey> {
        let (sold, other_keys) = {
            let current = self.current.read();
            (Arc::clone(&current.sold), Arc::clone(&current.other_keys))
        };
        let key = ProductKey::parse(written);
        if key.as_ref().is_some_and(|key| sold.has_product(key)) {
            return None;
        }
        // The name of a product becomes the key with a hash that leads to it.
        let key = key.unwrap_or_else(|| ProductKey::of(written));
        let position = other_keys.find(&key.to_string())?;
        Some(sold.products().store().key(position))
    }
}
