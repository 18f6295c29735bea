//! Tables: the columns that a file has, and its rows.

use csv::{ReaderBuilder, StringRecord};

use super::dialects::{DIALECTS, Dialect, Field};
use super::error::FileError;

/// A table whose form is known.
pub(super) struct Table {
    pub(super) dialect: &'static Dialect,
    /// The field of each column; `None` for one that is not read.
    columns: Vec<Option<Field>>,
    /// The names of the first columns that are not read.
    pub(super) unused: Vec<String>,
    /// The rows behind the header, each with the line on which it begins; `None` for one with more cells than the header.
    rows: Vec<(u64, Option<StringRecord>)>,
}

/// A row, which begins on a line.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// The line on which it begins, from 1.
    pub(super) line: u64,
    columns: &'a [Option<Field>],
    cells: &'a StringRecord,
}

/// A header, and what it would be in a form.
struct Header {
    delimiter: u8,
    dialect: &'static Dialect,
    columns: Vec<Option<Field>>,
    names: StringRecord,
}

impl Table {
    /// Reads a table with commas, semicolons, tabs or bars between its cells.
    ///
    /// # Errors
    /// When its columns are of no known form, or a quote is never closed.
    pub(super) fn read(text: &str) -> Result<Self, FileError> {
        let headers =
            b",;\t|".iter().filter_map(|&delimiter| Some((delimiter, records(text, delimiter).next()?)));
        let known = headers.flat_map(|(delimiter, header)| {
            let columns = |dialect: &'static Dialect| {
                Some(Header { delimiter, dialect, columns: dialect.columns(&header)?, names: header.clone() })
            };
            DIALECTS.map(columns).into_iter().flatten()
        });
        let Some(header) = known.max_by_key(|header| header.columns.iter().flatten().count()) else {
            let names = records(text, b',').next().ok_or(FileError::Empty)?;
            return Err(FileError::Columns { found: shortened(names.iter()) });
        };
        let Header { delimiter, dialect, columns, names } = header;
        let unused =
            names.iter().zip(&columns).filter(|(name, column)| column.is_none() && !name.trim().is_empty());
        let unused = shortened(unused.map(|(name, _)| name));
        if let Some(line) = open_quote(text, delimiter) {
            return Err(FileError::OpenQuote { line });
        }
        let width = columns.len();
        let rows: Vec<_> = numbered(text, records(text, delimiter))
            .skip(1)
            .map(|(line, cells)| (line, fitting(cells, width)))
            .collect();
        // A cut file ends in the middle of a row, without the end of its line.
        let is_short = |(line, cells): &(u64, Option<StringRecord>)| {
            cells.as_ref().is_some_and(|cells| cells.len() < width).then_some(*line)
        };
        match rows.last().and_then(is_short) {
            Some(line) if !text.ends_with(['\n', '\r']) => Err(FileError::Incomplete { line }),
            _ => Ok(Self { dialect, columns, unused, rows }),
        }
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows
            .iter()
            .filter_map(|row| Some(Row { line: row.0, columns: &self.columns, cells: row.1.as_ref()? }))
    }

    /// The lines of rows with more cells than the header, which may be in the wrong columns.
    pub(super) fn too_long(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().filter(|(_, cells)| cells.is_none()).map(|(line, _)| *line)
    }
}

impl<'a> Row<'a> {
    /// Whether the table has a column.
    pub(super) fn has(self, field: Field) -> bool {
        self.columns.contains(&Some(field))
    }

    /// Whether the table has a column and this row nothing in it.
    pub(super) fn is_blank(self, field: Field) -> bool {
        self.has(field) && self.get(field).is_empty()
    }

    /// What a column says, without spaces around it; empty if the row or the table does not have it.
    pub(super) fn get(self, field: Field) -> &'a str {
        let place = self.columns.iter().position(|column| *column == Some(field));
        let cell = place.and_then(|place| self.cells.get(place)).unwrap_or_default().trim();
        // Spreadsheets guard texts that look like formulas.
        let guarded = cell.strip_prefix('\'').filter(|rest| rest.starts_with(['=', '+', '-', '@', '\t']));
        guarded.unwrap_or(cell)
    }
}

/// Records with the lines on which they begin. The reader's own numbers differ with the ends of lines.
fn numbered(
    text: &str,
    records: impl Iterator<Item = StringRecord>,
) -> impl Iterator<Item = (u64, StringRecord)> {
    let (mut line, mut known) = (1, 0);
    records.map(move |record| {
        let at =
            record.position().and_then(|position| usize::try_from(position.byte()).ok()).unwrap_or(known);
        let blank = text.as_bytes()[at..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[known..at + blank]).count() as u64;
        known = at + blank;
        (line, record)
    })
}

/// The records that are not blank.
fn records(text: &str, delimiter: u8) -> impl Iterator<Item = StringRecord> + '_ {
    let reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    // The text is UTF-8, and rows may have any length, so that nothing can fail.
    let records = reader.into_records().map_while(Result::ok);
    // Spreadsheets may name the delimiter in the first line.
    let is_note = |record: &StringRecord| {
        record.position().is_some_and(|position| position.record() == 0)
            && record.get(0).is_some_and(|cell| cell.starts_with("sep="))
    };
    records.filter(move |record| !is_note(record) && record.iter().any(|cell| !cell.trim().is_empty()))
}

/// The first of these names, each without its end if it is long.
fn shortened<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.take(20).map(|name| name.trim().chars().take(40).collect()).collect()
}

/// The cells of a row, unless it has more than the header. Blank ones at the end do not count.
fn fitting(cells: StringRecord, width: usize) -> Option<StringRecord> {
    if cells.len() <= width {
        return Some(cells);
    }
    let is_blank = cells.iter().skip(width).all(|cell| cell.trim().is_empty());
    is_blank.then(|| {
        let mut fitting = cells.clone();
        fitting.truncate(width);
        fitting
    })
}

/// The line of a quote that is not closed before its cell ends. A quote opens at the beginning of a cell alone.
fn open_quote(text: &str, delimiter: u8) -> Option<u64> {
    let is_end = |byte: Option<u8>| byte.is_none_or(|byte| byte == delimiter || b"\r\n".contains(&byte));
    let (mut line, mut opened, mut is_start) = (1_u64, None, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if let Some(line) = opened {
            if byte == b'"' && bytes.next_if_eq(&b'"').is_none() {
                if !is_end(bytes.peek().copied()) {
                    return Some(line);
                }
                opened = None;
            }
        } else {
            if byte == b'"' && is_start {
                opened = Some(line);
            }
            is_start = byte == delimiter || byte == b'\n' || byte == b'\r';
        }
        line += u64::from(byte == b'\n');
    }
    opened
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str, field: Field) -> Vec<String> {
        Table::read(text).unwrap().rows().map(|row| row.get(field).to_owned()).collect()
    }

    #[test]
    fn a_table_is_read_whatever_its_delimiter_and_blank_lines() {
        for delimiter in [",", ";", "\t", "|"] {
            let text = "sep=,\n,,\nID,Title,\"Price\"\n1,\"Cup, \"\"red\"\"\",5\n\n2,Bowl\n";
            let quoted = text.replace("Cup, ", "Cup\u{0}").replace(',', delimiter).replace('\u{0}', ", ");
            let quoted = if delimiter == "," { text.to_owned() } else { quoted };
            assert_eq!(cells(&quoted, Field::Title), ["Cup, \"red\"", "Bowl"], "{delimiter:?}");
            assert_eq!(cells(&quoted, Field::Price), ["5", ""], "a row may end early");
        }
    }

    #[test]
    fn a_guard_against_formulas_is_no_part_of_a_text() {
        assert_eq!(
            cells("id,title,price\n1,'-5 degrees,5\n2,'quoted',5", Field::Title),
            ["-5 degrees", "'quoted'"]
        );
    }

    #[test]
    fn columns_of_no_known_form_are_named() {
        let Err(FileError::Columns { found }) = Table::read("name,cost\na,5") else { panic!("it was read") };
        assert_eq!(found, ["name", "cost"]);
        assert!(matches!(Table::read("\n"), Err(FileError::Empty)));
        assert_eq!(Table::read("id,title,price,Colour \n1,A,5,red").unwrap().unused, ["Colour"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named_by_its_line() {
        let open = |text: String| match Table::read(&text) {
            Err(FileError::OpenQuote { line }) => Some(line),
            _ => None,
        };
        let header = "id,title,price\n";
        assert_eq!(open(format!("{header}1,\"two\nlines\",5\n2,\"open,5\n3,c,5\n")), Some(4));
        assert_eq!(open(format!("{header}1,\"a \"\"b\"\"\",5\n2,5\" disk,5\n")), None);
        assert_eq!(open(format!("{header}1,\"Cup,5\n2,\"Bowl,6\n")), Some(2), "two quotes are not one cell");
    }

    #[test]
    fn a_row_with_more_cells_than_the_header_is_in_no_column() {
        let table = Table::read("id,title,price\n1,Cup,12,50\n2,Bowl,5,,\n").unwrap();
        assert_eq!(table.rows().map(|row| row.get(Field::Title)).collect::<Vec<_>>(), ["Bowl"]);
        assert_eq!(table.too_long().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_file_that_is_cut_is_refused() {
        let read = |text| Table::read(text).map(|table| table.rows().count());
        assert!(matches!(read("id,title,price\n1,Cup,5\n2,Bo"), Err(FileError::Incomplete { line: 3 })));
        assert_eq!(read("id,title,price\n1,Cup,5\n2,Bowl,5").ok(), Some(2));
        assert_eq!(read("id,title,price\n1,Cup,5\n2,Bowl\n").ok(), Some(2));
    }

    #[test]
    fn a_row_is_named_by_the_line_on_which_it_begins() {
        for end in ["\n", "\r\n"] {
            let text = "\nid,title,price\n1,\"two\nlines\",5\n\n2,b,5\n".replace('\n', end);
            let table = Table::read(&text).unwrap();
            assert_eq!(table.rows().map(|row| row.line).collect::<Vec<_>>(), [3, 6], "{end:?}");
        }
    }
}
