//! The catalogue service's JSON, and the door it comes through.
//!
//! Everything is typed, cleaned and clamped here. An entry that makes no sense is left out and
//! counted; it never costs the rest of the list. Fields that are no business of the storefront
//! (`reviewerEmail`, `meta`, `availabilityStatus`) have no place to go.

mod clean;
mod dropped;
mod entries;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod nesting;
mod product;

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use self::clean::{MAX_LABEL, address, some_text};
pub use self::dropped::Dropped;
use self::dropped::Whose;
use self::entries::Entries;
#[cfg(feature = "fuzzing")]
pub use self::fuzzing::check_parsers;
use self::nesting::check_nesting;
use self::product::{lenient, read_product, read_summary};
use super::model::{Category, CategoryPreview, Product, ProductId, Slug, Summary};
use super::{CatalogueError, Result};

/// Most entries of a list. More are no catalogue that a shop shows.
const MOST_ENTRIES: usize = 100_000;

/// An answer, and what was left out of it.
#[derive(Debug)]
pub struct Parsed<T> {
    pub value: T,
    pub dropped: Dropped,
}

#[derive(Deserialize)]
struct WireList<'a> {
    #[serde(borrow)]
    products: List<'a>,
}

type List<'a> = Entries<'a, MOST_ENTRIES>;

#[derive(Deserialize)]
struct WireCategory {
    slug: String,
    name: String,
}

pub fn parse_list(body: &[u8]) -> Result<Parsed<Vec<Summary>>> {
    check_nesting(body)?;
    let list: WireList = serde_json::from_slice(body)?;
    entries(list.products, "product", |text, _| read_summary(text), |product| product.id)
}

/// A list whose entries are whole products.
pub fn parse_everything(body: &[u8]) -> Result<Parsed<Vec<Product>>> {
    check_nesting(body)?;
    let list: WireList = serde_json::from_slice(body)?;
    entries(list.products, "product", read_product, |product| product.summary.id)
}

/// How many products there are, whatever a list shows of them.
pub fn parse_total(body: &[u8]) -> Result<Parsed<u64>> {
    #[derive(Deserialize)]
    struct Total {
        total: u64,
    }
    check_nesting(body)?;
    let Total { total } = serde_json::from_slice(body)?;
    Ok(Parsed { value: total, dropped: Dropped::default() })
}

/// The thumbnail of the first product of a list that selected nothing else, and the list's length.
pub fn parse_preview(body: &[u8]) -> Result<Parsed<CategoryPreview>> {
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
        dropped.unless(serde_json::from_str::<Thumbnail>(raw.get()).ok(), "thumbnail", || whose(raw, 0))
    });
    let thumbnail = first.and_then(|product| product.thumbnail).and_then(address);
    Ok(Parsed { value: CategoryPreview { thumbnail, count: total }, dropped })
}

pub fn parse_categories(body: &[u8]) -> Result<Parsed<Vec<Category>>> {
    check_nesting(body)?;
    let categories: List = serde_json::from_slice(body)?;
    let read = |text: &str, _: &mut Dropped| serde_json::from_str(text).map(category);
    entries(categories, "category", read, |category| category.slug.clone())
}

pub fn parse_product(body: &[u8]) -> Result<Parsed<Product>> {
    check_nesting(body)?;
    let raw: &RawValue = serde_json::from_slice(body)?;
    let mut dropped = Dropped::default();
    let parsed = read_product(raw.get(), &mut dropped).and_then(|product| {
        product.ok_or_else(|| serde_json::Error::custom("the product's values make no sense"))
    });
    match parsed {
        Ok(value) => Ok(Parsed { value, dropped }),
        Err(error) if id_of(raw).is_some() => Err(CatalogueError::Implausible(Arc::new(error))),
        Err(error) => Err(error.into()),
    }
}

/// The entries of a list that make sense, the first of each key. A list without a single one is
/// none: the service has another idea of its API, or none at all any more.
fn entries<T, K: Hash + Eq>(
    list: List,
    what: &'static str,
    read: impl Fn(&str, &mut Dropped) -> serde_json::Result<Option<T>>,
    key: impl Fn(&T) -> K,
) -> Result<Parsed<Vec<T>>> {
    if list.further > 0 {
        let all = MOST_ENTRIES + list.further;
        return Err(serde_json::Error::custom(format_args!("a list of {all} entries")).into());
    }
    let mut seen = HashSet::new();
    let mut dropped = Dropped::default();
    let mut value = Vec::new();
    for (position, raw) in list.first.iter().enumerate() {
        let entry = read(raw.get(), &mut dropped).ok().flatten();
        let first = entry.filter(|entry| seen.insert(key(entry)));
        value.extend(dropped.unless(first, what, || whose(raw, position)));
    }
    if value.is_empty() && !list.first.is_empty() {
        return Err(serde_json::Error::custom("not one entry of the list makes sense").into());
    }
    Ok(Parsed { value, dropped })
}

fn whose(raw: &RawValue, position: usize) -> Whose {
    id_of(raw).map_or(Whose::Position(position), Whose::Product)
}

/// The id, whatever else is wrong.
fn id_of(raw: &RawValue) -> Option<ProductId> {
    #[derive(Deserialize)]
    struct Identified {
        id: ProductId,
    }
    serde_json::from_str(raw.get()).ok().map(|Identified { id }| id)
}

/// Whether a 404's body is the API's own "not found" and not some proxy's page.
pub fn is_message(body: &[u8]) -> bool {
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
        let product = parse_product(body).unwrap().value;
        assert_eq!((product.summary.stock, product.sku.as_str(), product.dimensions), (5, "", None));
        assert_eq!((product.tags, product.images), (vec!["a".to_owned()], vec!["/a.svg".to_owned()]));
        assert_eq!(product.reviews.len(), 1);
    }

    #[test]
    fn a_measure_is_one_that_a_thing_can_have() {
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
    fn a_review_keeps_no_address_and_needs_a_date() {
        let body = br#"{"id":1,"title":"T","price":1,"reviews":[
            {"rating":5,"comment":"Fine","date":"2025-04-30T09:41:02.053Z","reviewerName":"A","reviewerEmail":"a@b.c"},
            {"rating":5,"comment":"Fine","date":"yesterday","reviewerName":"B"}]}"#;
        let product = parse_product(body).unwrap().value;
        assert_eq!(product.reviews.len(), 1);
        assert!(!format!("{product:?}").contains("a@b.c"));
    }

    #[test]
    fn a_list_without_a_sensible_entry_is_none_but_an_empty_one_is() {
        assert!(parse_list(br#"{"products":[{"id":null,"title":7,"price":"1"},null]}"#).is_err());
        assert!(parse_categories(br#"[{"slug":5}]"#).is_err());
        assert!(parse_list(br#"{"products":[]}"#).unwrap().value.is_empty());
        assert!(parse_categories(b"[]").unwrap().value.is_empty());
    }

    #[test]
    fn a_lone_surrogate_costs_one_product() {
        let good = r#"{"id":1,"title":"Good","price":1}"#;
        let bad = r#"{"id":2,"title":"\ud800","price":1}"#;
        let worse = r#"{"id":3,"title":"x","price":1,"tags":["\udc00\ud800"]}"#;
        let list = parse_list(format!(r#"{{"products":[{bad},{good}]}}"#).as_bytes()).unwrap();
        assert_eq!((list.value[0].id, list.value.len(), list.dropped.count()), (1, 1, 1));
        assert!(matches!(parse_product(bad.as_bytes()), Err(CatalogueError::Implausible(_))));
        let parsed = parse_product(worse.as_bytes()).unwrap();
        assert_eq!((parsed.value.tags.len(), parsed.dropped.count()), (0, 1));
    }

    #[test]
    fn one_bad_product_is_told_from_an_answer_that_is_none() {
        let implausible = [r#"{"id":7,"title":null}"#, r#"{"id":7}"#, r#"{"id":7,"title":"","price":1}"#];
        for product in implausible {
            assert!(matches!(parse_product(product.as_bytes()), Err(CatalogueError::Implausible(_))));
        }
        for answer in [r#"{"error":"maintenance"}"#, r#"{"id":null}"#, r#"{"id":7"#, "7", "null"] {
            assert!(matches!(parse_product(answer.as_bytes()), Err(CatalogueError::Malformed(_))));
        }
    }

    #[test]
    fn depth_is_refused_in_parts_that_are_skipped_too() {
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
    fn a_preview_survives_a_product_without_sense() {
        let body = br#"{"products":[{"id":1,"thumbnail":5}],"total":"many"}"#;
        let parsed = parse_preview(body).unwrap();
        assert_eq!((parsed.value, parsed.dropped.count()), (CategoryPreview::default(), 1));
    }
}
