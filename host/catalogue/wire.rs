//! The catalogue service's JSON, and the door it comes through.
//!
//! Everything is typed, cleaned and clamped here. A product that makes no sense is dropped and
//! logged; it never costs the rest of the list. Fields that are no business of the storefront
//! (`reviewerEmail`, `meta`, `availabilityStatus`) have no place to go.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::model::{Category, Dimensions, Product, ProductId, Review, Slug, Summary};

/// Longest texts that are kept, in characters. Longer ones are cut, because nobody reads them and
/// every page would carry them.
const MAX_TITLE: usize = 300;
const MAX_TEXT: usize = 5_000;
const MAX_LABEL: usize = 120;
const MAX_ADDRESS: usize = 2_000;
/// Most entries of a list inside a product.
const MAX_IMAGES: usize = 24;
const MAX_TAGS: usize = 24;
const MAX_REVIEWS: usize = 200;
const MAX_PRICE: f64 = 1e9;

#[derive(Deserialize)]
struct WireList<'a> {
    #[serde(borrow)]
    products: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct WireCategory {
    slug: String,
    name: String,
}

/// Only an id, a title and a price are needed; what else is wrong is as good as missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireSummary {
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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireProduct {
    #[serde(flatten)]
    summary: WireSummary,
    #[serde(default, deserialize_with = "lenient_list")]
    tags: Vec<String>,
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
    #[serde(default, deserialize_with = "lenient_list")]
    images: Vec<String>,
    #[serde(default, deserialize_with = "lenient_list")]
    reviews: Vec<WireReview>,
    #[serde(default, deserialize_with = "lenient")]
    meta: Option<WireMeta>,
}

/// A value of the wrong type is no value.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// Entries of the wrong type are left out.
fn lenient_list<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let Value::Array(entries) = Value::deserialize(deserializer)? else { return Ok(Vec::new()) };
    Ok(entries
        .into_iter()
        .filter_map(|entry| keep("entry of a list", serde_json::from_value(entry).ok()))
        .collect())
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

pub fn parse_list(body: &[u8]) -> serde_json::Result<Vec<Summary>> {
    let list: WireList = serde_json::from_slice(body)?;
    let mut seen = HashSet::with_capacity(list.products.len());
    Ok(list
        .products
        .iter()
        .filter_map(|raw| {
            keep("product", serde_json::from_str::<WireSummary>(raw.get()).ok().and_then(summary))
        })
        .filter(|product| seen.insert(product.id))
        .collect())
}

/// The thumbnail of the first product of a list that selected nothing else.
pub fn parse_first_thumbnail(body: &[u8]) -> serde_json::Result<(Option<String>, Option<u32>)> {
    #[derive(Deserialize)]
    struct First {
        products: Vec<Thumbnail>,
        total: Option<u32>,
    }
    #[derive(Deserialize)]
    struct Thumbnail {
        thumbnail: Option<String>,
    }
    let first: First = serde_json::from_slice(body)?;
    let thumbnail = first.products.into_iter().next().and_then(|product| product.thumbnail);
    Ok((thumbnail.and_then(address), first.total))
}

pub fn parse_categories(body: &[u8]) -> serde_json::Result<Vec<Category>> {
    let categories: Vec<&RawValue> = serde_json::from_slice(body)?;
    let mut seen = HashSet::new();
    Ok(categories
        .iter()
        .filter_map(|raw| {
            keep("category", serde_json::from_str::<WireCategory>(raw.get()).ok().and_then(category))
        })
        .filter(|category| seen.insert(category.slug.clone()))
        .collect())
}

pub fn parse_product(body: &[u8]) -> serde_json::Result<Product> {
    let wire: WireProduct = serde_json::from_slice(body)?;
    product(wire).ok_or_else(|| serde::de::Error::custom("the product's values make no sense"))
}

/// Whether a 404's body is the API's own "not found" and not some proxy's page.
pub fn is_message(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message {
        #[serde(rename = "message")]
        _message: String,
    }
    serde_json::from_slice::<Message>(body).is_ok()
}

fn keep<T>(what: &str, parsed: Option<T>) -> Option<T> {
    if parsed.is_none() {
        tracing::warn!(what, "dropped an entry of the catalogue that makes no sense");
    }
    parsed
}

fn category(wire: WireCategory) -> Option<Category> {
    Some(Category { slug: Slug::parse(&wire.slug)?, name: some_text(&wire.name, MAX_LABEL)? })
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

fn product(wire: WireProduct) -> Option<Product> {
    let summary = summary(wire.summary)?;
    let label = |value: Option<String>| text(value.as_deref().unwrap_or_default(), MAX_LABEL);
    let mut images: Vec<String> = wire.images.into_iter().filter_map(address).take(MAX_IMAGES).collect();
    if images.is_empty() {
        images.extend(summary.thumbnail.clone());
    }
    Some(Product {
        tags: wire.tags.iter().filter_map(|tag| some_text(tag, MAX_LABEL)).take(MAX_TAGS).collect(),
        sku: label(wire.sku),
        gtin13: wire.meta.map(|meta| meta.barcode).filter(|barcode| is_gtin13(barcode)),
        weight: wire.weight.filter(|weight| weight.is_finite() && *weight > 0.0),
        dimensions: wire.dimensions.and_then(dimensions),
        warranty: label(wire.warranty_information),
        shipping: label(wire.shipping_information),
        returns: label(wire.return_policy),
        minimum_order_quantity: count(wire.minimum_order_quantity.unwrap_or(1.0)).max(1),
        images,
        reviews: wire
            .reviews
            .into_iter()
            .filter_map(|wire| keep("review", review(wire)))
            .take(MAX_REVIEWS)
            .collect(),
        summary,
    })
}

fn dimensions(wire: WireDimensions) -> Option<Dimensions> {
    let WireDimensions { width, height, depth } = wire;
    let sensible = |length: f64| length.is_finite() && length > 0.0;
    (sensible(width) && sensible(height) && sensible(depth)).then_some(Dimensions { width, height, depth })
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

/// Thirteen digits of which the last is the check digit: with weights 1 and 3 in turn, the sum is a
/// multiple of ten (GS1 General Specifications, check digit calculation).
fn is_gtin13(barcode: &str) -> bool {
    let digits: Option<Vec<u32>> = barcode.chars().map(|character| character.to_digit(10)).collect();
    digits.is_some_and(|digits| {
        let weighted = digits.iter().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight);
        digits.len() == 13 && weighted.sum::<u32>().is_multiple_of(10)
    })
}

/// The whole number, within what the type holds: casts of floats saturate.
fn count(number: f64) -> u32 {
    number.round() as u32
}

/// Trims, turns control characters into spaces, and cuts after `limit` characters.
fn text(value: &str, limit: usize) -> String {
    // The two noncharacters may not even stand in XML.
    let readable = |character: char| !character.is_control() && !matches!(character, '\u{fffe}' | '\u{ffff}');
    value
        .trim()
        .chars()
        .take(limit)
        .map(|character| if readable(character) { character } else { ' ' })
        .collect()
}

fn some_text(value: &str, limit: usize) -> Option<String> {
    Some(text(value, limit)).filter(|text| !text.is_empty())
}

/// An image's address: `http(s)`, or a path on this host. Anything else could run script or leave
/// the page's policy.
fn address(value: String) -> Option<String> {
    let on_this_host = value.starts_with('/') && !value.starts_with("//") && !value.contains('\\');
    if value.len() > MAX_ADDRESS {
        return None;
    }
    if on_this_host {
        return value.bytes().all(|byte| byte.is_ascii_graphic()).then_some(value);
    }
    let url = url::Url::parse(&value).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_product_costs_only_itself() {
        let body = br#"{"products":[
            {"id":1,"title":"Good","price":1.5},
            {"id":2,"title":null,"price":1},
            {"id":3,"title":"Negative","price":-1},
            {"id":"4","title":"Wrong type","price":1},
            {"id":1,"title":"Twice","price":1},
            {"id":6,"title":"  ","price":1},
            {"id":7,"title":"Also good","price":2,"brand":null,"unknown":{"deep":[1]}}
        ],"total":7,"skip":0,"limit":7}"#;
        let ids: Vec<_> = parse_list(body).unwrap().iter().map(|product| product.id).collect();
        assert_eq!(ids, [1, 7]);
    }

    #[test]
    fn values_are_clamped_and_cleaned() {
        let long = "x".repeat(1_000_000);
        let body = format!(
            r#"{{"products":[{{"id":1,"title":"{long}","price":1,"rating":99,"stock":-5,"discountPercentage":100,
                "category":"../admin","brand":" a\u0000b ","thumbnail":"javascript:alert(1)"}}]}}"#
        );
        let product = parse_list(body.as_bytes()).unwrap().remove(0);
        assert_eq!(product.title.chars().count(), MAX_TITLE);
        assert_eq!((product.rating, product.stock, product.discount_percentage), (5.0, 0, 0.0));
        assert_eq!((product.category, product.thumbnail), (None, None));
        assert_eq!(product.brand.as_deref(), Some("a b"));
    }

    #[test]
    fn only_images_that_a_page_may_show_are_kept() {
        for (given, kept) in [
            ("https://cdn.example/a%20b/1.webp", Some("https://cdn.example/a%20b/1.webp")),
            ("https://cdn.example/a b.webp", Some("https://cdn.example/a%20b.webp")),
            ("/sample-images/mug-rose-1.svg", Some("/sample-images/mug-rose-1.svg")),
            ("//evil.example/x", None),
            ("/\\evil.example/x", None),
            ("data:image/svg+xml,<svg/>", None),
            ("not an address", None),
        ] {
            assert_eq!(address(given.into()).as_deref(), kept, "{given}");
        }
    }

    #[test]
    fn a_barcode_needs_its_check_digit() {
        assert!(is_gtin13("4006381333931"));
        for wrong in ["4006381333932", "400638133393", "40063813339310", "400638133393x", ""] {
            assert!(!is_gtin13(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_is_not_the_api_is_an_error() {
        for body in ["<!doctype html>", "", "null", "[]", "{\"products\":5}", &"[".repeat(10_000)] {
            assert!(parse_list(body.as_bytes()).is_err(), "{body:.20}");
            assert!(parse_product(body.as_bytes()).is_err(), "{body:.20}");
        }
    }

    #[test]
    fn a_bad_part_costs_only_itself() {
        let body = br#"{"id":1,"title":"T","price":1,"stock":5.0,"sku":7,"tags":["a",null,1],
            "dimensions":{"width":1},"images":["/a.svg",null],"meta":{"barcode":5},
            "reviews":[{"rating":5},"x",{"rating":4,"comment":"Fine","date":"2025-04-30T09:41:02Z","reviewerName":"A"}]}"#;
        let product = parse_product(body).unwrap();
        assert_eq!((product.summary.stock, product.sku.as_str(), product.dimensions), (5, "", None));
        assert_eq!((product.tags, product.images), (vec!["a".to_owned()], vec!["/a.svg".to_owned()]));
        assert_eq!(product.reviews.len(), 1);
    }

    #[test]
    fn a_review_keeps_no_address_and_needs_a_date() {
        let body = br#"{"id":1,"title":"T","price":1,"reviews":[
            {"rating":5,"comment":"Fine","date":"2025-04-30T09:41:02.053Z","reviewerName":"A","reviewerEmail":"a@b.c"},
            {"rating":5,"comment":"Fine","date":"yesterday","reviewerName":"B"}]}"#;
        let product = parse_product(body).unwrap();
        assert_eq!(product.reviews.len(), 1);
        assert!(!format!("{product:?}").contains("a@b.c"));
    }
}
