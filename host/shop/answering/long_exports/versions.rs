//! The versions of long exports that are kept.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::export::{LongExport, Progress};
use crate::exports::Format;

/// The exports in each form. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Versions(Arc<Mutex<[OfFormat; Format::EVERY.len()]>>);

/// The exports in one form.
#[derive(Debug, Default)]
struct OfFormat {
    latest: Option<Arc<LongExport>>,
    /// The one before, for as long as clients read it.
    previous: Weak<LongExport>,
    too_large: Option<TooLarge>,
}

/// An export for which there was no room.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooLarge {
    pub(super) products: usize,
    /// How many bytes it had so far, and those for which there was no room.
    pub(super) bytes: u64,
}

impl Versions {
    /// The export with this tag, if it can be read.
    pub(super) fn known(&self, format: Format, tag: &str) -> Option<Arc<LongExport>> {
        self.0.lock()[format as usize].known(tag)
    }

    /// The room that an export of so many products needs at least, in bytes. One that was cut for want of room must not
    /// be cut again and again.
    pub(super) fn least(&self, format: Format, products: usize) -> u64 {
        // Fewer products may fit, unless they are nearly as many.
        let is_nearly = |last: &TooLarge| products >= last.products - last.products / 8;
        let too_large = self.0.lock()[format as usize].too_large.filter(is_nearly);
        too_large.map_or(0, |last| last.bytes.saturating_add(last.bytes / 8))
    }

    /// Adds the latest version, unless there is one with its tag, which is returned then. The one before the last ends.
    pub(super) fn add(&self, format: Format, tag: &str, new: &Arc<LongExport>) -> Option<Arc<LongExport>> {
        let oldest = {
            let of_format = &mut self.0.lock()[format as usize];
            if let Some(known) = of_format.known(tag) {
                return Some(known);
            }
            of_format.replace(Arc::clone(new))
        };
        oldest.iter().for_each(|oldest| oldest.end());
        None
    }

    /// Ends the versions before the latest ones, which makes room.
    pub(super) fn end_previous(&self) {
        let previous: Vec<_> = self.0.lock().iter().map(|kept| kept.previous.upgrade()).collect();
        // Their room is given back at once, because this runs on a thread for long work.
        previous.iter().flatten().for_each(|previous| drop(previous.cut()));
    }

    pub(super) fn note_too_large(&self, format: Format, too_large: TooLarge) {
        self.0.lock()[format as usize].too_large = Some(too_large);
    }
}

impl OfFormat {
    fn known(&self, tag: &str) -> Option<Arc<LongExport>> {
        let mut exports = self.latest.clone().into_iter().chain(self.previous.upgrade());
        exports.find(|export| export.has(tag))
    }

    /// Adds a new version. Returns the one before the last one, which is to end.
    fn replace(&mut self, new: Arc<LongExport>) -> Option<Arc<LongExport>> {
        // One that cannot be read takes the place of none.
        let last = self.latest.replace(new).filter(|last| last.progress() != Progress::Ended)?;
        let oldest = self.previous.upgrade();
        self.previous = Arc::downgrade(&last);
        oldest
    }
}
