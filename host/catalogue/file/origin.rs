//! Where a catalogue's file is, whether it has changed, and how it is read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::error::FileError;
use super::feed::{Feed, PERIOD};
use super::options::{FileOptions, beside};
use super::pictures::Pictures;
use super::reading::{ReadOptions, Reading, Stamp, parse};
use super::text::Text;
use crate::bounded_file::FileStamp;
use crate::catalogue::store::Bytes;
use crate::process::compute::assert_off_runtime;

/// The file of a catalogue, and the file with options for it.
#[derive(Clone)]
pub(crate) struct Origin {
    place: Place,
    options: Option<PathBuf>,
}

/// Where the file is.
#[derive(Clone)]
pub(crate) enum Place {
    File(PathBuf),
    Feed(Arc<Feed>),
}

impl Origin {
    /// The file at `place`, with its options in the file `options` or else in the one beside it.
    pub(crate) fn new(place: Place, options: Option<&Path>) -> Self {
        Self { place, options: options.map(Path::to_owned) }
    }

    pub(crate) fn is_feed(&self) -> bool {
        matches!(self.place, Place::Feed(_))
    }

    /// Shortest time between two readings without an order.
    pub(crate) fn shortest(&self) -> Duration {
        match &self.place {
            Place::File(_) => PERIOD,
            Place::Feed(feed) => feed.shortest(),
        }
    }

    /// Whether it is a feed with the pages of a shop.
    pub(crate) fn is_shop(&self) -> bool {
        matches!(&self.place, Place::Feed(feed) if feed.is_shop())
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The name that operators see, without credentials.
    pub(crate) fn name(&self) -> String {
        match &self.place {
            Place::File(path) => path.display().to_string(),
            Place::Feed(feed) => feed.address().to_string(),
        }
    }

    /// What tells whether the files on this machine have changed; `None` while the catalogue's file is missing.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        let stamp = |path: &Path| fs::metadata(path).ok().as_ref().map(FileStamp::of);
        let (catalogue, options) = match &self.place {
            Place::File(path) => (Some(stamp(path)?), Some(beside(path))),
            Place::Feed(_) => (None, None),
        };
        let options = self.options.clone().or(options);
        Some(Stamp { catalogue, options: options.as_deref().and_then(stamp) })
    }

    /// Checks that `path` is not one of the catalogue's files.
    fn check_is_other(&self, path: &Path) -> Result<(), FileError> {
        // A file that does not exist yet is compared by its folder and its name.
        let place = |path: &Path| {
            let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            let named = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
            fs::canonicalize(path).ok().or_else(named)
        };
        let (catalogue, beside) = match &self.place {
            Place::File(catalogue) => (Some(catalogue.clone()), Some(beside(catalogue))),
            Place::Feed(_) => (None, None),
        };
        let own = [catalogue, beside, self.options.clone()];
        if own.iter().flatten().any(|own| place(own).is_some() && place(own) == place(path)) {
            Err(FileError::OwnFile { path: path.to_owned() })
        } else {
            Ok(())
        }
    }

    /// Reads the file, or the bytes `received` of a feed, and looks up its pictures in `pictures`.
    ///
    /// # Errors
    /// When it cannot be read, is broken or of an unknown form, or has nothing to sell.
    pub(crate) fn read(
        &self,
        received: Option<Bytes>,
        pictures: Pictures,
        read: ReadOptions,
    ) -> Result<Reading, FileError> {
        assert_off_runtime();
        let stamp = self.stamp();
        let path = match &self.place {
            Place::File(path) => Some(path.as_path()),
            Place::Feed(_) => None,
        };
        if let Some(rejected) = read.rejected {
            self.check_is_other(rejected)?;
        }
        let options = FileOptions::of(self.options.as_deref(), path)?;
        let text = match (received, path) {
            (Some(bytes), _) => Text::of(bytes, options.encoding)?,
            (None, Some(path)) => Text::of_file(path, options.encoding)?,
            (None, None) => return Err(FileError::Empty),
        };
        let mut reading = parse(&text, &options, pictures, read).map_err(|error| error.of_file(path))?;
        if self.stamp() != stamp {
            return Err(FileError::Changed);
        }
        reading.stamp = stamp;
        Ok(reading)
    }
}
