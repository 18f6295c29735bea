//! The last good answers on disk, so that a shop that starts during an outage still sells.
//!
//! The file is replaced as a whole and carries a checksum: it is either what was written or it is
//! ignored. Nothing here ever keeps the shop from starting or answering.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::local::Local;
use super::remembered::{ListingKey, Remembered};
use super::{Category, CategoryPreview, Product, ProductId, Section, Slug, Summary, Whole};
use crate::causes::Causes;
use crate::shelf::Shelf;

const FILE: &str = "catalogue.state";
/// While it is written, with the process's number.
const PART: &str = "catalogue.part-";
/// Writing takes seconds at most, also on a slow disk.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// First line of the file, followed by the checksum of the rest.
const MAGIC: &str = "vitrine-catalogue-1 ";
/// Larger files were not written here.
const LARGEST: u64 = 512 << 20;
/// When the first answers are written: a shop that has just started may soon be ended again.
const FIRST_PERIOD: Duration = Duration::from_secs(3);
/// How often new answers are written.
const PERIOD: Duration = Duration::from_secs(30);

/// Answers with the seconds since they were got.
type Entries<K, V> = Vec<(K, V, u64)>;

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Address of the service; another one's answers are of no use.
    service: String,
    /// Seconds since 1970.
    at: u64,
    mirror: Option<(Arc<Local>, u64)>,
    categories: Entries<(), Arc<[Category]>>,
    previews: Entries<Slug, CategoryPreview>,
    listings: Entries<ListingKey, Arc<Shelf>>,
    products: Entries<ProductId, Option<Arc<Product>>>,
    sections: Entries<Section, Arc<[Summary]>>,
}

/// Why there is no saved state, or it cannot be written.
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

/// Where the last good answers of one service are kept.
#[derive(Clone, Debug)]
pub struct StateDir {
    file: PathBuf,
    service: String,
}

impl StateDir {
    pub fn new(directory: &Path, service: impl Into<String>) -> Self {
        Self { file: directory.join(FILE), service: service.into() }
    }

    /// Puts the saved answers into the memory. Without a file there are none, which is no error.
    ///
    /// # Errors
    /// When the directory cannot be made, or the file is there but cannot be used; the memory is as it
    /// was then.
    pub fn load<C: Whole>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
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

    /// Removes what processes that were killed have not finished writing. The worker that this one
    /// replaces may be writing just now.
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
            // A file that stays takes room and nothing else.
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Replaces the file with what is remembered now.
    ///
    /// # Errors
    /// When the disk is full or does not allow it; the old file stays.
    pub fn save<C: Whole>(&self, catalogue: &Remembered<C>) -> Result<(), StateError> {
        let text = serde_json::to_string(&snapshot(catalogue, &self.service))?;
        // Two workers share the directory while one replaces the other.
        let part = self.file.with_file_name(format!("{PART}{}", std::process::id()));
        let written = write(&part, &text).and_then(|()| fs::rename(&part, &self.file));
        if let Err(error) = written {
            // Half a file helps nobody, and may be what fills the disk.
            let _ = fs::remove_file(&part);
            return Err(error.into());
        }
        // The new name lasts once the directory is on the disk.
        if let Some(directory) = self.file.parent() {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    }

    /// Writes new answers every now and then, for as long as the program runs.
    pub async fn keep_saving<C: Whole>(self, catalogue: Arc<Remembered<C>>) {
        let mut failed = false;
        let mut period = FIRST_PERIOD;
        loop {
            let slept = Instant::now();
            tokio::time::sleep(period).await;
            // What could not be written is worth another try without news.
            if !failed && !catalogue.has_news(slept.elapsed()) {
                continue;
            }
            period = PERIOD;
            let (state, source) = (self.clone(), Arc::clone(&catalogue));
            let saved = tokio::task::spawn_blocking(move || state.save(&source)).await;
            match saved {
                Ok(Ok(())) => failed = false,
                // One line an episode; the shop goes on without.
                Ok(Err(error)) if !failed => {
                    failed = true;
                    tracing::warn!(
                        error = %Causes(&error),
                        "the catalogue's state was not saved"
                    );
                }
                Ok(Err(_)) | Err(_) => {}
            }
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
    checked(&text).map(str::to_owned).ok_or(StateError::Damaged)
}

/// The state in a file's text, if it is whole.
pub fn checked(text: &str) -> Option<&str> {
    let (head, body) = text.split_once('\n')?;
    (head.strip_prefix(MAGIC)? == checksum(body)).then_some(body)
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn snapshot<C: Whole>(catalogue: &Remembered<C>, service: &str) -> Saved {
    fn seconds<K, V>(entries: Vec<(K, V, Duration)>) -> Entries<K, V> {
        entries.into_iter().map(|(key, value, age)| (key, value, age.as_secs())).collect()
    }
    // Searches are too many, and what does not exist today may do so tomorrow.
    let mut listings = seconds(catalogue.listings.entries());
    listings.retain(|(key, shelf, _)| !matches!(key, ListingKey::Search(_)) && !shelf.is_empty());
    let mut products = seconds(catalogue.products.entries());
    products.retain(|(_, product, _)| product.is_some());
    Saved {
        service: service.into(),
        at: now(),
        mirror: catalogue.mirror_copy().map(|(local, age)| (local, age.as_secs())),
        categories: seconds(catalogue.categories.entries()),
        previews: seconds(catalogue.previews.entries()),
        listings,
        products,
        sections: seconds(catalogue.sections.entries()),
    }
}

fn restore<C: Whole>(catalogue: &Remembered<C>, saved: Saved) {
    // A clock that went backwards makes the file no younger than it says.
    let since = now().saturating_sub(saved.at);
    let age = |seconds: u64| Duration::from_secs(seconds.saturating_add(since));
    if let Some((local, seconds)) = saved.mirror {
        catalogue.restore_mirror(local, age(seconds));
    }
    saved
        .categories
        .into_iter()
        .for_each(|(key, value, old)| catalogue.categories.insert(key, value, age(old)));
    saved.previews.into_iter().for_each(|(key, value, old)| catalogue.previews.insert(key, value, age(old)));
    saved.listings.into_iter().for_each(|(key, value, old)| catalogue.listings.insert(key, value, age(old)));
    saved.products.into_iter().for_each(|(key, value, old)| catalogue.products.insert(key, value, age(old)));
    saved.sections.into_iter().for_each(|(key, value, old)| catalogue.sections.insert(key, value, age(old)));
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
