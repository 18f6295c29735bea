//! Pages of a list: a part of its products, or of their ids alone.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use super::entries::Entries;
use super::number::Number;
use super::{Dropped, Field, List, check_length, entry, id_of, product, text_of};
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::catalogue::query::Result;
use crate::profile::Currency;

/// Maximum number of ids in one answer. An id takes 24 bytes of memory, but only a few bytes of a body.
const MAX_IDS: usize = 2_000_000;

/// A part of a list of products.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Row>,
    /// The number of products of the whole list, as the service states it.
    pub(crate) total: Option<u64>,
}

/// An entry of a page, valid or not.
#[derive(Debug)]
pub(crate) struct Row {
    /// The id, even if the entry is invalid otherwise.
    pub(crate) key: Option<ProductKey>,
    /// The cleaned product; `None` if the entry is invalid.
    pub(crate) product: Option<Product>,
    /// The values that are left out of the product, or the whole entry if it is invalid.
    pub(crate) dropped: Dropped,
}

/// The ids of a part of a list; `None` for an entry without a valid one.
#[derive(Debug)]
pub(crate) struct Ids {
    pub(crate) ids: Vec<Option<ProductKey>>,
    /// See [`Page::total`].
    pub(crate) total: Option<u64>,
}

/// The products of a page. Unlike a whole list, a page may have no valid entry, or several entries with the same key.
///
/// # Errors
/// When it is not a list, or is too long.
pub(crate) fn parse_page(body: &[u8], currency: Currency) -> Result<Page> {
    #[derive(Deserialize)]
    struct WirePage<'a> {
        #[serde(borrow)]
        products: List<'a>,
        #[serde(default)]
        total: Field<Number>,
    }
    let body = text_of(body)?;
    let WirePage { products, total } = serde_json::from_str(&body)?;
    check_length(&products)?;
    let any_replaced = matches!(body, Cow::Owned(_));
    let rows = products.first.iter().enumerate();
    let rows = rows.map(|(index, raw)| row(raw, any_replaced, index, currency)).collect();
    Ok(Page { rows, total: whole(total) })
}

/// One product as an entry of a list.
///
/// # Errors
/// When it is no JSON.
pub(crate) fn parse_row(body: &[u8], currency: Currency) -> Result<Row> {
    let body = text_of(body)?;
    let raw: &RawValue = serde_json::from_str(&body)?;
    Ok(row(raw, matches!(body, Cow::Owned(_)), 0, currency))
}

/// The entry at this index of a body, which may have replaced bytes.
fn row(raw: &RawValue, any_replaced: bool, index: usize, currency: Currency) -> Row {
    let mut dropped = Dropped::default();
    let parse = |text: &str, dropped: &mut Dropped| product::parse_product(text, currency, dropped);
    let product = entry(any_replaced, raw, index, "product", parse, &mut dropped);
    let key = product.as_ref().map_or_else(|| id_of(raw), |product| Some(product.summary.id.clone()));
    Row { key, product, dropped }
}

/// The ids of a page.
///
/// # Errors
/// See [`parse_page`].
pub(crate) fn parse_ids(body: &[u8]) -> Result<Ids> {
    #[derive(Deserialize)]
    struct WireIds<'a> {
        #[serde(borrow)]
        products: Entries<'a, MAX_IDS>,
        #[serde(default)]
        total: Field<Number>,
    }
    let body = text_of(body)?;
    let WireIds { products, total } = serde_json::from_str(&body)?;
    if products.further > 0 {
        return Err(serde_json::Error::custom("too many ids").into());
    }
    Ok(Ids { ids: products.first.iter().map(|raw| id_of(raw)).collect(), total: whole(total) })
}

fn whole(total: Field<Number>) -> Option<u64> {
    total.given().and_then(Number::whole)
}

#[cfg(test)]
mod tests {
    use super::super::parse_everything;
    use super::*;

    const ROWS: &str = r#"{"id":1,"title":"Good","price":1.5,"rating":"x"},
        {"id":2,"title":null,"price":1},
        {"id":"four","title":"Wrong type","price":1}, null,
        {"id":1,"title":"Twice","price":1}, {"id":6,"title":" A\u0001B ","price":2}"#;

    fn body(rows: &str) -> Vec<u8> {
        format!(r#"{{"products":[{rows}],"total":"7"}}"#).into_bytes()
    }

    #[test]
    fn the_rows_of_a_page_are_cleaned_like_those_of_a_whole_list() {
        let body = body(ROWS);
        let page = parse_page(&body, Currency::default()).unwrap();
        let whole = parse_everything(&body, Currency::default()).unwrap();
        let keys: Vec<_> =
            page.rows.iter().map(|row| row.key.as_ref().and_then(ProductKey::number)).collect();
        assert_eq!(keys, [Some(1), Some(2), None, None, Some(1), Some(6)]);
        assert_eq!(page.total, Some(7));
        let products: Vec<_> = page.rows.iter().filter_map(|row| row.product.clone()).collect();
        assert_eq!([&products[0], &products[2]], [&whole.value[0], &whole.value[1]]);
        let mut dropped = Dropped::default();
        page.rows.into_iter().for_each(|row| dropped.absorb(row.dropped, 100));
        dropped.add_repeated_product(1.into());
        let lines = |dropped: &Dropped| dropped.kinds().map(|(kind, _)| kind.to_string()).collect::<Vec<_>>();
        assert_eq!((lines(&dropped), dropped.count()), (lines(&whole.dropped), whole.dropped.count()));
        let places: Vec<_> = dropped.kinds().map(|(_, left_out)| left_out.to_string()).collect();
        assert!(places.iter().any(|places| places.contains("position 102")), "{places:?}");
    }

    #[test]
    fn ids_are_those_of_the_rows_and_what_is_no_list_is_an_error() {
        let body = body(ROWS);
        let ids = parse_ids(&body).unwrap();
        let page = parse_page(&body, Currency::default()).unwrap();
        assert!(ids.ids.iter().eq(page.rows.iter().map(|row| &row.key)));
        assert_eq!(ids.total, Some(7));
        for other in ["", "[]", "{}", r#"{"products":{}}"#, r#"{"products":[1"#] {
            assert!(parse_ids(other.as_bytes()).is_err(), "{other}");
            assert!(parse_page(other.as_bytes(), Currency::default()).is_err(), "{other}");
        }
        let list = br#"{"products":[["50005","Title","1","2","3"]]}"#;
        let page = parse_page(list, Currency::default()).unwrap();
        assert!(page.rows[0].product.is_none() && page.rows[0].key == parse_ids(list).unwrap().ids[0]);
        let alone = parse_row(br#"{"id":3,"title":"Alone","price":1}"#, Currency::default()).unwrap();
        assert_eq!((alone.key, alone.product.unwrap().summary.title), (Some(3.into()), "Alone".to_owned()));
        let none = parse_page(br#"{"products":[{"id":3}]}"#, Currency::default()).unwrap();
        assert!(none.rows[0].product.is_none() && none.total.is_none());
    }
}
