//! The occurrences of a term in the names of categories, brands and tags.

use crate::catalogue::columns::Column;
use crate::catalogue::search::{Field, Occurrence, Term};
use crate::catalogue::store::Store;

/// The best occurrences of a term in names, by the names' numbers. Empty if the term is in no name.
type ByNumber = Vec<Option<Occurrence>>;

/// The occurrences of a term in the names of a store.
pub(super) struct Found {
    columns: [ByNumber; Column::EVERY.len()],
    tags: ByNumber,
}

impl Found {
    pub(super) fn new(store: &Store, term: &Term) -> Self {
        let labels = store.labels();
        let column = |column| find(term, labels.of(column).iter().map(|label| &*label.text));
        Self { columns: Column::EVERY.map(column), tags: find(term, labels.tags.iter().map(|tag| &**tag)) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.iter().chain([&self.tags]).all(Vec::is_empty)
    }

    /// The best occurrence in a name of a product: in its brand, or else in its category or tags.
    #[inline]
    pub(super) fn best_of(&self, store: &Store, position: u32) -> Option<(Field, Occurrence)> {
        let named = |column: Column| {
            let names = &self.columns[column as usize];
            if names.is_empty() { None } else { names.get(store.name(column, position) as usize).copied()? }
        };
        if let Some(occurrence) = named(Column::Brand) {
            return Some((Field::Brand, occurrence));
        }
        let tags = if self.tags.is_empty() { &[] } else { store.tags().numbers_of(position) };
        let tags = tags.iter().filter_map(|&tag| self.tags.get(tag as usize).copied()?);
        tags.chain(named(Column::Category)).min().map(|occurrence| (Field::Group, occurrence))
    }
}

fn find<'a>(term: &Term, names: impl Iterator<Item = &'a str>) -> ByNumber {
    let found: ByNumber = names.map(|name| term.best_in(name.as_bytes())).collect();
    if found.iter().all(Option::is_none) { Vec::new() } else { found }
}
