//! The folded names that searches look at beside texts.

use super::Store;
use crate::catalogue::columns::Column;
use crate::catalogue::search::fold;

/// How many categories, brands and tags there are at most, each.
const MOST: usize = 50_000;

/// The folded names of categories, brands and tags, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    pub(crate) columns: [Box<[Box<str>]>; Column::EVERY.len()],
    pub(crate) tags: Box<[Box<str>]>,
}

impl Labels {
    /// Takes long, see `process/compute.rs`.
    pub(super) fn of(store: &Store) -> Self {
        let columns = Column::EVERY.map(|column| {
            let numbers = (0..).take(store.names(column).len().min(MOST));
            numbers.map(|number| fold(&store.title(column, number)).into()).collect()
        });
        let tags = store.tags().spellings().iter().take(MOST).map(|tag| fold(tag).into()).collect();
        Self { columns, tags }
    }

    /// About how much memory those of a store take, in bytes.
    pub(super) fn allowance(store: &Store) -> usize {
        const TEXT: usize = 16;
        let columns = Column::EVERY.map(|column| store.names(column).len());
        let counts = columns.into_iter().chain([store.tags().spellings().len()]);
        counts.map(|count| count.min(MOST)).sum::<usize>() * (size_of::<Box<str>>() + TEXT)
    }
}
