//! The folded names that searches look at beside texts.

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
    /// The labels of the names of each column, with the number of each product's name, and of tags.
    pub(super) fn new<Tag: AsRef<str>>(
        columns: [(impl Iterator<Item = String>, &[u32]); Column::EVERY.len()],
        tags: &[Tag],
    ) -> Self {
        Self {
            columns: columns.map(|(names, numbers)| labels(names, numbers)),
            tags: tags.iter().take(MOST).map(|tag| fold(tag.as_ref()).into()).collect(),
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

fn labels(names: impl Iterator<Item = String>, numbers: &[u32]) -> Box<[Label]> {
    let mut labels: Box<[Label]> =
        names.take(MOST).map(|name| Label { text: fold(&name).into(), count: 0 }).collect();
    for &number in numbers {
        // A product without a name has a number that no name has.
        if let Some(label) = labels.get_mut(number as usize) {
            label.count += 1;
        }
    }
    labels
}
