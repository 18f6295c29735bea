//! Products as WooCommerce's Store API shows them at `/wp-json/wc/store/v1/products`.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::FileError;
use super::json_values::{Text, amount, is_digits, list, no_amount, number, pictures, row};
use super::report::Reason;
use super::row::{Field, OPTION_NAMES, OPTION_VALUES, Position, Row};
use super::rows::Gathered;
use crate::catalogue::variant::{MAX_OPTIONS, VariantOption};

/// Most decimals of an amount.
const MOST_DECIMALS: usize = 6;

#[derive(Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"), default)]
struct Product<'a> {
    id: Option<&'a RawValue>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    parent: Option<&'a RawValue>,
    name: Text<'a>,
    description: Text<'a>,
    short_description: Text<'a>,
    permalink: Text<'a>,
    sku: Text<'a>,
    prices: Prices<'a>,
    is_in_stock: Option<bool>,
    is_on_backorder: Option<bool>,
    low_stock_remaining: Option<&'a RawValue>,
    brands: Option<&'a RawValue>,
    categories: Option<&'a RawValue>,
    tags: Text<'a>,
    images: Option<&'a RawValue>,
    attributes: Option<&'a RawValue>,
    variations: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"), default)]
struct Prices<'a> {
    price: Option<&'a RawValue>,
    regular_price: Option<&'a RawValue>,
    currency_code: Text<'a>,
    currency_minor_unit: Option<&'a RawValue>,
}

/// A part of a product: an attribute with its values (`terms`), one of these, a variation with what is chosen in it, or one of
/// these choices, of which an empty value stands for any.
#[derive(Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"), default)]
struct Part<'a> {
    id: Option<&'a RawValue>,
    name: Text<'a>,
    slug: Text<'a>,
    value: Text<'a>,
    terms: Option<&'a RawValue>,
    attributes: Option<&'a RawValue>,
}

/// The variations that products have listed so far, with the names and values of their options.
#[derive(Default)]
pub(super) struct Variations(HashMap<(u64, u64), Vec<VariantOption>>);

impl Variations {
    /// Adds a product, or a variation of one before it. `None` if it cannot be read.
    ///
    /// # Errors
    /// When there are more products, or many more variations, than fit in memory.
    pub(super) fn add(
        &mut self,
        text: &str,
        position: Position,
        gathered: &mut Gathered,
    ) -> Result<Option<()>, FileError> {
        let Ok(product) = serde_json::from_str::<Product>(text) else { return Ok(None) };
        let [id, parent] = [product.id, product.parent].map(number);
        let images = pictures(&list(product.images));
        let [price, list_price] =
            [product.prices.price, product.prices.regular_price].map(|price| product.prices.amount(price));
        let price = if price.is_empty() { &list_price } else { &price };
        let row = row(
            position,
            &[
                (Field::Key, id),
                (Field::Kind, &product.kind.0),
                (Field::Price, price),
                (Field::ListPrice, &list_price),
                (Field::Currency, &product.prices.currency_code.0),
                (Field::Sku, &product.sku.0),
                (Field::Images, &images),
                (Field::Availability, product.availability()),
                (Field::Stock, number(product.low_stock_remaining)),
            ],
        );
        if product.kind.0.contains("variation") {
            return self.add_variation(row.with(Field::Parent, parent), gathered).map(Some);
        }
        self.keep(&product, gathered)?;
        let [brand, category] = [product.brands, product.categories]
            .map(|names| list(names).into_iter().next().unwrap_or_default());
        let (Text(brand), Text(category)) = (brand, category);
        let row = row
            .with(Field::Title, &product.name.0)
            .with(Field::Description, &product.description.0)
            .with(Field::OtherDescription, &product.short_description.0)
            .with(Field::Brand, &brand)
            .with(Field::Category, &category)
            .with(Field::Tags, &product.tags.0)
            .with(Field::Link, &product.permalink.0);
        gathered.add(&row).map(Some)
    }

    /// Keeps the variations that a product lists.
    fn keep(&mut self, product: &Product, gathered: &Gathered) -> Result<(), FileError> {
        let parent: u64 = number(product.id).parse().unwrap_or_default();
        let mut names = HashMap::new();
        for Part { name, terms, .. } in list(product.attributes) {
            names.extend(
                list(terms).into_iter().map(|term: Part| ((name.0.clone(), term.slug.0), term.name.0)),
            );
        }
        for Part { id, attributes, .. } in list(product.variations) {
            gathered.check_listed(self.0.len())?;
            let Ok(id) = number(id).parse() else { continue };
            let option = |Part { name, value, .. }| {
                let key = (name.0, value.0);
                let shown = names.get(&key).unwrap_or(&key.1).clone();
                VariantOption { name: key.0.into_owned(), value: shown.into_owned() }
            };
            // One more than a variant may have shows that there are too many.
            let options = list(attributes).into_iter().take(MAX_OPTIONS + 1).map(option);
            self.0.insert((parent, id), options.collect());
        }
        Ok(())
    }

    /// Adds the row of a variation, with the options that its product lists.
    fn add_variation(&mut self, row: Row, gathered: &mut Gathered) -> Result<(), FileError> {
        let [parent, id] =
            [Field::Parent, Field::Key].map(|field| row.get(field).parse().unwrap_or_default());
        let options = self.0.remove(&(parent, id)).unwrap_or_default();
        let is_open = options.is_empty() || options.iter().any(|option| option.value.trim().is_empty());
        if is_open || options.len() > MAX_OPTIONS {
            let reason = if is_open { Reason::OpenVariation } else { Reason::UnclearOptions };
            gathered.leave_out(reason, row.position);
            return Ok(());
        }
        let fields = OPTION_NAMES.into_iter().zip(OPTION_VALUES).zip(&options);
        let row = fields.fold(row, |row, ((name, value), option)| {
            row.with(name, &option.name).with(value, &option.value)
        });
        gathered.add(&row)
    }
}

impl Product<'_> {
    fn availability(&self) -> &'static str {
        match (self.is_on_backorder, self.is_in_stock) {
            (Some(true), _) => "backorder",
            (_, Some(true)) => "in stock",
            (_, Some(false)) => "out of stock",
            (_, None) => "",
        }
    }
}

impl Prices<'_> {
    /// An amount in whole units of the smallest one that is shown, as amounts are read.
    fn amount(&self, written: Option<&RawValue>) -> String {
        let digits = number(written);
        let decimals: Option<usize> = number(self.currency_minor_unit).parse().ok();
        match decimals {
            _ if digits.is_empty() => String::new(),
            Some(decimals) if decimals <= MOST_DECIMALS && is_digits(digits) => {
                let digits = format!("{digits:0>width$}", width = decimals + 1);
                let (whole, fraction) = digits.split_at(digits.len() - decimals);
                amount(whole, fraction)
            }
            _ => no_amount(digits),
        }
    }
}
