//! The chosen values of options, such as sizes and colours. One variant for sale has to have one of the chosen values of
//! each option: a shopper who chooses 42 and red does not look for a red 38.

use super::table::{Facet, Kind, TABLE};
use crate::catalogue::OptionKind;
use crate::catalogue::store::{Combination, FILTERED, ForSale, Store};
use crate::contract::Filters;

/// Which values of each filtered option are chosen, by their numbers; `None` where an option is not filtered.
pub(super) struct OptionChoice([Option<Box<[bool]>>; FILTERED]);

/// The rows of options, each with its place among the filtered options.
pub(super) fn rows() -> impl Iterator<Item = (usize, &'static Facet)> {
    TABLE.iter().filter_map(|facet| match facet.kind {
        Kind::Option(option) => Some((place(option), facet)),
        _ => None,
    })
}

/// The place of an option among the filtered ones.
pub(super) fn place(option: OptionKind) -> usize {
    OptionKind::FILTERED.iter().position(|filtered| *filtered == option).unwrap_or_default()
}

impl OptionChoice {
    pub(super) fn new(store: &Store, filters: &Filters) -> Self {
        let for_sale = store.for_sale();
        let mut chosen = [const { None }; FILTERED];
        for (place, facet) in rows().filter(|(_, facet)| filters.is_set(facet.parameter)) {
            // A selection of only unknown values admits no product.
            let mut values = vec![false; for_sale.number_of_values(place)];
            for number in
                filters.names(facet.parameter).iter().filter_map(|name| for_sale.number(place, name))
            {
                values[number as usize] = true;
            }
            chosen[place] = Some(values.into());
        }
        Self(chosen)
    }

    /// Whether a value of an option is chosen.
    pub(super) fn is_chosen(&self, place: usize, number: u32) -> bool {
        self.0[place].as_ref().is_some_and(|chosen| chosen.get(number as usize) == Some(&true))
    }

    /// Whether a combination has chosen values of all filtered options but one.
    pub(super) fn admits(&self, combination: &Combination, but: Option<usize>) -> bool {
        (0..FILTERED).all(|place| {
            Some(place) == but || self.0[place].is_none() || self.is_chosen(place, combination[place])
        })
    }

    /// What the choice admits, for a test of about `most` products; `None` if it admits all.
    pub(super) fn admitted(&self, for_sale: &ForSale, most: usize) -> Option<Admitted> {
        if self.0.iter().all(Option::is_none) {
            return None;
        }
        let combinations = for_sale.combinations().iter();
        let combinations: Box<[bool]> = combinations.map(|own| self.admits(own, None)).collect();
        if most < for_sale.number_of_sets() {
            return Some(Admitted::Combinations(combinations));
        }
        let has_one = |set| for_sale.set(set).iter().any(|&own| combinations[own as usize]);
        Some(Admitted::Sets((0..).take(for_sale.number_of_sets()).map(has_one).collect()))
    }
}

/// The products that a choice admits.
pub(super) enum Admitted {
    /// By the numbers of their sets: for many products.
    Sets(Box<[bool]>),
    /// By the numbers of their combinations: for fewer products than there are sets.
    Combinations(Box<[bool]>),
}

impl Admitted {
    #[inline]
    pub(super) fn admits(&self, for_sale: &ForSale, position: u32) -> bool {
        // A product without a set has a number that no set has.
        let set = for_sale.set_of(position);
        match self {
            Self::Sets(sets) => sets.get(set as usize) == Some(&true),
            Self::Combinations(combinations) => {
                for_sale.set(set).iter().any(|&own| combinations[own as usize])
            }
        }
    }
}
