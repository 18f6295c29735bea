//! Why a file is not sold.

use std::io;

use crate::bounded_file::BoundedFileError;

/// Why no version of a catalogue was made of a file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("it cannot be read")]
    Unreadable(#[from] BoundedFileError),
    #[error("it cannot be unpacked")]
    Gzip(#[source] io::Error),
    #[error("it is larger than 1 GiB when it is unpacked")]
    TooLarge,
    #[error("it is a workbook: save it as CSV UTF-8")]
    Workbook,
    #[error("most of it is UTF-8, but line {line} is not")]
    Encodings { line: u64 },
    #[error("it says that it is UTF-16, and is not")]
    Utf16,
    #[error("the quote that opens a cell in line {line} is not closed where the cell ends")]
    OpenQuote { line: u64 },
    #[error(
        "its columns are of no known form: products have a column `id` (or `Handle`), a title and a price. It has: {}",
        found.join(", ")
    )]
    Columns { found: Vec<String> },
    #[error("its JSON is not valid")]
    Json(#[from] serde_json::Error),
    #[error("its last line {line} is not complete: it may still be written")]
    Incomplete { line: u64 },
    #[error("it is empty")]
    Empty,
    #[error("it has no product that can be sold; left out: {reasons}")]
    Nothing { reasons: String },
    #[error(
        "it has {new} products, half of the last {old} or fewer. If that is meant: POST /purge?all=1&hard=1 on the \
         operators' listener, or a new start"
    )]
    Loss { old: u64, new: u64 },
}
