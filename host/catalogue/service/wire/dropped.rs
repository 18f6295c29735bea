//! Counts the entries dropped from an answer, for one log line and a counter.

use std::fmt;

/// The dropped entries of one answer.
#[derive(Debug, Default)]
pub(crate) struct Dropped {
    count: u64,
    /// What the first dropped entry is, and where to find it.
    first: Option<(&'static str, Place)>,
}

/// Where an operator finds an entry in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In, or as, the product with this id.
    Product(u32),
    /// At this index of a list, from 0, if the entry has no id.
    Position(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Product(id) => write!(formatter, "id {id}"),
            Self::Position(position) => write!(formatter, "position {position}"),
        }
    }
}

impl Dropped {
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Counts an entry if it was dropped, which means that `kept` is `None`. Returns `kept`.
    pub(crate) fn count_none<T>(
        &mut self,
        kept: Option<T>,
        what: &'static str,
        place: impl FnOnce() -> Place,
    ) -> Option<T> {
        if kept.is_none() {
            self.count += 1;
            self.first.get_or_insert_with(|| (what, place()));
        }
        kept
    }

    /// Logs one line for the whole answer.
    pub(crate) fn log(&self) {
        if let Some((what, place)) = self.first {
            tracing::warn!(count = self.count, first = what, at = %place, "left out entries of the catalogue");
        }
    }
}
