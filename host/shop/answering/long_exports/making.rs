//! The maker of a long export. It waits for no client.

use std::ops::Range;
use std::sync::Arc;

use super::super::export_limits::ExportLimits;
use super::export::{LongExport, Piece, Progress};
use super::store::StoreError;
use super::versions::{TooLarge, Versions};
use crate::exports::{Writing, WritingError};
use crate::http::blocks::{BLOCK, Packing};
use crate::observe::{Bounded, ErrorChain};
use crate::process::compute::OffRuntime;

/// An export that is being made. When this is dropped before it is whole, also if its making dies, it ends.
pub(super) struct Making {
    versions: Versions,
    export: Arc<LongExport>,
    writing: Writing,
    packing: Packing,
    /// Whether it could not be written to the disk, whatever room that says to have.
    is_disk_broken: bool,
}

/// Why an export is not kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Writing(#[from] WritingError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Making {
    pub(super) fn new(versions: Versions, export: Arc<LongExport>, writing: Writing) -> Self {
        Self { versions, export, writing, packing: Packing::begin(), is_disk_broken: false }
    }

    /// Makes one part after the other, until there are no more or no client can read it.
    pub(super) async fn run(mut self, limits: ExportLimits) {
        // The latest version is made to its end, for clients to come.
        while Arc::strong_count(&self.export) > 1 {
            let work = move |off: &OffRuntime| {
                let step = self.step(off);
                (step, self)
            };
            let (step, making) = limits.run(work).await;
            self = making;
            match step {
                Ok(true) => {}
                Ok(false) => return,
                Err(failure) => return self.give_up(&failure),
            }
        }
    }

    /// Makes the next part. Returns whether there are more.
    pub(super) fn step(&mut self, off: &OffRuntime) -> Result<bool, Failure> {
        let part = self.writing.next_part(off)?;
        let blocks = match &part {
            Some(part) => self.packing.add(part),
            None => self.packing.end(),
        };
        for block in blocks.map_err(WritingError::from)? {
            let Some(bytes) = self.append(&block.packed)? else { return Ok(false) };
            self.export.add(Piece { bytes, length: block.length });
        }
        self.export.tell(if part.is_some() { Progress::Growing } else { Progress::Whole });
        Ok(part.is_some())
    }

    /// Adds bytes to the export, and returns their place; `None` if it has ended.
    fn append(&mut self, bytes: &[u8]) -> Result<Option<Range<u64>>, StoreError> {
        let Some(store) = self.export.store() else { return Ok(None) };
        let mut added = store.append(bytes);
        if matches!(added, Err(StoreError::NoRoom)) {
            self.versions.end_previous();
            added = store.append(bytes);
        }
        if let Err(error) = added {
            self.is_disk_broken |= matches!(error, StoreError::Io(_));
            let in_memory = Arc::new(store.in_memory(error)?);
            added = in_memory.append(bytes);
            self.export.move_to(in_memory);
        }
        added.map(Some)
    }

    fn give_up(&self, failure: &Failure) {
        let format = self.writing.format();
        if let Failure::Store(error) = failure {
            let length = self.export.store().map_or(0, |store| store.length());
            let bytes = match error {
                StoreError::NoRoom if !self.is_disk_broken => length + BLOCK as u64,
                // It is not tried again.
                _ => u64::MAX,
            };
            self.versions.note_too_large(format, TooLarge { products: self.writing.products(), bytes });
        }
        tracing::warn!(export = %Bounded(format.path()), error = %ErrorChain(failure), "an export is not kept");
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        if self.export.progress() != Progress::Whole {
            self.export.end();
        }
    }
}
