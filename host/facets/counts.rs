//! Counts how many products each choice of the filter form would leave.

use super::selection::Failed;
use super::table::{Facet, Kind};
use crate::catalogue::ProductSet;
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::store::Store;
use crate::contract::{
    self, ChoiceFacets, FacetGroup, Filters, PriceFacets, RatingFacet, RatingFacets, WholePrice,
};
use crate::profile::NumberFormat;

/// The choices of the rating filter, best first; each means "and up".
const RATING_STEPS: [u8; 5] = [5, 4, 3, 2, 1];

/// The counts for a row of the table.
pub(super) enum Count {
    /// The chip of a lowest price shows it; there is nothing to count.
    From,
    /// The form shows the prices of all products, so there is nothing to count.
    Prices,
    /// How many products have each number of whole stars.
    Ratings([u32; 6]),
    Names(Column, Box<[u32]>),
    Flag(Flag, u32),
}

impl Count {
    /// `None` if the form shows no counts for the filter.
    pub(super) fn new(facet: &Facet, store: &Store) -> Option<Self> {
        match facet.kind {
            // Options are counted together (`option_counts.rs`).
            Kind::Text | Kind::Tag | Kind::Option(_) => None,
            Kind::From => Some(Self::From),
            Kind::Highest => Some(Self::Prices),
            Kind::Lowest => Some(Self::Ratings([0; 6])),
            Kind::Choice(column) => Some(Self::Names(column, vec![0; store.names(column).len()].into())),
            Kind::Flag(flag) => Some(Self::Flag(flag, 0)),
        }
    }

    /// Counts the products that no other group than this one rejects.
    pub(super) fn add(&mut self, group: Failed, store: &Store, positions: &[u32], failed: &[Failed]) {
        let counted = positions.iter().zip(failed).filter(|(_, failed)| **failed & !group == 0);
        let counted = counted.map(|(&position, _)| position);
        match self {
            Self::From | Self::Prices => {}
            // An unknown rating is negative, which becomes 0.
            Self::Ratings(stars) => counted.for_each(|position| {
                stars[usize::from(store.rating(position) as u8).min(5)] += 1;
            }),
            // A product without a name has a number that no name has.
            Self::Names(column, counts) => counted.for_each(|position| {
                if let Some(count) = counts.get_mut(store.name(*column, position) as usize) {
                    *count += 1;
                }
            }),
            Self::Flag(flag, count) => {
                counted.for_each(|position| *count += u32::from(store.has(*flag, position)))
            }
        }
    }

    /// The group as the form shows it, if it shows one.
    pub(super) fn into_group(
        self,
        facet: &Facet,
        products: &ProductSet,
        filters: &Filters,
        numbers: &NumberFormat,
    ) -> Option<FacetGroup> {
        let whole = |value| WholePrice { value, text: numbers.whole(value) };
        let chosen = filters.number(facet.parameter).map(whole);
        Some(match self {
            Self::From => FacetGroup::From(chosen?),
            Self::Prices => FacetGroup::Prices(PriceFacets {
                ceiling: products.price_ceiling(),
                stops: products.price_stops().iter().copied().map(whole).collect(),
                chosen,
            }),
            Self::Ratings(counts) => {
                let from = |stars: u8| counts[usize::from(stars)..].iter().sum();
                let step = |stars| RatingFacet { stars, count: from(stars) };
                FacetGroup::Ratings(RatingFacets { steps: RATING_STEPS.map(step).into(), any: from(0) })
            }
            Self::Names(column, counts) => {
                let (store, chosen) = (products.store(), filters.names(facet.parameter));
                let choice = |&number: &u32| {
                    let value = store.names(column)[number as usize].clone();
                    // The chosen names are sorted.
                    let selected = chosen.binary_search(&value).is_ok();
                    let name = Some(store.title(column, number)).filter(|name| *name != value);
                    contract::Choice { value, name, count: counts[number as usize], selected }
                };
                let choices = products.occurring(column).iter().map(choice).collect();
                FacetGroup::Choices(ChoiceFacets { choices, hidden: 0 })
            }
            Self::Flag(_, count) => FacetGroup::Flag(count),
        })
    }
}
