//! Reads a file as a whole: its text, in the form that its content shows, becomes products and a report.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::path::Path;
use std::sync::Arc;

use super::amounts::PricesIn;
use super::categories::{Renamed, category, name_categories};
use super::dialects::GOOGLE;
use super::error::FileError;
use super::form::Form;
use super::json::JsonRules;
use super::json_shops::System;
use super::keys::{Former, remove_codes};
use super::moments::Changes;
use super::options::FileOptions;
use super::pictures::{PictureIndex, Pictures};
use super::report::Report;
use super::rows::{Gathered, Made, Products};
use super::text::Text;
use super::xml::Elements;
use super::{items, json, json_shops, rejected, table, xml};
use crate::bounded_file::FileStamp;
use crate::catalogue::features::Features;
use crate::catalogue::letters::Spelling;
use crate::catalogue::model::{Category, Product};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::slug::Slug;
use crate::catalogue::version::Version;
use crate::observe::Bounded;
use crate::profile::Currency;

/// What was read from a file.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(super) products: Products,
    /// Where addresses of categories lead that are called otherwise.
    pub(super) renamed: Renamed,
    /// The keys that products had with a hash.
    pub(super) former: Former,
    /// The currency of the prices, if the file or the settings name one.
    pub(crate) currency: Option<Currency>,
    /// When sales begin and end around the moment whose prices count.
    pub(super) changes: Changes,
    /// The stamp of the files before the reading.
    pub(super) stamp: Option<Stamp>,
    /// The pictures in the operator's folder.
    pub(super) index: Arc<PictureIndex>,
    pub report: Report,
}

/// What tells whether the files of a catalogue have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    /// The stamp of the catalogue's file; `None` for a feed.
    pub(super) catalogue: Option<FileStamp>,
    /// The stamp of the file with options, if there is one.
    pub(super) options: Option<FileStamp>,
}

/// How a text is read.
#[derive(Clone, Copy)]
pub(crate) struct ReadOptions<'a> {
    pub(crate) prices: PricesIn,
    /// The moment whose prices count, in seconds since 1970.
    pub(crate) now: i64,
    /// How many products fit in memory.
    pub(crate) most: u64,
    /// How addresses are written.
    pub(crate) spelling: Spelling,
    /// The file to which the rows that are left out are written, if there is one.
    pub(crate) rejected: Option<&'a Path>,
}

/// Reads a text as a catalogue.
///
/// # Errors
/// When it cannot be read, is broken or of an unknown form, or has nothing to sell.
pub(super) fn parse(
    text: &Text,
    options: &FileOptions,
    pictures: Pictures,
    read: ReadOptions,
) -> Result<Reading, FileError> {
    let mut report = Report {
        decoding: Some(text.decoding()),
        rejected: read.rejected.map(|_| Vec::new()),
        ..Report::default()
    };
    let Made { mut products, coded, currency, changes } =
        parse_from(text, (options, &pictures), read, &mut report)?;
    if report.shares_lines && !report.left_out.is_empty() {
        items::name(text.reader(), options, &mut report);
    }
    if let (Some(path), Some(rejected)) = (read.rejected, report.rejected.take()) {
        report.written = Some(rejected::write(text.reader(), options, &rejected, path)?);
    }
    let other = options.category.as_deref().and_then(category);
    for product in products.iter_mut().filter(|product| product.summary.category.is_none()) {
        product.summary.category.clone_from(&other);
    }
    if options.reduces_from_lowest {
        for product in &mut products {
            **product = mem::take(&mut **product).reduced_from_lowest();
        }
    }
    let renamed = name_categories(&mut products, read.spelling);
    let former = remove_codes(&mut products, coded, read.spelling);
    unite_brands(&mut products);
    let (index, missing) = pictures.finish();
    report.missing_pictures = missing;
    report.products = products.len() as u64;
    report.variants = products.iter().map(|product| product.variants.len() as u64).sum();
    if products.is_empty() {
        let reasons: Vec<String> = report.reasons().map(|(_, text)| text).collect();
        let mut reasons = if reasons.is_empty() { "nothing".into() } else { reasons.join(", ") };
        if let Some(path) = read.rejected {
            reasons = format!("{reasons}; the rows are in {}", path.display());
        }
        return Err(FileError::NothingToSell { reasons });
    }
    Ok(Reading { products, renamed, former, currency, changes, stamp: None, index: Arc::new(index), report })
}

/// The products in the bytes of a file, with the prices of the moment `now`, in seconds since 1970.
///
/// # Errors
/// When they cannot be read, or have nothing to sell.
pub fn products_of(bytes: impl Into<Vec<u8>>, now: i64) -> Result<Products, FileError> {
    let text = Text::of_bytes(bytes, None)?;
    let read = ReadOptions {
        prices: PricesIn::OwnOr(None),
        now,
        most: u64::MAX,
        spelling: Spelling::Usual,
        rejected: None,
    };
    parse(&text, &FileOptions::default(), Pictures::new(None, None), read).map(|reading| reading.products)
}

/// The products of a text in the form that its first bytes show.
fn parse_from(
    text: &Text,
    (options, pictures): (&FileOptions, &Pictures),
    ReadOptions { prices, now, most, .. }: ReadOptions,
    report: &mut Report,
) -> Result<Made, FileError> {
    let (form, content) = Form::of(text.reader())?;
    // The names that an operator gives to fields are those of other forms.
    let is_plain = form == Form::Json && options.of_table().columns.is_empty();
    if let Some(system) = is_plain.then(|| System::of(text.reader())).flatten() {
        let mut gathered = Gathered::new(options, pictures, most, report);
        let lines = json_shops::read(content, system, &mut gathered)?;
        let made = gathered.finish(prices, now)?;
        match lines {
            Some((first, last)) => report.compare_lines(first, last),
            None => report.shares_lines = true,
        }
        return Ok(made);
    }
    if form == Form::Json {
        // The currency in the options takes precedence over those of the products.
        let prices = match (prices, options.currency) {
            (PricesIn::OwnOr(_), Some(currency)) => PricesIn::Only { currency, given: Some(currency) },
            _ => prices,
        };
        let picture = |written: &str| pictures.address(&options.picture(written));
        let rules = JsonRules { prices, picture: &picture, most, own: options.of_table().columns };
        return json::products(content, rules, report);
    }
    let mut gathered = Gathered::new(options, pictures, most, report);
    if form == Form::Table {
        table::read(content, options.of_table(), &mut gathered)?;
        return gathered.finish(prices, now);
    }
    gathered.use_dialect(&GOOGLE);
    let Elements { first, last, unused } = xml::read(content, |row| gathered.add(row))?;
    let made = gathered.finish(prices, now)?;
    report.compare_lines(first, last);
    report.unused.extend(unused);
    Ok(made)
}

/// Gives brands whose names differ only in case or spaces the spelling of the first one.
fn unite_brands(products: &mut [Box<Product>]) {
    let mut first = HashMap::<String, String>::new();
    // Most products have a brand in a spelling that is known already.
    let mut known = HashMap::<String, String>::new();
    for brand in products.iter_mut().filter_map(|product| product.summary.brand.as_mut()) {
        if !known.contains_key(brand) {
            let folded = brand.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            let spelling = first.entry(folded).or_insert_with(|| brand.clone()).clone();
            known.insert(brand.clone(), spelling);
        }
        if let Some(spelling) = known.get(brand).filter(|spelling| *spelling != brand) {
            brand.clone_from(spelling);
        }
    }
}

impl Reading {
    /// Checks that it has more than half of the `old` number of products, if that is known.
    ///
    /// # Errors
    /// When it does not: that is more often a mistake than a decision.
    pub(crate) fn check_loss(&self, old: Option<u64>) -> Result<(), FileError> {
        let new = self.report.products;
        match old {
            Some(old) if new <= old / 2 => Err(FileError::Loss { old, new }),
            _ => Ok(()),
        }
    }

    /// Its products.
    pub(crate) fn products(&self) -> impl Iterator<Item = &Product> {
        self.products.iter().map(|product| &**product)
    }

    /// The version that pages are made from.
    pub(super) fn version(&self, currency: Currency) -> Version {
        version_of(ProductSet::dated(self.products(), currency), self.categories())
    }

    /// As [`Self::version`], but each product is dropped as soon as the version has it: beside the version on sale there
    /// may be no memory for both.
    pub(super) fn take_version(&mut self, currency: Currency) -> Version {
        let categories = self.categories();
        let products = mem::take(&mut self.products).into_iter();
        version_of(ProductSet::dated(products, currency), categories)
    }

    /// The categories in the order of their first products.
    fn categories(&self) -> Arc<[Category]> {
        let mut seen = HashSet::new();
        let categories = self.products.iter().filter_map(|product| product.summary.category.clone());
        let category = |slug: Slug| Category { name: slug.title(), slug };
        categories.filter(|slug| seen.insert(slug.as_str().to_owned())).map(category).collect()
    }

    /// Says in the log what was read.
    pub(super) fn log(&self, name: &str) {
        let Report { dialect, rows, products, variants, .. } = self.report;
        tracing::info!(file = %Bounded(name), form = dialect, rows, products, variants, "products were read");
        if !self.report.unused.is_empty() {
            let columns = self.report.unused.join(", ");
            tracing::warn!(
                file = %Bounded(name), columns = %Bounded(&columns),
                "columns of the file are not read"
            );
        }
        if let Some(mixed) = self.report.mixed_encodings() {
            tracing::warn!(file = %Bounded(name), encodings = mixed, "the file has two encodings");
        }
        if let Some(pictures) = self.report.missing_pictures.line() {
            tracing::warn!(
                file = %Bounded(name), pictures = %Bounded(&pictures),
                "pictures of products are missing"
            );
        }
        for (reason, text) in self.report.reasons() {
            match reason {
                reason if reason.is_note() => {
                    tracing::warn!(file = %Bounded(name), rows = text, "products are sold in part");
                }
                reason if reason.is_fault() => {
                    tracing::warn!(file = %Bounded(name), rows = text, "rows are left out");
                }
                _ => tracing::info!(file = %Bounded(name), rows = text, "rows are left out"),
            }
        }
    }
}

fn version_of(products: ProductSet, categories: Arc<[Category]>) -> Version {
    Version::new(products, categories, Features::default())
}
