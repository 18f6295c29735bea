//! Saves the last good answers on disk, so that a shop that starts during an outage can still sell.
//!
//! The file is replaced atomically and has a checksum, so a damaged file is detected and ignored. No
//! failure here keeps the shop from starting or answering.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Remembered;
use super::queries::{AnswersOf, Remember};
use crate::catalogue::Bulk;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::Section;
use crate::catalogue::query::{Categories, Listing, Preview, ProductById, Query};
use crate::observe::{ErrorChain, LogThrottle};

const FILE: &str = "catalogue.state";
/// Prefix of the temporary file that is written first; the process id follows.
const PART: &str = "catalogue.part-";
/// A temporary file older than this is abandoned: writing takes seconds at most, even on a slow disk.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// Start of the file's first line; the checksum of the remaining lines follows.
const MAGIC: &str = "vitrine-catalogue-1 ";
/// Largest file that is read, in bytes. A larger one counts as damaged.
const LARGEST: u64 = 512 << 20;
/// Delay before the first save. It is short, because a new process may end soon.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// Time between two saves.
const PERIOD: Duration = Duration::from_secs(30);
/// Shortest time between two warnings about failed saves.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(3_600);

/// A query's answers, each with its age in seconds.
type Entries<Q> = Vec<(Q, <Q as Query>::Answer, u64)>;

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Address of the service. Answers of another service are not used.
    service: String,
    /// When the file was written, in seconds since 1970.
    at: u64,
    mirror: Option<(Arc<Mirror>, u64)>,
    categories: Entries<Categories>,
    previews: Entries<Preview>,
    listings: Entries<Listing>,
    products: Entries<ProductById>,
    sections: Entries<Section>,
}

/// Why the saved state cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("the state file cannot be read or written")]
    Io(#[from] io::Error),
    #[error("the state file is damaged")]
    Damaged,
    #[error("the state file is not understood")]
    Malformed(#[from] serde_json::Error),
    #[error("the state file is of another catalogue service")]
    OtherService,
}

/// The file with the last good answers of one service.
#[derive(Clone, Debug)]
pub struct StateDir {
    file: PathBuf,
    service: String,
}

impl StateDir {
    /// The state file in `directory` for the service at this address.
    pub fn new(directory: &Path, service: impl Into<String>) -> Self {
        Self { file: directory.join(FILE), service: service.into() }
    }

    /// Loads the saved answers into the cache. A missing file is not an error.
    ///
    /// # Errors
    /// When the directory cannot be created or an existing file cannot be used. The cache is then
    /// unchanged.
    pub fn load<C: Bulk>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
        if let Some(directory) = self.file.parent() {
            fs::create_dir_all(directory)?;
        }
        self.remove_parts();
        let text = match read(&self.file) {
            Err(StateError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            text => text?,
        };
        let saved: Saved = serde_json::from_str(&text)?;
        if saved.service != self.service {
            return Err(StateError::OtherService);
        }
        restore(catalogue, saved);
        Ok(())
    }

    /// Removes the temporary files of killed processes. Recent ones stay, because the worker that this
    /// one replaces may still be writing.
    fn remove_parts(&self) {
        let Some(Ok(entries)) = self.file.parent().map(fs::read_dir) else { return };
        let is_part = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(PART));
        let is_abandoned = |entry: &DirEntry| {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > ABANDONED_AFTER))
        };
        for entry in entries.filter_map(Result::ok) {
            if !is_part(&entry.file_name()) || !is_abandoned(&entry) {
                continue;
            }
            // A file that cannot be removed only takes up disk space.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Replaces the file with the current answers.
    ///
    /// # Errors
    /// When the file cannot be written, such as on a full or read-only disk. The old file stays.
    pub fn save<C: Bulk>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
        let text = serde_json::to_string(&snapshot(catalogue, &self.service))?;
        // The process id keeps apart two workers that share the directory while one replaces the other.
        let part = self.file.with_file_name(format!("{PART}{}", std::process::id()));
        let written = write(&part, &text).and_then(|()| fs::rename(&part, &self.file));
        if let Err(error) = written {
            // A partial file is useless and may be what fills the disk.
            let _ = fs::remove_file(&part);
            return Err(error.into());
        }
        // The rename is durable only after the directory has been synced.
        if let Some(directory) = self.file.parent() {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    }

    /// Saves new answers every 30 seconds, for as long as the program runs.
    pub async fn keep_saving<C: Bulk>(self, catalogue: Arc<Remembered<C>>) {
        let mut failed = false;
        let throttle = LogThrottle::every(PERIOD_OF_WARNINGS);
        let mut period = FIRST_PERIOD;
        loop {
            let slept = Instant::now();
            tokio::time::sleep(period).await;
            // After a failed save it tries again even without new answers.
            if !failed && !catalogue.has_new_answer(slept.elapsed()) {
                continue;
            }
            period = PERIOD;
            let (state, source) = (self.clone(), Arc::clone(&catalogue));
            let saved = tokio::task::spawn_blocking(move || state.save(&source)).await;
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

fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(file)?;
    writeln!(file, "{MAGIC}{}", checksum(text))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn read(file: &Path) -> Result<String, StateError> {
    let mut text = String::new();
    let file = File::open(file)?;
    if file.metadata()?.len() > LARGEST {
        return Err(StateError::Damaged);
    }
    match file.take(LARGEST).read_to_string(&mut text) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(StateError::Damaged),
        read => read?,
    };
    verified(&text).map(str::to_owned).ok_or(StateError::Damaged)
}

/// The state in a file's text, if the checksum matches.
pub(super) fn verified(text: &str) -> Option<&str> {
    let (head, body) = text.split_once('\n')?;
    (head.strip_prefix(MAGIC)? == checksum(body)).then_some(body)
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn snapshot<C: Bulk>(catalogue: &Remembered<C>, service: &str) -> Saved {
    fn entries<Q: Remember>(answers: &AnswersOf<Q>) -> Entries<Q> {
        let saved = answers.entries().into_iter().filter(|(query, answer, _)| query.is_saved(answer));
        saved.map(|(query, answer, age)| (query, answer, age.as_secs())).collect()
    }
    let stores = &catalogue.stores;
    Saved {
        service: service.into(),
        at: now(),
        mirror: catalogue.last_mirror().map(|(mirror, age)| (mirror, age.as_secs())),
        categories: entries(&stores.categories),
        previews: entries(&stores.previews),
        listings: entries(&stores.listings),
        products: entries(&stores.products),
        sections: entries(&stores.sections),
    }
}

fn restore<C: Bulk>(catalogue: &Remembered<C>, saved: Saved) {
    // If the clock went backwards, the time since the save counts as zero.
    let since = now().saturating_sub(saved.at);
    let age = |seconds: u64| Duration::from_secs(seconds.saturating_add(since));
    fn insert<Q: Remember>(answers: &AnswersOf<Q>, entries: Entries<Q>, age: impl Fn(u64) -> Duration) {
        entries.into_iter().for_each(|(query, answer, old)| answers.insert(query, answer, age(old)));
    }
    if let Some((mirror, seconds)) = saved.mirror {
        catalogue.restore_mirror(mirror, age(seconds));
    }
    let stores = &catalogue.stores;
    insert(&stores.categories, saved.categories, age);
    insert(&stores.previews, saved.previews, age);
    insert(&stores.listings, saved.listings, age);
    insert(&stores.products, saved.products, age);
    insert(&stores.sections, saved.sections, age);
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
