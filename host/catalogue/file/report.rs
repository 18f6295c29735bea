//! What a reading of a file took, and what it left out.

use std::collections::BTreeMap;
use std::fmt;

use super::row::Position;

/// How many lines are named for each reason, and how many missing pictures.
const MOST_LINES: usize = 5;
/// Maximum number of reasons in the table of rows that are left out.
const MOST_REJECTED: usize = 100_000;
/// Longest name of a picture, in characters.
const LONGEST_NAME: usize = 120;

/// Why a row or a product is not sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// The file says so: a draft, or something hidden.
    NotForSale,
    /// A product that only joins others.
    Collection,
    NoKey,
    NoTitle,
    NoPrice,
    /// The price is no amount, or is not written like those of the other rows.
    UnclearPrice,
    OtherCurrency,
    /// A variant without options, of a product whose other variants have some.
    NoOptions,
    /// A variant with an option twice, or with more than are shown.
    UnclearOptions,
    /// A variant with the options of an earlier one, or a product with the key of an earlier one.
    Repeated,
    /// A variant of a product that has as many as are shown.
    TooMany,
    /// A row with more cells than the header.
    TooManyCells,
    /// A line of JSON that is no product.
    Unreadable,
    /// The product is sold without its barcode.
    RoundedBarcode,
    /// The product is sold without its sale.
    UnclearDates,
}

impl Reason {
    /// Whether the row is sold, but without something.
    fn is_note(self) -> bool {
        matches!(self, Self::RoundedBarcode | Self::UnclearDates)
    }

    /// Whether somebody has to correct the file.
    pub(crate) fn is_fault(self) -> bool {
        !matches!(self, Self::NotForSale | Self::Collection)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NotForSale => "not for sale",
            Self::NoKey => "without an id",
            Self::NoTitle => "without a title",
            Self::NoPrice => "without a price above zero",
            Self::UnclearPrice => "with a price that is no amount, or written otherwise than the others",
            Self::OtherCurrency => "with a price in another currency",
            Self::NoOptions => "without the options that its product's other variants have",
            Self::UnclearOptions => "with an option twice, or with more than 6 options",
            Self::Repeated => "with the id, or the options, of an earlier one",
            Self::TooMany => "beyond the 250 variants of a product",
            Self::TooManyCells => "with more cells than the header: is a comma in one that has no quotes?",
            Self::Unreadable => "not readable",
            Self::Collection => "of products that only join others",
            Self::RoundedBarcode => {
                "barcodes that a spreadsheet has rounded: the products are sold without them"
            }
            Self::UnclearDates => "sales with dates that cannot be read: the products are sold without them",
        })
    }
}

/// The rows that were left out for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub count: u64,
    /// The lines on which the first ones begin.
    pub lines: Vec<u32>,
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
    /// The columns of a table that are not read.
    pub unused: Vec<String>,
    pub missing_pictures: MissingPictures,
    pub left_out: BTreeMap<Reason, LeftOut>,
    /// The rows that are left out, by number, with the reasons, as far as their table has room; `None` without a table.
    pub rejected: Option<Vec<(u32, Reason)>>,
    /// How many rows that table has, once it is written.
    pub written: Option<usize>,
}

impl Report {
    pub(super) fn leave_out(&mut self, reason: Reason, row: Position) {
        let left_out = self.left_out.entry(reason).or_default();
        left_out.count += 1;
        if left_out.lines.len() < MOST_LINES {
            left_out.lines.push(row.line);
        }
        if let Some(rejected) = &mut self.rejected
            && rejected.len() < MOST_REJECTED
            && !reason.is_note()
        {
            rejected.push((row.number, reason));
        }
    }

    /// A line for each reason, such as `3 without a price above zero (lines 2, 7, 9)`.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (Reason, String)> {
        self.left_out.iter().map(|(&reason, LeftOut { count, lines })| {
            let named: Vec<String> = lines.iter().map(u32::to_string).collect();
            let word = if named.len() == 1 { "line" } else { "lines" };
            let more = if *count > named.len() as u64 { ", …" } else { "" };
            (reason, format!("{count} {reason} ({word} {}{more})", named.join(", ")))
        })
    }
}
