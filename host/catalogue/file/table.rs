//! Tables: the columns that a file has, and its rows, one at a time.

use std::io::{BufRead, Cursor, Read};

use csv::{ReaderBuilder, StringRecord};

use super::dialects::{Dialect, TABLES};
use super::error::FileError;
use super::guard::unguarded;
use super::quotes::{Quotes, Rows};
use super::row::{FIELDS, Field, Position, Row};

/// How many bytes are searched for the header of a table.
const HEAD: u64 = 64 << 10;

/// What an operator says of a table.
#[derive(Clone, Copy, Default)]
pub(super) struct TableOptions<'a> {
    /// The names of columns, as `normal` gives them, with their fields.
    pub(super) columns: &'a [(String, Field)],
    pub(super) delimiter: Option<u8>,
}

/// A header, read in one of the known forms.
pub(super) struct Header {
    pub(super) delimiter: u8,
    pub(super) dialect: &'static Dialect,
    columns: Vec<Option<Field>>,
    pub(super) names: StringRecord,
}

impl Header {
    /// The names of the first columns that are not read.
    pub(super) fn unused(&self) -> Vec<String> {
        let columns = self.names.iter().zip(&self.columns);
        let unused = columns.filter(|(name, column)| column.is_none() && !name.trim().is_empty());
        shortened(unused.map(|(name, _)| name))
    }
}

/// A receiver of a table's rows.
pub(super) trait TakeRows {
    /// Takes what is known before the first row.
    ///
    /// # Errors
    /// When no row can be taken.
    fn begin(&mut self, header: &Header) -> Result<(), FileError>;
    /// Takes a row, and its cells as they are written.
    ///
    /// # Errors
    /// When it cannot be taken, such as after too many.
    fn row(&mut self, row: &Row, cells: &StringRecord) -> Result<(), FileError>;
    /// Takes a row with more cells than the header, which may be in the wrong columns.
    ///
    /// # Errors
    /// When it cannot be taken.
    fn too_long(&mut self, position: Position, cells: &StringRecord) -> Result<(), FileError>;
}

/// Reads a table with commas, semicolons, tabs or bars between its cells.
///
/// # Errors
/// When its columns are of no known form, a quote is never closed, its last row is cut off, or `taker` fails.
pub(super) fn read(
    mut text: impl BufRead,
    options: TableOptions,
    taker: &mut impl TakeRows,
) -> Result<(), FileError> {
    let mut head = Vec::new();
    text.by_ref().take(HEAD).read_to_end(&mut head)?;
    let header = header(&head, options)?;
    taker.begin(&header)?;
    let Header { delimiter, columns, .. } = header;

    let rows = Rows::new(delimiter);
    let text = Quotes { inner: Cursor::new(head).chain(text), rows: &rows };
    let mut reader = reader(text, delimiter);
    let (mut cells, mut is_header, mut last) = (StringRecord::new(), true, None);
    let mut position = Position::default();
    loop {
        match reader.read_record(&mut cells) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                return Err(rows.failure().unwrap_or_else(|| FileError::from(std::io::Error::from(error))));
            }
        }
        let line = rows.next_start();
        if is_note(&cells, line) || is_blank(&cells) {
            last = None;
            continue;
        }
        if std::mem::take(&mut is_header) {
            continue;
        }
        last = Some((line, cells.len()));
        position = position.next(line);
        // Blank cells at the end do not count.
        if cells.iter().skip(columns.len()).all(|cell| cell.trim().is_empty()) {
            taker.row(&row(position, &cells, &columns), &cells)?;
        } else {
            taker.too_long(position, &cells)?;
        }
    }
    // A truncated file ends in the middle of a row, without a line end.
    match last {
        Some((line, count)) if count < columns.len() && !rows.is_complete() => {
            Err(FileError::Incomplete { line })
        }
        _ => Ok(()),
    }
}

/// The header, read in the form that knows most of its columns.
fn header(head: &[u8], options: TableOptions) -> Result<Header, FileError> {
    let first = |delimiter: u8| {
        let records = reader(head, delimiter).into_records().map_while(Result::ok);
        (1..)
            .zip(records)
            .find(|(line, cells)| !is_note(cells, *line) && !is_blank(cells))
            .map(|found| found.1)
    };
    let delimiters: &[u8] = options.delimiter.as_ref().map_or(b",;\t|", std::slice::from_ref);
    let headers = delimiters.iter().filter_map(|&delimiter| Some((delimiter, first(delimiter)?)));
    let known = headers.flat_map(|(delimiter, names)| {
        let columns = |dialect: &'static Dialect| {
            let columns = dialect.columns(&names, options.columns)?;
            Some(Header { delimiter, dialect, columns, names: names.clone() })
        };
        TABLES.map(columns).into_iter().flatten()
    });
    match known.max_by_key(|header| header.columns.iter().flatten().count()) {
        Some(header) => Ok(header),
        None => {
            let names = first(delimiters[0]).ok_or(FileError::Empty)?;
            Err(FileError::Columns { found: shortened(names.iter()) })
        }
    }
}

fn reader<R: Read>(text: R, delimiter: u8) -> csv::Reader<R> {
    ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(false)
        .buffer_capacity(64 << 10)
        .from_reader(text)
}

/// A row. Each field has the text of its first column that is not blank.
fn row<'a>(position: Position, cells: &'a StringRecord, columns: &[Option<Field>]) -> Row<'a> {
    let mut values = [None; FIELDS];
    for (place, field) in columns.iter().enumerate() {
        let Some(field) = field else { continue };
        let value: &mut Option<&str> = &mut values[*field as usize];
        if value.is_none_or(|known| known.trim().is_empty()) {
            *value = Some(unguarded(cells.get(place).unwrap_or_default()));
        }
    }
    Row::new(position, values)
}

/// Whether it is the first line and names the delimiter for spreadsheets, as in `sep=;`.
fn is_note(cells: &StringRecord, line: u64) -> bool {
    line == 1 && cells.get(0).is_some_and(|cell| cell.starts_with("sep="))
}

fn is_blank(cells: &StringRecord) -> bool {
    cells.iter().all(|cell| cell.trim().is_empty())
}

/// The first 20 of these names, each with at most 40 characters.
fn shortened<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.take(20).map(|name| name.trim().chars().take(40).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps one field of each row, with its line.
    struct Kept {
        field: Field,
        rows: Vec<(u32, String)>,
        too_long: Vec<u32>,
        unused: Vec<String>,
        name: &'static str,
    }

    impl TakeRows for Kept {
        fn begin(&mut self, header: &Header) -> Result<(), FileError> {
            (self.name, self.unused) = (header.dialect.name, header.unused());
            Ok(())
        }

        fn row(&mut self, row: &Row, _: &StringRecord) -> Result<(), FileError> {
            self.rows.push((row.position.line, row.get(self.field).to_owned()));
            Ok(())
        }

        fn too_long(&mut self, position: Position, _: &StringRecord) -> Result<(), FileError> {
            self.too_long.push(position.line);
            Ok(())
        }
    }

    fn kept_with(text: &str, field: Field, options: TableOptions) -> Result<Kept, FileError> {
        let mut kept = Kept { field, rows: vec![], too_long: vec![], unused: vec![], name: "" };
        read(text.as_bytes(), options, &mut kept)?;
        Ok(kept)
    }

    fn kept(text: &str, field: Field) -> Result<Kept, FileError> {
        kept_with(text, field, TableOptions::default())
    }

    fn cells(text: &str, field: Field) -> Vec<String> {
        kept(text, field).unwrap().rows.into_iter().map(|(_, cell)| cell).collect()
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
    fn a_form_is_recognised_by_its_columns() {
        for (header, name) in [
            ("id,title,description,link,image_link,availability,price", "Google merchant data"),
            ("id\ttitle\tg:price\timage link\titem_group_id", "Google merchant data"),
            ("ID,Type,SKU,Name,Published,Regular price,Parent", "WooCommerce's products"),
            ("Handle,Title,Variant Price", "Shopify's products"),
            ("id,title,price", "a table of products"),
        ] {
            assert_eq!(kept(header, Field::Key).unwrap().name, name, "{header}");
        }
    }

    #[test]
    fn columns_and_the_delimiter_may_be_named() {
        let columns = [("preis".to_owned(), Field::Price), ("nr".to_owned(), Field::Key)];
        let options = TableOptions { columns: &columns, delimiter: Some(b':') };
        let kept = kept_with("Nr:Title:Preis:Price\n1:Cup:5:9\n", Field::Price, options).unwrap();
        assert_eq!((kept.rows, kept.unused), (vec![(2, "5".into())], vec!["Price".into()]));
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
        let Err(FileError::Columns { found }) = kept("name,cost\na,5", Field::Key) else {
            panic!("it was read")
        };
        assert_eq!(found, ["name", "cost"]);
        assert!(matches!(kept("\n", Field::Key), Err(FileError::Empty)));
        assert_eq!(kept("id,title,price,Colour \n1,A,5,red", Field::Key).unwrap().unused, ["Colour"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_named_by_its_line() {
        let open = |text: String| match kept(&text, Field::Key) {
            Err(FileError::OpenQuote { line }) => Some(line),
            _ => None,
        };
        let header = "id,title,price\n";
        assert_eq!(open(format!("{header}1,\"two\nlines\",5\n2,\"open,5\n3,c,5\n")), Some(4));
        assert_eq!(open(format!("{header}1,\"a \"\"b\"\"\",5\n2,5\" disk,5\n")), None);
        assert_eq!(open(format!("{header}1,\"Cup,5\n2,\"Bowl,6\n")), Some(2), "two quotes are not one cell");
        assert_eq!(open(format!("{header}1,\"{}", "a\n".repeat(3 << 20))), Some(2), "far behind it");
    }

    #[test]
    fn a_row_is_not_read_without_end() {
        let long = format!("id,title,price\n1,{},5\n", "a".repeat(5 << 20));
        assert!(matches!(kept(&long, Field::Key), Err(FileError::RecordTooLong { line: 2 })));
    }

    #[test]
    fn a_row_with_more_cells_than_the_header_is_in_no_column() {
        let kept = kept("id,title,price\n1,Cup,12,50\n2,Bowl,5,,\n", Field::Title).unwrap();
        assert_eq!((kept.rows, kept.too_long), (vec![(3, "Bowl".into())], vec![2]));
    }

    #[test]
    fn a_file_that_is_cut_is_refused() {
        let read = |text| kept(text, Field::Key).map(|kept| kept.rows.len());
        assert!(matches!(read("id,title,price\n1,Cup,5\n2,Bo"), Err(FileError::Incomplete { line: 3 })));
        assert_eq!(read("id,title,price\n1,Cup,5\n2,Bowl,5").ok(), Some(2));
        assert_eq!(read("id,title,price\n1,Cup,5\n2,Bowl\n").ok(), Some(2));
        assert_eq!(read("id,title,price\n1,Cup,5\n2,Bowl\n,").ok(), Some(2), "blank cells are no row");
    }

    #[test]
    fn a_row_is_named_by_the_line_on_which_it_begins() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "\nid,title,price\n1,\"two\nlines\",5\n\n2,b,5\n".replace('\n', end);
            let lines: Vec<u32> =
                kept(&text, Field::Key).unwrap().rows.into_iter().map(|(line, _)| line).collect();
            assert_eq!(lines, [3, 6], "{end:?}");
        }
    }
}
