//! The rows of a table as cells, before its columns are known.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};

use super::row::Field;

/// What an operator says of a table.
#[derive(Clone, Copy, Default)]
pub(super) struct TableOptions<'a> {
    /// The names of columns, as `normal` gives them, with their fields.
    pub(super) columns: &'a [(String, Field)],
    pub(super) delimiter: Option<u8>,
}

/// Reads the rows of a table, blank ones included.
pub(super) fn reader<R: Read>(text: R, delimiter: u8) -> csv::Reader<R> {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(false)
        .buffer_capacity(64 << 10)
        .from_reader(text)
}

/// Whether the first line names the delimiter for spreadsheets, as in `sep=;`.
pub(super) fn has_note(head: &[u8]) -> bool {
    head.strip_prefix(b"\"").unwrap_or(head).starts_with(b"sep=")
}

/// Whether all cells of a row are blank.
pub(super) fn is_blank(cells: &StringRecord) -> bool {
    cells.iter().all(|cell| cell.trim().is_empty())
}

/// The first 20 of these names, each with at most 40 characters.
pub(super) fn shortened<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.take(20).map(|name| name.trim().chars().take(40).collect()).collect()
}
