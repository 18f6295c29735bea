//! The hash of the copy's content, which is computed once for each copy.

use std::io;
use std::ptr;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::catalogue::mirror::Mirror;

/// The hash of the copy that was asked about last.
#[derive(Debug, Default)]
pub(super) struct CopyHash {
    known: Mutex<Option<(Weak<Mirror>, blake3::Hash)>>,
}

impl CopyHash {
    /// The hash of what is saved of a copy. Takes long for a copy that was not asked about before.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub(super) fn of(&self, copy: &Arc<Mirror>) -> serde_json::Result<blake3::Hash> {
        // Two that save at the same time wait for each other instead of hashing twice.
        let mut known = self.known.lock();
        if let Some((of, hash)) = &*known
            && ptr::eq(of.as_ptr(), Arc::as_ptr(copy))
        {
            return Ok(*hash);
        }
        let mut hasher = io::BufWriter::new(blake3::Hasher::new());
        serde_json::to_writer(&mut hasher, &**copy)?;
        let hasher = hasher.into_inner().map_err(|error| serde_json::Error::io(error.into_error()))?;
        let hash = hasher.finalize();
        *known = Some((Arc::downgrade(copy), hash));
        Ok(hash)
    }
}
