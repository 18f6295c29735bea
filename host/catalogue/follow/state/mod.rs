//! Keeps the copy of the catalogue on disk, so that a shop that starts during an outage can still sell.
//!
//! Each service has a file of its own, named by a hash of its address. A file that cannot be used now (too
//! old, damaged, of another version) stays until there are products to replace it with: it may be usable
//! after the next start. No failure here keeps the shop from starting or answering.

mod clock;
mod error;
pub(in crate::catalogue) mod files;
mod format;
mod kept;

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use blake3::Hash;
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use serde::Deserialize;

pub use self::error::StateError;
use self::format::{Saved, Written};
use self::kept::{Age, Kept};
use super::Followed;
use super::past::Past;
use crate::catalogue::Source;
use crate::catalogue::store::Bytes;
use crate::catalogue::store::details::FORM;
use crate::catalogue::version::Version;
use crate::observe::{ErrorChain, LogThrottle};
use crate::process::compute::in_background;
use crate::profile::Currency;

/// Delay before the first save. It is short, because a new process may end soon.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// Time between two saves.
const PERIOD: Duration = Duration::from_secs(30);
/// The age of an unchanged copy is written when the one in the file is too great by this part of the time for which a
/// copy may be served, or by [`LONGEST_UNCONFIRMED`]. After a restart, the copy counts as older by at most that much.
const UNCONFIRMED_PART: u32 = 10;
const LONGEST_UNCONFIRMED: Duration = Duration::from_secs(6 * 3_600);
/// Shortest time between two warnings about failed saves.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// The file with the copy of one service's catalogue. Clones share what is known of it.
#[derive(Clone, Debug)]
pub struct StateDir {
    directory: PathBuf,
    file: PathBuf,
    service: String,
    /// The file as it was last written by this process, or by another one with the same copy.
    written: Arc<Mutex<Option<LastWritten>>>,
    /// Whether there was a file that could not be used. The next copy replaces it, even if it seems to have the same.
    is_unusable: Arc<AtomicBool>,
}

/// A state file as it was written.
#[derive(Debug)]
struct LastWritten {
    /// The hash of its copy, see [`Kept::fingerprint`].
    fingerprint: Hash,
    written: Written,
    /// The age that this process wrote, and when; `None` if another process wrote the file.
    age: Option<(Age, Instant)>,
}

impl LastWritten {
    /// Makes sure that the file still has this content. Appends the age of the copy, which is the same, if it is younger
    /// than the file says, at least by `within`.
    fn confirm(&mut self, file: &Path, kept: &Kept, within: Duration) -> Result<(), StateError> {
        let Written { head, length } = &self.written;
        let opened = files::open_written(file, head, *length)?;
        let is_younger = |(last, at): &(Age, Instant)| kept.age.is_younger(last, at.elapsed(), within);
        if self.age.as_ref().is_none_or(is_younger) {
            let json = serde_json::to_string(&kept.age)?;
            files::append(&opened, *length, &format::encode_ages(head, &json))?;
            self.age = Some((kept.age.clone(), Instant::now()));
        }
        Ok(())
    }
}

impl StateDir {
    /// The number of the form that is read and written.
    pub const FORM: &str = FORM;

    /// The state file in `directory` for the service at this address.
    pub fn new(directory: &Path, service: impl Into<String>) -> Self {
        let service = address(&service.into());
        let file = files::file_of(directory, &service);
        Self {
            directory: directory.into(),
            file,
            service,
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

    /// Where the copy is saved.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Sells the saved copy. A missing file is not an error.
    ///
    /// # Errors
    /// When the directory cannot be created or what is saved cannot be used. It is then unchanged.
    pub fn load<C: Source>(&self, catalogue: &Followed<C>) -> Result<(), StateError> {
        let most = catalogue.most;
        if most == 0 {
            return Ok(());
        }
        let found = files::prepare(&self.directory)
            .map_err(StateError::from)
            .and_then(|()| self.find(catalogue.source.currency(), most));
        self.is_unusable.store(found.is_err(), Ordering::Relaxed);
        match found? {
            Some(kept) => kept.restore(catalogue),
            None if files::has_others(&self.directory, &self.file) => Err(StateError::OtherService),
            None => Ok(()),
        }
    }

    /// The saved copy of this service; `None` if there is none.
    fn find(&self, currency: Currency, most: u64) -> Result<Option<Kept>, StateError> {
        let bytes = match files::read(&self.file) {
            Err(StateError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let kept = Kept::parse(&format::read(&bytes)?, currency, most)?;
        if kept.as_ref().is_some_and(|kept| address(&kept.service) != self.service) {
            return Err(StateError::OtherService);
        }
        files::mark_used(&self.file);
        Ok(kept)
    }

    /// Replaces the file with the current copy, if there is one. If the file has the same copy already, only its age is
    /// written, and that rarely.
    ///
    /// # Errors
    /// When the file cannot be written, such as on a full or read-only disk. The old file stays.
    pub fn save<C: Source>(&self, catalogue: &Followed<C>) -> Result<(), StateError> {
        let Some(kept) = Kept::of(catalogue, &self.service) else { return Ok(()) };
        let fingerprint = kept.fingerprint()?;
        let mut written = self.written.lock();
        // A file that cannot be read is written again.
        let is_readable = !kept.version.is_damaged() && !self.is_unusable.load(Ordering::Relaxed);
        let lasts = catalogue.ages.fresh.saturating_add(catalogue.ages.stale);
        let within = LONGEST_UNCONFIRMED.min(lasts / UNCONFIRMED_PART);
        if let Some(same) =
            written.as_mut().filter(|written| is_readable && written.fingerprint == fingerprint)
            && same.confirm(&self.file, &kept, within).is_ok()
        {
            return Ok(());
        }
        // Another process, or an earlier one, may have written the same copy.
        if is_readable
            && let Ok(Some(mut same)) = self.found(fingerprint)
            && same.confirm(&self.file, &kept, within).is_ok()
        {
            *written = Some(same);
            return Ok(());
        }
        // The copy has changed, or the file was removed.
        let now = Instant::now();
        let whole =
            files::replace(&self.directory, &self.file, |file| kept.write(fingerprint, u64::MAX, file))?;
        self.is_unusable.store(false, Ordering::Relaxed);
        kept.version.set_damaged(false);
        *written = Some(LastWritten { fingerprint, written: whole, age: Some((kept.age, now)) });
        files::remove_oldest(&self.directory, &self.file);
        Ok(())
    }

    /// The file as it is written, if it has the copy with this fingerprint.
    fn found(&self, fingerprint: Hash) -> Result<Option<LastWritten>, StateError> {
        #[derive(Deserialize)]
        struct Content {
            fingerprint: String,
        }
        let Saved { json, written, .. } = format::read(&files::read(&self.file)?)?;
        let content: Content = serde_json::from_str(&json)?;
        let is_same = content.fingerprint == fingerprint.to_hex().as_str();
        Ok(is_same.then_some(LastWritten { fingerprint, written, age: None }))
    }

    /// Saves a new copy every 30 seconds, for as long as the program runs.
    pub async fn keep_saving<C: Source>(self, catalogue: Arc<Followed<C>>) {
        let mut failed = false;
        let throttle = LogThrottle::every(PERIOD_OF_WARNINGS);
        let mut period = FIRST_PERIOD;
        let mut saved_at: Option<Instant> = None;
        loop {
            tokio::time::sleep(period).await;
            // The first version may have been asked for before this began.
            let since = saved_at.map_or(Duration::MAX, |at| at.elapsed());
            // A failed save is repeated even without a new copy.
            if !failed && !catalogue.has_new_version(since) {
                continue;
            }
            period = PERIOD;
            // A copy that comes while the file is written is not in it.
            saved_at = Some(Instant::now());
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

/// Writes a version in the format of a state file, for other replicas.
///
/// # Errors
/// When it has more than `most` bytes, cannot be written, or has details in a file that cannot be read.
pub(super) fn write(
    version: Arc<Version>,
    service: &str,
    most: u64,
    to: &mut dyn io::Write,
) -> Result<(), StateError> {
    let kept = Kept { service: service.into(), version, age: Age::ELSEWHERE };
    kept.write(kept.fingerprint()?, most, to).map(drop)
}

/// Sells a version that another replica has written. It must have this digest, and was asked for and last received as a
/// whole at these moments.
///
/// # Errors
/// When it cannot be used.
pub(super) fn restore<C: Source>(
    catalogue: &Followed<C>,
    service: &str,
    bytes: Vec<u8>,
    digest: Hash,
    (asked, whole): (Past, Past),
) -> Result<(), StateError> {
    let saved = format::read(&Bytes::in_memory(bytes))?;
    match Kept::parse(&saved, catalogue.source.currency(), catalogue.most)? {
        Some(kept) if address(&kept.service) != service => Err(StateError::OtherService),
        // Its cards may have changed by this program's rules: then it is another version.
        Some(kept) if kept.version.digest()? == digest => catalogue.restore(&kept.version, asked, whole),
        _ => Err(StateError::Damaged),
    }
}

/// A service's address without a slash at its end, which makes no difference to calls.
pub(super) fn address(service: &str) -> String {
    service.strip_suffix('/').unwrap_or(service).into()
}
