//! Why the saved catalogue cannot be used or written.

use std::io;

use crate::catalogue::store::{RecordError, SavedError};

/// Why the saved state cannot be used or written.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("the state file cannot be read or written")]
    Io(#[from] io::Error),
    /// A folder, symbolic link, pipe, socket or device has its name.
    #[error("the state file is no regular file")]
    NotAFile,
    /// Its owner is neither this process's user nor root. Root is trusted, because it could change any file anyway.
    #[error("the state file belongs to another user")]
    ForeignOwner,
    /// No state file becomes this large.
    #[error("the state file is too large")]
    TooLarge,
    /// The checksum does not match, or the file never was a state file.
    #[error("the state file is damaged")]
    Damaged,
    #[error("the state file was written by another version")]
    OtherVersion,
    #[error("the state file is not understood")]
    Malformed(#[from] serde_json::Error),
    /// The file may be usable after a start with more memory.
    #[error("the state file has {0} products, more than memory or --mirror allow")]
    TooMany(u64),
    #[error("the products of the state file are not understood")]
    Record(#[from] RecordError),
    /// There are state files, but none belongs to the service in use.
    #[error("only catalogues of other services are saved")]
    OtherService,
    /// The saved copy is too old to be sold.
    #[error("the saved catalogue is too old")]
    TooOld,
    /// It has half of the products of the version on sale or fewer.
    #[error("most of the catalogue is missing in it, which is not believed yet")]
    Loss,
}

impl From<SavedError> for StateError {
    fn from(error: SavedError) -> Self {
        match error {
            SavedError::Io(error) => error.into(),
            SavedError::Damaged => Self::Damaged,
            SavedError::TooMany(products) => Self::TooMany(products),
            SavedError::Record(error) => error.into(),
        }
    }
}
