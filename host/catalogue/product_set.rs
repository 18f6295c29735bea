//! An ordered list of products, with an index for filtering that is computed once.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::model::{Slug, Summary};

/// The index of a product without a brand or category.
pub(crate) const NONE: u32 = u32::MAX;

/// Products in order, with indexed brands and categories and lower-cased texts for search.
#[derive(Debug, Default, PartialEq)]
pub struct ProductSet {
    products: Vec<Summary>,
    /// Lower-cased title and description of each product, separated by a newline, which cleaned texts
    /// never contain.
    texts: Vec<String>,
    brands: Names<String>,
    categories: Names<Slug>,
    price_ceiling: u32,
}

/// Distinct names in alphabetical order, and each product's index into them.
#[derive(Debug, PartialEq)]
pub struct Names<T> {
    pub names: Vec<T>,
    /// For each product, the index of its name, or [`NONE`].
    pub of_product: Vec<u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { names: Vec::new(), of_product: Vec::new() }
    }
}

/// A set is serialised as its products; everything else is derived again.
impl Serialize for ProductSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.products.serialize(serializer)
    }
}

impl From<Vec<Summary>> for ProductSet {
    fn from(products: Vec<Summary>) -> Self {
        Self::new(products)
    }
}

impl ProductSet {
    /// Builds the index of `products`, which keep their order.
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
            // The parser limits prices to less than `u32::MAX`.
            price_ceiling: highest.ceil() as u32,
            products,
        }
    }

    /// The same products, sorted (stable).
    pub fn sorted_by(&self, compare: impl Fn(&Summary, &Summary) -> std::cmp::Ordering) -> Self {
        let mut products = self.products.clone();
        products.sort_by(compare);
        Self::new(products)
    }

    /// The products for which `keep` is true.
    pub fn only(&self, keep: impl Fn(&Summary) -> bool) -> Self {
        Self::new(self.products.iter().filter(|product| keep(product)).cloned().collect())
    }

    /// The products whose title or description contains `text`, which must be lower-cased.
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

    /// Approximate size in memory, in bytes.
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

    /// The lower-cased title and description of each product, for searching.
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
