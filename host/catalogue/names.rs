//! The distinct names of products, such as their brands, with a number for each.

use std::collections::BTreeMap;

use super::search::fold;

/// The number of a product's name if it has none.
pub(crate) const NONE: u32 = u32::MAX;

/// The distinct names of products.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// By their numbers: in alphabetical order, whatever their case and accents.
    names: Vec<String>,
    /// For each name the position of the first product that has it.
    first: Vec<u32>,
    /// The numbers of the names in their exact order.
    by_name: Vec<u32>,
}

impl Names {
    /// The names, and for each product the number of its name.
    pub(super) fn new<'a>(of_products: impl Iterator<Item = Option<&'a str>> + Clone) -> (Self, Vec<u32>) {
        let mut first = BTreeMap::new();
        for (position, name) in (0..NONE).zip(of_products.clone()) {
            if let Some(name) = name {
                first.entry(name).or_insert(position);
            }
        }
        let mut names: Vec<&str> = first.keys().copied().collect();
        names.sort_by_cached_key(|name| fold(name));
        let numbers: BTreeMap<&str, u32> = names.iter().copied().zip(0..NONE).collect();
        let of_product = of_products.map(|name| name.map_or(NONE, |name| numbers[name])).collect();
        let first = names.iter().map(|name| first[name]).collect();
        let names = names.into_iter().map(str::to_owned).collect();
        (Self { names, first, by_name: numbers.into_values().collect() }, of_product)
    }

    /// The names by their numbers.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The position of the first product that has a name.
    pub(super) fn first(&self, number: u32) -> u32 {
        self.first[number as usize]
    }

    /// The number of a name, if it occurs.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        let exact = |&number: &u32| self.names[number as usize].as_str().cmp(name);
        let at = self.by_name.binary_search_by(exact).ok()?;
        self.by_name.get(at).copied()
    }
}
