//! The distinct names of products, such as their brands, with a number for each.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The number of a product's name if it has none.
pub(crate) const NONE: u32 = u32::MAX;

/// The distinct names of products.
#[derive(Debug)]
pub(super) struct Names<T> {
    /// The names by their numbers.
    pub(super) names: Vec<T>,
    /// The numbers of the names in their exact order.
    by_name: Vec<u32>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { names: Vec::new(), by_name: Vec::new() }
    }
}

impl<T: Ord + Clone> Names<T> {
    /// The names in the order of their keys, and for each product the number of its name.
    pub(super) fn new<'a, Key: Ord>(
        of_products: impl Iterator<Item = Option<&'a T>> + Clone,
        key: impl Fn(&T) -> Key,
    ) -> (Self, Vec<u32>)
    where
        T: 'a,
    {
        let mut numbers: BTreeMap<&T, u32> = of_products.clone().flatten().map(|name| (name, 0)).collect();
        let mut names: Vec<&T> = numbers.keys().copied().collect();
        names.sort_by_cached_key(|name| key(name));
        for (number, name) in (0..NONE).zip(&names) {
            numbers.insert(name, number);
        }
        let of_product = of_products.map(|name| name.map_or(NONE, |name| numbers[name])).collect();
        let names = names.into_iter().cloned().collect();
        (Self { names, by_name: numbers.into_values().collect() }, of_product)
    }

    /// The number of the name that compares equal.
    pub(super) fn number(&self, compare: impl Fn(&T) -> Ordering) -> Option<u32> {
        let at = self.by_name.binary_search_by(|&number| compare(&self.names[number as usize])).ok()?;
        self.by_name.get(at).copied()
    }
}
