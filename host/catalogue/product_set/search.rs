//! A search among the products of a set, which is made when its result is first used.

use std::cell::LazyCell;
use std::sync::OnceLock;

use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::search::{Field, MOST_WORDS, Occurrence, Rank, Score, Term, fold};
use crate::catalogue::store::{Part, Store, Texts};
use crate::catalogue::words::words;
use crate::process::compute::assert_off_runtime;

/// How many categories, brands and tags are looked at, each.
const NAMES: usize = 50_000;

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
            let mut found = with_text(&self.text, store, all);
            if found.is_empty() {
                found = with_words(&self.text, store, all);
            }
            // Products of one rank keep their order.
            found.sort_by_key(|(rank, _)| *rank);
            Part::new(store, found.into_iter().map(|(_, position)| position).collect())
        })
    }
}

/// The products with all of the text in their title or description, as the service searches, and those with this article
/// number.
fn with_text(text: &str, store: &Store, all: &Part) -> Vec<(Rank, u32)> {
    let term = Term::whole(text);
    let names = LazyCell::new(|| Names::of(store));
    let found = LazyCell::new(|| names.find(&term));
    let rank = |&position: &u32| {
        if !term.is_in(store.text(position)) {
            return None;
        }
        let texts = store.texts(position);
        if !text.is_empty() && term.is_line_of(texts.numbers) {
            return Some((Rank::default(), position));
        }
        let mut score = Score::default();
        let (field, occurrence) = match term.best_in(texts.title) {
            Some(occurrence) => (Field::Title, occurrence),
            None => {
                let description = (Field::Description, term.best_in(texts.description)?);
                found.best_of(store, position).unwrap_or(description)
            }
        };
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
    let names = Names::of(store);
    let terms: Vec<(Found, Term)> = terms.into_iter().map(|term| (names.find(&term), term)).collect();
    let rank = |&position: &u32| {
        let Texts { title, description, .. } = store.texts(position);
        let mut score = Score::default();
        for (found, term) in &terms {
            let (field, occurrence) = term
                .best_in(title)
                .map(|occurrence| (Field::Title, occurrence))
                .or_else(|| found.best_of(store, position))
                .or_else(|| Some((Field::Description, term.best_in(description)?)))?;
            score.add(field, occurrence);
        }
        Some((ranked(&score, store, position), position))
    };
    all.positions.iter().filter_map(rank).collect()
}

fn ranked(score: &Score, store: &Store, position: u32) -> Rank {
    score.rank(store.rating(position), !store.has(Flag::InStock, position))
}

/// The folded names that products have beside their texts, by their numbers.
struct Names {
    columns: [Vec<String>; Column::EVERY.len()],
    tags: Vec<String>,
}

/// The best occurrences of a term in names, by the names' numbers.
struct Found {
    columns: [Vec<Option<Occurrence>>; Column::EVERY.len()],
    tags: Vec<Option<Occurrence>>,
}

impl Names {
    fn of(store: &Store) -> Self {
        let columns = Column::EVERY.map(|column| {
            let numbers = (0..).take(store.names(column).len().min(NAMES));
            numbers.map(|number| fold(&store.title(column, number))).collect()
        });
        let tags = store.tags().spellings().iter().take(NAMES).map(|tag| fold(tag)).collect();
        Self { columns, tags }
    }

    fn find(&self, term: &Term) -> Found {
        let find = |names: &[String]| names.iter().map(|name| term.best_in(name.as_bytes())).collect();
        Found { columns: self.columns.each_ref().map(|names| find(names)), tags: find(&self.tags) }
    }
}

impl Found {
    /// The best occurrence in a name of a product: in its brand, or else in its category or tags.
    fn best_of(&self, store: &Store, position: u32) -> Option<(Field, Occurrence)> {
        let named = |column: Column| {
            let number = store.name(column, position) as usize;
            self.columns[column as usize].get(number).copied().flatten()
        };
        if let Some(occurrence) = named(Column::Brand) {
            return Some((Field::Brand, occurrence));
        }
        let tags = store.tags().numbers_of(position).iter();
        let tags = tags.filter_map(|&tag| self.tags.get(tag as usize).copied().flatten());
        tags.chain(named(Column::Category)).min().map(|occurrence| (Field::Group, occurrence))
    }
}
