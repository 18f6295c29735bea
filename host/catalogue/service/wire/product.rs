//! Parses a product: its schema in the API, and the conversion to the storefront's types. What was saved of a
//! product passes the same rules.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::clean::{MAX_LABEL, address, count, is_gtin13, some_text, text};
use super::dropped::{Dropped, Place};
use super::entries::Entries;
use crate::catalogue::model::{
    Dimensions, Product, ProductId, Review, ReviewDate, Slug, Summary, is_moment, seconds,
};

/// Longest title, in characters. Longer texts are cut, because they would enlarge every page.
pub(super) const MAX_TITLE: usize = 300;
/// Longest description or comment, in characters; longer ones are cut.
pub(super) const MAX_TEXT: usize = 5_000;
/// Most entries of each list in a product; further ones are ignored.
pub(super) const MAX_IMAGES: usize = 24;
pub(super) const MAX_TAGS: usize = 24;
pub(super) const MAX_REVIEWS: usize = 200;
/// Highest plausible price, in US dollars.
pub(super) const MAX_PRICE: f64 = 1e9;
/// How many entries of such a list are parsed to find the valid ones.
const MAX_ENTRIES: usize = 1_000;
/// Largest plausible weight in kilograms, and length in centimetres.
const MAX_MEASURE: f64 = 1e6;

/// The schema of a summary. Id, title and price are required; other invalid fields count as missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireSummary {
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

/// The schema of the other fields. It is parsed from the same text separately, because flattening both
/// into one struct would make serde buffer all fields, including unknown ones.
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

type List<'a> = Entries<'a, MAX_ENTRIES>;

/// Parses a field; `None` if the value has the wrong type.
pub(super) fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> std::result::Result<Option<T>, D::Error> {
    let raw = <&RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).ok())
}

/// The schema of `meta`; nothing else of it is read.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireMeta {
    #[serde(default, deserialize_with = "lenient")]
    barcode: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    updated_at: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    created_at: Option<String>,
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

/// Parses a summary. `None` if its values are implausible.
pub(super) fn parse_summary(text: &str) -> serde_json::Result<Option<Summary>> {
    serde_json::from_str(text).map(summary)
}

/// Parses a whole product. `None` if the values of its summary are implausible.
pub(super) fn parse_product(text: &str, dropped: &mut Dropped) -> serde_json::Result<Option<Product>> {
    let Some(summary) = parse_summary(text)? else { return Ok(None) };
    let details = serde_json::from_str(text)?;
    Ok(Some(product(summary, details, dropped)))
}

/// The first required field that is missing or invalid in a product that is rejected.
pub(super) fn invalid_field(text: &str) -> &'static str {
    #[derive(Deserialize)]
    struct Required {
        #[serde(default, deserialize_with = "lenient")]
        id: Option<ProductId>,
        #[serde(default, deserialize_with = "lenient")]
        title: Option<String>,
    }
    let Ok(Required { id, title }) = serde_json::from_str(text) else {
        // One of them is there twice.
        return "field names";
    };
    if id.is_none_or(|id| id == 0) {
        "id"
    } else if title.is_none_or(|title| some_text(&title, MAX_TITLE).is_none()) {
        "title"
    } else {
        // Nothing else is required.
        "price"
    }
}

/// The summary; `None` if its values are implausible.
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
        second: None,
    })
}

fn product(summary: Summary, wire: WireDetails, dropped: &mut Dropped) -> Product {
    let label = |value: Option<String>| text(value.as_deref().unwrap_or_default(), MAX_LABEL);
    let place = || Place::Product(summary.id);
    let tags = parse_entries(
        wire.tags,
        MAX_TAGS,
        |label: String| tag(&label),
        |entry| dropped.count_none(entry, "tag", place),
    );
    let reviews =
        parse_entries(wire.reviews, MAX_REVIEWS, review, |entry| dropped.count_none(entry, "review", place));
    let mut images =
        parse_entries(wire.images, MAX_IMAGES, address, |entry| dropped.count_none(entry, "image", place));
    if images.is_empty() {
        images.extend(summary.thumbnail.clone());
    }
    let meta = wire.meta.unwrap_or_default();
    let date = |text: Option<String>| text.as_deref().and_then(seconds);
    Product {
        tags,
        sku: label(wire.sku),
        gtin13: meta.barcode.filter(|barcode| is_gtin13(barcode)),
        weight: wire.weight.filter(|weight| is_plausible(*weight)),
        dimensions: wire.dimensions.and_then(dimensions),
        warranty: label(wire.warranty_information),
        shipping: label(wire.shipping_information),
        returns: label(wire.return_policy),
        minimum_order_quantity: count(wire.minimum_order_quantity.unwrap_or(1.0)).max(1),
        images,
        reviews,
        changed: date(meta.updated_at).or_else(|| date(meta.created_at)),
        summary,
    }
}

/// The first `limit` entries that have the right type and that `clean` accepts. `count` is called with
/// each result and returns it.
fn parse_entries<W: DeserializeOwned, T>(
    entries: Option<List>,
    limit: usize,
    clean: impl Fn(W) -> Option<T>,
    mut count: impl FnMut(Option<T>) -> Option<T>,
) -> Vec<T> {
    let entries = entries.unwrap_or_default().first.into_iter();
    entries
        .filter_map(|entry| count(serde_json::from_str(entry.get()).ok().and_then(&clean)))
        .take(limit)
        .collect()
}

pub(super) fn tag(label: &str) -> Option<String> {
    some_text(label, MAX_LABEL)
}

fn dimensions(wire: WireDimensions) -> Option<Dimensions> {
    let WireDimensions { width, height, depth } = wire;
    [width, height, depth].into_iter().all(is_plausible).then_some(Dimensions { width, height, depth })
}

/// Whether a weight or length is plausible. Pages show two decimals, which would show a smaller one as 0.
fn is_plausible(measure: f64) -> bool {
    (0.005..=MAX_MEASURE).contains(&measure)
}

fn review(wire: WireReview) -> Option<Review> {
    Some(Review {
        reviewer_name: some_text(&wire.reviewer_name, MAX_LABEL)?,
        // The clamped value is a whole number from 1 to 5, so the cast is exact.
        rating: Some(wire.rating).filter(|rating| rating.is_finite())?.round().clamp(1.0, 5.0) as u8,
        date: ReviewDate::parse(&wire.date)?,
        comment: text(&wire.comment, MAX_TEXT),
    })
}

/// A product as the service sends it, with a value in every field. The client's tests show it.
/// A saved summary by the rules for those that the service sends; `None` if it has no plausible id, title or
/// price.
pub(crate) fn clean_summary(saved: Summary) -> Option<Summary> {
    summary(WireSummary {
        id: saved.id,
        title: saved.title,
        price: saved.price,
        description: Some(saved.description),
        category: saved.category.map(|slug| slug.to_string()),
        brand: saved.brand,
        discount_percentage: Some(saved.discount_percentage),
        rating: Some(saved.rating),
        stock: Some(saved.stock.into()),
        thumbnail: saved.thumbnail,
    })
}

/// A saved product by the same rules; `None` without a valid summary. Other invalid values are left out.
pub(crate) fn clean_product(saved: Product) -> Option<Product> {
    let clean_review = |saved: Review| {
        review(WireReview {
            reviewer_name: saved.reviewer_name,
            rating: saved.rating.into(),
            date: saved.date.into(),
            comment: saved.comment,
        })
    };
    let clean_dimensions =
        |Dimensions { width, height, depth }| dimensions(WireDimensions { width, height, depth });
    Some(Product {
        summary: clean_summary(saved.summary)?,
        tags: saved.tags.iter().filter_map(|label| tag(label)).take(MAX_TAGS).collect(),
        sku: text(&saved.sku, MAX_LABEL),
        gtin13: saved.gtin13.filter(|barcode| is_gtin13(barcode)),
        weight: saved.weight.filter(|weight| is_plausible(*weight)),
        dimensions: saved.dimensions.and_then(clean_dimensions),
        warranty: text(&saved.warranty, MAX_LABEL),
        shipping: text(&saved.shipping, MAX_LABEL),
        returns: text(&saved.returns, MAX_LABEL),
        minimum_order_quantity: saved.minimum_order_quantity.max(1),
        images: saved.images.into_iter().filter_map(address).take(MAX_IMAGES).collect(),
        reviews: saved.reviews.into_iter().filter_map(clean_review).take(MAX_REVIEWS).collect(),
        changed: saved.changed.filter(|changed| is_moment(*changed)),
    })
}

#[cfg(test)]
pub(crate) fn example() -> Product {
    let text = r#"{
        "id": 1, "title": "Tall Oak Lamp", "description": "A lamp of solid oak with a linen shade.",
        "category": "home-decoration", "brand": "Halm", "sku": "HOM-HAL-001", "tags": ["oak", "50% wool"],
        "price": 40, "discountPercentage": 19.98, "rating": 4.4, "stock": 12, "minimumOrderQuantity": 1,
        "dimensions": { "width": 24, "height": 60, "depth": 24 }, "weight": 3,
        "warrantyInformation": "2 year warranty", "shippingInformation": "Ships in 1 week",
        "returnPolicy": "30 days return policy", "thumbnail": "/art/lamp.svg",
        "images": ["/art/lamp.svg", "/art/lamp-2.svg", "/art/lamp-3.svg"],
        "reviews": [
            { "reviewerName": "Ada", "rating": 3, "date": "2025-03-01T10:00:00.000Z", "comment": "Fine." },
            { "reviewerName": "Bo", "rating": 5, "date": "2024-12-24T10:00:00.000Z", "comment": "Lovely." }
        ]
    }"#;
    parse_product(text, &mut Dropped::default()).unwrap().unwrap()
}
