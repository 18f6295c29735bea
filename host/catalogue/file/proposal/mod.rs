//! Proposes options for a table of no known form: what its columns seem to say, by their names and by the values of the
//! first rows. What is not certain stands there as a remark.

mod columns;
mod guesses;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read as _, Write as _};
use std::path::{Path, PathBuf};

use csv::StringRecord;

use self::columns::Column;
use self::guesses::{FIELDS, Guess, guesses};
use self::words::{currency, japanese, says_what_is_not_sold};
use super::amounts::{Amount, Decimal, Votes};
use super::cells::shortened;
use super::dialects::normal;
use super::error::FileError;
use super::form::Form;
use super::options::{FileOptions, beside};
use super::report::Reason;
use super::row::{Field, Position, Row};
use super::split::{RARE, Split, rows};
use super::table::{self, Header, TakeRows};
use super::text::Text;
use crate::process::compute::assert_off_runtime;
use crate::profile::Currency;

/// How many bytes, rows and columns of a table are looked at.
const HEAD: u64 = 1 << 20;
const ROWS: usize = 200;
const COLUMNS: usize = 300;
/// Longest name of a column that is proposed, in bytes.
const LONGEST_NAME: usize = 120;
/// How many characters of a value are shown.
const SHOWN: usize = 40;

/// What came of the wish for a proposal.
#[derive(Debug)]
pub(crate) enum Proposed {
    /// The table is of this known form and needs no proposal.
    Known(&'static str),
    /// The file is in this format, and no table.
    NoTable(&'static str),
    /// It was written to the file at `path`. `lacking` says why the table is not read with it yet.
    Written { path: PathBuf, lacking: Option<FileError> },
}

/// Writes a proposal for the table at the path `catalogue` to the file `named`, or else to the one beside the table.
///
/// # Errors
/// When the table cannot be read or is empty, or there is a file with options already, or none can be written.
pub(crate) fn propose(catalogue: &Path, named: Option<&Path>) -> Result<Proposed, FileError> {
    assert_off_runtime();
    let path = named.map_or_else(|| beside(catalogue), Path::to_owned);
    let has_options = fs::symlink_metadata(&path).is_ok();
    let options = if has_options { FileOptions::of(Some(&path), None)? } else { FileOptions::default() };
    let text = Text::of_file(catalogue, options.encoding)?;
    let head = head_of(text.reader())?;
    match Form::of(head.as_slice())?.0 {
        Form::Table => {}
        Form::Json => return Ok(Proposed::NoTable("JSON")),
        Form::Xml => return Ok(Proposed::NoTable("XML")),
    }
    match form_of(&head, &options) {
        Ok(form) => return Ok(Proposed::Known(form)),
        Err(FileError::Columns { .. }) if has_options => return Err(FileError::HasOptions { path }),
        Err(FileError::Columns { .. }) => {}
        Err(error) => return Err(error),
    }
    let name = catalogue.file_name().unwrap_or_default().to_string_lossy();
    let proposal = proposal(&head, &name).ok_or(FileError::Empty)?;
    if let Err(source) = write_new(&path, |file| file.write_all(proposal.as_bytes())) {
        return Err(FileError::Proposal { path, source });
    }
    let lacking = form_of(&head, &FileOptions::of(Some(&path), None)?).err();
    Ok(Proposed::Written { path, lacking })
}

/// Writes a file that does not exist yet. If that fails it is removed again, so that a part of it is never read.
fn write_new(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = write(&mut file).and_then(|()| file.sync_all());
    if written.is_err() {
        // The first failure says more than one of the removal.
        fs::remove_file(path).ok();
    }
    written
}

/// The beginning of a table, without a last row that is cut.
fn head_of(text: impl BufRead) -> Result<Vec<u8>, FileError> {
    let mut head = Vec::new();
    let length = text.take(HEAD).read_to_end(&mut head)?;
    if length as u64 == HEAD {
        head.truncate(memchr::memrchr2(b'\n', b'\r', &head).unwrap_or(length));
    }
    Ok(head)
}

/// The form of the table that begins with `head`.
fn form_of(head: &[u8], options: &FileOptions) -> Result<&'static str, FileError> {
    let mut known = FormAlone(None);
    let read = table::read(head, options.of_table(), &mut known);
    match known.0 {
        Some(form) => Ok(form),
        None => Err(read.err().unwrap_or(FileError::Empty)),
    }
}

/// Takes the form of a table, and none of its rows.
struct FormAlone(Option<&'static str>);

impl TakeRows for FormAlone {
    fn begin(&mut self, header: &Header) -> Result<(), FileError> {
        self.0 = Some(header.dialect.name);
        // Ends the reading.
        Err(FileError::Empty)
    }

    fn row(&mut self, _: &Row, _: &StringRecord) -> Result<(), FileError> {
        Ok(())
    }

    fn too_long(&mut self, _: Reason, _: Position, _: &StringRecord) -> Result<(), FileError> {
        Ok(())
    }
}

/// The text of a proposal for the table that begins with `head` and is called `name`; `None` if it has no row.
fn proposal(head: &[u8], name: &str) -> Option<String> {
    let split = Split::of(head, None)?;
    let before = split.before + 1;
    let cells: Vec<StringRecord> =
        rows(head, split.delimiter, before + ROWS).into_iter().skip(before).collect();
    let (columns, repeated) = columns(&split.names, &cells);
    let mut guesses = guesses(&columns);
    let is_headless = split.is_headless || columns.iter().any(Column::is_named_by_value);
    let mut text = format!(
        "# What `vitrine check --propose` has guessed of the table {}. Look at each line: what is said here counts more than\n\
         # what the table shows by itself. A line that begins with # does not count; remove the # where the guess is right.\n\
         # docs/catalogues.md, \"Options\", says what else can stand here.\n",
        quoted(name)
    );
    if is_headless {
        text += "# The first row looks like a product: put a row with the names of the columns above it.\n";
        guesses.iter_mut().for_each(|guess| guess.is_certain = false);
    }
    for (number, name) in repeated {
        text += &format!(
            "# {number} columns are called {}: the first one that is not blank counts.\n",
            quoted(name)
        );
    }
    text += &missing(&guesses, &columns, &split.names);
    text += &not_sold(&columns, &guesses);
    text.push('\n');
    if RARE.contains(&split.delimiter) {
        let delimiter = quoted(&char::from(split.delimiter).to_string());
        text += &line("delimiter", &delimiter, "it gives the most columns", true);
    }
    text += &money(&guesses);
    text += "\n[columns]\n";
    for Guess { field, column, why, is_certain } in &guesses {
        let key = FIELDS.iter().find(|(known, _)| known == field).map_or("", |(_, key)| *key);
        let odd = column.odd(*field).filter(|_| *is_certain);
        let odd = odd.map(|odd| format!("; but also {}", quoted(&shown(odd)))).unwrap_or_default();
        let why = format!("{why}{}{odd}", samples(column));
        text += &line(key, &quoted(column.name), &why, *is_certain);
    }
    let is_free = |column: &&Column| guesses.iter().all(|guess| guess.column.name != column.name);
    let free: Vec<String> = shortened(columns.iter().filter(is_free).map(|column| column.name))
        .iter()
        .map(|name| quoted(name))
        .collect();
    if !free.is_empty() {
        text += &format!("# Nothing is guessed of: {}\n", free.join(", "));
    }
    Some(text)
}

/// The columns that have a name, each name once, with these rows. Also returns how often names are repeated.
fn columns<'a>(
    names: &'a StringRecord,
    rows: &'a [StringRecord],
) -> (Vec<Column<'a>>, Vec<(usize, &'a str)>) {
    let mut counts = HashMap::<String, usize>::new();
    let mut columns = Vec::new();
    let usable = |name: &str| !name.trim().is_empty() && name.len() <= LONGEST_NAME;
    for (place, name) in names.iter().take(COLUMNS).enumerate().filter(|(_, name)| usable(name)) {
        let count = counts.entry(normal(name)).or_default();
        *count += 1;
        if *count == 1 {
            let cells = rows.iter().map(|row| row.get(place).unwrap_or_default());
            columns.push(Column::new(name.trim(), cells));
        }
    }
    let repeated = |column: &Column<'a>| {
        let count = counts.get(&normal(column.name)).copied().filter(|count| *count > 1)?;
        Some((count, column.name))
    };
    let repeated = columns.iter().filter_map(repeated).take(20).collect();
    (columns, repeated)
}

/// Says which of the needed columns are not known.
fn missing(guesses: &[Guess], columns: &[Column], names: &StringRecord) -> String {
    let mut text = String::new();
    let has_handle = names.iter().any(|name| matches!(&*normal(name), "handle" | "url handle"));
    for (field, key, what) in [
        (Field::Key, "id", "names each product"),
        (Field::Title, "title", "has the titles"),
        (Field::Price, "price", "has the prices"),
    ] {
        let guess = guesses.iter().find(|guess| guess.field == field);
        match guess {
            Some(guess) if guess.is_certain => {}
            Some(_) => text += &format!("# It is not certain which column {what}: see `{key}` below.\n"),
            None if field == Field::Key && has_handle => {}
            None => {
                text += &format!(
                    "# No column was found that {what}: {key} = \"its name\" below [columns] says it.\n"
                );
                let unique = columns.iter().find(|column| column.is_unique && !column.values.is_empty());
                if let Some(column) = unique.filter(|_| field == Field::Key) {
                    let name = quoted(column.name);
                    text +=
                        &format!("# Each row has another value in {name}, which may name products too.\n");
                }
            }
        }
    }
    text
}

/// Warns of further columns that say what is not sold.
fn not_sold(columns: &[Column], guesses: &[Guess]) -> String {
    let is_guessed = |column: &Column| guesses.iter().any(|guess| guess.column.name == column.name);
    let further = columns.iter().filter(|column| says_what_is_not_sold(column.name) && !is_guessed(column));
    let warning = |column: &Column| {
        format!(
            "# {} seems to say what is not sold{}. It is not read, so that such products would be sold: remove their rows, \
             or add a column that says what is sold.\n",
            quoted(column.name),
            samples(column)
        )
    };
    further.take(20).map(warning).collect()
}

/// The lines for the currency and the decimal separator of the prices.
fn money(guesses: &[Guess]) -> String {
    let mut text = String::new();
    let Some(price) = guesses.iter().find(|guess| guess.field == Field::Price) else { return text };
    let values = &price.column.values;
    let in_values = values.iter().find_map(|value| Some((*value, Amount::read(value).sign.currency()?)));
    let has_column = guesses.iter().any(|guess| guess.field == Field::Currency && guess.is_certain);
    let currency = match in_values {
        Some((value, currency)) => {
            let why = format!("the prices name it: {}", quoted(&shown(value)));
            text += &needless("currency", &quoted(currency.code()), &why);
            Some(currency)
        }
        None if has_column => None,
        None => unsaid_currency(price.column).map(|(currency, why, is_certain)| {
            text += &line("currency", &quoted(currency.code()), why, price.is_certain && is_certain);
            currency
        }),
    };
    let mut votes = Votes::default();
    values.iter().for_each(|value| votes.count(Amount::read(value)));
    let written = votes.written(None, currency.unwrap_or_default());
    if written.has_separators {
        let decimal = match written.decimal {
            Decimal::Point => ".",
            Decimal::Comma => ",",
        };
        // With this option an amount such as 1.299 is never a whole number, so only an operator can say it.
        let samples = samples(price.column);
        text += &match written.is_guessed {
            true => {
                line("decimal", &quoted(decimal), &format!("no price shows it for certain{samples}"), false)
            }
            false => needless("decimal", &quoted(decimal), &format!("the prices show it{samples}")),
        };
    }
    text
}

/// The currency of prices that do not name it themselves, and whether it is certain.
fn unsaid_currency(column: &Column) -> Option<(Currency, &'static str, bool)> {
    if let Some((currency, is_certain)) = currency(column.name) {
        return Some((currency, "the name of the column with the prices says it", is_certain));
    }
    // In Japanese encodings the backslash and the sign of the yen are one. That is also the sign of the yuan.
    let has_sign = column.values.iter().any(|value| value.starts_with(['\\', '\u{a5}', '\u{ffe5}']));
    let is_japanese = japanese(column.name).is_some();
    let yen = Currency::parse("JPY").filter(|_| has_sign || is_japanese)?;
    Some((yen, "the prices seem to be in yen", has_sign && is_japanese))
}

/// A line of a file with options, as a remark if it is not certain.
fn line(key: &str, value: &str, why: &str, is_certain: bool) -> String {
    match is_certain {
        true => format!("{key} = {value}  # {why}\n"),
        false => format!("# {key} = {value}  # maybe: {why}\n"),
    }
}

/// A remark with what the table says itself.
fn needless(key: &str, value: &str, why: &str) -> String {
    format!("# {key} = {value}  # not needed: {why}\n")
}

/// The first two different values of a column.
fn samples(column: &Column) -> String {
    let first = column.values.first();
    let second = column.values.iter().find(|value| first != Some(*value));
    let samples: Vec<String> = first.into_iter().chain(second).map(|value| quoted(&shown(value))).collect();
    if samples.is_empty() { String::new() } else { format!("; such as {}", samples.join(", ")) }
}

/// The beginning of a value.
fn shown(value: &str) -> String {
    let mut shown: String = value.chars().take(SHOWN).collect();
    if shown.len() < value.len() {
        shown.push('…');
    }
    shown
}

/// A text as TOML on one line, which may also stand in a remark.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => quoted.extend(['\\', sign]),
            '\n' => quoted += "\\n",
            sign if sign.is_control() => quoted += &format!("\\u{:04x}", u32::from(sign)),
            sign => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}
