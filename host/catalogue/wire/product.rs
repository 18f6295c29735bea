//! A product as the service sends it, and what the storefront makes of it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::clean::{MAX_LABEL, address, count, is_gtin13, some_text, text};
use super::dropped::{Dropped, Whose};
use super::entries::Entries;
use crate::catalogue::model::{Dimensions, Product, ProductId, Review, Slug, Summary};

/// Longest texts that are kept, in characters. Longer ones are cut, because nobody reads them and
/// every page would carry them.
pub const MAX_TITLE: usize = 300;
pub const MAX_TEXT: usize = 5_000;
/// Most entries of a list inside a product.
pub const MAX_IMAGES: usize = 24;
pub const MAX_TAGS: usize = 24;
pub const MAX_REVIEWS: usize = 200;
pub const MAX_PRICE: f64 = 1e9;
/// So many entries of such a list are looked at for that many that make sense.
const MOST_ENTRIES: usize = 1_000;
/// The largest weight in kilograms, or length in centimetres, that a product has.
const MAX_MEASURE: f64 = 1e6;

/// Only an id, a title and a price are needed; what else is wrong is as good as missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WireSummary {
    id: ProductId,
    title: String,
    price: f64,
    #[serde(default, deserialize_with = "lenient")]
    description: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    category: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    brand: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    discount_percentage: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    rating: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    stock: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    thumbnail: Option<String>,
}

/// What a product has beyond its summary. It is read from the same text on its own, because reading
/// both at once would copy all that neither knows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireDetails<'a> {
    #[serde(default, borrow, deserialize_with = "lenient")]
    tags: Option<List<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    sku: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    weight: Option<f64>,
    #[serde(default, deserialize_with = "lenient")]
    dimensions: Option<WireDimensions>,
    #[serde(default, deserialize_with = "lenient")]
    warranty_information: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    shipping_information: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    return_policy: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    minimum_order_quantity: Option<f64>,
    #[serde(default, borrow, deserialize_with = "lenient")]
    images: Option<List<'a>>,
    #[serde(default, borrow, deserialize_with = "lenient")]
    reviews: Option<List<'a>>,
    #[serde(default, deserialize_with = "lenient")]
    meta: Option<WireMeta>,
}

type List<'a> = Entries<'a, MOST_ENTRIES>;

/// A value of the wrong type is no value.
pub fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

/// Of the service's bookkeeping only the barcode is of use.
#[derive(Deserialize)]
struct WireMeta {
    barcode: String,
}

#[derive(Deserialize)]
struct WireDimensions {
    width: f64,
    height: f64,
    depth: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireReview {
    reviewer_name: String,
    rating: f64,
    date: String,
    comment: String,
}

/// A product as lists show it, if its text is that of one.
pub fn read_summary(text: &str) -> serde_json::Result<Option<Summary>> {
    serde_json::from_str(text).map(summary)
}

/// A whole product, if its text is that of one.
pub fn read_product(text: &str, dropped: &mut Dropped) -> serde_json::Result<Option<Product>> {
    let Some(summary) = read_summary(text)? else { return Ok(None) };
    let details = serde_json::from_str(text)?;
    Ok(Some(product(summary, details, dropped)))
}

fn summary(wire: WireSummary) -> Option<Summary> {
    let price = Some(wire.price).filter(|price| (0.0..=MAX_PRICE).contains(price))?;
    Some(Summary {
        id: Some(wire.id).filter(|id| *id > 0)?,
        title: some_text(&wire.title, MAX_TITLE)?,
        description: text(wire.description.as_deref().unwrap_or_default(), MAX_TEXT),
        category: wire.category.as_deref().and_then(Slug::parse),
        brand: wire.brand.and_then(|brand| some_text(&brand, MAX_LABEL)),
        price,
        discount_percentage: wire
            .discount_percentage
            .filter(|percentage| (0.0..100.0).contains(percentage))
            .unwrap_or(0.0),
        rating: wire.rating.filter(|rating| rating.is_finite()).unwrap_or(0.0).clamp(0.0, 5.0),
        stock: count(wire.stock.unwrap_or(0.0)),
        thumbnail: wire.thumbnail.and_then(address),
    })
}

fn product(summary: Summary, wire: WireDetails, dropped: &mut Dropped) -> Product {
    let label = |value: Option<String>| text(value.as_deref().unwrap_or_default(), MAX_LABEL);
    let whose = || Whose::Product(summary.id);
    let tags = typed(
        wire.tags,
        MAX_TAGS,
        |tag: String| some_text(&tag, MAX_LABEL),
        |entry| dropped.unless(entry, "tag", whose),
    );
    let reviews = typed(wire.reviews, MAX_REVIEWS, review, |entry| dropped.unless(entry, "review", whose));
    let mut images = typed(wire.images, MAX_IMAGES, address, |entry| dropped.unless(entry, "image", whose));
    if images.is_empty() {
        images.extend(summary.thumbnail.clone());
    }
    Product {
        tags,
        sku: label(wire.sku),
        gtin13: wire.meta.map(|meta| meta.barcode).filter(|barcode| is_gtin13(barcode)),
        weight: wire.weight.filter(|weight| is_measure(*weight)),
        dimensions: wire.dimensions.and_then(dimensions),
        warranty: label(wire.warranty_information),
        shipping: label(wire.shipping_information),
        returns: label(wire.return_policy),
        minimum_order_quantity: count(wire.minimum_order_quantity.unwrap_or(1.0)).max(1),
        images,
        reviews,
        summary,
    }
}

/// The first `limit` entries that are of the right type and make sense; `note` hears of each.
fn typed<W: DeserializeOwned, T>(
    entries: Option<List>,
    limit: usize,
    clean: impl Fn(W) -> Option<T>,
    mut note: impl FnMut(Option<T>) -> Option<T>,
) -> Vec<T> {
    let entries = entries.unwrap_or_default().first.into_iter();
    entries
        .filter_map(|entry| note(serde_json::from_str(entry.get()).ok().and_then(&clean)))
        .take(limit)
        .collect()
}

fn dimensions(wire: WireDimensions) -> Option<Dimensions> {
    let WireDimensions { width, height, depth } = wire;
    [width, height, depth].into_iter().all(is_measure).then_some(Dimensions { width, height, depth })
}

/// Of what is smaller, two decimals show nothing.
fn is_measure(measure: f64) -> bool {
    (0.005..=MAX_MEASURE).contains(&measure)
}

fn review(wire: WireReview) -> Option<Review> {
    crate::format::date(&wire.date)?;
    Some(Review {
        reviewer_name: some_text(&wire.reviewer_name, MAX_LABEL)?,
        // The clamped value is a whole number from 1 to 5, so the cast is exact.
        rating: Some(wire.rating).filter(|rating| rating.is_finite())?.round().clamp(1.0, 5.0) as u8,
        date: wire.date,
        comment: text(&wire.comment, MAX_TEXT),
    })
}
