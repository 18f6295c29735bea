//! The filters that are set, prepared for one pass over a product set.

use memchr::memmem::Finder;

use super::option_choice::Admitted;
use super::table::{Facet, Kind};
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::store::{NONE, Store};
use crate::contract::Filters;
use crate::profile::Money;

/// The groups that reject a product: a bit for each row of the table.
pub(super) type Failed = u32;

/// A condition that products must meet.
pub(super) enum Test<'a> {
    Contains(Box<Finder<'a>>),
    CostsAtLeast(Money),
    CostsAtMost(Money),
    IsRatedAtLeast(f64),
    HasOneOf(Column, Box<[bool]>),
    Has(Flag),
    /// One of its variants for sale has one of the chosen values of each option.
    IsForSale(Admitted),
    /// The number of the tag; [`NONE`] if no product carries it.
    Carries(u32),
}

impl<'a> Test<'a> {
    /// The test of a filter, if it is set. `needle` is the folded search text.
    pub(super) fn new(facet: &Facet, store: &Store, filters: &Filters, needle: &'a str) -> Option<Self> {
        let parameter = facet.parameter;
        let number = filters.number(parameter);
        match facet.kind {
            Kind::Text => (!needle.is_empty()).then(|| Self::Contains(Finder::new(needle).into())),
            Kind::From => number.map(|least| Self::CostsAtLeast(store.currency().whole(least))),
            Kind::Highest => number.map(|most| Self::CostsAtMost(store.currency().whole(most))),
            Kind::Lowest => number.map(|least| Self::IsRatedAtLeast(f64::from(least))),
            // A selection of only unknown names admits no product.
            Kind::Choice(column) => filters.is_set(parameter).then(|| {
                let mut chosen = vec![false; store.names(column).len()];
                for number in filters.names(parameter).iter().filter_map(|name| store.number(column, name)) {
                    chosen[number as usize] = true;
                }
                Self::HasOneOf(column, chosen.into())
            }),
            Kind::Flag(flag) => filters.is_set(parameter).then_some(Self::Has(flag)),
            // There is one test for all options.
            Kind::Option(_) => None,
            Kind::Tag => {
                let tag = filters.text(parameter);
                (!tag.is_empty()).then(|| Self::Carries(store.tags().number(tag).unwrap_or(NONE)))
            }
        }
    }

    pub(super) fn is_slow(&self) -> bool {
        matches!(self, Self::Contains(_))
    }

    /// Sets the bit `group` for each product that this test rejects.
    pub(super) fn mark(&self, group: Failed, store: &Store, positions: &[u32], failed: &mut [Failed]) {
        let mut mark = Mark { group, positions, failed };
        match self {
            Self::CostsAtLeast(least) => mark.each(|position, _| store.price(position) < *least),
            Self::CostsAtMost(most) => mark.each(|position, _| store.price(position) > *most),
            Self::IsRatedAtLeast(least) => mark.each(|position, _| store.rating(position) < *least),
            Self::HasOneOf(column, chosen) => {
                mark.each(|position, _| {
                    !chosen.get(store.name(*column, position) as usize).copied().unwrap_or(false)
                });
            }
            Self::Has(flag) => mark.each(|position, _| !store.has(*flag, position)),
            Self::IsForSale(admitted) => {
                mark.each(|position, _| !admitted.admits(store.for_sale(), position));
            }
            Self::Carries(tag) => mark.each(|position, _| !store.tags().is_carried_by(position, *tag)),
            // A product that two groups reject is not counted anywhere, whatever its text.
            Self::Contains(text) => mark.each(|position, failed: Failed| {
                failed.count_ones() < 2 && text.find(store.text(position)).is_none()
            }),
        }
    }
}

/// A block of products to mark.
struct Mark<'a> {
    group: Failed,
    positions: &'a [u32],
    failed: &'a mut [Failed],
}

impl Mark<'_> {
    fn each(&mut self, rejects: impl Fn(u32, Failed) -> bool) {
        for (&position, failed) in self.positions.iter().zip(&mut *self.failed) {
            *failed |= if rejects(position, *failed) { self.group } else { 0 };
        }
    }
}
