//! The quick filters of a listing: a few that the filter form has as well, one click away above the products. Which
//! ones depends on the occasion. What they would leave is known from the facets.

use std::cmp::Reverse;

use super::price_caps::PriceCaps;
use crate::contract::{Facet, Facets, Filters, ListingSource, QuickFilter};
use crate::profile::NumberFormat;

/// Most quick filters of a listing.
const MOST: usize = 6;
/// With fewer products a brand is not worth a place.
const FEWEST_OF_BRAND: u32 = 2;

enum Kind {
    Prices,
    Stock,
    Categories,
    Brands,
}

/// The kinds of an occasion in their order, with the most of each.
fn of_occasion(source: &ListingSource) -> &'static [(Kind, usize)] {
    use Kind::{Brands, Categories, Prices, Stock};
    match source {
        ListingSource::Sale | ListingSource::Deals => {
            &[(Prices, 3), (Stock, 1), (Categories, 3), (Brands, 2)]
        }
        ListingSource::NewArrivals => &[(Categories, 4), (Prices, 1), (Stock, 1), (Brands, 4)],
        ListingSource::BestSellers => &[(Categories, 3), (Brands, 3), (Prices, 2), (Stock, 1)],
        ListingSource::Category { .. } => &[(Brands, 4), (Prices, 3), (Stock, 1)],
        ListingSource::Search { .. } => &[(Categories, 3), (Brands, 2), (Prices, 2), (Stock, 1)],
        ListingSource::All => &[(Categories, 5), (Stock, 1), (Brands, 4), (Prices, 2)],
    }
}

/// The quick filters of a listing with these filters, which `total` products match. A group of the form that has a
/// choice already has none.
pub(super) fn quick_filters(
    numbers: &NumberFormat,
    source: &ListingSource,
    filters: &Filters,
    facets: &Facets,
    caps: &PriceCaps,
    total: usize,
) -> Vec<QuickFilter> {
    let all = u32::try_from(total).unwrap_or(u32::MAX);
    let of_kind = |(kind, most): &(Kind, usize)| match kind {
        Kind::Prices if filters.max_price.is_none() => prices(numbers, caps, total, *most),
        Kind::Stock if !filters.in_stock && (1..all).contains(&facets.in_stock) => {
            vec![QuickFilter { label: "In stock only".into(), in_stock: true, ..QuickFilter::default() }]
        }
        Kind::Categories if filters.categories.is_empty() => {
            let category = |facet: &Facet| QuickFilter {
                label: facet.name.clone(),
                category: Some(facet.value.clone()),
                ..QuickFilter::default()
            };
            largest(&facets.categories, 1, all, *most).map(category).collect()
        }
        Kind::Brands if filters.brands.is_empty() => {
            let brand = |facet: &Facet| QuickFilter {
                label: facet.name.clone(),
                brand: Some(facet.value.clone()),
                ..QuickFilter::default()
            };
            largest(&facets.brands, FEWEST_OF_BRAND, all, *most).map(brand).collect()
        }
        _ => Vec::new(),
    };
    of_occasion(source).iter().flat_map(of_kind).take(MOST).collect()
}

fn prices(numbers: &NumberFormat, caps: &PriceCaps, total: usize, most: usize) -> Vec<QuickFilter> {
    let quick = |price| QuickFilter {
        label: format!("Up to {}", numbers.whole(price)),
        max_price: Some(price),
        ..QuickFilter::default()
    };
    caps.dividing(total, most).into_iter().map(|cap| quick(cap.price)).collect()
}

/// The choices of a group with the most products, at least `fewest` and not all.
fn largest(facets: &[Facet], fewest: u32, all: u32, most: usize) -> impl Iterator<Item = &Facet> {
    let mut facets: Vec<&Facet> =
        facets.iter().filter(|facet| (fewest..all).contains(&facet.count)).collect();
    facets.sort_by_key(|facet| Reverse(facet.count));
    facets.into_iter().take(most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::filter::{self, Filtered};
    use super::*;
    use crate::catalogue::{ProductSet, any_products};
    use crate::profile::Currency;

    fn sources() -> impl Strategy<Value = ListingSource> {
        prop::sample::select(vec![
            ListingSource::All,
            ListingSource::Sale,
            ListingSource::NewArrivals,
            ListingSource::BestSellers,
            ListingSource::Deals,
            ListingSource::Category { slug: "p".into() },
            ListingSource::Search { text: "a".into() },
        ])
    }

    /// The filters with a quick filter added.
    fn with(filters: &Filters, quick: &QuickFilter) -> Filters {
        Filters {
            max_price: quick.max_price.or(filters.max_price),
            categories: filters.categories.iter().chain(&quick.category).cloned().collect(),
            brands: filters.brands.iter().chain(&quick.brand).cloned().collect(),
            in_stock: quick.in_stock || filters.in_stock,
            ..filters.clone()
        }
    }

    proptest! {
        #[test]
        fn every_quick_filter_leaves_fewer_products_but_some(
            all in any_products(),
            source in sources(),
            brands in prop::collection::vec("[x-z]", 0..2),
            in_stock: bool,
        ) {
            let numbers = NumberFormat::default();
            let set = ProductSet::new(all, Currency::default());
            let filters = Filters { brands, in_stock, ..Filters::default() };
            let Filtered { matches, facets, caps } = filter::apply(&set, &filters, &numbers);
            let quick = quick_filters(&numbers, &source, &filters, &facets, &caps, matches.len());
            prop_assert!(quick.len() <= MOST);
            for quick in quick {
                let left = filter::apply(&set, &with(&filters, &quick), &numbers).matches.len();
                prop_assert!(left > 0 && left < matches.len(), "{quick:?} leaves {left} of {}", matches.len());
            }
        }
    }

    fn facet(name: &str, count: u32) -> Facet {
        Facet { value: name.into(), name: name.into(), count, selected: false }
    }

    #[test]
    fn the_occasion_decides_on_their_order() {
        let categories = (0..9).map(|n| facet(&format!("category {n}"), 10 + n)).collect();
        let brands = (0..9).map(|n| facet(&format!("brand {n}"), n)).collect();
        let facets = Facets { categories, brands, in_stock: 99, ..Facets::default() };
        let labels = |source: &ListingSource, filters: &Filters| {
            let quick =
                quick_filters(&NumberFormat::default(), source, filters, &facets, &PriceCaps::default(), 100);
            quick.into_iter().map(|quick| quick.label).collect::<Vec<_>>()
        };
        let none = Filters::default();
        let sale = ["In stock only", "category 8", "category 7", "category 6", "brand 8", "brand 7"];
        assert_eq!(labels(&ListingSource::Sale, &none), sale);
        let category = ["brand 8", "brand 7", "brand 6", "brand 5", "In stock only"];
        assert_eq!(labels(&ListingSource::Category { slug: "x".into() }, &none), category);
        let chosen = Filters { categories: vec!["category 1".into()], in_stock: true, ..none };
        assert_eq!(labels(&ListingSource::Sale, &chosen), ["brand 8", "brand 7"]);
    }
}
