//! The folded names that searches look at beside texts.

use super::Store;
use crate::catalogue::columns::Column;
use crate::catalogue::search::fold;

/// How many categories, brands and tags there are at most, each.
const MOST: usize = 50_000;

/// The names of categories, brands and tags, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    columns: [Box<[Label]>; Column::EVERY.len()],
    /// Folded.
    pub(crate) tags: Box<[Box<str>]>,
}

/// The name of a category or brand.
#[derive(Debug)]
pub(crate) struct Label {
    /// Folded.
    pub(crate) text: Box<str>,
    /// How many products it has.
    pub(crate) count: u32,
}

impl Labels {
    pub(super) fn new(store: &Store) -> Self {
        let tags = store.tags.spellings().iter().take(MOST);
        Self {
            columns: Column::EVERY.map(|column| labels(store, column)),
            tags: tags.map(|tag| fold(tag).into()).collect(),
        }
    }

    /// The labels of a column.
    pub(crate) fn of(&self, column: Column) -> &[Label] {
        &self.columns[column as usize]
    }

    /// About how much memory the labels of so many names of one kind take, in bytes.
    pub(super) fn allowance(names: usize) -> usize {
        const TEXT: usize = 16;
        names.min(MOST) * (size_of::<Label>() + TEXT)
    }
}

fn labels(store: &Store, column: Column) -> Box<[Label]> {
    let names = (0..).take(store.names(column).len().min(MOST));
    let mut labels: Box<[Label]> =
        names.map(|number| Label { text: fold(&store.title(column, number)).into(), count: 0 }).collect();
    for &number in &store.name_of[column as usize] {
        // A product without a name has a number that no name has.
        if let Some(label) = labels.get_mut(number as usize) {
            label.count += 1;
        }
    }
    labels
}
