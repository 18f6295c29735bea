//! What is known of how pictures fit into frames, for all that were ever decoded.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::RwLock;

use super::fit::Fit;

/// The file's first bytes: its form, and by which rule pictures were classified.
const BEGIN: &[u8; 8] = b"fits 1\n\n";
/// Bytes of an entry: the hash of a picture, and what it is.
const ENTRY: usize = 17;
/// Most entries that are read and kept.
const MOST: usize = 1_000_000;

/// How pictures fit, by the hash of their content.
#[derive(Default)]
pub(super) struct Fits {
    known: RwLock<HashMap<u128, Fit>>,
    file: Option<PathBuf>,
    /// Whether something is known that the file does not have.
    is_changed: AtomicBool,
}

impl Fits {
    /// What the file in this folder has; nothing if it cannot be read.
    pub(super) fn in_folder(folder: &Path) -> Self {
        let file = folder.join("fits");
        let known = read(&file).unwrap_or_default();
        Self { known: RwLock::new(known), file: Some(file), is_changed: AtomicBool::default() }
    }

    pub(super) fn get(&self, hash: u128) -> Option<Fit> {
        self.known.read().get(&hash).copied()
    }

    pub(super) fn learn(&self, hash: u128, fit: Fit) {
        let mut known = self.known.write();
        if known.len() < MOST && known.insert(hash, fit) != Some(fit) {
            self.is_changed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something is known that was not saved.
    pub(super) fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Relaxed)
    }

    /// Writes what is known of pictures that still `exist`. Returns whether there was anything new.
    ///
    /// # Errors
    /// When the file cannot be written. It is not tried again until something else is known.
    pub(super) fn save(&self, exists: impl Fn(u128) -> bool) -> io::Result<bool> {
        if !self.is_changed.swap(false, Ordering::Relaxed) {
            return Ok(false);
        }
        let mut known = self.known.write();
        known.retain(|hash, _| exists(*hash));
        let Some(file) = &self.file else { return Ok(true) };
        let mut bytes = BEGIN.to_vec();
        for (hash, fit) in known.iter() {
            bytes.extend_from_slice(&hash.to_be_bytes());
            bytes.push(fit.to_byte());
        }
        drop(known);
        let part = file.with_extension(std::process::id().to_string());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&part, bytes)?;
        fs::rename(part, file)?;
        Ok(true)
    }
}

/// The entries of a file, as far as they can be read: what is wrong is made again.
fn read(file: &Path) -> Option<HashMap<u128, Fit>> {
    if fs::metadata(file).ok()?.len() > (MOST * ENTRY + BEGIN.len()) as u64 {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    let entries = bytes.strip_prefix(BEGIN)?.as_chunks::<ENTRY>().0.iter();
    let known = entries.filter_map(|entry| {
        let (hash, fit) = entry.split_first_chunk::<16>()?;
        Some((u128::from_be_bytes(*hash), Fit::from_byte(*fit.first()?)?))
    });
    Some(known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_known_after_a_start_unless_the_picture_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let fits = Fits::in_folder(&folder.path().join("pictures"));
        fits.learn(1, Fit::White);
        fits.learn(2, Fit::Photograph);
        fits.learn(3, Fit::CutOut);
        assert!(fits.save(|hash| hash != 3).unwrap());
        assert!(!fits.save(|_| true).unwrap(), "nothing is new");
        fits.learn(1, Fit::White);
        assert!(!fits.save(|_| true).unwrap(), "it was known");
        let again = Fits::in_folder(&folder.path().join("pictures"));
        let known = [1, 2, 3].map(|hash| again.get(hash));
        assert_eq!(known, [Some(Fit::White), Some(Fit::Photograph), None]);
    }

    #[test]
    fn a_wrong_file_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in [&b""[..], b"fits 0\n\n", b"fits 1\n\nshort", &[&BEGIN[..], &[9; 40]].concat()] {
            fs::write(folder.path().join("fits"), wrong).unwrap();
            assert_eq!(Fits::in_folder(folder.path()).known.read().len(), 0, "{wrong:?}");
        }
    }
}
