//! Makes products of rows. A row is a variant, a product or only a picture; the rows of one product may be anywhere in the
//! file.

use std::collections::{HashMap, HashSet};

use csv::StringRecord;

use super::amounts::{Decimal, PricesIn, Votes, Written};
use super::dialects::{Child, Dialect, Family, GOOGLE, NOT_ALONE, Ways, children, iso_date, own_value};
use super::draft::Draft;
use super::error::FileError;
use super::for_sale::{self, ForSale, SaleColumns};
use super::keys::Coded;
use super::moments::Changes;
use super::named_currency::{Decided, NamedCurrency};
use super::names::is_nothing;
use super::offer::{Amounts, Prices};
use super::options::FileOptions;
use super::pictures::Pictures;
use super::report::{Reason, Report};
use super::row::{Field, Kind, OPTION_VALUES, OPTIONS, Position, Row};
use super::row_context::RowContext;
use super::table::{Header, TakeRows};
use super::text::cut;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::profile::{Currency, CurrencySign};

/// What the row of a whole product says of its sale, and not of its variants.
const OF_WHOLE: [Field; 8] = [
    Field::Group,
    Field::Price,
    Field::ListPrice,
    Field::Currency,
    Field::Sku,
    Field::Gtin,
    Field::Stock,
    Field::Availability,
];
/// Maximum number of rows in a file for each product that fits in memory.
const ROWS_EACH: u64 = 16;

/// The products of the rows so far.
pub(super) struct Gathered<'a> {
    context: RowContext<'a>,
    ways: Ways,
    decimal: Option<Decimal>,
    /// How many products fit in memory.
    most: u64,
    report: &'a mut Report,
    /// In the order of their first rows.
    #[expect(clippy::vec_box, reason = "the memory of each is free once its product is made")]
    drafts: Vec<Box<Draft>>,
    /// The place in `drafts` of the product with each name. A product may have several names.
    places: HashMap<String, usize>,
    /// The variants that products list, with the places of these products.
    children: Vec<(usize, Child)>,
    /// The places of the products that are only sold as variants of others.
    not_alone: HashSet<usize>,
    /// What products offer that have no variants so far, by their places.
    wholes: HashMap<usize, Box<Draft>>,
    /// The group and the price of the last product, to which variants add their surcharges, and its discount.
    base: [String; 4],
    votes: Votes,
    currency: NamedCurrency,
    sale: SaleColumns,
    /// The names of the columns that say whether a product is for sale.
    sale_names: [String; for_sale::COLUMNS.len()],
}

/// Products, each in an allocation of its own, which the rows have freed. One block would need new memory for all.
pub(super) type Products = Vec<Box<Product>>;

/// The products of all rows.
pub(super) struct Made {
    pub(super) products: Products,
    /// Those whose names are no keys.
    pub(super) coded: Coded,
    /// The currency of the prices, if something names it.
    pub(super) currency: Option<Currency>,
    /// When sales begin and end around the moment whose prices count.
    pub(super) changes: Changes,
}

impl<'a> Gathered<'a> {
    /// Starts without rows. `most` products fit in memory.
    pub(super) fn new(
        options: &'a FileOptions,
        pictures: &'a Pictures,
        most: u64,
        report: &'a mut Report,
    ) -> Self {
        let context = RowContext { option_names: [""; OPTIONS], image_base: "", options, pictures };
        Self {
            context,
            ways: GOOGLE.ways,
            decimal: None,
            most,
            report,
            drafts: Vec::new(),
            places: HashMap::new(),
            children: Vec::new(),
            not_alone: HashSet::new(),
            wholes: HashMap::new(),
            base: Default::default(),
            votes: Votes::default(),
            currency: NamedCurrency::default(),
            sale: SaleColumns::with(options.of_table().columns),
            sale_names: for_sale::COLUMNS.map(|field| format!("{field:?}").to_lowercase()),
        }
    }

    /// Sets the form of the rows.
    pub(super) fn use_dialect(&mut self, dialect: &'static Dialect) {
        self.report.dialect = dialect.name;
        self.context.option_names = dialect.option_names;
        self.context.image_base = dialect.ways.image_base;
        self.ways = dialect.ways;
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
        if row.is_too_long {
            self.report.leave_out(Reason::TooLong, row.position);
            return Ok(());
        }
        // Other languages repeat the products.
        if !row.get(Field::StoreView).is_empty() {
            return Ok(());
        }
        let (path, changed);
        let row = if self.ways.has_slashes {
            path = cut(row.get(Field::Categories)).replace('/', " > ");
            changed = row.with(Field::Categories, &path);
            &changed
        } else {
            row
        };
        match self.ways.family {
            Family::Usual => self.add_row(row),
            Family::Children => self.add_with_children(row),
            Family::Surcharges => self.add_with_surcharge(row),
        }
    }

    /// Counts a row that is left out before its fields are read.
    pub(super) fn leave_out(&mut self, reason: Reason, position: Position) {
        self.report.rows += 1;
        self.report.leave_out(reason, position);
    }

    /// Checks that products may list one more variant than this many.
    ///
    /// # Errors
    /// When there are many more variants than fit in memory.
    pub(super) fn check_listed(&self, listed: usize) -> Result<(), FileError> {
        match listed as u64 >= self.most.saturating_mul(ROWS_EACH) {
            true => Err(FileError::TooMany { most: self.most }),
            false => Ok(()),
        }
    }

    /// Adds a row with a price of its own.
    fn add_row(&mut self, row: &Row) -> Result<(), FileError> {
        let kind = row.kind();
        let [name, also] = names(row, kind);
        let is_of_title = name.is_empty() && self.ways.has_title_keys;
        let name = if is_of_title { cut(row.get(Field::Title)).to_owned() } else { name };
        if name.is_empty() {
            let reason = if is_of_title { Reason::NoTitle } else { Reason::NoKey };
            self.report.leave_out(reason, row.position);
            return Ok(());
        }
        self.report.ids_from_titles |= is_of_title;
        let is_reduced = !row.has(Field::OnSale) || for_sale::says(row.get(Field::OnSale)) == Some(true);
        let row = &if is_reduced { *row } else { row.with(Field::SalePrice, "") };
        let amounts = self.amounts(row);
        let known = self.places.get(&name).or_else(|| self.places.get(&also)).copied();
        // In a file with a column for parents, every other row is a product of its own.
        let is_single = self.ways.has_title_keys || (kind == Kind::Any && row.has(Field::Parent));
        if known.is_some() && is_single {
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
        let is_child = self.ways.family == Family::Children
            && kind == Kind::Any
            && row.get(Field::Visibility).eq_ignore_ascii_case(NOT_ALONE);
        let for_sale = match is_child {
            true => self.sale.read(&row.with(Field::Visibility, "")),
            false => self.sale.read(row),
        };
        draft.add(row, amounts, kind, for_sale, &self.context);
        if is_child {
            self.not_alone.insert(place);
        }
        self.add_family(row, amounts, kind, &name, place)?;
        if known.is_none() || kind == Kind::Parent {
            for name in [name, also].into_iter().filter(|name| !name.is_empty()) {
                self.places.entry(name).or_insert(place);
            }
        }
        Ok(())
    }

    /// The amounts of a row. What they show of all amounts is counted.
    fn amounts(&mut self, row: &Row) -> Amounts {
        let line = row.position.line;
        let amounts = Amounts::read(row);
        for (amount, field) in [
            (amounts.price, Field::Price),
            (amounts.list_price, Field::ListPrice),
            (amounts.sale_price, Field::SalePrice),
        ] {
            self.votes.count(amount);
            self.currency.add_amount(amount, row.get(field), line);
        }
        let code = row.get(Field::Currency);
        self.currency.add_sign(CurrencySign::of(code), || code.chars().take(20).collect(), line);
        amounts
    }

    /// Keeps what a row says of other rows of its product, which is at this `place` in the drafts.
    ///
    /// # Errors
    /// When there are many more variants than fit in memory.
    fn add_family(
        &mut self,
        row: &Row,
        amounts: Amounts,
        kind: Kind,
        name: &str,
        place: usize,
    ) -> Result<(), FileError> {
        match self.ways.family {
            Family::Usual => {}
            Family::Children => {
                for child in children(row.get(Field::Children)) {
                    // Each of them is a row too.
                    self.check_listed(self.children.len())?;
                    self.children.push((place, child));
                }
            }
            Family::Surcharges if kind == Kind::Parent => {
                let mut whole = Box::new(Draft::at(row.position));
                // With a key of its own it does not speak for the whole product.
                let offer = row.only(&OF_WHOLE).with(Field::Key, name);
                whole.add(&offer, amounts, Kind::Any, ForSale::Yes, &self.context);
                self.wholes.insert(place, whole);
            }
            Family::Surcharges => drop(self.wholes.remove(&place)),
        }
        Ok(())
    }

    /// Adds a row of a form whose products list their variants.
    fn add_with_children(&mut self, row: &Row) -> Result<(), FileError> {
        let dates = [Field::SaleStarts, Field::SaleEnds, Field::Added]
            .map(|field| (field, iso_date(row.get(field).split(',').next().unwrap_or_default())));
        let mut row = *row;
        for (field, date) in &dates {
            if let Some(date) = date {
                row = row.with(*field, date);
            }
        }
        // A stock that is not counted does not end.
        if row.is_blank(Field::Tracker) {
            row = row.with(Field::Availability, "");
        }
        self.add_row(&row)
    }

    /// Adds a row of a form whose variants say what they cost more than their product.
    fn add_with_surcharge(&mut self, row: &Row) -> Result<(), FileError> {
        let group = row.get(Field::Group);
        if row.kind() != Kind::Variation {
            let fields = [Field::Price, Field::DiscountMode, Field::Discount].map(|field| row.get(field));
            let [price, mode, discount] = fields;
            self.base = [group, price, mode, discount].map(|text| cut(text).to_owned());
            return self.add_row(row);
        }
        let [base_group, base, mode, discount] = self.base.clone();
        let price = match row.get(Field::Price) {
            "" if cut(group) == base_group => sum(&base, row.get(Field::Surcharge)),
            own => own.to_owned(),
        };
        // A variant that is not for sale says nothing of the whole product.
        let mut variant = row.with(Field::Price, &price).with(Field::Key, group);
        if cut(group) == base_group {
            variant = variant.with(Field::DiscountMode, &mode).with(Field::Discount, &discount);
        }
        for field in OPTION_VALUES {
            variant = variant.with(field, own_value(row.get(field)));
        }
        self.add_row(&variant)
    }

    /// Gives the products that turned out to be variants to those that list them. Returns the places of the variants, with
    /// those of their products.
    fn unite(&mut self) -> HashMap<usize, usize> {
        let mut united = HashMap::new();
        let mut children = std::mem::take(&mut self.children);
        let parents = children.iter().map(|(parent, _)| *parent);
        let is_withheld =
            |place: &usize| self.drafts.get(*place).is_some_and(|draft| draft.is_withheld(self.sale.used));
        let withheld: HashSet<usize> = parents.filter(is_withheld).collect();
        // What is not for sale takes no variant from what is.
        children.sort_by_key(|(parent, _)| withheld.contains(parent));
        for (parent, Child { sku, options }) in children {
            let Some(&place) = self.places.get(&sku).filter(|place| **place != parent) else { continue };
            let is_withheld = withheld.contains(&parent);
            if let Some(first) = united.get(&place) {
                if let Some(draft) = self.drafts.get(parent).filter(|_| *first != parent && !is_withheld) {
                    self.report.leave_out(Reason::Repeated, draft.position);
                }
                continue;
            }
            // What is visible itself is sold without it.
            if is_withheld && !self.not_alone.contains(&place) {
                continue;
            }
            let Some(variant) = self.drafts.get_mut(place) else { continue };
            united.insert(place, parent);
            let variant = std::mem::take(&mut **variant);
            if let Some(parent) = self.drafts.get_mut(parent) {
                parent.adopt(variant, &options);
            }
        }
        for (place, whole) in std::mem::take(&mut self.wholes) {
            if let Some(product) = self.drafts.get_mut(place) {
                product.adopt(*whole, &[]);
            }
        }
        united
    }

    /// The products, with prices in the currency that is `wanted`, at the moment `now` in seconds since 1970.
    ///
    /// # Errors
    /// When it is open in which currency the prices are.
    pub(super) fn finish(mut self, wanted: PricesIn, now: i64) -> Result<Made, FileError> {
        let united = self.unite();
        let options = self.context.options;
        let Decided { currency: known, has_notes, named_by } =
            self.currency.decide(wanted, options.currency)?;
        self.report.currency_by = named_by;
        let currency = known.unwrap_or_default();
        let written = match options.decimal {
            Some(decimal) => {
                Written { decimal, has_thousandths: true, is_guessed: false, has_separators: true }
            }
            None => self.votes.written(self.decimal, currency),
        };
        self.report.amounts = Some(written);
        let columns = for_sale::COLUMNS.iter().zip(&self.sale_names);
        let unused = columns.filter(|(field, _)| self.sale.unused().any(|unused| unused == **field));
        // They come first, as all that decide what is sold.
        self.report.unused.splice(..0, unused.map(|(_, name)| name.clone()));
        let prices = Prices { written, currency, has_notes, now };
        let (mut keys, mut changes) = (HashSet::new(), Changes::default());
        let (mut products, mut coded) = (Vec::new(), Coded::new());
        for (place, mut draft) in self.drafts.into_iter().enumerate() {
            if united.contains_key(&place) {
                continue;
            }
            if self.not_alone.contains(&place) {
                self.report.leave_out(Reason::NotForSale, draft.position);
                continue;
            }
            // A product without an SKU is named by its key, unless that is the SKU of another product.
            if let Some(key) = draft.name.strip_prefix("id:").filter(|key| !self.places.contains_key(*key)) {
                draft.name = key.to_owned();
            }
            changes = changes.and(draft.changes(prices));
            let (position, key) = (draft.position, draft.key(&keys));
            let name = ProductKey::parse(&draft.name).is_none().then(|| draft.name.clone());
            if let Some(product) = draft.finish(key, &self.context, prices, self.sale.used, self.report) {
                match keys.insert(product.summary.id.clone()) {
                    true => {
                        coded.extend(name.map(|name| (products.len(), name)));
                        products.push(Box::new(product));
                    }
                    false => self.report.leave_out(Reason::Repeated, position),
                }
            }
        }
        Ok(Made { products, coded, currency: known, changes })
    }
}

/// The names of a row's product, of which the second one may be blank.
fn names(row: &Row, kind: Kind) -> [String; 2] {
    let given = |field| Some(row.get(field)).filter(|name| !is_nothing(name)).unwrap_or_default();
    let [group, parent, key] = [Field::Group, Field::Parent, Field::Key].map(given);
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

/// The sum of two amounts that have a point before up to three decimals; empty if one of them is none.
fn sum(amount: &str, other: &str) -> String {
    // In thousandths.
    let read = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_plain = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        let is_amount =
            !unsigned.is_empty() && is_plain(unsigned) && is_plain(fraction) && fraction.len() <= 3;
        is_amount.then(|| format!("{whole}{fraction:0<3}").parse::<i64>().ok()).flatten()
    };
    if other.is_empty() {
        return amount.to_owned();
    }
    let sum = read(amount).and_then(|amount| amount.checked_add(read(other)?)).filter(|sum| *sum >= 0);
    let text = |sum: i64| match (sum / 1_000, sum % 1_000) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{:02}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:03}"),
    };
    sum.map(text).unwrap_or_default()
}

impl TakeRows for Gathered<'_> {
    fn begin(&mut self, header: &Header) -> Result<(), FileError> {
        self.use_dialect(header.dialect);
        self.report.has_net_prices = header.has_net_prices();
        self.report.unused = header.unused();
        self.report.delimiter = Some(header.delimiter);
        for (name, field) in self.sale_names.iter_mut().zip(for_sale::COLUMNS) {
            header.name_of(field).unwrap_or_default().clone_into(name);
        }
        Ok(())
    }

    fn row(&mut self, row: &Row, _: &StringRecord) -> Result<(), FileError> {
        self.add(row)
    }

    fn too_long(&mut self, reason: Reason, position: Position, _: &StringRecord) -> Result<(), FileError> {
        self.leave_out(reason, position);
        Ok(())
    }
}
