//! Why a catalogue file or its options cannot be used. In the messages "it" is that file, which the caller names.

use std::io;
use std::path::PathBuf;

use crate::bounded_file::BoundedFileError;

/// Why a file did not become a new version of the catalogue.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("it cannot be read")]
    Unreadable(#[from] BoundedFileError),
    #[error("it cannot be unpacked")]
    Gzip(#[source] io::Error),
    #[error("it has changed while it was read")]
    Changed,
    #[error("it is larger than 1 GiB when it is unpacked")]
    TooLarge,
    #[error(
        "it has more than the {most} products that fit in memory, or more than 16 rows for each of these: --memory-limit, or \
         a machine with more memory"
    )]
    TooMany { most: u64 },
    #[error("it is a workbook: save it as CSV UTF-8")]
    Workbook,
    #[error("most of it is UTF-8, but line {line} is not")]
    MixedEncodings { line: u64 },
    #[error("it is not written in {encoding}")]
    Undecodable { encoding: &'static str },
    #[error("the quote that opens a cell in line {line} is not closed where the cell ends")]
    OpenQuote { line: u64 },
    #[error("what begins in line {line} has more than 4 MiB")]
    RecordTooLong { line: u64 },
    #[error(
        "its columns are of no known form: products have a column `id` (or `Handle`), a title and a price. It has: {}",
        found.join(", ")
    )]
    Columns { found: Vec<String> },
    #[error("its JSON is not valid")]
    Json(#[from] serde_json::Error),
    #[error("its XML is not well-formed in line {line}")]
    Xml { line: u64, source: quick_xml::Error },
    #[error("its XML is no feed of products: its first element is `{root}`, and not `rss` or `feed`")]
    Root { root: String },
    #[error("its XML has a document type, which no feed needs")]
    DocumentType,
    #[error("its XML has elements in one another to a depth of more than 32 in line {line}")]
    Depth { line: u64 },
    #[error("its last line {line} is not complete: it may still be written")]
    Incomplete { line: u64 },
    #[error("it is empty")]
    Empty,
    #[error("it has no product that can be sold; left out: {reasons}")]
    NothingToSell { reasons: String },
    #[error(
        "it has {new} products, half of the last {old} or fewer. If that is meant: POST /purge?all=1&hard=1 on the \
         operators' listener, or a start with --accept-loss"
    )]
    Loss { old: u64, new: u64 },
    #[error("the rows that are left out cannot be written to {}", path.display())]
    Rejected { path: PathBuf, source: io::Error },
    #[error("{} is a file of the catalogue, and is not written over", path.display())]
    OwnFile { path: PathBuf },
    #[error("{} is no table of rows that are left out, and is not written over", path.display())]
    OtherFile { path: PathBuf },
    #[error("the options in {} are not used", path.display())]
    Options { path: PathBuf, source: OptionsError },
}

/// Why a file with options is not used.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    #[error("it cannot be read")]
    Unreadable(#[from] BoundedFileError),
    #[error("it is not UTF-8")]
    NotText,
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    #[error("{0}")]
    Value(String),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.into())
    }
}
