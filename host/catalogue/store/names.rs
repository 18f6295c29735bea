//! The distinct names of products, such as their brands, with a number for each.

use std::collections::HashMap;

use crate::catalogue::search::fold;

/// The number for a product without a name.
pub(crate) const NONE: u32 = u32::MAX;

/// The distinct names of products.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names by their numbers: in alphabetical order, regardless of case and accents.
    names: Vec<String>,
    /// The numbers of the names, in the exact order of the names.
    by_name: Vec<u32>,
}

/// Collects names, product by product.
#[derive(Debug, Default)]
pub(super) struct NamesBuilder {
    /// Each name, and how many other names were found before it.
    found: HashMap<Box<str>, u32>,
    /// For each product the place of its name in `found`, or [`NONE`].
    of_product: Vec<u32>,
}

impl NamesBuilder {
    /// Adds the name of the next product. Returns whether the product is the first one with this name.
    pub(super) fn push(&mut self, name: Option<&str>) -> bool {
        let known = self.found.len();
        let place = name.map_or(NONE, |name| match self.found.get(name) {
            Some(place) => *place,
            None => {
                // There are at most as many names as products, whose number fits 32 bits.
                let place = self.found.len() as u32;
                self.found.insert(name.into(), place);
                place
            }
        });
        self.of_product.push(place);
        self.found.len() > known
    }

    /// The names, and for each product the number of its name.
    pub(super) fn finish(mut self) -> (Names, Box<[u32]>) {
        let mut found: Vec<(Box<str>, u32)> = self.found.into_iter().collect();
        found.sort_unstable();
        found.sort_by_cached_key(|(name, _)| fold(name));
        let mut numbers = vec![NONE; found.len()];
        for (number, (_, place)) in (0..).zip(&found) {
            numbers[*place as usize] = number;
        }
        for place in self.of_product.iter_mut().filter(|place| **place != NONE) {
            *place = numbers[*place as usize];
        }
        let names = found.into_iter().map(|(name, _)| name.into()).collect();
        (Names::new(names), self.of_product.into())
    }
}

impl Names {
    fn new(names: Vec<String>) -> Self {
        let mut by_name: Vec<u32> = (0..NONE).take(names.len()).collect();
        by_name.sort_unstable_by_key(|&number| &names[number as usize]);
        Self { names, by_name }
    }

    /// Saved names; `None` unless they are distinct. Those that an earlier program saved may have another order.
    pub(super) fn distinct(names: Vec<String>) -> Option<Self> {
        let names = Self::new(names);
        let in_order: Vec<&String> =
            names.by_name.iter().map(|&number| &names.names[number as usize]).collect();
        in_order.is_sorted_by(|one, next| one < next).then_some(names)
    }

    /// The names by their numbers.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The number of a name, if it occurs.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        let exact = |&number: &u32| self.names[number as usize].as_str().cmp(name);
        let at = self.by_name.binary_search_by(exact).ok()?;
        self.by_name.get(at).copied()
    }
}
