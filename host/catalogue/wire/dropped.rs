//! What was left out of an answer, for one log line and a counter.

use std::fmt;

/// The entries of one answer that were left out.
#[derive(Debug, Default)]
pub struct Dropped {
    count: u64,
    first: Option<(&'static str, Whose)>,
}

/// How an operator finds an entry in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The product with this id.
    Product(u32),
    /// The entry at this place of a list, counted from 0, when it has no id.
    Position(usize),
}

impl fmt::Display for Whose {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Product(id) => write!(formatter, "id {id}"),
            Self::Position(position) => write!(formatter, "position {position}"),
        }
    }
}

impl Dropped {
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Notes an entry unless it was kept.
    pub fn unless<T>(
        &mut self,
        kept: Option<T>,
        what: &'static str,
        whose: impl FnOnce() -> Whose,
    ) -> Option<T> {
        if kept.is_none() {
            self.count += 1;
            self.first.get_or_insert_with(|| (what, whose()));
        }
        kept
    }

    /// One line for the whole answer, however much was wrong with it.
    pub fn log(&self) {
        if let Some((what, whose)) = self.first {
            tracing::warn!(count = self.count, first = what, at = %whose, "left out entries of the catalogue");
        }
    }
}
