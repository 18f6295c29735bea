//! What a reading of a file took, and what it left out.

use std::collections::BTreeMap;
use std::fmt;

use super::amounts::{Decimal, Written};
use super::row::Position;
use super::survey::Decoding;
use crate::catalogue::account::{Account, LeftOut};

/// How many lines or items are named for each reason, and how many missing pictures.
const MOST_LINES: usize = 5;
/// How many fields are named that are not read.
const MOST_UNUSED: usize = 20;
/// Longest name of such a field, and longest id of an item, in characters.
const LONGEST_ID: usize = 40;
/// Maximum number of reasons in the table of rows that are left out.
const MOST_REJECTED: usize = 100_000;
/// Longest name of a picture, in characters.
const LONGEST_NAME: usize = 120;

/// Why a row or a product is not sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// The file says so: a draft, or something hidden.
    NotForSale,
    /// A column that says whether products are for sale has a word that is not understood.
    UnclearSale,
    /// A product that only joins others.
    Collection,
    NoKey,
    NoTitle,
    NoPrice,
    /// The price is no amount, or is not written like those of the other rows.
    UnclearPrice,
    /// A price such as `1.299` among prices such as `2.49`: it may have a fraction, or not.
    TwoReadings,
    OtherCurrency,
    /// A variant without options, of a product whose other variants have some.
    NoOptions,
    /// A variant with an option twice, or with more than are shown.
    UnclearOptions,
    /// A variation that no product before it lists, or with an option that may have any value.
    OpenVariation,
    /// A variant with the options of an earlier one, or a product with the key of an earlier one.
    Repeated,
    /// A variant of a product that has as many as are shown.
    TooMany,
    /// A row with more cells than the header.
    TooManyCells,
    /// A row of a table, or a product of JSON, with more bytes than are read.
    TooLong,
    /// A line of JSON that is no product.
    Unreadable,
    /// From here on a product is sold, but without something: this one without its barcode.
    RoundedBarcode,
    /// The product is sold without its sale.
    UnclearDates,
    /// The product is sold without the day since when the shop has it.
    UnclearAdded,
    /// The product is sold without its discount.
    UnclearDiscount,
    /// The product is sold without some of its pictures.
    TooManyPictures,
    /// The product is sold without the user name and the password in an address.
    Credentials,
    /// The product is sold with the beginning of its description.
    LongDescription,
    /// The product is sold without some of its tags.
    TooManyTags,
    /// The product is sold without the tags that a shop's own programs read.
    ProgramTags,
    /// The product is sold without its availability.
    UnclearStock,
    /// The product is sold without its condition, unit price, lowest price, energy class or minimum age.
    UnclearTerms,
}

impl Reason {
    /// Whether the row is sold, but without something.
    pub(crate) fn is_note(self) -> bool {
        self >= Self::RoundedBarcode
    }

    /// Whether something is not sold that should perhaps be.
    pub(crate) fn is_fault(self) -> bool {
        !self.is_note() && !matches!(self, Self::NotForSale | Self::Collection)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotForSale => "not for sale",
            Self::UnclearSale => "with a word that says neither that it is for sale nor that it is not",
            Self::NoKey => "without an id",
            Self::NoTitle => "without a title",
            Self::NoPrice => "without a price above zero",
            Self::UnclearPrice => "with a price that is no amount, or written otherwise than the others",
            Self::TwoReadings => "with a price that can be read in two ways",
            Self::OtherCurrency => "with a price in another currency",
            Self::NoOptions => "without the options that its product's other variants have",
            Self::UnclearOptions => "with an option twice, or with more than 6 options",
            Self::OpenVariation => "of variations without their product, or with an option that may be any",
            Self::Repeated => "with the id, or the options, of an earlier one",
            Self::TooMany => "beyond the 2,048 variants of a product",
            Self::TooManyCells => "with more cells than the header: is a comma in one that has no quotes?",
            Self::TooLong => "with more than 4 MiB in one row, item or product of JSON",
            Self::Unreadable => "not readable",
            Self::Collection => "of products that only join others",
            Self::RoundedBarcode => "with a barcode that a spreadsheet has rounded: it is not shown",
            Self::TooManyPictures => "with more than 24 pictures: the others are not shown",
            Self::Credentials => "with a user name or a password in an address: they are left out",
            Self::LongDescription => {
                "with a description of more than 5,000 characters: the rest is not shown"
            }
            Self::TooManyTags => "with more than 24 tags: the others are not shown",
            Self::ProgramTags => "with tags of a program, such as `filter:red`: these are not shown",
            Self::UnclearTerms => {
                "with a condition, measure, lowest price, energy class or age that is not understood: it is not shown"
            }
            Self::UnclearStock => {
                "with a stock that is not understood: it is not said whether they can be had"
            }
            Self::UnclearDiscount => "with a discount that is not understood: the regular price counts",
            Self::UnclearAdded => {
                "with a day of addition that cannot be read, such as 2026-12-01: they count as old"
            }
            Self::UnclearDates => "with dates of a sale that cannot be read: the regular price counts",
        })
    }
}

/// The names of the first fields that are not read, each once.
#[derive(Default)]
pub(super) struct Unused(pub(super) Vec<String>);

impl Unused {
    pub(super) fn add(&mut self, name: &str) {
        if self.0.len() < MOST_UNUSED {
            let name = short(name.trim());
            if self.0.iter().all(|known| known != name) {
                self.0.push(name.to_owned());
            }
        }
    }
}

/// At most the first 40 characters of a name.
pub(super) fn short(name: &str) -> &str {
    match name.len() > LONGEST_ID {
        true => name.char_indices().nth(LONGEST_ID).map_or(name, |(end, _)| &name[..end]),
        false => name,
    }
}

/// Paths of pictures that are not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MissingPictures {
    pub count: u64,
    /// The first ones, with the reasons.
    pub names: Vec<String>,
    /// Whether the operator has named a folder of pictures.
    pub has_folder: bool,
}

impl MissingPictures {
    pub(super) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < MOST_LINES {
            self.names.push(name.chars().take(LONGEST_NAME).collect());
        }
    }

    /// A line that names them, such as `pictures that are not shown (2): a.webp (not a regular file), b.webp (it has changed)`;
    /// `None` without any.
    pub(crate) fn line(&self) -> Option<String> {
        let Self { count, names, has_folder } = self;
        let advice =
            if *has_folder { "" } else { ", because --images does not say in which folder they are" };
        let more = if *count > names.len() as u64 { ", …" } else { "" };
        (*count > 0)
            .then(|| format!("pictures that are not shown ({count}){advice}: {}{more}", names.join(", ")))
    }
}

/// What a reading took and left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// The form of the file, such as `Shopify's products`.
    pub dialect: &'static str,
    /// Rows of a table, items of XML, or products of JSON.
    pub rows: u64,
    pub products: u64,
    pub variants: u64,
    /// What stands between the cells of a table.
    pub(super) delimiter: Option<u8>,
    /// What names the currency of a table or feed, if something does.
    pub(crate) currency_by: Option<&'static str>,
    /// How the amounts of a table or feed are written.
    pub(super) amounts: Option<Written>,
    /// Both readings of the first price that can be read in two ways.
    pub(super) readings: Option<String>,
    /// Whether a title names its product because nothing else does.
    pub ids_from_titles: bool,
    /// Whether the prices are without tax.
    pub has_net_prices: bool,
    /// The columns, elements or fields that are not read.
    pub unused: Vec<String>,
    /// Whether lines do not tell items apart, because many begin on one line.
    pub(super) shares_lines: bool,
    /// The ids of items that are named then, by their numbers in the file.
    pub(super) ids: BTreeMap<u32, String>,
    /// How the bytes of the file were decoded.
    pub(super) decoding: Option<Decoding>,
    pub missing_pictures: MissingPictures,
    pub(super) left_out: Account<Reason, Position>,
    /// The rows that are left out, by number, with the reasons, as far as their table has room; `None` without a table.
    pub rejected: Option<Vec<(u32, Reason)>>,
    /// How many rows that table has, once it is written.
    pub written: Option<usize>,
}

impl Report {
    pub(super) fn leave_out(&mut self, reason: Reason, row: Position) {
        // Variants of one product may have the same position.
        self.left_out.add(reason, row, MOST_LINES);
        if let Some(rejected) = &mut self.rejected
            && rejected.len() < MOST_REJECTED
            && !reason.is_note()
        {
            rejected.push((row.number, reason));
        }
    }

    /// Whether it is about a table.
    pub(crate) fn is_table(&self) -> bool {
        self.delimiter.is_some()
    }

    /// How its text was read: in which encoding, and with what between the cells of a table.
    pub(crate) fn read_as(&self) -> Option<String> {
        let Decoding { encoding, is_guessed, .. } = self.decoding?;
        let delimiter = self.delimiter.map(|sign| match sign {
            b',' => "commas".into(),
            b';' => "semicolons".into(),
            b'\t' => "tabs".into(),
            b'|' => "bars".into(),
            other => format!("`{}`", char::from(other)),
        });
        let between = delimiter.map(|sign| format!(", with {sign} between its cells")).unwrap_or_default();
        let advice = if is_guessed {
            ". Only its letters show the encoding: `encoding` in the file's options names another"
        } else {
            ""
        };
        Some(format!("read as {}{between}{advice}", encoding.name()))
    }

    /// What to say of a file in two encodings; `None` of any other.
    pub(crate) fn mixed_encodings(&self) -> Option<String> {
        let line = self.decoding?.mixed_from?;
        Some(format!(
            "most of the file is UTF-8, and what is not, first in line {line}, is read as Windows-1252: are its letters right?"
        ))
    }

    /// How the prices of a table or feed were read; `None` if all of them are whole.
    pub(crate) fn decimal_sign(&self) -> Option<String> {
        let Written { decimal, has_thousandths, is_guessed, has_separators } = self.amounts?;
        let (sign, example) = match decimal {
            Decimal::Comma => ("a comma", "12,500"),
            Decimal::Point => ("a point", "12.500"),
        };
        let option = "`decimal` in the file's options says which sign is before the decimals";
        match (is_guessed, has_thousandths) {
            (true, true) => Some(format!("prices such as {example} are read with three decimals: {option}")),
            (true, false) => Some(format!("prices such as 1.299 and 1,299 are read as thousands: {option}")),
            (false, _) => has_separators.then(|| format!("prices have {sign} before their decimals")),
        }
    }

    /// Whether only prices that can be read in two ways showed how they are written.
    pub(crate) fn guesses_decimals(&self) -> bool {
        self.amounts.is_some_and(|amounts| amounts.is_guessed)
    }

    /// Decides whether lines tell items apart, of which the first and the last one begin at these positions.
    pub(super) fn compare_lines(&mut self, first: Position, last: Position) {
        self.shares_lines = last.line.saturating_sub(first.line) < last.number / 2;
    }

    /// A line for each reason, such as `3 without a price above zero (lines 2, 7, 9)` or, where lines do not tell items
    /// apart, ``2 without a price above zero (items 3 `lamp-s`, 8 `cup`)``.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Reason, String)> {
        let ids = &self.ids;
        let item = move |number: u32| match ids.get(&number) {
            Some(id) => format!("{number} `{id}`"),
            None => number.to_string(),
        };
        self.left_out.kinds().map(move |(&reason, LeftOut { count, first })| {
            let (word, named): (_, Vec<String>) = match self.shares_lines {
                true => ("item", first.iter().map(|row| item(row.number)).collect()),
                false => ("line", first.iter().map(|row| row.line.to_string()).collect()),
            };
            let word = if named.len() == 1 { word.to_owned() } else { format!("{word}s") };
            let more = if *count > named.len() as u64 { ", …" } else { "" };
            let readings = self.readings.as_ref().filter(|_| reason == Reason::TwoReadings);
            let readings = readings.map(|readings| format!(", such as {readings}")).unwrap_or_default();
            (reason, format!("{count} {reason}{readings} ({word} {}{more})", named.join(", ")))
        })
    }
}
