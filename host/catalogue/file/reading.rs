//! Reads a file as a whole: its text, in the form that its content shows, becomes products and a report.

use std::collections::HashSet;
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::amounts::PricesIn;
use super::dialects::GOOGLE;
use super::error::FileError;
use super::form::Form;
use super::json::JsonRules;
use super::options::FileOptions;
use super::pictures::{PictureIndex, Pictures};
use super::report::Report;
use super::rows::{Gathered, Made, Products};
use super::text::Text;
use super::{json, rejected, table, xml};
use crate::bounded_file::FileStamp;
use crate::catalogue::mirror::Mirror;
use crate::catalogue::model::{Category, Product};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::service::wire::clean_tag;
use crate::catalogue::slug::Slug;
use crate::observe::Bounded;
use crate::profile::Currency;

/// Maximum number of categories in a shop. Each takes memory for every brand and category.
const MOST_CATEGORIES: usize = 2_000;

/// What was read from a file.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(super) products: Products,
    /// The currency of the prices, if the file or the settings name one.
    pub(crate) currency: Option<Currency>,
    /// When a sale begins or ends next, in seconds since 1970.
    pub(super) changes_at: Option<i64>,
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

/// What the caller wants of a reading.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) prices: PricesIn,
    /// The moment whose prices count, in seconds since 1970.
    pub(crate) now: i64,
    /// How many products fit in memory.
    pub(crate) most: u64,
    /// The file to which the rows that are left out are written, if they are wanted.
    pub(crate) rejected: Option<&'a Path>,
}

/// Reads a text as a catalogue. Takes long, see `process/compute.rs`.
///
/// # Errors
/// When it cannot be read, is broken or of an unknown form, or has nothing to sell.
pub(super) fn parse(
    mut text: Text,
    options: &FileOptions,
    pictures: Pictures,
    wanted: Wanted,
) -> Result<Reading, FileError> {
    let mut report = Report { rejected: wanted.rejected.map(|_| Vec::new()), ..Report::default() };
    let Made { mut products, currency, changes_at } =
        parse_from(text.reader()?, (options, &pictures), wanted, &mut report)?;
    if let (Some(path), Some(rejected)) = (wanted.rejected, report.rejected.take()) {
        report.written = Some(rejected::write(text.reader()?, options, &rejected, path)?);
    }
    let other = options.category.as_deref().and_then(clean_tag).and_then(|name| Slug::of(&name));
    for product in products.iter_mut().filter(|product| product.summary.category.is_none()) {
        product.summary.category.clone_from(&other);
    }
    bound_categories(&mut products);
    let (index, missing) = pictures.finish();
    report.missing_pictures = missing;
    report.products = products.len() as u64;
    report.variants = products.iter().map(|product| product.variants.len() as u64).sum();
    if products.is_empty() {
        let reasons: Vec<String> = report.reasons().map(|(_, text)| text).collect();
        let mut reasons = if reasons.is_empty() { "nothing".into() } else { reasons.join(", ") };
        if let Some(path) = wanted.rejected {
            reasons = format!("{reasons}; the rows are in {}", path.display());
        }
        return Err(FileError::NothingToSell { reasons });
    }
    Ok(Reading { products, currency, changes_at, stamp: None, index: Arc::new(index), report })
}

/// The products in the bytes of a file, with the prices of the moment `now`, in seconds since 1970. Takes long.
///
/// # Errors
/// When they cannot be read, or have nothing to sell.
pub fn products_of(bytes: Bytes, now: i64) -> Result<Products, FileError> {
    let text = Text::of_bytes(bytes, None)?;
    let wanted = Wanted { prices: PricesIn::OwnOr(None), now, most: u64::MAX, rejected: None };
    parse(text, &FileOptions::default(), Pictures::new(None), wanted).map(|reading| reading.products)
}

/// The products of a text in the form that its first bytes show.
fn parse_from(
    text: impl BufRead,
    (options, pictures): (&FileOptions, &Pictures),
    Wanted { prices, now, most, .. }: Wanted,
    report: &mut Report,
) -> Result<Made, FileError> {
    let (form, text) = Form::of(text)?;
    if form == Form::Json {
        // The currency in the options takes precedence over those of the products.
        let prices = match (prices, options.currency) {
            (PricesIn::OwnOr(_), Some(currency)) => PricesIn::Only(currency),
            _ => prices,
        };
        let picture = |written: &str| pictures.address(&options.picture(written));
        let rules = JsonRules { prices, picture: &picture, most };
        let (products, currency) = json::products(text, rules, report)?;
        return Ok(Made { products, currency, changes_at: None });
    }
    let mut gathered = Gathered::new(options, pictures, most, report);
    if form == Form::Xml {
        gathered.use_dialect(&GOOGLE);
        xml::read(text, |row| gathered.add(row))?;
    } else {
        table::read(text, options.of_table(), &mut gathered)?;
    }
    Ok(gathered.finish(prices, now))
}

/// Removes all categories after the first [`MOST_CATEGORIES`] from the products.
fn bound_categories(products: &mut [Box<Product>]) {
    let mut known = HashSet::new();
    for category in products.iter_mut().map(|product| &mut product.summary.category) {
        let mut is_kept = |slug: &Slug| {
            known.contains(slug) || (known.len() < MOST_CATEGORIES && known.insert(slug.clone()))
        };
        *category = category.take().filter(|slug| is_kept(slug));
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

    /// Everything that pages ask for. Takes long, see `process/compute.rs`.
    pub(super) fn mirror(&self, currency: Currency) -> Mirror {
        let products = ProductSet::of(self.products(), currency);
        let mut seen = HashSet::new();
        let categories = self.products.iter().filter_map(|product| product.summary.category.clone());
        let category = |slug: Slug| Category { name: slug.title(), slug };
        let categories = categories.filter(|slug| seen.insert(slug.as_str().to_owned())).map(category);
        Mirror::new(products, categories.collect())
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
        if let Some(pictures) = self.report.missing_pictures.line() {
            tracing::warn!(
                file = %Bounded(name), pictures = %Bounded(&pictures),
                "pictures of products are missing"
            );
        }
        for (reason, text) in self.report.reasons() {
            match reason.is_fault() {
                true => tracing::warn!(file = %Bounded(name), rows = text, "rows are left out"),
                false => tracing::info!(file = %Bounded(name), rows = text, "rows are left out"),
            }
        }
    }
}
