//! A row with a price: a variant of a product, or the whole product.

use super::amounts::{Amount, Written};
use super::discount::Discount;
use super::for_sale::Columns;
use super::meaning::{availability, sale_dates};
use super::moments::{Changes, Dates};
use super::names::is_nothing;
use super::pictures::Pictures;
use super::plain::decoded;
use super::report::{Reason, Report};
use super::row::{Field, OPTION_NAMES, OPTION_VALUES, OPTIONS, Position, Row};
use super::terms::terms;
use super::text::cut;
use crate::catalogue::Terms;
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::model::first_of_its_options;
use crate::catalogue::variant::{MAX_OPTIONS, MAX_VARIANTS, Variant, VariantOption};
use crate::profile::{Currency, CurrencySign, Money};

/// What Shopify calls the option of a product without options.
const NO_OPTION: (&str, &str) = ("Title", "Default Title");

/// How the prices of a file are read, which is decided once all rows are known.
#[derive(Clone, Copy)]
pub(super) struct Prices {
    pub(super) written: Written,
    pub(super) currency: Currency,
    /// Whether texts that are not understood may stand beside amounts.
    pub(super) has_notes: bool,
    /// The moment whose prices count, in seconds since 1970: sales have dates.
    pub(super) now: i64,
}

/// The amounts of a row.
#[derive(Clone, Copy)]
pub(super) struct Amounts {
    pub(super) price: Amount,
    pub(super) list_price: Amount,
    pub(super) sale_price: Amount,
    pub(super) discount: Option<Discount>,
}

impl Amounts {
    pub(super) fn read(row: &Row) -> Self {
        let amount = |field| Amount::read(row.get(field));
        Self {
            price: amount(Field::Price),
            list_price: amount(Field::ListPrice),
            sale_price: amount(Field::SalePrice),
            discount: Discount::read(row),
        }
    }
}

/// A row that may have a price.
pub(super) struct Offer {
    pub(super) position: Position,
    price: Amount,
    list_price: Amount,
    sale_price: Amount,
    /// Reduces the price instead of a sale price. Few products have one.
    discount: Option<Box<Discount>>,
    sale_dates: Dates,
    /// Some may still lack their names, which [`Self::variant`] adds.
    pub(super) options: Vec<VariantOption>,
    availability: Availability,
    sku: String,
    gtin: Option<Gtin>,
    pub(super) picture: Option<String>,
    /// The page where it is sold.
    link: String,
    terms: Terms,
    lowest: Amount,
    /// The columns whose words leave open whether it is for sale, if they say anything about it.
    pub(super) unclear: Columns,
}

impl Offer {
    /// What a row offers, and whether its dates of a sale can be read. `unclear` are the columns whose words leave open
    /// whether it is for sale.
    pub(super) fn read(
        row: &Row,
        Amounts { price, list_price, sale_price, discount }: Amounts,
        unclear: Columns,
        picture: Option<String>,
    ) -> (Self, bool) {
        let dates = sale_dates(row);
        let sign = CurrencySign::of(row.get(Field::Currency));
        let offer = Self {
            position: row.position,
            price: price.with_sign(sign),
            list_price: list_price.with_sign(sign),
            // A sale whose dates are unclear is left out.
            sale_price: dates.map(|_| sale_price.with_sign(sign)).unwrap_or_default(),
            discount: discount.filter(|_| dates.is_some()).map(Box::new),
            sale_dates: dates.unwrap_or_default(),
            options: options(row),
            availability: availability(row),
            sku: cut(row.get(Field::Sku)).to_owned(),
            gtin: Gtin::parse(row.get(Field::Gtin)),
            picture,
            link: row.get(Field::Link).to_owned(),
            terms: terms(row),
            lowest: Amount::read(row.get(Field::LowestPrice)).with_sign(sign),
            unclear,
        };
        (offer, dates.is_some())
    }

    /// Whether its row, which is this one, says something of the stock that is not understood.
    pub(super) fn has_unclear_stock(&self, row: &Row) -> bool {
        self.availability == Availability::Unknown
            && [Field::Availability, Field::Stock].iter().any(|&field| !is_nothing(row.get(field)))
    }

    /// When its price changes, if it has a sale with dates.
    pub(super) fn changes(&self, Prices { written, now, .. }: Prices) -> Changes {
        let has_sale = self.sale_price.value(written.decimal).is_some() || self.discount.is_some();
        if has_sale { self.sale_dates.changes(now) } else { Changes::default() }
    }

    /// Whether it has a discount that is not understood.
    pub(super) fn has_unclear_discount(&self, Prices { written, .. }: Prices) -> bool {
        self.discount.as_ref().is_some_and(|discount| !discount.is_clear(written))
    }

    /// Both readings of its price or its sale's, if it is not known which one is right.
    pub(super) fn readings(&self, Prices { written, currency, .. }: Prices) -> Option<[Money; 2]> {
        let amounts = [self.price, self.sale_price].into_iter();
        let [one, other] = amounts.filter_map(|amount| amount.readings(written)).next()?;
        Some([currency.nearest(one)?, currency.nearest(other)?])
    }

    /// The variant. `names` are for the options that have no name in the row.
    ///
    /// # Errors
    /// Why it cannot be sold.
    pub(super) fn variant(
        self,
        names: &[&str; OPTIONS],
        prices: Prices,
        pictures: &Pictures,
    ) -> Result<Variant, Reason> {
        let Prices { written, currency, has_notes, now } = prices;
        let is_note = |amount: Amount| amount.sign == CurrencySign::Unknown && !has_notes;
        let above_zero = |amount: Amount| {
            let amount = Some(amount).filter(|amount| !is_note(*amount))?;
            amount.money(written.decimal, currency).filter(|amount| *amount != Money::default())
        };
        // A sale says nothing of the currency of a price that names another one.
        if !self.price.sign.may_be(currency) {
            return Err(Reason::OtherCurrency);
        }
        if is_note(self.price) {
            return Err(Reason::UnclearPrice);
        }
        let regular = above_zero(self.price);
        let reduced = || self.discount.as_ref()?.from(regular?, written, currency);
        let sale = above_zero(self.sale_price).or_else(|| reduced().filter(|sale| *sale != Money::default()));
        let sale = sale.filter(|_| self.sale_dates.contain(now));
        let sale = sale.filter(|sale| regular.is_none_or(|regular| *sale < regular));
        let free = self.price.is_free.then(Money::default);
        if self.readings(prices).is_some() {
            return Err(Reason::TwoReadings);
        }
        let price = sale.or(regular).or(free).ok_or(match self.price {
            amount if amount.has_digits && amount.value(written.decimal).is_none() => Reason::UnclearPrice,
            _ => Reason::NoPrice,
        })?;
        let list_price = above_zero(self.list_price).max(regular);
        let lowest = above_zero(self.lowest);
        let named = |(number, mut option): (usize, VariantOption)| {
            if option.name.is_empty() {
                // Options without names come first, so that their numbers are those of `names`.
                option.name = match names.get(number).copied().unwrap_or_default() {
                    "" => format!("Option {}", number + 1),
                    name => name.into(),
                };
            }
            let is_option = !option.value.is_empty() && (&*option.name, &*option.value) != NO_OPTION;
            is_option.then_some(option)
        };
        let variant = Variant {
            options: self.options.into_iter().enumerate().filter_map(named).collect(),
            price,
            list_price: list_price.filter(|list_price| *list_price > price),
            availability: self.availability,
            sku: self.sku,
            gtin: self.gtin,
            picture: self.picture.and_then(|picture| pictures.address(&picture)),
            link: Some(self.link).filter(|link| !link.is_empty()),
            terms: Terms { lowest, ..self.terms },
        };
        if variant.options.is_empty() {
            return Ok(variant);
        }
        variant.cleaned().ok_or(Reason::UnclearOptions)
    }
}

/// The variants of a product, if it has some.
pub(super) fn variants(offered: Vec<(Position, Variant)>, report: &mut Report) -> Vec<Variant> {
    let have_options = offered.iter().any(|(_, variant)| !variant.options.is_empty());
    let mut is_first = first_of_its_options();
    let mut variants = Vec::new();
    for (position, variant) in offered {
        if have_options && variant.options.is_empty() {
            report.leave_out(Reason::NoOptions, position);
        } else if !is_first(&variant) {
            report.leave_out(Reason::Repeated, position);
        } else if variants.len() == MAX_VARIANTS {
            report.leave_out(Reason::TooMany, position);
        } else if have_options {
            variants.push(variant);
        }
    }
    variants
}

/// Removes the options that have the same value in all variants: they leave nothing to choose.
pub(super) fn remove_shared(offered: &mut [(Position, Variant)]) {
    let [(_, first), rest @ ..] = offered else { return };
    let is_shared = |option: &VariantOption| rest.iter().all(|(_, other)| other.options.contains(option));
    let shared: Vec<VariantOption> =
        first.options.iter().filter(|option| !rest.is_empty() && is_shared(option)).cloned().collect();
    for (_, variant) in offered {
        variant.options.retain(|option| !shared.contains(option));
    }
}

/// The options of a row: first those with fields of their own, even if blank, then those that are joined in one field.
fn options(row: &Row) -> Vec<VariantOption> {
    let option = |name: &str, value: &str| VariantOption {
        name: cut(&decoded(name.trim())).into(),
        value: cut(&decoded(value.trim())).into(),
    };
    let given =
        OPTION_VALUES.iter().rposition(|&field| !row.get(field).is_empty()).map_or(0, |last| last + 1);
    let own = OPTION_NAMES.iter().zip(OPTION_VALUES).take(given);
    let own = own.map(|(&name, value)| (row.get(name), row.get(value))).map(|(name, value)| {
        // WooCommerce, whose rows have a type, writes a backslash before a comma.
        match row.has(Field::Kind) && value.contains("\\,") {
            true => option(name, &value.replace("\\,", ",")),
            false => option(name, value),
        }
    });
    let joined = decoded(row.get(Field::Options));
    let joined = joined.split(';').filter_map(|option| option.split_once(':'));
    // Without a name it would get the name of one of the others.
    let joined = joined.filter(|(name, _)| !name.trim().is_empty());
    // One more than a variant may have shows that there are too many.
    let joined = joined.take(MAX_OPTIONS + 1);
    own.chain(joined.map(|(name, value)| option(name, value))).collect()
}
