//! Filtering, counting and sorting a shelf: the one implementation, for every listing.
//!
//! One pass over the products. A product that fails exactly one group of filters still counts for
//! that group's facet, because each group is counted with every filter but its own.

use std::cmp::Ordering;

use memchr::memmem;

use crate::catalogue::Summary;
use crate::contract::{Facet, Facets, Filters, RatingFacet, Sort};
use crate::shelf::{NONE, Shelf};

/// The rating steps of the filter, best first; each means "and up".
const RATING_STEPS: [u8; 5] = [5, 4, 3, 2, 1];

/// What is left of a shelf after filtering.
#[derive(Debug)]
pub struct Filtered {
    /// Positions of the matching products, in the order to show them.
    pub matches: Vec<u32>,
    pub facets: Facets,
}

/// The filter groups, as bits of "failed" masks.
mod group {
    pub const TEXT: u8 = 1;
    pub const PRICE: u8 = 1 << 1;
    pub const RATING: u8 = 1 << 2;
    pub const CATEGORY: u8 = 1 << 3;
    pub const BRAND: u8 = 1 << 4;
    pub const STOCK: u8 = 1 << 5;
}

/// Applies `filters` to `shelf`.
pub fn apply(shelf: &Shelf, filters: &Filters) -> Filtered {
    let needle = filters.query.to_lowercase();
    let finder = (!needle.is_empty()).then(|| memmem::Finder::new(&needle));
    let max_price = filters.max_price.map(f64::from);
    let min_rating = filters.min_rating.map(f64::from);
    let brands = Choice::new(&shelf.brands().names, &filters.brands, |brand| brand.as_str());
    let categories = Choice::new(&shelf.categories().names, &filters.categories, |slug| slug.as_str());

    let mut matches = Vec::new();
    let mut rating_counts = [0; RATING_STEPS.len()];
    let mut brand_counts = vec![0; brands.selected.len()];
    let mut category_counts = vec![0; categories.selected.len()];
    let mut in_stock = 0;

    for (position, product) in shelf.products().iter().enumerate() {
        let brand = shelf.brands().of_product[position];
        let category = shelf.categories().of_product[position];
        let fails = |group: u8, when: bool| if when { group } else { 0 };
        let mut failed = fails(group::PRICE, max_price.is_some_and(|max| product.price > max))
            | fails(group::RATING, min_rating.is_some_and(|min| product.rating < min))
            | fails(group::CATEGORY, !categories.admits(category))
            | fails(group::BRAND, !brands.admits(brand))
            | fails(group::STOCK, filters.in_stock && product.stock == 0);
        // Two failures already count nowhere; text is the dearest to look at, so it comes last.
        if failed.count_ones() > 1 {
            continue;
        }
        if let Some(finder) = &finder {
            failed |= fails(group::TEXT, finder.find(shelf.texts()[position].as_bytes()).is_none());
        }
        let counts_for = |group: u8| failed & !group == 0;
        if failed == 0 {
            matches.push(u32::try_from(position).unwrap_or(NONE));
        }
        if counts_for(group::RATING) {
            for (count, step) in rating_counts.iter_mut().zip(RATING_STEPS) {
                *count += u32::from(product.rating >= f64::from(step));
            }
        }
        if counts_for(group::CATEGORY) && category != NONE {
            category_counts[category as usize] += 1;
        }
        if counts_for(group::BRAND) && brand != NONE {
            brand_counts[brand as usize] += 1;
        }
        if counts_for(group::STOCK) {
            in_stock += u32::from(product.stock > 0);
        }
    }
    if let Some(sort) = filters.sort {
        // A stable sort keeps the listing's own order among equals.
        matches.sort_by(|&left, &right| {
            compare(sort, &shelf.products()[left as usize], &shelf.products()[right as usize])
        });
    }
    let facets = Facets {
        price_ceiling: shelf.price_ceiling(),
        ratings: RATING_STEPS
            .into_iter()
            .zip(rating_counts)
            .map(|(stars, count)| RatingFacet { stars, count, selected: filters.min_rating == Some(stars) })
            .collect(),
        categories: categories
            .facets(&shelf.categories().names, &category_counts, |slug| (slug.as_str().into(), slug.title())),
        brands: brands.facets(&shelf.brands().names, &brand_counts, |brand| (brand.clone(), brand.clone())),
        in_stock,
    };
    Filtered { matches, facets }
}

fn compare(sort: Sort, left: &Summary, right: &Summary) -> Ordering {
    match sort {
        Sort::PriceAsc => left.price.total_cmp(&right.price),
        Sort::PriceDesc => right.price.total_cmp(&left.price),
        Sort::RatingDesc => right.rating.total_cmp(&left.rating),
    }
}

/// Which of a shelf's names are chosen.
struct Choice {
    selected: Vec<bool>,
    /// Nothing chosen admits everything; something chosen that the shelf lacks admits nothing.
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
    use crate::catalogue::Slug;

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
            })
    }

    /// The specification of a filter, written as plainly as possible.
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
        fn facets_equal_a_count_by_brute_force(
            products in prop::collection::vec(product(), 0..40),
            filters in filters(),
        ) {
            let shelf = Shelf::new(products.clone());
            let Filtered { mut matches, facets } = apply(&shelf, &filters);
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
