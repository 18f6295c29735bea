//! Saves the last good answers on disk, so that a shop that starts during an outage can still sell.
//!
//! Each service has a file of its own, named by a hash of its address. A file that cannot be used now (too
//! old, damaged, of another version) stays until there are products to replace it with: it may be usable
//! after the next start. No failure here keeps the shop from starting or answering.

mod ages;
mod clock;
mod error;
pub(in crate::catalogue) mod files;
mod format;
mod snapshot;
mod unchecked;

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use parking_lot::Mutex;
use serde::Deserialize;

use self::ages::Ages;
pub use self::error::StateError;
use self::format::{Saved, Written};
use self::snapshot::Snapshot;
use super::Remembered;
use crate::catalogue::Source;
use crate::catalogue::store::Bytes;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::in_background;
use crate::profile::Currency;

/// Delay before the first save. It is short, because a new process may end soon.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// Time between two saves.
const PERIOD: Duration = Duration::from_secs(30);
/// The ages of unchanged answers are written when those in the file are too great by this part of the time for which
/// answers may be served, or by [`LONGEST_UNCONFIRMED`]. After a restart, answers count as older by at most that much.
const UNCONFIRMED_PART: u32 = 10;
const LONGEST_UNCONFIRMED: Duration = Duration::from_secs(6 * 3_600);
/// The largest copy that is shared, in bytes: the server and every replica that reads the copy have it in memory.
const LARGEST_SHARED: u64 = 32 << 20;
/// Shortest time between two warnings about failed saves.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// The file with the last good answers of one service. Clones share what is known of it.
#[derive(Clone, Debug)]
pub struct StateDir {
    directory: PathBuf,
    file: PathBuf,
    service: String,
    /// How many products the file holds, see [`Snapshot::may_replace`].
    saved: Arc<AtomicUsize>,
    /// The file as it was last written by this process, or by another one with the same answers.
    written: Arc<Mutex<Option<LastWritten>>>,
    /// Whether there was a file that could not be used. The next answers replace it, even if it seems to have the same.
    is_unusable: Arc<AtomicBool>,
}

/// A state file as it was written.
#[derive(Debug)]
struct LastWritten {
    /// The hash of its answers, see [`Snapshot::fingerprint`].
    fingerprint: blake3::Hash,
    written: Written,
    /// The ages that this process wrote, and when; `None` if another process wrote the file.
    ages: Option<(Ages, Instant)>,
}

impl LastWritten {
    /// Makes sure that the file still has this content. Appends the ages of the snapshot's answers, which are the same,
    /// if one of them is younger than the file says, at least by `within`.
    fn confirm(&mut self, file: &Path, snapshot: &Snapshot, within: Duration) -> Result<(), StateError> {
        let Written { head, length } = &self.written;
        let opened = files::open_written(file, head, *length)?;
        let ages = Ages::of(snapshot);
        if self.ages.as_ref().is_none_or(|(last, at)| ages.has_younger(last, at.elapsed(), within)) {
            let json = serde_json::to_string(&ages)?;
            files::append(&opened, *length, &format::encode_ages(head, &json))?;
            self.ages = Some((ages, Instant::now()));
        }
        Ok(())
    }
}

impl StateDir {
    /// The state file in `directory` for the service at this address.
    pub fn new(directory: &Path, service: impl Into<String>) -> Self {
        let service = address(&service.into());
        let file = files::file_of(directory, &service);
        Self {
            directory: directory.into(),
            file,
            service,
            saved: Arc::default(),
            written: Arc::default(),
            is_unusable: Arc::default(),
        }
    }

    /// Creates the directory if it is missing.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(crate) fn create(directory: &Path) -> io::Result<()> {
        files::prepare(directory)
    }

    /// Where the pages that a pass reads are saved until all are read.
    pub fn pages_file(&self) -> PathBuf {
        files::pages_of(&self.file)
    }

    /// Where the answers are saved.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Loads the saved answers into the cache. A missing file is not an error.
    ///
    /// # Errors
    /// When the directory cannot be created or nothing that is saved can be used. The cache is then
    /// unchanged, and so is what is saved.
    pub fn load<C: Source>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
        let found = files::prepare(&self.directory)
            .map_err(StateError::from)
            .and_then(|()| self.find(catalogue.source.currency(), catalogue.most_restored()));
        let products = match &found {
            Ok(found) => found.as_ref().map_or(0, Snapshot::products),
            // Such a file has nothing that could be used later.
            Err(StateError::Damaged | StateError::NotAFile | StateError::TooLarge) => 0,
            // The number of products is not known, so only the whole catalogue is worth more.
            Err(_) => usize::MAX,
        };
        self.saved.store(products, Ordering::Relaxed);
        self.is_unusable.store(found.is_err(), Ordering::Relaxed);
        match found? {
            Some(saved) => {
                if saved.restore(catalogue) {
                    Ok(())
                } else {
                    Err(StateError::TooOld)
                }
            }
            None if files::has_others(&self.directory, &self.file) => Err(StateError::OtherService),
            None => Ok(()),
        }
    }

    /// The saved answers of this service; `None` if there is no file.
    fn find(&self, currency: Currency, most: u64) -> Result<Option<Snapshot>, StateError> {
        let bytes = match files::read(&self.file) {
            Err(StateError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let snapshot = unchecked::parse(&format::read(&bytes)?, currency, most)?;
        if address(&snapshot.service) != self.service {
            return Err(StateError::OtherService);
        }
        files::mark_used(&self.file);
        Ok(Some(snapshot))
    }

    /// Replaces the file with the current answers, if they are worth more: see [`Snapshot::may_replace`]. If the file
    /// has the same answers already, only their ages are written, and these rarely.
    ///
    /// # Errors
    /// When the file cannot be written, such as on a full or read-only disk. The old file stays.
    pub fn save<C: Source>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
        let snapshot = Snapshot::of(catalogue, &self.service);
        let fingerprint = snapshot.fingerprint()?;
        let mut written = self.written.lock();
        // A file that cannot be read is written again.
        let is_readable =
            !catalogue.has_damage.load(Ordering::Relaxed) && !self.is_unusable.load(Ordering::Relaxed);
        let lasts = catalogue.ages.fresh.saturating_add(catalogue.ages.stale);
        let within = LONGEST_UNCONFIRMED.min(lasts / UNCONFIRMED_PART);
        if let Some(same) =
            written.as_mut().filter(|written| is_readable && written.fingerprint == fingerprint)
            && same.confirm(&self.file, &snapshot, within).is_ok()
        {
            return Ok(());
        }
        // Another process, or an earlier one, may have written the same answers.
        if is_readable
            && let Ok(Some(mut same)) = self.found(fingerprint)
            && same.confirm(&self.file, &snapshot, within).is_ok()
        {
            self.saved.store(snapshot.products(), Ordering::Relaxed);
            *written = Some(same);
            return Ok(());
        }
        // The answers have changed, or the file was removed.
        let products = snapshot.products();
        if !snapshot.may_replace(products, self.saved.load(Ordering::Relaxed)) {
            return Ok(());
        }
        let now = Instant::now();
        let whole = files::replace(&self.directory, &self.file, |file| snapshot.write(fingerprint, file))?;
        self.saved.store(products, Ordering::Relaxed);
        self.is_unusable.store(false, Ordering::Relaxed);
        catalogue.has_damage.store(false, Ordering::Relaxed);
        *written = Some(LastWritten { fingerprint, written: whole, ages: Some((Ages::of(&snapshot), now)) });
        files::remove_oldest(&self.directory, &self.file);
        Ok(())
    }

    /// The file as it is written, if it has the answers with this fingerprint.
    fn found(&self, fingerprint: blake3::Hash) -> Result<Option<LastWritten>, StateError> {
        #[derive(Deserialize)]
        struct Content {
            fingerprint: String,
        }
        let Saved { json, written, .. } = format::read(&files::read(&self.file)?)?;
        let content: Content = serde_json::from_str(&json)?;
        let is_same = content.fingerprint == fingerprint.to_hex().as_str();
        Ok(is_same.then_some(LastWritten { fingerprint, written, ages: None }))
    }

    /// Saves new answers every 30 seconds, for as long as the program runs.
    pub async fn keep_saving<C: Source>(self, catalogue: Arc<Remembered<C>>) {
        let mut failed = false;
        let throttle = LogThrottle::every(PERIOD_OF_WARNINGS);
        let mut period = FIRST_PERIOD;
        let mut saved_at = Instant::now();
        loop {
            tokio::time::sleep(period).await;
            // A failed save is repeated even without new answers.
            if !failed && !catalogue.has_new_answer(saved_at.elapsed()) {
                continue;
            }
            period = PERIOD;
            // Answers that come while the file is written are not in it.
            saved_at = Instant::now();
            let (state, source) = (self.clone(), Arc::clone(&catalogue));
            let saved = AssertUnwindSafe(in_background(move || state.save(&source))).catch_unwind().await;
            // The shop works without a saved state.
            failed = match saved {
                Ok(Ok(())) => false,
                Ok(Err(error)) => {
                    if throttle.allows("state") {
                        tracing::warn!(error = %ErrorChain(&error), "the catalogue's state was not saved");
                    }
                    true
                }
                Err(_) => failed,
            };
        }
    }
}

/// The cached answers as they are saved for other replicas.
pub(super) struct SnapshotBytes {
    pub(super) bytes: Vec<u8>,
    pub(super) products: usize,
    /// The hash of the copy of the whole catalogue, if there is one.
    pub(super) copy: Option<blake3::Hash>,
    /// The hash of everything but the ages, see [`Snapshot::fingerprint`].
    pub(super) fingerprint: blake3::Hash,
}

/// The cached answers in the format of a state file. `None` if they may not replace saved answers with `saved` products
/// (see [`Snapshot::may_replace`]), or if their fingerprint is still `same`.
///
/// # Errors
/// When they are too large, or details that lie in a file cannot be read.
pub(super) fn snapshot_bytes<C: Source>(
    catalogue: &Remembered<C>,
    service: &str,
    saved: usize,
    same: Option<blake3::Hash>,
) -> Result<Option<SnapshotBytes>, StateError> {
    let snapshot = Snapshot::of(catalogue, service);
    let fingerprint = snapshot.fingerprint()?;
    if same == Some(fingerprint) {
        return Ok(None);
    }
    let products = snapshot.products();
    if !snapshot.may_replace(products, saved) {
        return Ok(None);
    }
    let copy = snapshot.mirror.as_ref().map(|(mirror, _)| mirror.hash()).transpose()?;
    if snapshot.copied_products()?.is_some_and(|length| length > LARGEST_SHARED) {
        return Err(StateError::TooLarge);
    }
    let mut bytes = Vec::new();
    snapshot.write(fingerprint, &mut bytes)?;
    Ok(Some(SnapshotBytes { bytes, products, copy, fingerprint }))
}

/// Loads answers that were shared `age` ago into the cache. Their copy of the whole catalogue was asked for `copy_age`
/// ago, if that is known.
///
/// # Errors
/// When none of the answers can be used. The cache is then unchanged.
pub(super) fn restore<C: Source>(
    catalogue: &Remembered<C>,
    service: &str,
    bytes: Vec<u8>,
    age: Duration,
    copy_age: Option<Duration>,
) -> Result<(), StateError> {
    let saved = Saved { ages: None, ..format::read(&Bytes::in_memory(bytes))? };
    let snapshot = unchecked::parse(&saved, catalogue.source.currency(), catalogue.most_restored())?;
    if address(&snapshot.service) != service {
        return Err(StateError::OtherService);
    }
    if snapshot.restore_since(catalogue, Some(age), copy_age) { Ok(()) } else { Err(StateError::TooOld) }
}

/// A service's address without a slash at its end, which makes no difference to calls.
pub(super) fn address(service: &str) -> String {
    service.strip_suffix('/').unwrap_or(service).into()
}
