//! Counts how many products each value of an option would leave.
//!
//! All options are one group of filters: a product fails it if no variant has what is chosen. Products are counted by
//! what they are for sale as, and the values of each option at the end, with the choices of the other options.

use super::option_choice::{OptionChoice, rows};
use super::selection::Failed;
use crate::catalogue::ProductSet;
use crate::catalogue::store::{SetCounts, Store};
use crate::contract::{Choice, ChoiceFacets, FacetGroup, Facets};

pub(super) struct OptionCounts(SetCounts);

impl OptionCounts {
    /// `None` if the products have no options to count.
    pub(super) fn new(products: &ProductSet) -> Option<Self> {
        let has_values = rows().any(|(place, _)| !products.occurring_values(place).is_empty());
        has_values.then(|| Self(SetCounts::of(products.store().for_sale(), products.positions().len())))
    }

    /// Counts the products that no other group than this one rejects.
    pub(super) fn add(&mut self, group: Failed, store: &Store, positions: &[u32], failed: &[Failed]) {
        for (&position, _) in positions.iter().zip(failed).filter(|(_, failed)| **failed & !group == 0) {
            self.0.add(store.for_sale().set_of(position));
        }
    }

    /// Adds the group of each option that occurs.
    pub(super) fn add_groups(self, products: &ProductSet, choice: &OptionChoice, facets: &mut Facets) {
        let for_sale = products.store().for_sale();
        let counts = for_sale.tally(self.0.counts(), |place, own| choice.admits(own, Some(place)));
        for (place, facet) in rows() {
            let occurring = products.occurring_values(place);
            if occurring.is_empty() {
                continue;
            }
            let value = |&number: &u32| Choice {
                value: for_sale.spelling(place, number).into(),
                name: None,
                count: counts[place][number as usize],
                selected: choice.is_chosen(place, number),
            };
            let choices = occurring.iter().map(value).collect();
            facets.set(facet.parameter, FacetGroup::Choices(ChoiceFacets { choices, hidden: 0 }));
        }
    }
}
