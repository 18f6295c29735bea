//! Long exports, each of which is made once for a version of the catalogue, at the pace of its maker. They are kept in
//! gzip, and clients read them while they grow: a slow client costs neither a second making nor a place.
//!
//! - `export`: an export that grows, in its `store` (a file without a name, or memory), and a client's reading of it.
//! - `versions`: those that are kept, and those that were too large.
//! - `making`: the maker of one.

mod export;
mod making;
mod store;
mod versions;

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Body;
use tokio::sync::Semaphore;

use self::export::LongExport;
use self::making::Making;
pub(in crate::shop) use self::store::Medium;
use self::store::Room;
use self::versions::Versions;
use super::export_limits::ExportLimits;
use crate::exports::{Format, Writing};
use crate::http::compression::Encoding;
use crate::observe::counters::Counter;
use crate::process::compute::off_runtime;
use crate::process::memory_gauge::FilesInMemory;

/// Most clients for which bytes are read and unpacked at a time; the others wait. A disk that does not answer takes no
/// more threads than this.
const READS: usize = 4;

/// The long exports of a shop. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::shop) struct LongExports {
    room: Arc<Room>,
    versions: Versions,
    reads: Arc<Semaphore>,
    begun: Arc<Counter>,
}

impl LongExports {
    /// Exports in files below a directory, or in memory of a shop whose pages take at most `page_memory` bytes, where they
    /// are counted.
    pub(in crate::shop) fn new(
        page_memory: u64,
        directory: Option<PathBuf>,
        in_memory: FilesInMemory,
    ) -> Self {
        Self {
            room: Arc::new(Room::new(page_memory, directory, in_memory)),
            versions: Versions::default(),
            reads: Arc::new(Semaphore::new(READS)),
            begun: Arc::default(),
        }
    }

    /// How many were made, or are being made.
    pub(in crate::shop) fn begun(&self) -> u64 {
        self.begun.get()
    }

    /// How many bytes are kept in a medium.
    pub(in crate::shop) fn bytes(&self, medium: Medium) -> u64 {
        self.room.taken(medium)
    }

    /// The export with this tag, if its making has begun.
    pub(in crate::shop) fn known(&self, format: Format, tag: &str) -> Option<Arc<LongExport>> {
        self.versions.known(format, tag)
    }

    /// Begins to make the export with this tag, unless another request has done so. `None` if it is too large to be kept.
    pub(in crate::shop) async fn begin(
        &self,
        tag: &str,
        writing: Writing,
        limits: &ExportLimits,
    ) -> Option<Arc<LongExport>> {
        let (format, room) = (writing.format(), Arc::clone(&self.room));
        let least = self.versions.least(format, writing.products());
        let store = off_runtime(move || room.open(least)).await?;
        let export = Arc::new(LongExport::new(tag.into(), store));
        if let Some(known) = self.versions.add(format, tag, &export) {
            return Some(known);
        }
        self.begun.increment();
        let making = Making::new(self.versions.clone(), Arc::clone(&export), writing);
        tokio::spawn(making.run(limits.clone()));
        Some(export)
    }

    /// The body of an export: in gzip or, without a coding, unpacked.
    pub(in crate::shop) fn body(&self, export: Arc<LongExport>, coding: Option<Encoding>) -> Body {
        export::body(export, coding, Arc::clone(&self.reads))
    }
}

#[cfg(test)]
mod tests;
