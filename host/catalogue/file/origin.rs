//! The file of a catalogue: whether it has changed, and its text.

use std::fs;
use std::path::{Path, PathBuf};

use super::amounts::PricesIn;
use super::error::FileError;
use super::options::{FileOptions, beside};
use super::reading::{Mark, Reading, Stamp, parse};
use super::text::Text;

/// The file of a catalogue, and the one with options for it.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    path: PathBuf,
    options: Option<PathBuf>,
}

impl Origin {
    /// A file with the options in another file, or else in the one beside it.
    pub(crate) fn new(path: &Path, options: Option<&Path>) -> Self {
        Self { path: path.into(), options: options.map(Path::to_owned) }
    }

    /// For operators.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// `None` without a file: it may come back.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        let options = self.options.clone().unwrap_or_else(|| beside(&self.path));
        let mark = |path: &Path| fs::metadata(path).ok().as_ref().map(Mark::of);
        Some(Stamp { catalogue: mark(&self.path)?, options: mark(&options) })
    }

    /// Reads the file as a catalogue of the moment `now`, in seconds since 1970. Takes long, see `process/compute.rs`.
    ///
    /// # Errors
    /// See [`parse`].
    pub(crate) fn read(&self, prices: PricesIn, now: i64) -> Result<Reading, FileError> {
        let stamp = self.stamp();
        let options = FileOptions::of(self.options.as_deref(), Some(&self.path))?;
        let mut reading = parse(Text::of_file(&self.path, options.encoding)?, &options, prices, now)?;
        if self.stamp() != stamp {
            return Err(FileError::Changed);
        }
        reading.stamp = stamp;
        Ok(reading)
    }
}
