//! Where a term is in the names of categories, brands and tags.

use std::collections::HashMap;

use crate::catalogue::columns::Column;
use crate::catalogue::search::{Field, Occurrence, Term};
use crate::catalogue::store::Store;

/// The best occurrences of a term in the names that contain it, by the names' numbers.
pub(super) struct Found {
    columns: [HashMap<u32, Occurrence>; Column::EVERY.len()],
    tags: HashMap<u32, Occurrence>,
}

impl Found {
    pub(super) fn new(store: &Store, term: &Term) -> Self {
        let labels = store.labels();
        let columns =
            Column::EVERY.map(|column| find(term, labels.of(column).iter().map(|label| &*label.text)));
        Self { columns, tags: find(term, labels.tags.iter().map(|tag| &**tag)) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.iter().chain([&self.tags]).all(HashMap::is_empty)
    }

    /// The best occurrence in a name of a product: in its brand, or else in its category or tags.
    pub(super) fn best_of(&self, store: &Store, position: u32) -> Option<(Field, Occurrence)> {
        let named = |column: Column| {
            let names = &self.columns[column as usize];
            if names.is_empty() { None } else { names.get(&store.name(column, position)).copied() }
        };
        if let Some(occurrence) = named(Column::Brand) {
            return Some((Field::Brand, occurrence));
        }
        let tags = if self.tags.is_empty() { &[] } else { store.tags().numbers_of(position) };
        let tags = tags.iter().filter_map(|tag| self.tags.get(tag).copied());
        tags.chain(named(Column::Category)).min().map(|occurrence| (Field::Group, occurrence))
    }
}

fn find<'a>(term: &Term, names: impl Iterator<Item = &'a str>) -> HashMap<u32, Occurrence> {
    (0..).zip(names).filter_map(|(number, name)| Some((number, term.best_in(name.as_bytes())?))).collect()
}
