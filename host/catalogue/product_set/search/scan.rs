//! Searches that go through all texts.

use std::cell::LazyCell;

use super::names::Found;
use super::order::Ranked;
use crate::catalogue::search::{Field, Occurrence, Rank, Score, Term};
use crate::catalogue::store::Store;

/// The products with all of the text in their title or description, as the service searches, and those with this
/// article number.
pub(super) fn with_text(term: &Term, store: &Store) -> Vec<Ranked> {
    let found = LazyCell::new(|| Found::new(store, term));
    let rank = |position: u32| {
        if term.is_line_of(store.numbers(position)) {
            return Some(Ranked::new(Rank::default(), position));
        }
        // Most products do not have the term, which one look at both texts shows.
        if !term.is_in(store.text(position)) {
            return None;
        }
        let (field, occurrence) =
            best(term, store.title_and_description(position), || found.best_of(store, position))?;
        let mut score = Score::default();
        score.add(field, occurrence);
        Some(Ranked::by_score(&score, store, position))
    };
    (0..).take(store.len()).filter_map(rank).collect()
}

/// The products that have each of these words somewhere: in their title, description, brand, category or tags.
pub(super) fn with_words(terms: &[Term], store: &Store) -> Vec<Ranked> {
    let terms: Vec<_> = terms.iter().map(|term| (Found::new(store, term), term)).collect();
    let rank = |position: u32| {
        let texts = store.title_and_description(position);
        let mut score = Score::default();
        for (found, term) in &terms {
            let (field, occurrence) = best(term, texts, || found.best_of(store, position))?;
            score.add(field, occurrence);
        }
        Some(Ranked::by_score(&score, store, position))
    };
    (0..).take(store.len()).filter_map(rank).collect()
}

/// The best occurrence of a term in the title of a product, else in its names, else in its description.
pub(super) fn best(
    term: &Term,
    (title, description): (&[u8], &[u8]),
    in_names: impl FnOnce() -> Option<(Field, Occurrence)>,
) -> Option<(Field, Occurrence)> {
    let in_title = term.best_in(title).map(|occurrence| (Field::Title, occurrence));
    let in_description = || term.best_in(description).map(|occurrence| (Field::Description, occurrence));
    in_title.or_else(in_names).or_else(in_description)
}
