//! One page of products, as lines.

use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io;

use reqwest::header::{ETAG, HeaderMap, HeaderValue, LAST_MODIFIED};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::json_shops::System;
use super::calls::Answer;
use super::error::ShopError;
use crate::catalogue::store::Bytes;
use crate::process::compute::off_runtime;

/// More products on one page than either system shows.
const MOST: usize = 1_000;

/// How many products and pages there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals {
    pub(super) products: usize,
    pub(super) pages: usize,
}

/// A page.
pub(super) struct Page {
    pub(super) products: Vec<Line>,
    pub(super) totals: Option<Totals>,
    pub(super) etag: Option<HeaderValue>,
    pub(super) modified: Option<HeaderValue>,
}

/// A product on one line.
pub(super) struct Line {
    /// Its id, or a hash of a product without one.
    pub(super) id: u64,
    pub(super) text: String,
}

/// A page of the last pass, whose server can say that it has not changed.
#[derive(Clone, Debug)]
pub(super) struct KnownPage {
    pub(super) etag: HeaderValue,
    pub(super) totals: Option<Totals>,
    pub(super) lines: Bytes,
}

impl Totals {
    fn of(headers: &HeaderMap) -> Option<Self> {
        let number = |name| headers.get(name)?.to_str().ok()?.trim().parse().ok();
        Some(Self { products: number("x-wp-total")?, pages: number("x-wp-totalpages")? })
    }
}

impl Line {
    fn of(text: &str) -> Self {
        #[derive(Deserialize)]
        struct Id {
            id: u64,
        }
        let id = serde_json::from_str(text).map(|Id { id }| id).unwrap_or_else(|_| hash(&text));
        Self { id, text: text.replace(['\n', '\r'], " ") }
    }
}

impl Page {
    /// The page in an answer.
    ///
    /// # Errors
    /// When it has no list of products.
    pub(super) async fn of(answer: Answer, system: System) -> Result<Self, ShopError> {
        answer.check()?;
        let Answer { headers, body, .. } = answer;
        let header = |name| headers.get(name).cloned();
        let (etag, modified) = (header(ETAG), header(LAST_MODIFIED));
        let products = off_runtime(move || lines(&body, system)).await?;
        Ok(Self { products, totals: Totals::of(&headers), etag, modified })
    }

    /// The page as it was, after an answer with these headers that says so.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) async fn unchanged(known: &KnownPage, headers: &HeaderMap) -> Result<Self, ShopError> {
        let lines = known.lines.clone();
        let read = off_runtime(move || {
            let text = String::from_utf8(lines.to_vec()?).map_err(|_| io::ErrorKind::InvalidData)?;
            Ok(text.lines().map(Line::of).collect())
        });
        let products = read.await.map_err(ShopError::Kept)?;
        let totals = Totals::of(headers).or(known.totals);
        let modified = headers.get(LAST_MODIFIED).cloned();
        Ok(Self { products, totals, etag: Some(known.etag.clone()), modified })
    }

    /// What tells it from pages with other products.
    pub(super) fn hash(&self) -> u64 {
        hash(&self.products.iter().map(|line| line.id).collect::<Vec<_>>())
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The products of a body, which is a list or, of Shopify, an object with the list `products`.
fn lines(body: &[u8], system: System) -> Result<Vec<Line>, ShopError> {
    #[derive(Deserialize)]
    struct Products<'a> {
        #[serde(borrow)]
        products: Vec<&'a RawValue>,
    }
    let products = match (body.trim_ascii_start().first(), system) {
        (Some(b'{'), System::Shopify) => serde_json::from_slice(body).map(|Products { products }| products),
        (Some(b'['), System::Shopify) => return Err(ShopError::NoList),
        _ => serde_json::from_slice(body),
    };
    match products {
        Ok(products) if products.len() > MOST => Err(ShopError::TooLarge),
        Ok(products) => Ok(products.into_iter().map(|product| Line::of(product.get())).collect()),
        Err(error) if error.is_data() => Err(ShopError::NoList),
        Err(error) => Err(ShopError::Json(error)),
    }
}
