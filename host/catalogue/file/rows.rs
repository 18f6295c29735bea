//! Makes products of rows. A row is a variant, a product or only a picture; the rows of one product may be anywhere in the
//! file.

use std::collections::{HashMap, HashSet};

use csv::StringRecord;

use super::amounts::{Amount, Decimal, PricesIn, Votes};
use super::dialects::Dialect;
use super::draft::{Draft, Rules};
use super::error::FileError;
use super::offer::Prices;
use super::options::FileOptions;
use super::pictures::Pictures;
use super::report::{Reason, Report};
use super::row::{Field, Kind, OPTIONS, Position, Row};
use super::table::{Header, TakeRows};
use crate::catalogue::model::Product;
use crate::profile::Currency;

/// The fields with amounts.
const AMOUNTS: [Field; 3] = [Field::Price, Field::ListPrice, Field::SalePrice];
/// Maximum number of rows in a file for each product that fits in memory.
const ROWS_EACH: u64 = 16;

/// The products of the rows so far.
pub(super) struct Gathered<'a> {
    rules: Rules<'a>,
    decimal: Option<Decimal>,
    /// How many products fit in memory.
    most: u64,
    report: &'a mut Report,
    /// In the order of their first rows.
    #[expect(clippy::vec_box, reason = "the memory of each is free once its product is made")]
    drafts: Vec<Box<Draft>>,
    /// The place in `drafts` of the product with each name. A product may have several names.
    places: HashMap<String, usize>,
    votes: Votes,
    /// The first currency that an amount names.
    currency: Option<Currency>,
}

/// Products, each in an allocation of its own, which the rows have freed. One block would need new memory for all.
pub(super) type Products = Vec<Box<Product>>;

/// The products of all rows.
pub(super) struct Made {
    pub(super) products: Products,
    /// The currency of the prices, if something names it.
    pub(super) currency: Option<Currency>,
    /// When a sale begins or ends next, in seconds since 1970.
    pub(super) changes_at: Option<i64>,
}

impl<'a> Gathered<'a> {
    /// Starts without rows. `most` products fit in memory.
    pub(super) fn new(
        options: &'a FileOptions,
        pictures: &'a Pictures,
        most: u64,
        report: &'a mut Report,
    ) -> Self {
        let rules = Rules { option_names: [""; OPTIONS], options, pictures };
        Self {
            rules,
            decimal: None,
            most,
            report,
            drafts: Vec::new(),
            places: HashMap::new(),
            votes: Votes::default(),
            currency: None,
        }
    }

    /// Sets the form of the rows.
    pub(super) fn use_dialect(&mut self, dialect: &'static Dialect) {
        self.report.dialect = dialect.name;
        self.rules.option_names = dialect.option_names;
        self.decimal = dialect.decimal;
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When there are more products, or many more rows, than fit in memory.
    pub(super) fn add(&mut self, row: &Row) -> Result<(), FileError> {
        self.report.rows += 1;
        let most = self.most;
        if self.drafts.len() as u64 > most || self.report.rows / ROWS_EACH > most {
            return Err(FileError::TooMany { most });
        }
        let kind = row.kind();
        let [name, also] = names(row, kind);
        if name.is_empty() {
            self.report.leave_out(Reason::NoKey, row.position);
            return Ok(());
        }
        for amount in AMOUNTS.map(|field| row.get(field)) {
            self.votes.count(amount);
            if self.currency.is_none() {
                self.currency = Amount::read(amount).currency;
            }
        }
        let known = self.places.get(&name).or_else(|| self.places.get(&also)).copied();
        // In a file with a column for parents, every other row is a product of its own.
        if known.is_some() && kind == Kind::Any && row.has(Field::Parent) {
            self.report.leave_out(Reason::Repeated, row.position);
            return Ok(());
        }
        let place = known.unwrap_or_else(|| {
            self.drafts.push(Box::new(Draft::at(row.position)));
            self.drafts.len() - 1
        });
        let draft = &mut self.drafts[place];
        // A variant may come before its parent, and may call it by another name than the parent itself has.
        if draft.name.is_empty() || kind == Kind::Parent {
            name.clone_into(&mut draft.name);
        }
        draft.add(row, kind, &self.rules);
        if known.is_none() || kind == Kind::Parent {
            for name in [name, also].into_iter().filter(|name| !name.is_empty()) {
                self.places.entry(name).or_insert(place);
            }
        }
        Ok(())
    }

    /// The products, with prices in the currency that is `wanted`, at the moment `now` in seconds since 1970.
    pub(super) fn finish(self, wanted: PricesIn, now: i64) -> Made {
        let options = self.rules.options;
        let currency = wanted.among(options.currency.or(self.currency));
        let decimal = options.decimal.unwrap_or_else(|| self.votes.decimal(self.decimal));
        let prices = Prices { decimal, currency: currency.unwrap_or_default(), now };
        let (mut keys, mut changes_at) = (HashSet::new(), None::<i64>);
        let mut products = Vec::new();
        for mut draft in self.drafts {
            // A product without an SKU is named by its key, unless that is the SKU of another product.
            if let Some(key) = draft.name.strip_prefix("id:").filter(|key| !self.places.contains_key(*key)) {
                draft.name = key.to_owned();
            }
            changes_at = changes_at.into_iter().chain(draft.next_change(prices)).min();
            let position = draft.position;
            if let Some(product) = draft.finish(&self.rules, prices, self.report) {
                match keys.insert(product.summary.id.clone()) {
                    true => products.push(Box::new(product)),
                    false => self.report.leave_out(Reason::Repeated, position),
                }
            }
        }
        Made { products, currency, changes_at }
    }
}

/// The names of a row's product, of which the second one may be blank.
fn names(row: &Row, kind: Kind) -> [String; 2] {
    let [group, parent, key] = [Field::Group, Field::Parent, Field::Key].map(|field| row.get(field));
    if kind == Kind::Variation && !parent.is_empty() {
        return [parent.to_owned(), String::new()];
    }
    // Variants name their parent by its SKU or, if it has none, by its key.
    if row.has(Field::Parent) {
        let by_key = if key.is_empty() { String::new() } else { format!("id:{key}") };
        return match row.get(Field::Sku) {
            "" => [by_key, String::new()],
            sku => [sku.to_owned(), by_key],
        };
    }
    let name = if group.is_empty() { key } else { group };
    [name.to_owned(), String::new()]
}

impl TakeRows for Gathered<'_> {
    fn begin(&mut self, header: &Header) -> Result<(), FileError> {
        self.use_dialect(header.dialect);
        self.report.unused = header.unused();
        Ok(())
    }

    fn row(&mut self, row: &Row, _: &StringRecord) -> Result<(), FileError> {
        self.add(row)
    }

    fn too_long(&mut self, position: Position, _: &StringRecord) -> Result<(), FileError> {
        self.report.rows += 1;
        self.report.leave_out(Reason::TooManyCells, position);
        Ok(())
    }
}
