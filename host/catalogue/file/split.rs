//! How a table of no known form is split into columns, and which of its first rows names them.

use std::io::Read;

use csv::StringRecord;

use super::cells::{TableOptions, has_note, is_blank, reader, shortened};
use super::dialects::{TABLES, normal};
use super::error::{ColumnsHelp, FileError, FoundColumns};
use super::quotes::{Quotes, RowStarts};
use super::row::Field;

/// How many rows are searched for the names of columns.
const ROWS: usize = 20;
/// Delimiters that are only tried where no usual one fits.
pub(super) const RARE: &[u8] = b"~^:#";
/// Longest name of a column, in bytes.
const LONGEST_NAME: usize = 120;

/// How well rows fit to their header, the better the larger: whether they are most of the rows, how many names there are,
/// and how many rows have as many cells.
type Fit = (bool, usize, usize);

/// A table of no known form, split into columns.
pub(super) struct Split {
    pub(super) delimiter: u8,
    /// The row that names the columns or, if no row seems to do so, the first one.
    pub(super) names: StringRecord,
    /// How many rows come before it. Blank ones do not count.
    pub(super) before: usize,
    /// Whether that row looks like one of a product.
    pub(super) is_headless: bool,
}

impl Split {
    /// Splits the table that begins with `head` where that gives the most columns, or at this `delimiter`; `None` if it
    /// has no row.
    pub(super) fn of(head: &[u8], delimiter: Option<u8>) -> Option<Self> {
        let usual: &[u8] = delimiter.as_ref().map_or(b",;\t|", std::slice::from_ref);
        let rare: &[u8] = if delimiter.is_none() { RARE } else { &[] };
        // If several fit equally well, `max_by_key` takes the last, which is the first delimiter.
        let named = |delimiters: &[u8]| {
            let splits = delimiters.iter().rev().filter_map(|&delimiter| Self::named(head, delimiter));
            splits.max_by_key(|(fit, _)| *fit).map(|(_, split)| split)
        };
        named(usual).or_else(|| named(rare)).or_else(|| Self::unnamed(head, usual))
    }

    /// The split at a delimiter, if it gives a row with several names to which the next rows fit, and how well they do.
    fn named(head: &[u8], delimiter: u8) -> Option<(Fit, Self)> {
        let rows: Vec<StringRecord> = rows(head, delimiter, ROWS);
        let header = |before: usize| Some((before, fit(&rows, before)?));
        let (before, fit) = (0..rows.len()).find_map(header)?;
        let names = rows.into_iter().nth(before)?;
        Some((fit, Self { delimiter, names, before, is_headless: false }))
    }

    /// The split in which even the shortest row has the most cells.
    fn unnamed(head: &[u8], delimiters: &[u8]) -> Option<Self> {
        let shortest = |delimiter| rows(head, delimiter, ROWS).iter().map(width).min();
        let delimiter = delimiters.iter().rev().copied().max_by_key(|&delimiter| shortest(delimiter))?;
        let names = rows(head, delimiter, 1).into_iter().next()?;
        let is_headless = !are_names(&names);
        Some(Self { delimiter, names, before: 0, is_headless })
    }
}

/// The first rows of a table, `most` at most, without blank ones.
pub(super) fn rows(head: &[u8], delimiter: u8, most: usize) -> Vec<StringRecord> {
    let starts = RowStarts::new(delimiter);
    let rows = whole(Quotes::new(head, &starts), delimiter, head).take(most).collect();
    // At the wrong delimiter quotes seem to be left open.
    match starts.failure() {
        None => rows,
        Some(_) => whole(head, delimiter, head).take(most).collect(),
    }
}

/// The rows of a `text` that begins with `head`, without blank ones, up to one that cannot be read.
fn whole(text: impl Read, delimiter: u8, head: &[u8]) -> impl Iterator<Item = StringRecord> {
    let records = reader(text, delimiter).into_records().map_while(Result::ok);
    records.skip(usize::from(has_note(head))).filter(|cells| !is_blank(cells))
}

/// Why a table that begins with `head` is not read.
pub(super) fn unknown(head: &[u8], options: TableOptions) -> FileError {
    let Some(Split { delimiter, names, .. }) = Split::of(head, options.delimiter) else {
        return FileError::Empty;
    };
    let says = |name: &str, field: Field| {
        let is_own = || options.columns.iter().any(|(known, own)| *known == normal(name) && *own == field);
        TABLES.into_iter().flatten().any(|form| form.own_field(name) == Some(field)) || is_own()
    };
    let is_missing =
        |fields: &[Field]| !names.iter().any(|name| fields.iter().any(|&field| says(name, field)));
    let needed: [(&str, &[Field]); 3] =
        [("id", &[Field::Key, Field::Group]), ("title", &[Field::Title]), ("price", &[Field::Price])];
    let missing = needed.into_iter().filter(|(_, fields)| is_missing(fields)).map(|(name, _)| name);
    let found = FoundColumns { delimiter, names: shortened(names.iter()), help: ColumnsHelp::Options };
    FileError::Columns { missing: missing.collect(), found }
}

/// How many cells a row has up to the last one that is not blank.
fn width(cells: &StringRecord) -> usize {
    let filled = (1..).zip(cells).filter(|(_, cell)| !cell.trim().is_empty());
    filled.map(|(place, _)| place).max().unwrap_or_default()
}

/// How well the row after `before` others names the columns of the next ones.
fn fit(rows: &[StringRecord], before: usize) -> Option<Fit> {
    let (header, others) = rows.get(before..)?.split_first()?;
    let names = width(header);
    let fitting = others.iter().filter(|row| width(row) <= names && 2 * row.len() > names).count();
    let whole = others.iter().filter(|row| width(row) == names).count();
    let is_header = names > 1 && are_names(header) && 2 * fitting >= others.len();
    // Names rarely have the delimiters of other tables, but rows that are split at the wrong one do.
    let is_split_wrong = header.iter().any(|name| name.contains([';', '\t', '|', '~', '^']));
    // The last row names nothing, unless there is no other.
    let is_alone = others.is_empty() && before > 0;
    (is_header && !is_split_wrong && !is_alone).then_some((2 * (fitting + 1) > rows.len(), names, whole))
}

/// Whether at least half of the cells may be names of columns.
fn are_names(cells: &StringRecord) -> bool {
    let is_name = |cell: &str| {
        let name = cell.trim();
        let is_value = name.starts_with(|first: char| first.is_ascii_digit()) || name.contains("://");
        name.contains(char::is_alphabetic) && !is_value && name.len() <= LONGEST_NAME
    };
    2 * cells.iter().filter(|cell| is_name(cell)).count() >= width(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::ErrorChain;

    #[test]
    fn the_split_with_the_most_columns_that_fit_is_taken() {
        for (text, delimiter, names, before, is_headless) in [
            ("name,cost\ncup,5\n", ',', vec!["name", "cost"], 0, false),
            ("Name;Preis\nTasse, rot;5,00\nBecher;6,00\n", ';', vec!["Name", "Preis"], 0, false),
            ("A;B;C\n5,00;3,00;7,00\n5,00;3,00;7,00\n", ';', vec!["A", "B", "C"], 0, false),
            ("Nr\tName, kurz\tPreis\n1\tA, b\t5\n", '\t', vec!["Nr", "Name, kurz", "Preis"], 0, false),
            ("Nr|Name\n1|A;b\n", '|', vec!["Nr", "Name"], 0, false),
            ("Kod~Nazwa~Cena\n1~A~5\n", '~', vec!["Kod", "Nazwa", "Cena"], 0, false),
            ("sep=;\n\nNr;Name;\n1;A;\n", ';', vec!["Nr", "Name", ""], 0, false),
            ("Preise 2026;;\nNr;Name;Preis\n1;A;5\n", ';', vec!["Nr", "Name", "Preis"], 1, false),
            ("4711;Tasse;5,00\n4712;Becher;6,00\n", ';', vec!["4711", "Tasse", "5,00"], 0, true),
            ("Nr;Name;Preis", ';', vec!["Nr", "Name", "Preis"], 0, false),
            ("Name\nTasse\nBecher, rot", ',', vec!["Name"], 0, false),
            ("A;B\nX;5\nY, a, b;6\nZ, a, b;7\n", ';', vec!["A", "B"], 0, false),
        ] {
            let split = Split::of(text.as_bytes(), None).unwrap();
            let found: Vec<&str> = split.names.iter().collect();
            let read = (char::from(split.delimiter), found, split.before, split.is_headless);
            assert_eq!(read, (delimiter, names, before, is_headless), "{text}");
        }
        assert!(Split::of(b"\n;;\n", None).is_some_and(|split| split.delimiter == b','), "cells of `;`");
        assert!(Split::of(b"\n\n", None).is_none());
    }

    #[test]
    fn what_is_missing_is_named() {
        let own = [("vk".to_owned(), Field::Price)];
        let options = TableOptions { columns: &own, delimiter: None };
        for (text, expected) in [
            (
                "Artikelnummer;Bezeichnung;VK brutto\n1;A;5",
                "its columns are of no known form: no column says which is the id, which the title, which the price: split \
                 at `;` it has: Artikelnummer, Bezeichnung, VK brutto: ",
            ),
            ("id;Bezeichnung;VK\n1;A;5", "no column says which is the title: split at `;` "),
            ("Handle,Title,Cena\na,A,5", "no column says which is the price: split at `,` it has: Handle, "),
            ("Name\tMenge\nA\t5", "no column says which is the id, which the price: split at `\\t` it has: "),
            (
                "Attribute 1 name,ID,Name,VK\na,1,A,5",
                "its columns are of no known form: split at `,` it has: ",
            ),
        ] {
            let said = ErrorChain(&unknown(text.as_bytes(), options)).to_string();
            assert!(said.contains(expected) && said.contains("--catalogue-options"), "{said}");
        }
        let error = unknown(b"a;b", options).of_file(Some("products.csv".as_ref()));
        let error = ErrorChain(&error).to_string();
        assert!(
            error.ends_with("`vitrine check --catalogue file:products.csv --propose` writes a proposal"),
            "{error}"
        );
        assert!(matches!(unknown(b"\n", options), FileError::Empty));
    }
}
