//! Filters, counts and sorts the products of every listing.
//!
//! One pass over the products suffices: each facet group is counted with every filter except its own,
//! so a product that fails exactly one group still counts for that group's facets.

use std::cmp::Ordering;

use memchr::memmem;

use crate::catalogue::product_set::{NONE, ProductSet};
use crate::catalogue::{Slug, Summary};
use crate::contract::{Facet, Facets, Filters, RatingFacet, Sort};

/// The choices of the rating filter, best first; each means "and up".
const RATING_STEPS: [u8; 5] = [5, 4, 3, 2, 1];

/// The result of filtering a product set.
#[derive(Debug)]
pub struct Filtered {
    /// Positions of the matching products in the set, in display order.
    pub matches: Vec<u32>,
    pub facets: Facets,
}

/// Applies `filters` to `products`, and counts the facets.
pub fn apply(products: &ProductSet, filters: &Filters) -> Filtered {
    let needle = filters.query.to_lowercase();
    let selection = Selection::new(products, filters, &needle);
    let mut counts = Counts::of(products);
    let mut matches = Vec::new();
    for position in 0..products.len() {
        let Some(failed) = selection.failed(products, position) else { continue };
        counts.add(products, position, failed);
        if failed == 0 {
            matches.push(u32::try_from(position).unwrap_or(NONE));
        }
    }
    if let Some(sort) = filters.sort {
        // The sort is stable: products that compare equal keep the listing's order.
        matches.sort_by(|&left, &right| {
            compare(sort, &products.products()[left as usize], &products.products()[right as usize])
        });
    }
    Filtered { matches, facets: counts.into_facets(products, filters, &selection) }
}

/// The filter groups, as bits of a mask.
mod group {
    pub(super) const TEXT: u8 = 1;
    pub(super) const PRICE: u8 = 1 << 1;
    pub(super) const RATING: u8 = 1 << 2;
    pub(super) const CATEGORY: u8 = 1 << 3;
    pub(super) const BRAND: u8 = 1 << 4;
    pub(super) const STOCK: u8 = 1 << 5;
}

/// The filters, prepared for one pass over a product set.
struct Selection<'a> {
    text: Option<memmem::Finder<'a>>,
    max_price: Option<f64>,
    min_rating: Option<f64>,
    in_stock: bool,
    brands: Choice,
    categories: Choice,
}

impl<'a> Selection<'a> {
    /// `needle` is the lower-cased search text.
    fn new(products: &ProductSet, filters: &Filters, needle: &'a str) -> Self {
        let (brands, categories) = (&products.brands().names, &products.categories().names);
        Self {
            text: (!needle.is_empty()).then(|| memmem::Finder::new(needle)),
            max_price: filters.max_price.map(f64::from),
            min_rating: filters.min_rating.map(f64::from),
            in_stock: filters.in_stock,
            brands: Choice::new(brands, &filters.brands, |brand| brand.as_str()),
            categories: Choice::new(categories, &filters.categories, |slug| slug.as_str()),
        }
    }

    /// The group that rejects the product at `position`, as a mask; 0 if none does. `None` if two or more
    /// do, because such a product does not count for any facet.
    fn failed(&self, products: &ProductSet, position: usize) -> Option<u8> {
        let product = &products.products()[position];
        let fails = |group: u8, when: bool| if when { group } else { 0 };
        let mut failed = fails(group::PRICE, self.max_price.is_some_and(|max| product.price > max))
            | fails(group::RATING, self.min_rating.is_some_and(|min| product.rating < min))
            | fails(group::CATEGORY, !self.categories.admits(products.categories().of_product[position]))
            | fails(group::BRAND, !self.brands.admits(products.brands().of_product[position]))
            | fails(group::STOCK, self.in_stock && product.stock == 0);
        if failed.count_ones() > 1 {
            return None;
        }
        // The text search is the slowest, so it comes last.
        if let Some(text) = &self.text {
            failed |= fails(group::TEXT, text.find(products.texts()[position].as_bytes()).is_none());
        }
        Some(failed)
    }
}

/// The number of products of each facet.
struct Counts {
    ratings: [u32; RATING_STEPS.len()],
    brands: Vec<u32>,
    categories: Vec<u32>,
    in_stock: u32,
}

impl Counts {
    fn of(products: &ProductSet) -> Self {
        Self {
            ratings: [0; RATING_STEPS.len()],
            brands: vec![0; products.brands().names.len()],
            categories: vec![0; products.categories().names.len()],
            in_stock: 0,
        }
    }

    /// Counts a product. `failed` is the mask of the group that rejects it: the product then counts only
    /// for that group's facets.
    fn add(&mut self, products: &ProductSet, position: usize, failed: u8) {
        let product = &products.products()[position];
        let counts_for = |group: u8| failed & !group == 0;
        if counts_for(group::RATING) {
            for (count, step) in self.ratings.iter_mut().zip(RATING_STEPS) {
                *count += u32::from(product.rating >= f64::from(step));
            }
        }
        let brand = products.brands().of_product[position] as usize;
        if let Some(count) = self.brands.get_mut(brand).filter(|_| counts_for(group::BRAND)) {
            *count += 1;
        }
        let category = products.categories().of_product[position] as usize;
        if let Some(count) = self.categories.get_mut(category).filter(|_| counts_for(group::CATEGORY)) {
            *count += 1;
        }
        if counts_for(group::STOCK) {
            self.in_stock += u32::from(product.stock > 0);
        }
    }

    fn into_facets(self, products: &ProductSet, filters: &Filters, selection: &Selection<'_>) -> Facets {
        let rating =
            |(stars, count)| RatingFacet { stars, count, selected: filters.min_rating == Some(stars) };
        let category = |slug: &Slug| (slug.as_str().into(), slug.title());
        let brand = |brand: &String| (brand.clone(), brand.clone());
        Facets {
            price_ceiling: products.price_ceiling(),
            ratings: RATING_STEPS.into_iter().zip(self.ratings).map(rating).collect(),
            categories: selection.categories.facets(&products.categories().names, &self.categories, category),
            brands: selection.brands.facets(&products.brands().names, &self.brands, brand),
            in_stock: self.in_stock,
            ..Facets::default()
        }
    }
}

fn compare(sort: Sort, left: &Summary, right: &Summary) -> Ordering {
    match sort {
        Sort::PriceAsc => left.price.total_cmp(&right.price),
        Sort::PriceDesc => right.price.total_cmp(&left.price),
        Sort::RatingDesc => right.rating.total_cmp(&left.rating),
    }
}

/// Which names of a product set are selected by a filter.
struct Choice {
    selected: Vec<bool>,
    /// Without a selection the filter admits everything; a selection of unknown names admits nothing.
    everything: bool,
}

impl Choice {
    fn new<T>(names: &[T], chosen: &[String], text: impl Fn(&T) -> &str) -> Self {
        Self {
            selected: names.iter().map(|name| chosen.iter().any(|chosen| chosen == text(name))).collect(),
            everything: chosen.is_empty(),
        }
    }

    fn admits(&self, number: u32) -> bool {
        self.everything || self.selected.get(number as usize).copied().unwrap_or(false)
    }

    fn facets<T>(&self, names: &[T], counts: &[u32], label: impl Fn(&T) -> (String, String)) -> Vec<Facet> {
        names
            .iter()
            .zip(counts)
            .zip(&self.selected)
            .map(|((name, &count), &selected)| {
                let (value, name) = label(name);
                Facet { value, name, count, selected }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn product() -> impl Strategy<Value = Summary> {
        (
            "[a-c]{1,4}( [a-c]{1,3})?",
            "[a-c]{0,6}",
            prop::option::of("[x-z]"),
            prop::option::of("[p-r]"),
            0_u32..50,
            0_u32..=50,
            0_u32..3,
        )
            .prop_map(|(title, description, brand, category, price, rating, stock)| Summary {
                id: 1,
                title,
                description,
                category: category.and_then(|slug| Slug::parse(&slug)),
                brand,
                price: f64::from(price) / 2.0,
                discount_percentage: 0.0,
                rating: f64::from(rating) / 10.0,
                stock,
                thumbnail: None,
            })
    }

    fn filters() -> impl Strategy<Value = Filters> {
        (
            "[a-c]{0,2}",
            prop::option::of(0_u32..26),
            prop::option::of(1_u8..=5),
            prop::collection::vec("[p-s]", 0..3),
            prop::collection::vec("[w-z]", 0..3),
            any::<bool>(),
            prop::option::of(prop::sample::select(vec![Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc])),
        )
            .prop_map(|(query, max_price, min_rating, categories, brands, in_stock, sort)| Filters {
                query,
                max_price,
                min_rating,
                categories,
                brands,
                in_stock,
                sort,
                all_facets: false,
            })
    }

    /// Reference implementation of the filters.
    fn admits(filters: &Filters, product: &Summary) -> bool {
        let query = filters.query.to_lowercase();
        let contains = |text: &str| text.to_lowercase().contains(&query);
        let category = product.category.as_ref().map(|slug| slug.to_string());
        (contains(&product.title) || contains(&product.description))
            && filters.max_price.is_none_or(|max| product.price <= f64::from(max))
            && filters.min_rating.is_none_or(|min| product.rating >= f64::from(min))
            && (filters.categories.is_empty()
                || category.is_some_and(|slug| filters.categories.contains(&slug)))
            && (filters.brands.is_empty()
                || product.brand.as_ref().is_some_and(|brand| filters.brands.contains(brand)))
            && (!filters.in_stock || product.stock > 0)
    }

    proptest! {
        #[test]
        fn results_equal_those_of_a_brute_force_search(
            products in prop::collection::vec(product(), 0..40),
            filters in filters(),
        ) {
            let set = ProductSet::new(products.clone());
            let Filtered { mut matches, facets } = apply(&set, &filters);
            let count = |changed: &Filters, also: &dyn Fn(&Summary) -> bool| -> u32 {
                products.iter().filter(|product| admits(changed, product) && also(product)).count() as u32
            };
            for facet in &facets.ratings {
                let without = Filters { min_rating: None, ..filters.clone() };
                prop_assert_eq!(facet.count, count(&without, &|product| product.rating >= f64::from(facet.stars)));
                prop_assert_eq!(facet.selected, filters.min_rating == Some(facet.stars));
            }
            for facet in &facets.categories {
                let without = Filters { categories: vec![], ..filters.clone() };
                let has = |product: &Summary| product.category.as_ref().is_some_and(|slug| slug.as_str() == facet.value);
                prop_assert_eq!(facet.count, count(&without, &has));
            }
            for facet in &facets.brands {
                let without = Filters { brands: vec![], ..filters.clone() };
                prop_assert_eq!(facet.count, count(&without, &|product| product.brand.as_ref() == Some(&facet.value)));
            }
            let without = Filters { in_stock: false, ..filters.clone() };
            prop_assert_eq!(facets.in_stock, count(&without, &|product| product.stock > 0));

            for pair in matches.windows(2) {
                let [left, right] = [pair[0], pair[1]].map(|position| &products[position as usize]);
                let ordered = filters.sort.map_or(Ordering::Less, |sort| compare(sort, left, right));
                prop_assert!(ordered == Ordering::Less || (ordered == Ordering::Equal && pair[0] < pair[1]));
            }
            matches.sort_unstable();
            let expected: Vec<u32> = (0..).zip(&products)
                .filter(|(_, product)| admits(&filters, product)).map(|(position, _)| position).collect();
            prop_assert_eq!(matches, expected);
        }
    }
}
