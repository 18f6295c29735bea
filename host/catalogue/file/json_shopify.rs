//! Products as Shopify shows them at `/products.json`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::error::FileError;
use super::json_values::{Text, amount, is_digits, list, no_amount, number, pictures, row};
use super::row::{Field, OPTION_NAMES, OPTION_VALUES, Position, Row};
use super::rows::Gathered;

#[derive(Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"), default)]
struct Product<'a> {
    handle: Text<'a>,
    title: Text<'a>,
    body_html: Text<'a>,
    vendor: Text<'a>,
    product_type: Text<'a>,
    tags: Text<'a>,
    /// Only those who keep the shop see it.
    status: Text<'a>,
    variants: Option<&'a RawValue>,
    images: Option<&'a RawValue>,
    options: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(bound(deserialize = "'de: 'a"), default)]
struct Variant<'a> {
    option1: Text<'a>,
    option2: Text<'a>,
    option3: Text<'a>,
    sku: Text<'a>,
    barcode: Text<'a>,
    available: Option<bool>,
    price: Option<&'a RawValue>,
    compare_at_price: Option<&'a RawValue>,
    grams: Option<&'a RawValue>,
    featured_image: Text<'a>,
}

/// Adds a product: a row for each variant, of which the first one has the texts of the product, as in a table. `shop` is its
/// shop's address and currency. `None` if it cannot be read.
///
/// # Errors
/// When there are more products than fit in memory.
pub(super) fn add(
    text: &str,
    position: Position,
    shop: Option<(&str, &str)>,
    gathered: &mut Gathered,
) -> Result<Option<()>, FileError> {
    let Ok(product) = serde_json::from_str::<Product>(text) else { return Ok(None) };
    let Product { handle, title, body_html, vendor, product_type, tags, status, variants, images, options } =
        &product;
    let (address, currency) = shop.unwrap_or_default();
    let link = if address.is_empty() { String::new() } else { format!("{address}/products/{}", handle.0) };
    let (variants, options): (Vec<Variant>, Vec<Text>) = (list(*variants), list(*options));
    let images = pictures(&list(*images));
    let own = row(
        position,
        &[
            (Field::Title, &title.0),
            (Field::Description, &body_html.0),
            (Field::Brand, &vendor.0),
            (Field::Category, &product_type.0),
            (Field::Tags, &tags.0),
            (Field::Images, &images),
            (Field::Link, &link),
        ],
    );
    let names = options.iter().zip(OPTION_NAMES);
    let mut own = names.fold(own, |own, (name, field)| own.with(field, &name.0));
    for variant in variants.iter().map(Some).chain(variants.is_empty().then_some(None)) {
        own = own.with(Field::Group, &handle.0).with(Field::Status, &status.0);
        match variant {
            Some(variant) => variant.add(own, currency, gathered)?,
            None => gathered.add(&own)?,
        }
        own = row(position, &[]);
    }
    Ok(Some(()))
}

impl Variant<'_> {
    fn add(&self, own: Row, currency: &str, gathered: &mut Gathered) -> Result<(), FileError> {
        let [price, list_price] = [self.price, self.compare_at_price].map(|price| decimal(number(price)));
        let mut own = own
            .with(Field::Price, &price)
            .with(Field::ListPrice, &list_price)
            .with(Field::Currency, currency)
            .with(Field::Sku, &self.sku.0)
            .with(Field::Gtin, &self.barcode.0)
            .with(Field::Grams, number(self.grams))
            .with(Field::VariantImage, &self.featured_image.0);
        if let Some(is_available) = self.available {
            own = own.with(Field::Availability, if is_available { "in stock" } else { "out of stock" });
        }
        let options = [&self.option1, &self.option2, &self.option3].into_iter().zip(OPTION_VALUES);
        let own = options.fold(own, |own, (value, field)| own.with(field, &value.0));
        gathered.add(&own)
    }
}

/// A decimal with a point, as amounts are read.
fn decimal(text: &str) -> Cow<'_, str> {
    let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
    match is_digits(digits) && (!text.contains('.') || is_digits(decimals)) {
        true if decimals.len() == 3 => amount(digits, decimals).into(),
        true => text.into(),
        false if text.is_empty() => text.into(),
        false => no_amount(text).into(),
    }
}
