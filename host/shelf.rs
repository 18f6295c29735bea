//! A shelf: an ordered result set with everything that filtering needs worked out once.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::catalogue::{Slug, Summary};

/// The value of a product without a brand or category.
pub const NONE: u32 = u32::MAX;

/// Products in order, with their brands and categories numbered and their texts folded for search.
#[derive(Debug, Default, PartialEq)]
pub struct Shelf {
    products: Vec<Summary>,
    /// Title and description of each product, lower-cased, with a separator between them that no
    /// text contains.
    texts: Vec<String>,
    brands: Names<String>,
    categories: Names<Slug>,
    price_ceiling: u32,
}

/// Distinct names in alphabetical order, and which of them each product has.
#[derive(Debug, PartialEq)]
pub struct Names<T> {
    pub names: Vec<T>,
    /// For each product the index of its name, or [`NONE`].
    pub of_product: Vec<u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { names: Vec::new(), of_product: Vec::new() }
    }
}

/// A shelf is saved as its products; everything else is worked out again.
impl Serialize for Shelf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.products.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Shelf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

impl Shelf {
    pub fn new(products: Vec<Summary>) -> Self {
        let texts = products
            .iter()
            .map(|product| {
                format!("{}\n{}", product.title.to_lowercase(), product.description.to_lowercase())
            })
            .collect();
        let highest = products.iter().map(|product| product.price).fold(0.0, f64::max);
        Self {
            texts,
            brands: Names::number(products.iter().map(|product| product.brand.as_ref())),
            categories: Names::number(products.iter().map(|product| product.category.as_ref())),
            // Prices are limited where they enter, far below what the type holds.
            price_ceiling: highest.ceil() as u32,
            products,
        }
    }

    /// The same products in another order, best first.
    pub fn sorted_by(&self, compare: impl Fn(&Summary, &Summary) -> std::cmp::Ordering) -> Self {
        let mut products = self.products.clone();
        products.sort_by(compare);
        Self::new(products)
    }

    /// Only the products that `keep` accepts.
    pub fn only(&self, keep: impl Fn(&Summary) -> bool) -> Self {
        Self::new(self.products.iter().filter(|product| keep(product)).cloned().collect())
    }

    /// Only the products whose title or description contains `text`, which is lower-cased.
    pub fn containing(&self, text: &str) -> Self {
        let finder = memchr::memmem::Finder::new(text);
        let contains = |(_, folded): &(_, &String)| finder.find(folded.as_bytes()).is_some();
        let found = self.products.iter().zip(&self.texts).filter(contains);
        Self::new(found.map(|(product, _)| product.clone()).collect())
    }

    /// The first `count` products.
    pub fn first(&self, count: usize) -> Self {
        Self::new(self.products.iter().take(count).cloned().collect())
    }

    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        let products: usize = self.products.iter().map(Summary::size).sum();
        size_of::<Self>() + products + self.texts.iter().map(String::len).sum::<usize>()
    }

    pub fn len(&self) -> usize {
        self.products.len()
    }

    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    pub fn products(&self) -> &[Summary] {
        &self.products
    }

    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub fn brands(&self) -> &Names<String> {
        &self.brands
    }

    pub fn categories(&self) -> &Names<Slug> {
        &self.categories
    }

    /// The highest price rounded up, in whole dollars.
    pub fn price_ceiling(&self) -> u32 {
        self.price_ceiling
    }
}

impl<T: Ord + Clone> Names<T> {
    fn number<'a>(of_products: impl Iterator<Item = Option<&'a T>> + Clone) -> Self
    where
        T: 'a,
    {
        let mut numbers: BTreeMap<&T, u32> = of_products.clone().flatten().map(|name| (name, 0)).collect();
        for (number, slot) in numbers.values_mut().enumerate() {
            *slot = u32::try_from(number).unwrap_or(NONE);
        }
        Self {
            of_product: of_products.map(|name| name.map_or(NONE, |name| numbers[name])).collect(),
            names: numbers.into_keys().cloned().collect(),
        }
    }
}
