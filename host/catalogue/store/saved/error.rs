//! Why saved products cannot be used.

use std::io;

use super::super::record::RecordError;

/// Why saved bytes cannot be opened as a store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SavedError {
    #[error("the saved products cannot be read")]
    Io(#[from] io::Error),
    /// The bytes have changed since they were written, or never were a store.
    #[error("the saved products are damaged")]
    Damaged,
    /// There are more products than may be held in memory.
    #[error("there are {0} saved products, which memory does not allow")]
    TooMany(u64),
    /// The products are not as this program writes them.
    #[error("the saved products are not understood")]
    Record(#[from] RecordError),
}
