//! The folded names that searches look at besides texts.

use crate::catalogue::columns::Column;
use crate::catalogue::search::fold;

/// The names of categories, brands and tags, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    columns: [Box<[Label]>; Column::EVERY.len()],
    /// The folded tags.
    pub(crate) tags: Box<[Box<str>]>,
}

/// The name of a category or brand.
#[derive(Debug)]
pub(crate) struct Label {
    /// The folded name.
    pub(crate) text: Box<str>,
    /// The number of products with this name.
    pub(crate) count: u32,
}

impl Labels {
    /// The labels of tags, and of the names of each column, for which each product has the number of its name.
    pub(super) fn new<Tag: AsRef<str>>(
        columns: [(impl Iterator<Item = String>, &[u32]); Column::EVERY.len()],
        tags: &[Tag],
    ) -> Self {
        Self {
            columns: columns.map(|(names, numbers)| labels(names, numbers)),
            tags: tags.iter().map(|tag| fold(tag.as_ref()).into()).collect(),
        }
    }

    /// The labels of a column.
    pub(crate) fn of(&self, column: Column) -> &[Label] {
        &self.columns[column as usize]
    }

    /// About how much memory the labels of this many names of one kind take, in bytes.
    pub(super) fn allowance(names: usize) -> usize {
        const TEXT: usize = 16;
        names * (size_of::<Label>() + TEXT)
    }
}

fn labels(names: impl Iterator<Item = String>, numbers: &[u32]) -> Box<[Label]> {
    let mut labels: Box<[Label]> = names.map(|name| Label { text: fold(&name).into(), count: 0 }).collect();
    for &number in numbers {
        // A product without a name has a number that no name has.
        if let Some(label) = labels.get_mut(number as usize) {
            label.count += 1;
        }
    }
    labels
}
