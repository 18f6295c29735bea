//! JSON Lines: a product on each line, with everything that is known of it, as `catalogue/file/json.rs` reads it.

use std::io;

use serde::Serialize;

use crate::catalogue::{
    Condition, Dimensions, EnergyClass, Gtin, Product, ProductKey, Review, ReviewDate, Slug, Summary, Terms,
    Variant, VariantOption,
};
use crate::document::Site;
use crate::profile::{Currency, Money};

/// Numbers below this one are read exactly by every program.
const EXACT: u64 = 1 << 53;

/// A product. The fields have the names that a catalogue service gives them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    id: Id<'a>,
    title: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    brand: Option<&'a str>,
    price: Price,
    currency: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    list_price: Option<f64>,
    /// Absent beside a list price, which expresses it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    discount_percentage: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stock: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    sku: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mpn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<Meta<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<Dimensions>,
    #[serde(skip_serializing_if = "str::is_empty")]
    warranty_information: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    shipping_information: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    return_policy: &'a str,
    minimum_order_quantity: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbnail: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(flatten)]
    terms: TermsOfLine,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy_efficiency_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_energy_efficiency_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_energy_efficiency_class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum_age: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviews: Option<Vec<ReviewLine<'a>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variants: Vec<VariantLine<'a>>,
}

/// A number if programs read it exactly, otherwise a text.
#[derive(Serialize)]
#[serde(untagged)]
enum Id<'a> {
    Short(&'a ProductKey),
    Long(String),
}

impl<'a> Id<'a> {
    fn of(key: &'a ProductKey) -> Self {
        match key.number() {
            Some(EXACT..) => Self::Long(key.to_string()),
            _ => Self::Short(key),
        }
    }
}

/// A price of zero is a text: the number would mean that the price is not known.
#[derive(Serialize)]
#[serde(untagged)]
enum Price {
    Amount(f64),
    Free(&'static str),
}

impl Price {
    fn of(price: Money, currency: Currency) -> Self {
        if price == Money::default() { Self::Free("free") } else { Self::Amount(currency.decimal(price)) }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    barcode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewLine<'a> {
    reviewer_name: &'a str,
    rating: u8,
    date: &'a str,
    comment: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VariantLine<'a> {
    options: &'a [VariantOption],
    price: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    list_price: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stock: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    sku: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gtin: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    #[serde(flatten)]
    terms: TermsOfLine,
}

/// What stands beside the price of a product or a variant.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TermsOfLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_pricing_measure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit_pricing_base_measure: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lowest_price: Option<f64>,
}

impl TermsOfLine {
    fn of(Terms { condition, content, lowest }: Terms, currency: Currency) -> Self {
        Self {
            condition: condition.map(Condition::word),
            unit_pricing_measure: content.map(|content| content.measure().into()),
            unit_pricing_base_measure: content.map(|content| content.base().into()),
            lowest_price: lowest.map(|lowest| currency.decimal(lowest)),
        }
    }
}

/// Writes the line of a product with prices in `currency`. Its pictures get absolute addresses.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(product: &Product, currency: Currency, site: &Site, to: &mut Vec<u8>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, &line(product, &currency, site))?;
    to.push(b'\n');
    Ok(())
}

/// The line of a product. It names every field of products, so that a new field has to be added here.
fn line<'a>(
    Product {
        summary:
            Summary {
                id,
                title,
                description,
                category,
                brand,
                price,
                list_price,
                discount_percentage,
                rating,
                availability,
                thumbnail,
                second: _,
                is_from: _,
                colours: _,
                content: _,
            },
        tags,
        sku,
        gtin,
        mpn,
        weight,
        dimensions,
        warranty,
        shipping,
        returns,
        minimum_order_quantity,
        images,
        link,
        reviews,
        changed,
        terms,
        energy,
        minimum_age,
        variants,
    }: &'a Product,
    currency: &'a Currency,
    site: &Site,
) -> Line<'a> {
    let energy = energy.map(EnergyClass::names);
    Line {
        id: Id::of(id),
        title,
        description,
        category: category.as_ref().map(name),
        brand: brand.as_deref(),
        price: Price::of(*price, *currency),
        currency: currency.code(),
        list_price: list_price.map(|price| currency.decimal(price)),
        discount_percentage: Some(*discount_percentage).filter(|own| list_price.is_none() && *own > 0.0),
        rating: *rating,
        availability: availability.word(),
        stock: availability.units(),
        sku,
        mpn: mpn.as_deref(),
        meta: meta(gtin.as_ref(), *changed),
        tags,
        weight: *weight,
        dimensions: *dimensions,
        warranty_information: warranty,
        shipping_information: shipping,
        return_policy: returns,
        minimum_order_quantity: *minimum_order_quantity,
        thumbnail: thumbnail.as_deref().map(|picture| site.picture(picture)),
        images: images.iter().map(|picture| site.picture(picture)).collect(),
        link: link.as_deref(),
        terms: TermsOfLine::of(*terms, *currency),
        energy_efficiency_class: energy.map(|[class, ..]| class),
        min_energy_efficiency_class: energy.map(|[_, best, _]| best),
        max_energy_efficiency_class: energy.map(|[.., worst]| worst),
        minimum_age: *minimum_age,
        reviews: reviews.as_ref().map(|reviews| reviews.iter().map(review).collect()),
        variants: variants.iter().map(|own| variant(own, *currency, site)).collect(),
    }
}

/// The text from which the reader makes the same category.
pub(super) fn name(category: &Slug) -> &str {
    category.name().unwrap_or(category.as_str())
}

fn meta(gtin: Option<&Gtin>, changed: Option<i64>) -> Option<Meta<'_>> {
    let changed = changed.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    (gtin.is_some() || changed.is_some()).then(|| Meta {
        barcode: gtin.map(Gtin::as_str),
        updated_at: changed.map(|changed| changed.to_string()),
    })
}

fn review(review: &Review) -> ReviewLine<'_> {
    let Review { reviewer_name, rating, date, comment } = review;
    ReviewLine { reviewer_name, rating: *rating, date: ReviewDate::as_str(date), comment }
}

fn variant<'a>(variant: &'a Variant, currency: Currency, site: &Site) -> VariantLine<'a> {
    VariantLine {
        options: &variant.options,
        price: currency.decimal(variant.price),
        list_price: variant.list_price.map(|price| currency.decimal(price)),
        availability: variant.availability.word(),
        stock: variant.availability.units(),
        sku: &variant.sku,
        gtin: variant.gtin.as_ref().map(Gtin::as_str),
        image: variant.picture.as_deref().map(|picture| site.picture(picture)),
        link: variant.link.as_deref(),
        terms: TermsOfLine::of(variant.terms, currency),
    }
}
