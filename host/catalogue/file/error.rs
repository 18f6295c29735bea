//! Why a catalogue file or its options cannot be used. In the messages "it" is that file, which the caller names.

use std::io;
use std::path::{Path, PathBuf};

use crate::bounded_file::BoundedFileError;

/// Why a file did not become a new version of the catalogue.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("it cannot be read")]
    Unreadable(#[from] BoundedFileError),
    #[error("the sandbox does not know the folder that is now {}: SIGHUP with --supervise, else a new start", path.display())]
    Refused { path: PathBuf },
    #[error("it cannot be unpacked")]
    Gzip(#[source] io::Error),
    #[error("it has changed while it was read")]
    Changed,
    #[error("it has more than 16 GiB, packed or not")]
    TooLarge,
    #[error(
        "it has more than the {most} products that fit in memory, or more than 16 rows for each of these: --memory-limit, or \
         a machine with more memory"
    )]
    TooMany { most: u64 },
    #[error("it is a workbook: save it as CSV UTF-8")]
    Workbook,
    #[error("it is a ZIP archive: unpack it")]
    Zip,
    #[error("it is a PDF, and no file of products")]
    Pdf,
    #[error("it is a web page, such as one for signing in, and no file of products")]
    WebPage,
    #[error("it is not written in {encoding}")]
    Undecodable { encoding: &'static str },
    #[error("the quote that opens a cell in line {line} is not closed where the cell ends")]
    OpenQuote { line: u64 },
    #[error("what begins in line {line} has more than 32 MiB")]
    RecordTooLong { line: u64 },
    /// `missing` are those of `id`, `title` and `price` that no column says.
    #[error("its columns are of no known form{}", lacking(missing))]
    Columns {
        missing: Vec<&'static str>,
        #[source]
        found: FoundColumns,
    },
    #[error(
        "`{written}` beside a price in line {line} does not say which currency it is: --currency, the shop's file, or \
         `currency` in the file's options names it"
    )]
    Currency { written: String, line: u32 },
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
    #[error("its columns are of no known form with the options in {}, which are not written over", path.display())]
    HasOptions { path: PathBuf },
    #[error("the proposal cannot be written to {}", path.display())]
    Proposal { path: PathBuf, source: io::Error },
}

/// The first columns of a table of no known form. It is a cause of its own, because each is cut to the length of a field in
/// the log.
#[derive(Debug, thiserror::Error)]
#[error("split at `{}` it has: {}", char::from(*delimiter).escape_default(), names.join(", "))]
pub struct FoundColumns {
    pub(super) delimiter: u8,
    pub(super) names: Vec<String>,
    #[source]
    pub(super) help: ColumnsHelp,
}

/// What helps where columns are of no known form.
#[derive(Debug, thiserror::Error)]
pub(super) enum ColumnsHelp {
    /// A proposal for the table at this path.
    #[error("`vitrine check --catalogue file:{} --propose` writes a proposal", .0.display())]
    Proposal(PathBuf),
    #[error("`[columns]` in its options (--catalogue-options) names them")]
    Options,
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

impl FileError {
    /// The error of the catalogue's file at this path, with a command that helps.
    #[must_use]
    pub(super) fn of_file(self, file: Option<&Path>) -> Self {
        match self {
            Self::Columns { missing, mut found } => {
                found.help = file.map_or(ColumnsHelp::Options, |file| ColumnsHelp::Proposal(file.to_owned()));
                Self::Columns { missing, found }
            }
            other => other,
        }
    }
}

/// Says which columns are missing.
fn lacking(missing: &[&str]) -> String {
    match missing {
        [] => String::new(),
        _ => format!(": no column says which is the {}", missing.join(", which the ")),
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error.into())
    }
}
