//! Proposes options for a table of no known form: what its columns seem to say, by their names and by the values of the
//! first rows. What is not certain stands there as a remark.

mod columns;
#[cfg(test)]
mod tests;
mod words;

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read as _, Write as _};
use std::path::{Path, PathBuf};

use csv::StringRecord;

use self::columns::{Column, Kind};
use self::words::{Meaning, Tax, currency, is_price, japanese, says_what_is_not_sold};
use super::amounts::{Amount, Decimal, Votes};
use super::dialects::normal;
use super::error::FileError;
use super::for_sale;
use super::form::Form;
use super::options::{FileOptions, beside};
use super::report::Reason;
use super::row::{Field, Position, Row};
use super::split::{RARE, Split, rows};
use super::table::{self, Header, TakeRows, shortened};
use super::text::Text;
use crate::profile::Currency;

/// How many bytes, rows and columns of a table are looked at.
const HEAD: u64 = 1 << 20;
const ROWS: usize = 200;
const COLUMNS: usize = 300;
/// Longest name of a column that is proposed, in bytes.
const LONGEST_NAME: usize = 120;
/// How many characters of a value are shown.
const SHOWN: usize = 40;

/// The fields that are guessed, with their keys in the file with options.
const FIELDS: [(Field, &str); 31] = [
    (Field::Key, "id"),
    (Field::Title, "title"),
    (Field::Price, "price"),
    (Field::ListPrice, "list_price"),
    (Field::SalePrice, "sale_price"),
    (Field::SaleStarts, "sale_starts"),
    (Field::SaleEnds, "sale_ends"),
    (Field::Currency, "currency"),
    (Field::Category, "category"),
    (Field::Brand, "brand"),
    (Field::Description, "description"),
    (Field::OtherDescription, "short_description"),
    (Field::Stock, "stock"),
    (Field::Availability, "availability"),
    (Field::Images, "images"),
    (Field::MoreImages, "more_images"),
    (Field::Gtin, "gtin"),
    (Field::Sku, "sku"),
    (Field::Mpn, "mpn"),
    (Field::Link, "link"),
    (Field::Weight, "weight"),
    (Field::Kilograms, "kilograms"),
    (Field::Grams, "grams"),
    (Field::Tags, "tags"),
    (Field::Status, "status"),
    (Field::Visibility, "visibility"),
    (Field::Published, "published"),
    (Field::Active, "active"),
    (Field::Withdrawn, "withdrawn"),
    (Field::OptionValue1, "option_1_value"),
    (Field::OptionValue2, "option_2_value"),
];

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

/// Writes a proposal for the table at the path `catalogue` to the file `named`, or else to the one beside the table. Takes
/// long, see `process/compute.rs`.
///
/// # Errors
/// When the table cannot be read or is empty, or there is a file with options already, or none can be written.
pub(crate) fn propose(catalogue: &Path, named: Option<&Path>) -> Result<Proposed, FileError> {
    let path = named.map_or_else(|| beside(catalogue), Path::to_owned);
    let has_options = fs::symlink_metadata(&path).is_ok();
    let options = if has_options { FileOptions::of(Some(&path), None)? } else { FileOptions::default() };
    let mut text = Text::of_file(catalogue, options.encoding)?;
    let head = head_of(text.reader()?)?;
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

/// A field, and the column that seems to say it.
struct Guess<'a> {
    field: Field,
    column: &'a Column<'a>,
    why: &'static str,
    is_certain: bool,
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

/// What the columns seem to say, in the order of [`FIELDS`].
fn guesses<'a>(columns: &'a [Column<'a>]) -> Vec<Guess<'a>> {
    let has_handle = columns.iter().any(|column| matches!(&*normal(column.name), "handle" | "url handle"));
    // Shopify's name of a product is known.
    let fields = FIELDS.iter().map(|(field, _)| *field).filter(|field| !(has_handle && *field == Field::Key));
    let mut guesses: Vec<Guess> = fields.filter_map(|field| guess(columns, field)).collect();
    // A table may have only one number of an article, or call the title its description.
    for (needed, other) in [
        (Field::Key, Field::Sku),
        (Field::Title, Field::Description),
        (Field::Title, Field::OtherDescription),
    ] {
        let is_known = guesses.iter().any(|guess| guess.field == needed && guess.is_certain);
        let fits = |column: &Column| match needed {
            Field::Key => column.is_unique,
            _ => column.kind == Kind::Texts,
        };
        let is_other = |guess: &Guess| guess.field == other && fits(guess.column);
        if is_known || (needed == Field::Key && has_handle) || !guesses.iter().any(is_other) {
            continue;
        }
        guesses.retain(|guess| guess.field != needed);
        for guess in guesses.iter_mut().filter(|guess| guess.field == other) {
            guess.field = needed;
            guess.why = "no other column says it";
            guess.is_certain = true;
        }
    }
    check_sales(&mut guesses, columns);
    guesses.sort_by_key(|guess| FIELDS.iter().position(|(field, _)| *field == guess.field));
    guesses
}

/// Makes a sale uncertain that may be over or yet to come. Dates without a sale say nothing.
fn check_sales(guesses: &mut Vec<Guess>, columns: &[Column]) {
    let is_date = |guess: &&Guess| matches!(guess.field, Field::SaleStarts | Field::SaleEnds);
    let has_dates = guesses.iter().any(|guess| is_date(&guess));
    let are_certain = guesses.iter().filter(is_date).all(|guess| guess.is_certain);
    let is_open = !are_certain || (!has_dates && columns.iter().any(Column::has_dates));
    let mut has_sale = false;
    for guess in guesses.iter_mut().filter(|guess| guess.field == Field::SalePrice) {
        has_sale = true;
        if is_open && guess.is_certain {
            guess.why = "it is not certain when the sale begins and ends";
            guess.is_certain = false;
        }
    }
    guesses.retain(|guess| has_sale || !is_date(&guess));
}

/// The column that seems to have this field: by its name, if the values fit, else by its values.
fn guess<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let named = match field {
        Field::Withdrawn => return withdrawn(columns),
        Field::MoreImages => more_images(columns),
        Field::Weight | Field::Kilograms | Field::Grams => weight(columns, field),
        _ => by_name(columns, field),
    };
    match named {
        Some(named) if named.is_certain => Some(named),
        named => by_value(columns, field).or(named),
    }
}

/// The columns whose names say this.
fn named<'a>(
    columns: &'a [Column<'a>],
    field: Field,
) -> impl DoubleEndedIterator<Item = (&'a Column<'a>, Meaning)> {
    let meaning = |column: &'a Column<'a>| Some((column, column.meaning?));
    columns.iter().filter_map(meaning).filter(move |(_, meaning)| meaning.field == Some(field))
}

fn by_name<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let rank = |(column, meaning): &(&Column, Meaning)| (column.fits(field), meaning.is_whole, meaning.tax);
    // If several fit equally well, the first column counts: `max_by_key` takes the last.
    let (column, meaning) = named(columns, field).rev().max_by_key(rank)?;
    let fits = column.fits(field);
    let is_net = is_price(field) && meaning.tax == Tax::Without;
    // What is read wrongly from such a column is sold wrongly.
    let is_weak = !meaning.is_whole && (is_price(field) || for_sale::COLUMNS.contains(&field));
    let why = match field {
        Field::OptionValue1 | Field::OptionValue2 => {
            "needs a column with the name of the option as option_1_name or option_2_name"
        }
        _ if !fits => "its name says so, but not its values",
        _ if is_net => "a price without taxes",
        _ if is_weak => "a part of its name",
        _ => "its name",
    };
    Some(Guess { field, column, why, is_certain: fits && !is_net && !is_weak })
}

/// The second column of pictures.
fn more_images<'a>(columns: &'a [Column<'a>]) -> Option<Guess<'a>> {
    let first = by_name(columns, Field::Images)?.column.name;
    let mut others = named(columns, Field::Images).map(|(column, _)| column);
    let column = others.find(|column| column.name != first && column.fits(Field::Images))?;
    Some(Guess { field: Field::MoreImages, column, why: "its name", is_certain: true })
}

/// The column of weights, if its unit is the one of `field`.
fn weight<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let guess = by_name(columns, Field::Weight)?;
    let column = guess.column;
    let name = column.name.to_lowercase();
    let has =
        |units: &[&str]| name.split(|sign: char| !sign.is_alphabetic()).any(|word| units.contains(&word));
    let (own, is_said) = if !column.values.is_empty() && column.fits(Field::Weight) {
        (Field::Weight, true)
    } else if has(&["g", "gr", "gram", "grams", "gramm"]) {
        (Field::Grams, true)
    } else {
        (Field::Kilograms, has(&["kg", "kilo", "kilogram", "kilograms", "kilogramm"]))
    };
    let is_certain = is_said && column.fits(own);
    let why = if is_certain { "its name" } else { "nothing says whether it is in kilograms or in grams" };
    (own == field).then_some(Guess { field, column, why, is_certain })
}

/// The column without a known name whose values look like this field.
fn by_value<'a>(columns: &'a [Column<'a>], field: Field) -> Option<Guess<'a>> {
    let (kind, why) = match field {
        Field::Key => (Kind::Codes, "each row has another value"),
        Field::Title => (Kind::Texts, "its values are short texts, the longest of this kind"),
        Field::Price => (Kind::Amounts, "its values are amounts"),
        Field::Images => (Kind::Pictures, "its values are names or addresses of pictures"),
        Field::Gtin => (Kind::Barcodes, "its values are barcodes with a correct check digit"),
        Field::Link => (Kind::Addresses, "its values are addresses"),
        Field::Description => (Kind::LongTexts, "its values are long texts, or HTML"),
        Field::Category => (Kind::Groups, "its values are few and short texts"),
        _ => return None,
    };
    // Amounts beside a price are something else, such as a size or a cost.
    if field == Field::Price && named(columns, field).next().is_some() {
        return None;
    }
    // Texts that rows have in common are rather groups than titles where another column has a description.
    let has_description = field == Field::Title
        && [Field::Description, Field::OtherDescription]
            .into_iter()
            .any(|other| by_name(columns, other).is_some_and(|guess| guess.column.kind == Kind::Texts));
    let fits = |column: &&Column| {
        column.meaning.is_none() && column.kind == kind && (column.is_unique || !has_description)
    };
    let fitting = || columns.iter().filter(fits);
    let is_open = matches!(field, Field::Price | Field::Category) && fitting().count() > 1;
    let column = match field {
        Field::Title | Field::Description => fitting().rev().max_by_key(|column| column.length())?,
        _ => fitting().next()?,
    };
    let why = if is_open { "as other columns too, it looks like this" } else { why };
    // Amounts alone may be a size, a weight or a cost.
    let is_weak = field == Field::Price && !column.has_currencies();
    Some(Guess { field, column, why, is_certain: column.values.len() > 1 && !is_open && !is_weak })
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

/// The first column that says what is not sold, in words that are understood.
fn withdrawn<'a>(columns: &'a [Column<'a>]) -> Option<Guess<'a>> {
    let field = Field::Withdrawn;
    let column = columns.iter().find(|column| says_what_is_not_sold(column.name) && column.fits(field))?;
    Some(Guess { field, column, why: "its name says what is not sold", is_certain: true })
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
