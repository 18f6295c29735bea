//! What is kept for the next start: how many products a file had, and the last version of a feed.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::origin::{Origin, Place};
use super::reading::Reading;
use crate::bounded_file::{BoundedFileError, read_regular};
use crate::observe::{Bounded, ErrorChain};

/// Largest copy of a feed, in bytes.
const LARGEST: u64 = 512 << 20;

/// The files of one catalogue in the state directory.
#[derive(Clone)]
pub(crate) struct FileState {
    /// Without the ending.
    path: PathBuf,
}

impl FileState {
    /// Those of a catalogue in this directory.
    pub(crate) fn new(directory: &Path, origin: &Origin) -> Self {
        let name = match origin.place() {
            Place::File(path) => path.as_os_str().as_encoded_bytes(),
            Place::Feed(feed) => feed.address().secret().as_bytes(),
        };
        let hash = blake3::hash(name).to_hex();
        Self { path: directory.join(format!("file-{}", &hash[..16])) }
    }

    /// How many products the last version had; `None` if that is not known.
    pub(crate) fn count(&self) -> Option<u64> {
        let bytes = read_regular(&self.path.with_extension("count"), 32).ok()?;
        String::from_utf8(bytes).ok()?.trim().parse().ok()
    }

    /// The last version of a feed, if it was kept.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub(crate) fn copy(&self) -> Result<Option<Bytes>, BoundedFileError> {
        match read_regular(&self.path.with_extension("copy"), LARGEST) {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(BoundedFileError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps what was read, and received of a feed. A failure is logged: the next start knows less.
    pub(crate) fn keep(&self, reading: &Reading, received: Option<&[u8]>) {
        let count = reading.report.products;
        let count = Some(count).filter(|count| self.count() != Some(*count)).map(|count| count.to_string());
        let files = [("count", count.as_deref().map(str::as_bytes)), ("copy", received)];
        for (extension, bytes) in files.into_iter().filter_map(|(extension, bytes)| Some((extension, bytes?)))
        {
            let path = self.path.with_extension(extension);
            if let Err(error) = replace(&path, bytes) {
                tracing::warn!(
                    file = %Bounded(path.display()), error = %ErrorChain(&error),
                    "what the catalogue's file had is not kept for the next start"
                );
            }
        }
    }
}

/// Replaces a file as a whole. A process that is killed meanwhile leaves one further file at most.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    }
    let part = path.with_added_extension("part");
    let _ = fs::remove_file(&part);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(part, path)
}
