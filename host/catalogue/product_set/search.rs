//! A search among the products of a set, which is made when its result is first used.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::search::{Field, MOST_WORDS, Occurrence, Rank, Score, Term, fold};
use crate::catalogue::store::{Labels, Part, Store};
use crate::catalogue::words::words;
use crate::process::compute::assert_off_runtime;

/// A search for a text.
#[derive(Debug)]
pub(super) struct Search {
    /// The folded text.
    text: Box<str>,
    found: OnceLock<Part>,
}

impl Search {
    pub(super) fn new(text: &str) -> Self {
        Self { text: fold(text).into(), found: OnceLock::new() }
    }

    /// The products of `all` that the search finds, the best first. It takes long the first time, see
    /// `process/compute.rs`.
    pub(super) fn result(&self, store: &Store, all: &Part) -> &Part {
        self.found.get_or_init(|| {
            assert_off_runtime();
            if self.text.is_empty() {
                return Part::new(store, all.positions.to_vec());
            }
            let mut found = with_text(&self.text, store, all);
            if found.is_empty() {
                found = with_words(&self.text, store, all);
            }
            found.sort_unstable();
            Part::new(store, found.into_iter().map(|(_, position)| position).collect())
        })
    }
}

/// The products with all of the text in their title or description, as the service searches, and those with this article
/// number.
fn with_text(text: &str, store: &Store, all: &Part) -> Vec<(Rank, u32)> {
    let term = Term::whole(text);
    let found = LazyCell::new(|| Found::new(store, &term));
    let rank = |&position: &u32| {
        if term.is_line_of(store.numbers(position)) {
            return Some((Rank::default(), position));
        }
        // Most products have it nowhere, which one look at both texts shows.
        if !term.is_in(store.text(position)) {
            return None;
        }
        let (field, occurrence) =
            best(&term, store.title_and_description(position), || found.best_of(store, position))?;
        let mut score = Score::default();
        score.add(field, occurrence);
        Some((ranked(&score, store, position), position))
    };
    all.positions.iter().filter_map(rank).collect()
}

/// The products that have each word of the text somewhere: in their title, description, brand, category or tags.
fn with_words(text: &str, store: &Store, all: &Part) -> Vec<(Rank, u32)> {
    let terms: Vec<Term> = words(text).take(MOST_WORDS + 1).map(Term::word).collect();
    if terms.is_empty() || terms.len() > MOST_WORDS {
        return Vec::new();
    }
    let terms: Vec<_> = terms.into_iter().map(|term| (Found::new(store, &term), term)).collect();
    let rank = |&position: &u32| {
        let texts = store.title_and_description(position);
        let mut score = Score::default();
        for (found, term) in &terms {
            let (field, occurrence) = best(term, texts, || found.best_of(store, position))?;
            score.add(field, occurrence);
        }
        Some((ranked(&score, store, position), position))
    };
    all.positions.iter().filter_map(rank).collect()
}

/// The best occurrence of a term in the title of a product, else in its names, else in its description.
fn best(
    term: &Term,
    (title, description): (&[u8], &[u8]),
    in_names: impl FnOnce() -> Option<(Field, Occurrence)>,
) -> Option<(Field, Occurrence)> {
    let in_title = term.best_in(title).map(|occurrence| (Field::Title, occurrence));
    let in_description = || term.best_in(description).map(|occurrence| (Field::Description, occurrence));
    in_title.or_else(in_names).or_else(in_description)
}

fn ranked(score: &Score, store: &Store, position: u32) -> Rank {
    score.rank(store.rating(position), !store.has(Flag::InStock, position))
}

/// The best occurrences of a term in the names that contain it, by the names' numbers.
struct Found {
    columns: [HashMap<u32, Occurrence>; Column::EVERY.len()],
    tags: HashMap<u32, Occurrence>,
}

impl Found {
    fn new(store: &Store, term: &Term) -> Self {
        let Labels { columns, tags } = store.labels();
        let find = |labels: &[Box<str>]| {
            let found = (0..)
                .zip(labels)
                .filter_map(|(number, label)| Some((number, term.best_in(label.as_bytes())?)));
            found.collect()
        };
        Self { columns: columns.each_ref().map(|labels| find(labels)), tags: find(tags) }
    }

    /// The best occurrence in a name of a product: in its brand, or else in its category or tags.
    fn best_of(&self, store: &Store, position: u32) -> Option<(Field, Occurrence)> {
        let named =
            |column: Column| self.columns[column as usize].get(&store.name(column, position)).copied();
        if let Some(occurrence) = named(Column::Brand) {
            return Some((Field::Brand, occurrence));
        }
        let tags = store.tags().numbers_of(position).iter();
        let tags = tags.filter_map(|tag| self.tags.get(tag).copied());
        tags.chain(named(Column::Category)).min().map(|occurrence| (Field::Group, occurrence))
    }
}
