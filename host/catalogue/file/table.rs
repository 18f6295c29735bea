//! Tables: the columns that a file has, and its rows, one at a time.

use std::io::{BufRead, Cursor, Read as _};

use csv::StringRecord;

use super::cells::{TableOptions, has_note, is_blank, reader, shortened};
use super::dialects::{Columns, Dialect, TABLES, Ways, has_word};
use super::error::FileError;
use super::for_sale;
use super::formula::unescape_formula;
use super::quotes::{Quotes, RowStarts, Start};
use super::report::Reason;
use super::row::{FIELDS, Field, Position, Row};
use super::split::{rows, unknown};

/// How many bytes are searched for the header of a table.
const HEAD: u64 = 64 << 10;
/// How many lines may be searched for the header. Those before it are remarks or a title.
const MOST_LINES: usize = 20;
/// How many rows after the header may show what its columns say.
const SAMPLE: usize = 20;
/// With what words of names begin whose columns may decide what is sold, or how it is shown.
const DECIDING: [&str; 9] =
    ["visible", "archived", "option", "variant", "image", "picture", "sale", "price", "stock"];

/// A header, read in one of the known forms.
pub(super) struct Header {
    pub(super) delimiter: u8,
    pub(super) dialect: &'static Dialect,
    columns: Columns,
    pub(super) names: StringRecord,
    /// How many lines before it are not blank.
    before: usize,
}

impl Header {
    /// The names of the first columns that are not read, those first that may decide what is sold. Where there are more, `…`
    /// follows.
    pub(super) fn unused(&self) -> Vec<String> {
        let mut is_used = vec![false; self.names.len()];
        for (place, _) in &self.columns {
            if let Some(is_used) = is_used.get_mut(*place) {
                *is_used = true;
            }
        }
        let columns = self.names.iter().zip(is_used);
        let unused = columns.filter(|(name, is_used)| !is_used && !name.trim().is_empty());
        let (mut unused, others): (Vec<&str>, Vec<&str>) =
            unused.map(|(name, _)| name).partition(|name| has_word(name, &DECIDING));
        unused.extend(others);
        let mut names = shortened(unused.iter().copied());
        if names.len() < unused.len() {
            names.push("…".into());
        }
        names
    }

    /// The name of the first column with this field.
    pub(super) fn name_of(&self, field: Field) -> Option<&str> {
        self.names.get(self.places(field).next()?).map(str::trim)
    }

    /// Whether its prices are without tax.
    pub(super) fn has_net_prices(&self) -> bool {
        let net = self.places(Field::NetPrice).next();
        net.is_some() && net == self.places(Field::Price).next()
    }

    /// The numbers of the columns with this field.
    fn places(&self, field: Field) -> impl Iterator<Item = usize> {
        self.columns.iter().filter(move |(_, column)| *column == field).map(|(place, _)| *place)
    }

    /// The columns of further pictures, if there are several whose pictures all count.
    fn more_images(&self) -> Vec<usize> {
        let places: Vec<usize> = self.places(Field::MoreImages).collect();
        if places.len() > 1 && self.dialect.ways.joins_images { places } else { Vec::new() }
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
    /// Takes a row that is not read: it has more cells than the header, which may be in the wrong columns, or more bytes than
    /// are read, and `cells` only has its beginning.
    ///
    /// # Errors
    /// When it cannot be taken.
    fn too_long(&mut self, reason: Reason, position: Position, cells: &StringRecord)
    -> Result<(), FileError>;
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
    let mut is_note = has_note(&head);
    taker.begin(&header)?;
    let more_images = header.more_images();
    let Header { delimiter, dialect, columns, names, before } = header;

    let rows = RowStarts::new(delimiter);
    let text = Quotes::new(Cursor::new(head).chain(text), &rows);
    let mut reader = reader(text, delimiter);
    let (mut cells, mut skipped, mut last) = (StringRecord::new(), 0, None);
    let mut joined = String::new();
    let mut position = Position::default();
    loop {
        match reader.read_record(&mut cells) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                return Err(rows.failure().unwrap_or_else(|| FileError::from(std::io::Error::from(error))));
            }
        }
        let Start { line, is_too_long } = rows.next_start();
        if std::mem::take(&mut is_note) || is_blank(&cells) {
            last = None;
            continue;
        }
        if skipped <= before {
            skipped += 1;
            continue;
        }
        last = Some((line, cells.len())).filter(|_| !is_too_long);
        position = position.next(line);
        if is_too_long {
            taker.too_long(Reason::TooLong, position, &cells)?;
            continue;
        }
        // Blank cells at the end do not count.
        if cells.iter().skip(names.len()).any(|cell| !cell.trim().is_empty()) {
            taker.too_long(Reason::TooManyCells, position, &cells)?;
            continue;
        }
        let mut row = row(position, &cells, &columns, &dialect.ways);
        if !more_images.is_empty() {
            joined.clear();
            let pictures = more_images.iter().filter_map(|place| cells.get(*place));
            joined.extend(pictures.filter(|cell| !cell.trim().is_empty()).flat_map(|cell| ["|", cell]));
            row = row.with(Field::MoreImages, &joined);
        }
        taker.row(&row, &cells)?;
    }
    // A truncated file ends in the middle of a row, without a line end.
    match last {
        Some((line, count)) if count < names.len() && !rows.is_complete() => {
            Err(FileError::Incomplete { line })
        }
        _ => Ok(()),
    }
}

/// The header: the first line that a form fits, read in the form that knows most of its columns.
fn header(head: &[u8], options: TableOptions) -> Result<Header, FileError> {
    let delimiters: &[u8] = options.delimiter.as_ref().map_or(b",;\t|", std::slice::from_ref);
    let rows = |&delimiter: &u8| (delimiter, rows(head, delimiter, MOST_LINES + SAMPLE));
    let tables: Vec<(u8, Vec<StringRecord>)> = delimiters.iter().map(rows).collect();
    for before in 0..MOST_LINES {
        let headers: Vec<_> = tables
            .iter()
            .filter_map(|(delimiter, rows)| Some((*delimiter, rows.get(before..)?.split_first()?)))
            .collect();
        for forms in TABLES {
            let known = headers.iter().flat_map(|&(delimiter, (names, rows))| {
                forms.iter().filter_map(move |dialect| {
                    let (columns, fitting) = dialect.columns(names, options.columns)?;
                    Some((fitting, delimiter, *dialect, columns, (names, rows)))
                })
            });
            if let Some((_, delimiter, dialect, mut columns, (names, rows))) =
                known.max_by_key(|(fitting, ..)| *fitting)
            {
                dialect.correct(&mut columns, names, rows, options.columns);
                return Ok(Header { delimiter, dialect, columns, names: names.clone(), before });
            }
        }
    }
    Err(unknown(head, options))
}

/// A row. Each field has the text of its first column that is not blank.
fn row<'a>(position: Position, cells: &'a StringRecord, columns: &Columns, ways: &Ways) -> Row<'a> {
    let mut values = [None; FIELDS];
    for &(place, field) in columns {
        let value: &mut Option<&str> = &mut values[field as usize];
        let cell = ways.usual(field, unescape_formula(cells.get(place).unwrap_or_default()));
        let is_first = value.is_none_or(|known| known.trim().is_empty());
        if is_first || (for_sale::COLUMNS.contains(&field) && for_sale::says_no(field, cell)) {
            *value = Some(cell);
        }
    }
    Row::new(position, values)
}

#[cfg(test)]
mod tests {
    use super::super::text::cut;
    use super::*;

    /// Keeps one field of each row, with its line.
    struct Kept {
        field: Field,
        rows: Vec<(u32, String)>,
        too_long: Vec<(u32, Reason)>,
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

        fn too_long(
            &mut self,
            reason: Reason,
            position: Position,
            _: &StringRecord,
        ) -> Result<(), FileError> {
            self.too_long.push((position.line, reason));
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
        let Err(FileError::Columns { found, .. }) = kept("name,cost\na,5", Field::Key) else {
            panic!("it was read")
        };
        assert_eq!(found.names, ["name", "cost"]);
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
        assert_eq!(
            open(format!("{header}1,\"{}\"b\",5\n", "a\n".repeat(3 << 20))),
            Some(2),
            "closed too late"
        );
    }

    #[test]
    fn a_row_is_not_read_without_end() {
        let long = "a".repeat(5 << 20);
        for (row, lines) in [
            (format!("1,{long},5"), 1),
            (format!("1,\"{long}\",5"), 1),
            (format!("1,\"a \"\"b\"\",\n{long}\",\"c\nd\""), 3),
            (format!("1,{},5", "é".repeat(3 << 20)), 1),
            (format!("1,{},5", "€".repeat(3 << 20)), 1),
            (format!("1{}", ",\"\"\"\"".repeat(1 << 20)), 1),
        ] {
            for (text, found) in [
                (
                    format!("id,title,price\n0,Cup,5\n{row}\n2,Bowl,6\n"),
                    vec![(2, "Cup".into()), (3 + lines, "Bowl".into())],
                ),
                (format!("id,title,price\n0,Cup,5\n{row}"), vec![(2, "Cup".into())]),
            ] {
                let kept = kept(&text, Field::Title).unwrap();
                assert_eq!((kept.rows, kept.too_long), (found, vec![(3, Reason::TooLong)]), "{}", cut(&row));
            }
        }
        let longest = format!("id,title,price\n1,{},5\n", "a".repeat((4 << 20) - 4));
        assert_eq!(kept(&longest, Field::Key).unwrap().rows.len(), 1);
    }

    #[test]
    fn a_row_with_more_cells_than_the_header_is_in_no_column() {
        let kept = kept("id,title,price\n1,Cup,12,50\n2,Bowl,5,,\n", Field::Title).unwrap();
        assert_eq!((kept.rows, kept.too_long), (vec![(3, "Bowl".into())], vec![(2, Reason::TooManyCells)]));
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
