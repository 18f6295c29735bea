//! Parses and validates the catalogue service's JSON.
//!
//! All values are typed, cleaned and clamped here. An invalid entry is dropped and counted; the rest of
//! the list is kept. Fields that the storefront does not need, such as `reviewerEmail` and
//! `availabilityStatus`, are not read; of `meta`, only the barcode is.

mod clean;
mod dropped;
mod entries;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod nesting;
mod product;
mod saved;

use std::collections::HashSet;
use std::hash::Hash;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use self::clean::{MAX_LABEL, address, some_text};
pub(crate) use self::dropped::Dropped;
use self::dropped::Place;
use self::entries::Entries;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::fuzzing::{check_parsers, check_product, check_summary};
pub(crate) use self::nesting::check_nesting;
#[cfg(test)]
pub(crate) use self::product::example as example_product;
pub(crate) use self::product::{clean_product, clean_summary};
use self::product::{invalid_field, lenient, parse_summary};
pub(crate) use self::saved::{clean_category, clean_preview};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{Category, CategoryPreview, Product, ProductId, Slug, Summary};
use crate::catalogue::query::Result;

/// Most entries of a list; a longer list is rejected.
pub(crate) const MAX_ENTRIES: usize = 100_000;

/// A parsed answer, and the entries dropped from it.
#[derive(Debug)]
pub(crate) struct Parsed<T> {
    pub value: T,
    pub dropped: Dropped,
}

impl<T> Parsed<T> {
    pub(super) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Parsed<U> {
        Parsed { value: convert(self.value), dropped: self.dropped }
    }
}

#[derive(Deserialize)]
struct WireList<'a> {
    #[serde(borrow)]
    products: List<'a>,
}

type List<'a> = Entries<'a, MAX_ENTRIES>;

#[derive(Deserialize)]
struct WireCategory {
    slug: String,
    name: String,
}

/// A list of products, with the fields that were selected.
pub(crate) fn parse_list(body: &[u8]) -> Result<Parsed<Vec<Summary>>> {
    check_nesting(body)?;
    let list: WireList = serde_json::from_slice(body)?;
    entries(list.products, "product", |text, _| parse_summary(text), |product| product.id)
}

/// A list of products with all their details.
pub(crate) fn parse_everything(body: &[u8]) -> Result<Parsed<Vec<Product>>> {
    check_nesting(body)?;
    let list: WireList = serde_json::from_slice(body)?;
    entries(list.products, "product", product::parse_product, |product| product.summary.id)
}

/// The total number of products, which every list states.
pub(crate) fn parse_total(body: &[u8]) -> Result<Parsed<u64>> {
    #[derive(Deserialize)]
    struct Total {
        total: u64,
    }
    check_nesting(body)?;
    let Total { total } = serde_json::from_slice(body)?;
    Ok(Parsed { value: total, dropped: Dropped::default() })
}

/// The thumbnail of the first product of a list, and the total number of products.
pub(crate) fn parse_preview(body: &[u8]) -> Result<Parsed<CategoryPreview>> {
    #[derive(Deserialize)]
    struct First<'a> {
        #[serde(borrow)]
        products: Entries<'a, 1>,
        #[serde(default, deserialize_with = "lenient")]
        total: Option<u32>,
    }
    #[derive(Deserialize)]
    struct Thumbnail {
        thumbnail: Option<String>,
    }
    check_nesting(body)?;
    let First { products, total } = serde_json::from_slice(body)?;
    let mut dropped = Dropped::default();
    let first = products.first.first().and_then(|raw| {
        dropped.count_none(serde_json::from_str::<Thumbnail>(raw.get()).ok(), "thumbnail", || place(raw, 0))
    });
    let thumbnail = first.and_then(|product| product.thumbnail).and_then(address);
    Ok(Parsed { value: CategoryPreview { thumbnail, count: total }, dropped })
}

/// All categories.
pub(crate) fn parse_categories(body: &[u8]) -> Result<Parsed<Vec<Category>>> {
    check_nesting(body)?;
    let categories: List = serde_json::from_slice(body)?;
    let parse = |text: &str, _: &mut Dropped| serde_json::from_str(text).map(category);
    entries(categories, "category", parse, |category| category.slug.clone())
}

/// One product with all its details.
///
/// # Errors
/// `Implausible` if it has an id but its other required values are invalid, otherwise `Malformed`: only
/// the latter counts as a failure of the service.
pub(crate) fn parse_product(body: &[u8]) -> Result<Parsed<Product>> {
    check_nesting(body)?;
    let raw: &RawValue = serde_json::from_slice(body)?;
    let mut dropped = Dropped::default();
    let parsed = product::parse_product(raw.get(), &mut dropped);
    if let Ok(Some(value)) = parsed {
        return Ok(Parsed { value, dropped });
    }
    Err(match (id_of(raw), parsed) {
        (Some(product), _) => CatalogueError::Implausible { product, field: invalid_field(raw.get()) },
        (None, Err(error)) => error.into(),
        (None, Ok(_)) => serde_json::Error::custom("a product without an id").into(),
    })
}

/// The valid entries of a list; of entries with the same key, the first.
///
/// # Errors
/// When a list has entries but no valid one: the service's schema has probably changed. Also when the
/// list is too long.
fn entries<T, K: Hash + Eq>(
    list: List,
    what: &'static str,
    parse: impl Fn(&str, &mut Dropped) -> serde_json::Result<Option<T>>,
    key: impl Fn(&T) -> K,
) -> Result<Parsed<Vec<T>>> {
    if list.further > 0 {
        let all = MAX_ENTRIES + list.further;
        return Err(serde_json::Error::custom(format_args!("a list of {all} entries")).into());
    }
    let mut seen = HashSet::new();
    let mut dropped = Dropped::default();
    let mut value = Vec::new();
    for (position, raw) in list.first.iter().enumerate() {
        let entry = parse(raw.get(), &mut dropped).ok().flatten();
        let first = entry.filter(|entry| seen.insert(key(entry)));
        value.extend(dropped.count_none(first, what, || place(raw, position)));
    }
    if value.is_empty() && !list.first.is_empty() {
        return Err(serde_json::Error::custom("not one entry of the list makes sense").into());
    }
    Ok(Parsed { value, dropped })
}

fn place(raw: &RawValue, position: usize) -> Place {
    id_of(raw).map_or(Place::Position(position), Place::Product)
}

/// The id, even if other fields are invalid.
fn id_of(raw: &RawValue) -> Option<ProductId> {
    #[derive(Deserialize)]
    struct Identified {
        id: ProductId,
    }
    serde_json::from_str(raw.get()).ok().map(|Identified { id }| id)
}

/// Whether the body of a 404 is the API's own error message, and not a proxy's error page.
pub(crate) fn is_message(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message {
        #[serde(rename = "message")]
        _message: String,
    }
    check_nesting(body).is_ok() && serde_json::from_slice::<Message>(body).is_ok()
}

fn category(wire: WireCategory) -> Option<Category> {
    Some(Category { slug: Slug::parse(&wire.slug)?, name: some_text(&wire.name, MAX_LABEL)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_product_is_dropped_alone() {
        let body = br#"{"products":[
            {"id":1,"title":"Good","price":1.5},
            {"id":2,"title":null,"price":1},
            {"id":3,"title":"Negative","price":-1},
            {"id":"4","title":"Wrong type","price":1},
            {"id":1,"title":"Twice","price":1},
            {"id":6,"title":"  ","price":1},
            {"id":7,"title":"Also good","price":2,"brand":null,"unknown":{"deep":[1]}}
        ],"total":7,"skip":0,"limit":7}"#;
        let parsed = parse_list(body).unwrap();
        let ids: Vec<_> = parsed.value.iter().map(|product| product.id).collect();
        assert_eq!((ids, parsed.dropped.count()), (vec![1, 7], 5));
    }

    #[test]
    fn values_are_clamped_and_cleaned() {
        let long = "x".repeat(1_000_000);
        let body = format!(
            r#"{{"products":[{{"id":1,"title":"{long}","price":1,"rating":99,"stock":-5,"discountPercentage":100,
                "category":"../admin","brand":" a\u0000b ","thumbnail":"javascript:alert(1)"}}]}}"#
        );
        let product = parse_list(body.as_bytes()).unwrap().value.remove(0);
        assert_eq!(product.title.chars().count(), 300);
        assert_eq!((product.rating, product.stock, product.discount_percentage), (5.0, 0, 0.0));
        assert_eq!((product.category, product.thumbnail), (None, None));
        assert_eq!(product.brand.as_deref(), Some("a b"));
    }

    #[test]
    fn bodies_of_another_schema_are_errors() {
        for body in ["<!doctype html>", "", "null", "[]", "{\"products\":5}", &"[".repeat(10_000)] {
            assert!(parse_list(body.as_bytes()).is_err(), "{body:.20}");
            assert!(parse_product(body.as_bytes()).is_err(), "{body:.20}");
        }
    }

    #[test]
    fn an_invalid_field_is_dropped_alone() {
        let body = br#"{"id":1,"title":"T","price":1,"stock":5.0,"sku":7,"tags":["a",null,1],
            "dimensions":{"width":1},"images":["/a.svg",null],"meta":{"barcode":5},
            "reviews":[{"rating":5},"x",{"rating":4,"comment":"Fine","date":"2025-04-30T09:41:02Z","reviewerName":"A"}]}"#;
        let product = parse_product(body).unwrap().value;
        assert_eq!((product.summary.stock, product.sku.as_str(), product.dimensions), (5, "", None));
        assert_eq!((product.tags, product.images), (vec!["a".to_owned()], vec!["/a.svg".to_owned()]));
        assert_eq!(product.reviews.len(), 1);
    }

    #[test]
    fn implausible_measures_are_dropped() {
        for (weight, kept) in [("2", Some(2.0)), ("1e308", None), ("0.001", None), ("-1", None), ("0", None)]
        {
            let body = format!(
                r#"{{"id":1,"title":"T","price":1,"weight":{weight},
                    "dimensions":{{"width":{weight},"height":1,"depth":1}}}}"#
            );
            let product = parse_product(body.as_bytes()).unwrap().value;
            assert_eq!((product.weight, product.dimensions.is_some()), (kept, kept.is_some()), "{weight}");
        }
    }

    #[test]
    fn a_review_needs_a_date_and_its_email_address_is_not_read() {
        let body = br#"{"id":1,"title":"T","price":1,"reviews":[
            {"rating":5,"comment":"Fine","date":"2025-04-30T09:41:02.053Z","reviewerName":"A","reviewerEmail":"a@b.c"},
            {"rating":5,"comment":"Fine","date":"yesterday","reviewerName":"B"}]}"#;
        let product = parse_product(body).unwrap().value;
        assert_eq!(product.reviews.len(), 1);
        assert!(!format!("{product:?}").contains("a@b.c"));
    }

    #[test]
    fn a_list_without_a_valid_entry_is_an_error_but_an_empty_list_is_not() {
        assert!(parse_list(br#"{"products":[{"id":null,"title":7,"price":"1"},null]}"#).is_err());
        assert!(parse_categories(br#"[{"slug":5}]"#).is_err());
        assert!(parse_list(br#"{"products":[]}"#).unwrap().value.is_empty());
        assert!(parse_categories(b"[]").unwrap().value.is_empty());
    }

    #[test]
    fn a_lone_surrogate_drops_one_product() {
        let good = r#"{"id":1,"title":"Good","price":1}"#;
        let bad = r#"{"id":2,"title":"\ud800","price":1}"#;
        let worse = r#"{"id":3,"title":"x","price":1,"tags":["\udc00\ud800"]}"#;
        let list = parse_list(format!(r#"{{"products":[{bad},{good}]}}"#).as_bytes()).unwrap();
        assert_eq!((list.value[0].id, list.value.len(), list.dropped.count()), (1, 1, 1));
        assert!(matches!(parse_product(bad.as_bytes()), Err(CatalogueError::Implausible { .. })));
        let parsed = parse_product(worse.as_bytes()).unwrap();
        assert_eq!((parsed.value.tags.len(), parsed.dropped.count()), (0, 1));
    }

    #[test]
    fn an_invalid_product_is_implausible_and_another_schema_is_malformed() {
        for (product, invalid) in [
            (r#"{"id":7,"title":null}"#, "title"),
            (r#"{"id":7}"#, "title"),
            (r#"{"id":7,"title":"","price":1}"#, "title"),
            (r#"{"id":7,"title":"T"}"#, "price"),
            (r#"{"id":7,"title":"T","price":"1"}"#, "price"),
            (r#"{"id":7,"title":"T","price":-1}"#, "price"),
            (r#"{"id":0,"title":"T","price":1}"#, "id"),
            (r#"{"id":7,"title":"T","title":"U","price":1}"#, "field names"),
        ] {
            let error = parse_product(product.as_bytes()).unwrap_err();
            let CatalogueError::Implausible { product: id, field } = error else { panic!("{error:?}") };
            assert_eq!((id, field), (if invalid == "id" { 0 } else { 7 }, invalid), "{product}");
        }
        for answer in [r#"{"error":"maintenance"}"#, r#"{"id":null}"#, r#"{"id":7"#, "7", "null"] {
            assert!(matches!(parse_product(answer.as_bytes()), Err(CatalogueError::Malformed(_))));
        }
    }

    #[test]
    fn nesting_is_limited_in_skipped_fields_too() {
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let skipped = format!(r#"{{"products":[],"extra":{deep}}}"#);
        let in_product = format!(r#"{{"id":1,"title":"T","price":1,"extra":{deep}}}"#);
        let in_list = format!(r#"{{"products":[{in_product}]}}"#);
        for body in [&skipped, &in_list, &deep] {
            assert!(parse_list(body.as_bytes()).is_err());
            assert!(parse_preview(body.as_bytes()).is_err());
        }
        assert!(parse_product(in_product.as_bytes()).is_err());
        assert!(parse_categories(format!(r#"[{{"slug":"a","name":"A","x":{deep}}}]"#).as_bytes()).is_err());
        assert!(!is_message(format!(r#"{{"message":"x","y":{deep}}}"#).as_bytes()));
    }

    #[test]
    fn an_invalid_product_leaves_the_preview_empty() {
        let body = br#"{"products":[{"id":1,"thumbnail":5}],"total":"many"}"#;
        let parsed = parse_preview(body).unwrap();
        assert_eq!((parsed.value, parsed.dropped.count()), (CategoryPreview::default(), 1));
    }
}
