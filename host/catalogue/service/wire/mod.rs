//! Parses and validates the catalogue service's JSON.
//!
//! All values are typed, cleaned and clamped here. An invalid entry is dropped and counted; the rest of
//! the list is kept. Fields that the storefront does not need, such as `reviewerEmail` and
//! `availabilityStatus`, are not read. From `meta`, the barcode and the dates are read.

mod dropped;
mod entries;
mod field;
#[cfg(any(test, feature = "fuzzing"))]
mod fuzzing;
mod nesting;
mod number;
mod page;
mod product;
mod terms;
mod variant;

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use self::dropped::Why;
pub(crate) use self::dropped::{Dropped, EntryId, Kind};
use self::entries::Entries;
use self::field::{Field, Fields};
#[cfg(any(test, feature = "fuzzing"))]
pub use self::fuzzing::{check_parsers, check_product, check_summary};
pub(crate) use self::nesting::{check_nesting, is_nested_within};
use self::number::Number;
pub(crate) use self::page::{Ids, Page, Row, parse_ids, parse_page, parse_row};
#[cfg(test)]
pub(crate) use self::product::example as example_product;
pub(crate) use self::product::{OTHER_NAMES, is_field, parse_named};
use self::product::{Rejection, parse_summary, product_id};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::{
    Category, CategoryPreview, MAX_LABEL, Product, Summary, picture_address, some_text,
};
use crate::catalogue::query::Result;
use crate::catalogue::slug::Slug;
use crate::profile::Currency;

/// Maximum number of entries in a list; a longer list is rejected.
pub(crate) const MAX_ENTRIES: usize = 100_000;

/// Makes a valid address of a picture from the written one; `None` if it is not valid.
type PictureAddress<'a> = &'a dyn Fn(String) -> Option<String>;

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

/// A category; some services send only slugs.
#[derive(Deserialize)]
#[serde(untagged)]
enum WireCategory {
    Named { slug: String, name: String },
    Slug(String),
}

/// The text of a body, without a byte order mark. Bytes that are not UTF-8 become U+FFFD, so that they cost no more
/// than the entry in which they are.
///
/// # Errors
/// When it is nested too deeply, or when so much of it is not UTF-8 that the text would be much larger.
fn text_of(body: &[u8]) -> serde_json::Result<Cow<'_, str>> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    check_nesting(body)?;
    let invalid = body.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
    if invalid > body.len() / 8 {
        return Err(serde_json::Error::custom("not UTF-8"));
    }
    Ok(String::from_utf8_lossy(body))
}

/// Counts an entry if bytes in it were replaced. `any` says whether the body has replaced bytes at all.
fn count_replaced(any: bool, raw: &RawValue, dropped: &mut Dropped, place: impl FnOnce() -> EntryId) {
    if any && raw.get().contains(char::REPLACEMENT_CHARACTER) {
        dropped.add("text", Why::NotUtf8, place());
    }
}

/// A list of products with prices in `currency`, with the fields that were selected.
pub(crate) fn parse_list(body: &[u8], currency: Currency) -> Result<Parsed<Vec<Summary>>> {
    let body = text_of(body)?;
    let list: WireList = serde_json::from_str(&body)?;
    let parse = |text: &str, dropped: &mut Dropped| parse_summary(text, currency, dropped);
    entries(matches!(body, Cow::Owned(_)), list.products, "product", parse, |product| product.id.clone())
}

/// A list of products with all their details.
pub(crate) fn parse_everything(body: &[u8], currency: Currency) -> Result<Parsed<Vec<Product>>> {
    let body = text_of(body)?;
    let list: WireList = serde_json::from_str(&body)?;
    let parse = |text: &str, dropped: &mut Dropped| product::parse_product(text, currency, dropped);
    entries(matches!(body, Cow::Owned(_)), list.products, "product", parse, |product| {
        product.summary.id.clone()
    })
}

/// The total number of products, which every list states.
pub(crate) fn parse_total(body: &[u8]) -> Result<Parsed<u64>> {
    #[derive(Deserialize)]
    struct Total {
        total: Number,
    }
    let Total { total } = serde_json::from_str(&text_of(body)?)?;
    let value = total.whole().ok_or_else(|| serde_json::Error::custom("not a number of products"))?;
    Ok(Parsed { value, dropped: Dropped::default() })
}

/// The thumbnail of the first product of a list, and the total number of products.
pub(crate) fn parse_preview(body: &[u8]) -> Result<Parsed<CategoryPreview>> {
    #[derive(Deserialize)]
    struct First<'a> {
        #[serde(borrow)]
        products: Entries<'a, 1>,
        #[serde(default)]
        total: Field<Number>,
    }
    #[derive(Deserialize)]
    struct Thumbnail {
        #[serde(default)]
        thumbnail: Field<String>,
    }
    let body = text_of(body)?;
    let First { products, total } = serde_json::from_str(&body)?;
    let mut dropped = Dropped::default();
    let thumbnail = products.first.first().and_then(|raw| {
        let field =
            serde_json::from_str(raw.get()).map_or(Field::Invalid, |first: Thumbnail| first.thumbnail);
        Fields { dropped: &mut dropped, place: place(raw, 0) }.read("thumbnail", field, picture_address)
    });
    let count = total.given().and_then(Number::whole).and_then(|total| u32::try_from(total).ok());
    Ok(Parsed { value: CategoryPreview { thumbnail, count }, dropped })
}

/// All categories.
pub(crate) fn parse_categories(body: &[u8]) -> Result<Parsed<Vec<Category>>> {
    let body = text_of(body)?;
    let categories: List = serde_json::from_str(&body)?;
    let parse = |text: &str, _: &mut Dropped| {
        serde_json::from_str(text).ok().and_then(category).ok_or("slug and name")
    };
    entries(matches!(body, Cow::Owned(_)), categories, "category", parse, |category| category.slug.clone())
}

/// One product with all its details.
///
/// # Errors
/// `Implausible` if it has an id but its other required values are invalid, otherwise `Malformed`: only
/// the latter counts as a failure of the service.
pub(crate) fn parse_product(body: &[u8], currency: Currency) -> Result<Parsed<Product>> {
    let body = text_of(body)?;
    let raw: &RawValue = serde_json::from_str(&body)?;
    let mut dropped = Dropped::default();
    match product::parse_product(raw.get(), currency, &mut dropped) {
        Ok(value) => {
            count_replaced(matches!(body, Cow::Owned(_)), raw, &mut dropped, || {
                EntryId::Product(value.summary.id.clone())
            });
            Ok(Parsed { value, dropped })
        }
        Err(field) => Err(match id_of(raw) {
            Some(product) => CatalogueError::Implausible { product, field },
            None => serde_json::Error::custom("a product without an id").into(),
        }),
    }
}

/// The valid entries of a list; of entries with the same key, the first.
///
/// # Errors
/// When a list has entries but no valid one: the service's schema has probably changed. Also when the
/// list is too long.
fn entries<T, K: Hash + Eq>(
    any_replaced: bool,
    list: List,
    what: &'static str,
    parse: impl Fn(&str, &mut Dropped) -> std::result::Result<T, Rejection>,
    key: impl Fn(&T) -> K,
) -> Result<Parsed<Vec<T>>> {
    check_length(&list)?;
    let mut seen = HashSet::new();
    let mut dropped = Dropped::default();
    let mut value = Vec::new();
    for (position, &raw) in list.first.iter().enumerate() {
        match entry(any_replaced, raw, position, what, &parse, &mut dropped) {
            Some(entry) if seen.insert(key(&entry)) => value.push(entry),
            Some(_) => dropped.add(what, Why::Repeated, place(raw, position)),
            None => {}
        }
    }
    if value.is_empty() && !list.first.is_empty() {
        return Err(serde_json::Error::custom("not one entry of the list makes sense").into());
    }
    Ok(Parsed { value, dropped })
}

/// # Errors
/// When a list is too long.
fn check_length(list: &List) -> Result<()> {
    match list.further {
        0 => Ok(()),
        further => {
            Err(serde_json::Error::custom(format_args!("a list of {} entries", MAX_ENTRIES + further)).into())
        }
    }
}

/// The entry at a position of a list, if it is valid. Counts the values that are left out of it, or the whole entry.
fn entry<T>(
    any_replaced: bool,
    raw: &RawValue,
    position: usize,
    what: &'static str,
    parse: impl Fn(&str, &mut Dropped) -> std::result::Result<T, Rejection>,
    dropped: &mut Dropped,
) -> Option<T> {
    count_replaced(any_replaced, raw, dropped, || place(raw, position));
    parse(raw.get(), dropped)
        .map_err(|field| dropped.add(what, Why::Without(field), place(raw, position)))
        .ok()
}

fn place(raw: &RawValue, position: usize) -> EntryId {
    id_of(raw).map_or(EntryId::Position(position), EntryId::Product)
}

/// The id of an entry, even if other fields are invalid.
fn id_of(raw: &RawValue) -> Option<ProductKey> {
    #[derive(Deserialize)]
    struct Identified {
        id: Number,
    }
    serde_json::from_str(raw.get()).ok().and_then(|Identified { id }| product_id(id))
}

/// Whether the body of a 404 is the API's own error message, and not a proxy's error page.
pub(crate) fn is_message(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Message {
        #[serde(rename = "message")]
        _message: String,
    }
    text_of(body).is_ok_and(|text| serde_json::from_str::<Message>(&text).is_ok())
}

fn category(wire: WireCategory) -> Option<Category> {
    let (slug, name) = match wire {
        WireCategory::Named { slug, name } => (Slug::parse(&slug)?, some_text(name, MAX_LABEL)?),
        WireCategory::Slug(slug) => Slug::parse(&slug).map(|slug| (slug.clone(), slug.title()))?,
    };
    Some(Category { slug, name })
}

#[cfg(test)]
mod tests;
