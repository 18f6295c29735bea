//! The quick filters of a listing: a few that the filter form has as well, one click away above the products. Which
//! ones depends on the occasion. What they would leave is known from the facets.

use std::cmp::Reverse;

use crate::contract::{Choice, Facets, FilterValue, Filters, ListingSource, QuickFilter};
use crate::facets::price_caps::PriceCaps;
use crate::facets::{BRAND, CATEGORY, Kind, PRICE, STOCK, TABLE};
use crate::profile::Profile;
use crate::texts::Key;

/// Most quick filters of a listing.
const MOST: usize = 6;
/// With fewer products a brand is not worth a place.
const FEWEST_OF_BRAND: u32 = 2;

/// The parameters of an occasion in their order, with the most quick filters of each.
fn of_occasion(source: &ListingSource) -> &'static [(&'static str, usize)] {
    match source {
        ListingSource::Sale | ListingSource::Deals => &[(PRICE, 3), (STOCK, 1), (CATEGORY, 3), (BRAND, 2)],
        ListingSource::NewArrivals => &[(CATEGORY, 4), (PRICE, 1), (STOCK, 1), (BRAND, 4)],
        ListingSource::BestSellers => &[(CATEGORY, 3), (BRAND, 3), (PRICE, 2), (STOCK, 1)],
        ListingSource::Category { .. } => &[(BRAND, 4), (PRICE, 3), (STOCK, 1)],
        ListingSource::Search { .. } => &[(CATEGORY, 3), (BRAND, 2), (PRICE, 2), (STOCK, 1)],
        ListingSource::All => &[(CATEGORY, 5), (STOCK, 1), (BRAND, 4), (PRICE, 2)],
    }
}

/// The quick filters of a listing with these filters, which `total` products match. Parameters that are set already
/// get none.
pub(super) fn quick_filters(
    profile: &Profile,
    source: &ListingSource,
    filters: &Filters,
    facets: &Facets,
    caps: &PriceCaps,
    total: usize,
) -> Vec<QuickFilter> {
    let all = u32::try_from(total).unwrap_or(u32::MAX);
    let of_parameter = |&(parameter, most): &(&'static str, usize)| {
        let facet = TABLE.iter().find(|facet| facet.parameter == parameter && !filters.is_set(parameter));
        let quick =
            |label: String, value| QuickFilter { label, adds: Filters::default().with(parameter, value) };
        match facet.map(|facet| (facet.kind, facet.label)) {
            Some((Kind::Highest, _)) => {
                let up_to = |price| {
                    quick(
                        profile.texts.with(Key::UpTo, &[&profile.numbers.whole(price)]),
                        FilterValue::Number(price),
                    )
                };
                caps.dividing(total, most).into_iter().map(|cap| up_to(cap.price)).collect()
            }
            Some((Kind::Choice(_), _)) => {
                let fewest = if parameter == BRAND { FEWEST_OF_BRAND } else { 1 };
                let named = |choice: &Choice| {
                    quick(choice.shown().into(), FilterValue::Names(vec![choice.value.clone()]))
                };
                largest(facets.choices(parameter), fewest, all, most).map(named).collect()
            }
            Some((Kind::Flag(_), label)) if (1..all).contains(&facets.flag(parameter)) => label
                .map(|label| quick(profile.texts.text(label).into(), FilterValue::Set))
                .into_iter()
                .collect(),
            _ => Vec::new(),
        }
    };
    of_occasion(source).iter().flat_map(of_parameter).take(MOST).collect()
}

/// The choices of a group with the most products, at least `fewest` and not all.
fn largest(choices: &[Choice], fewest: u32, all: u32, most: usize) -> impl Iterator<Item = &Choice> {
    let mut largest: Vec<&Choice> =
        choices.iter().filter(|choice| (fewest..all).contains(&choice.count)).collect();
    largest.sort_by_key(|choice| Reverse(choice.count));
    largest.into_iter().take(most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::{ProductSet, any_products};
    use crate::contract::{ChoiceFacets, FacetGroup};
    use crate::facets::{self, Filtered};
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

    /// The filters that are set.
    fn set_in(filters: &Filters) -> impl Iterator<Item = (&'static str, FilterValue)> {
        TABLE.iter().filter_map(|facet| Some((facet.parameter, filters.get(facet.parameter)?.clone())))
    }

    /// The filters with a quick filter added.
    fn with(filters: &Filters, quick: &QuickFilter) -> Filters {
        let mut with = filters.clone();
        set_in(&quick.adds).for_each(|(parameter, value)| with.set(parameter, value));
        with
    }

    proptest! {
        #[test]
        fn every_quick_filter_leaves_fewer_products_but_some(
            all in any_products(),
            source in sources(),
            brands in prop::collection::vec("[x-z]", 0..2),
            in_stock: bool,
        ) {
            let profile = Profile::default();
            let set = ProductSet::new(all, Currency::default());
            let mut filters = Filters::default().with(BRAND, FilterValue::Names(brands));
            if in_stock {
                filters.set(STOCK, FilterValue::Set);
            }
            let Filtered { matches, facets: groups, caps } = facets::apply(&set, &filters, &profile.numbers);
            let quick = quick_filters(&profile, &source, &filters, &groups, &caps, matches.len());
            prop_assert!(quick.len() <= MOST);
            for quick in quick {
                let left = facets::apply(&set, &with(&filters, &quick), &profile.numbers).matches.len();
                prop_assert_eq!(set_in(&quick.adds).count(), 1);
                prop_assert!(left > 0 && left < matches.len(), "{quick:?} leaves {left} of {}", matches.len());
            }
        }
    }

    fn choice(name: &str, count: u32) -> Choice {
        Choice { value: name.into(), name: None, count, selected: false }
    }

    #[test]
    fn the_occasion_decides_on_their_order() {
        let choices = |names: &str, fewest: u32| {
            let choices = (0..9).map(|n| choice(&format!("{names} {n}"), fewest + n)).collect();
            FacetGroup::Choices(ChoiceFacets { choices, hidden: 0 })
        };
        let mut facets = Facets::default();
        facets.set(CATEGORY, choices("category", 10));
        facets.set(BRAND, choices("brand", 0));
        facets.set(STOCK, FacetGroup::Flag(99));
        let labels = |source: &ListingSource, filters: &Filters| {
            let quick =
                quick_filters(&Profile::default(), source, filters, &facets, &PriceCaps::default(), 100);
            quick.into_iter().map(|quick| quick.label).collect::<Vec<_>>()
        };
        let none = Filters::default();
        let sale = ["In stock only", "category 8", "category 7", "category 6", "brand 8", "brand 7"];
        assert_eq!(labels(&ListingSource::Sale, &none), sale);
        let category = ["brand 8", "brand 7", "brand 6", "brand 5", "In stock only"];
        assert_eq!(labels(&ListingSource::Category { slug: "x".into() }, &none), category);
        let category = FilterValue::Names(vec!["category 1".into()]);
        let chosen = none.with(CATEGORY, category).with(STOCK, FilterValue::Set);
        assert_eq!(labels(&ListingSource::Sale, &chosen), ["brand 8", "brand 7"]);
    }
}
