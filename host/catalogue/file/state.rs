//! What is kept of a file for the next start: how many products it had, and the last version of a feed.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::origin::{Origin, Place};
use super::reading::Reading;
use crate::catalogue::follow::StateError;
use crate::catalogue::follow::files::{file_of, read, remove_oldest, replace};
use crate::observe::{Bounded, ErrorChain};

/// Longest first line, in bytes.
const LONGEST_HEAD: u64 = 64;

/// The file of one catalogue in the state directory. What follows its first line is the last version of a feed.
#[derive(Clone)]
pub(crate) struct FileState {
    directory: PathBuf,
    path: PathBuf,
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
            Place::Feed(feed) => format!("feed:{}", feed.address().secret()),
        };
        Self { directory: directory.into(), path: file_of(directory, &name) }
    }

    /// How many products the last version had; `None` if that is not known.
    pub(crate) fn count(&self) -> Option<u64> {
        self.read().ok()?.map(|(head, _)| head.products)
    }

    /// The last version of a feed, if it was kept.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub(crate) fn copy(&self) -> Result<Option<Bytes>, StateError> {
        let Some((_, rest)) = self.read()? else { return Ok(None) };
        Ok(Some(rest.to_vec()?.into()).filter(|bytes: &Bytes| !bytes.is_empty()))
    }

    /// The first line, and what follows.
    fn read(&self) -> Result<Option<(Head, crate::catalogue::store::Bytes)>, StateError> {
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
    pub(crate) fn keep(&self, reading: &Reading, received: Option<&[u8]>) {
        let head = Head { products: reading.report.products };
        if received.is_none() && self.count() == Some(head.products) {
            return;
        }
        let written = replace(&self.directory, &self.path, |file| {
            serde_json::to_writer(&mut *file, &head)?;
            file.write_all(b"\n")?;
            Ok(file.write_all(received.unwrap_or_default())?)
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
