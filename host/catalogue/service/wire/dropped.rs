//! Counts what is left out of an answer, and names it for the log.

use std::fmt;

use crate::catalogue::account::{Account, LeftOut};
use crate::catalogue::key::ProductKey;

/// How many places are named for each kind.
const MOST_PLACES: usize = 3;

/// Counts the entries and values that are left out of one answer.
#[derive(Debug, Default)]
pub(crate) struct Dropped(Account<Kind, EntryId>);

/// A kind of entry or value that is left out, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    /// `product`, another entry such as `review`, or the name of a product's field.
    what: &'static str,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// This required field is missing or invalid.
    Without(&'static str),
    /// The value is invalid.
    Invalid,
    /// An earlier entry has the same id or slug.
    Repeated,
    /// The bytes are replaced by U+FFFD.
    NotUtf8,
}

/// Where an operator finds an entry in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryId {
    /// In, or as, the product with this id.
    Product(ProductKey),
    /// At this index of a list, from 0, if the entry has no id.
    Position(usize),
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, why } = self;
        match why {
            Why::Without(field) => write!(formatter, "{what} without valid {field}"),
            Why::Invalid => write!(formatter, "invalid {what}"),
            Why::Repeated => write!(formatter, "repeated {what}"),
            Why::NotUtf8 => write!(formatter, "{what} that is not UTF-8"),
        }
    }
}

impl fmt::Display for LeftOut<EntryId> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} (", self.count)?;
        for (index, place) in self.first.iter().enumerate() {
            write!(formatter, "{}{place}", if index > 0 { ", " } else { "" })?;
        }
        let has_more = self.count > self.first.len() as u64;
        formatter.write_str(if has_more { ", \u{2026})" } else { ")" })
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Product(id) => write!(formatter, "id {id}"),
            Self::Position(position) => write!(formatter, "position {position}"),
        }
    }
}

impl Dropped {
    /// How much is left out, all kinds together.
    pub(crate) fn count(&self) -> u64 {
        self.0.count()
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = (&Kind, &LeftOut<EntryId>)> {
        self.0.kinds()
    }

    pub(super) fn add(&mut self, what: &'static str, why: Why, place: EntryId) {
        self.0.add(Kind { what, why }, place, MOST_PLACES);
    }

    /// Counts a product because an earlier one has its key.
    pub(crate) fn add_repeated_product(&mut self, key: ProductKey) {
        self.add("product", Why::Repeated, EntryId::Product(key));
    }

    /// Adds what is left out of a part of the answer, which has `before` entries before it.
    pub(crate) fn absorb(&mut self, part: Self, before: u64) {
        let before = usize::try_from(before).unwrap_or(usize::MAX);
        let place = |place: EntryId| match place {
            EntryId::Position(position) => EntryId::Position(position.saturating_add(before)),
            product @ EntryId::Product(_) => product,
        };
        for (kind, LeftOut { count, first }) in part.0.into_kinds() {
            let first = first.into_iter().map(place).collect();
            self.0.add_all(kind, LeftOut { count, first }, MOST_PLACES);
        }
    }

    /// Counts a value if it is invalid, which means that `kept` is `None`. Returns `kept`.
    pub(super) fn count_none<T>(
        &mut self,
        kept: Option<T>,
        what: &'static str,
        place: impl FnOnce() -> EntryId,
    ) -> Option<T> {
        if kept.is_none() {
            self.add(what, Why::Invalid, place());
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_names_its_number_and_its_first_places() {
        let mut dropped = Dropped::default();
        for id in 1_u64..=5 {
            dropped.add("product", Why::Without("price"), EntryId::Product(id.into()));
        }
        dropped.add("product", Why::Repeated, EntryId::Position(0));
        assert_eq!(dropped.count_none(Some(1), "stock", || EntryId::Product(1.into())), Some(1));
        let lines: Vec<String> =
            dropped.kinds().map(|(kind, left_out)| format!("{kind}: {left_out}")).collect();
        assert_eq!(
            lines,
            [
                "product without valid price: 5 (id 1, id 2, id 3, \u{2026})",
                "repeated product: 1 (position 0)"
            ]
        );
        assert_eq!(dropped.count(), 6);
    }
}
