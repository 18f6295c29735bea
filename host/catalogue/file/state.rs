//! What is kept of a file for the next start: how many products it had, the last version of a feed, and whether reading a
//! version ended the program.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::origin::{Origin, Place};
use super::reading::Reading;
use crate::catalogue::follow::StateError;
use crate::catalogue::follow::files::{file_of, read, remove_oldest, replace};
use crate::catalogue::store::Bytes;
use crate::observe::{Bounded, ErrorChain};

/// Longest first line, in bytes.
const LONGEST_HEAD: u64 = 64;

/// The file of one catalogue in the state directory. What follows its first line is the last version of a feed.
#[derive(Clone)]
pub(crate) struct FileState {
    directory: PathBuf,
    path: PathBuf,
}

/// A mark in the state directory, for as long as a version of a feed is read. It stays if that ends the program.
pub(crate) struct Mark {
    path: PathBuf,
    /// Locked by the program that reads.
    _file: File,
}

impl Drop for Mark {
    fn drop(&mut self) {
        // The next start then sells the kept version first.
        let _ = fs::remove_file(&self.path);
    }
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    products: u64,
}

impl FileState {
    /// The file of a catalogue in this directory.
    pub(crate) fn new(directory: &Path, origin: &Origin) -> Self {
        let name = match origin.place() {
            Place::File(path) => format!("file:{}", path.display()),
            Place::Feed(feed) => feed.secret_name(),
        };
        Self { directory: directory.into(), path: file_of(directory, &name) }
    }

    /// Sets the mark that a version of a feed is read. `None` if it cannot be set.
    pub(crate) fn mark(&self) -> Option<Mark> {
        let path = self.mark_path();
        let file = open_mark(OpenOptions::new().write(true).create(true).truncate(false), &path).ok()?;
        // Another worker may be reading too, or the disk may have no locks.
        let _ = file.try_lock();
        Some(Mark { path, _file: file })
    }

    /// Whether reading a version ended the program: there is a mark whose program is gone.
    pub(crate) fn is_marked(&self) -> bool {
        let mark = open_mark(OpenOptions::new().read(true), &self.mark_path());
        mark.is_ok_and(|file| !matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    fn mark_path(&self) -> PathBuf {
        self.path.with_extension("reading")
    }

    /// How many products the last version had; `None` if that is not known.
    pub(crate) fn count(&self) -> Option<u64> {
        self.read().ok()?.map(|(head, _)| head.products)
    }

    /// How long ago a version of a feed was kept; no time if that is not known.
    pub(crate) fn age(&self) -> Duration {
        let kept = fs::metadata(&self.path).and_then(|metadata| metadata.modified());
        kept.ok().and_then(|kept| kept.elapsed().ok()).unwrap_or_default()
    }

    /// The last version of a feed, if it was kept.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub(crate) fn copy(&self) -> Result<Option<Bytes>, StateError> {
        let Some((_, rest)) = self.read()? else { return Ok(None) };
        Ok(Some(rest).filter(|bytes| bytes.length() > 0))
    }

    /// The first line, and what follows.
    fn read(&self) -> Result<Option<(Head, Bytes)>, StateError> {
        let bytes = match read(&self.path) {
            Err(StateError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let head = bytes.split_at(LONGEST_HEAD.min(bytes.length())).ok_or(StateError::Damaged)?.0.to_vec()?;
        let end = head.iter().position(|byte| *byte == b'\n').ok_or(StateError::Damaged)?;
        let rest = bytes.split_at(end as u64 + 1).ok_or(StateError::Damaged)?.1;
        Ok(Some((serde_json::from_slice(&head[..end])?, rest)))
    }

    /// Keeps the number of products and the bytes `received` of a feed. A failure is logged: the next start knows less.
    pub(crate) fn keep(&self, reading: &Reading, received: Option<&Bytes>) {
        let head = Head { products: reading.report.products };
        if received.is_none() && self.count() == Some(head.products) {
            return;
        }
        let written = replace(&self.directory, &self.path, |file| {
            serde_json::to_writer(&mut *file, &head)?;
            file.write_all(b"\n")?;
            if let Some(received) = received {
                io::copy(&mut received.reader(), file)?;
            }
            Ok(())
        });
        match written {
            Ok(()) => remove_oldest(&self.directory, &self.path),
            Err(error) => tracing::warn!(
                file = %Bounded(self.path.display()), error = %ErrorChain(&error),
                "what the catalogue's file had is not kept for the next start"
            ),
        }
    }
}

fn open_mark(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.mode(0o600).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_tells_of_a_reading_that_ended_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let origin = Origin::new(Place::File("products.csv".into()), None);
        let state = FileState::new(folder.path(), &origin);
        assert!(!state.is_marked());
        let mark = state.mark().unwrap();
        assert!(!state.is_marked(), "another worker is still reading");
        drop(mark);
        assert!(!state.is_marked());
        // A program that is killed removes nothing, and its lock ends.
        fs::write(folder.path().join(state.mark_path()), "").unwrap();
        assert!(state.is_marked());
        drop(state.mark());
        assert!(!state.is_marked());
    }
}
