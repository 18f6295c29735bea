//! The folded names that searches look at beside texts.

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
    /// The labels of the names of each column, and of tags.
    pub(super) fn new<Name: AsRef<str>>(
        columns: [impl Iterator<Item = String>; Column::EVERY.len()],
        tags: &[Name],
    ) -> Self {
        let columns = columns.map(|names| names.take(MOST).map(|name| fold(&name).into()).collect());
        Self { columns, tags: tags.iter().take(MOST).map(|tag| fold(tag.as_ref()).into()).collect() }
    }

    /// About how much memory the labels of so many names of one kind take, in bytes.
    pub(super) fn allowance(names: usize) -> usize {
        const TEXT: usize = 16;
        names.min(MOST) * (size_of::<Box<str>>() + TEXT)
    }
}
