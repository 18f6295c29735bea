//! A search in a product set. It is made when its result is first used.

mod indexed;
mod names;
mod order;
mod scan;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use self::order::sorted;
use crate::catalogue::search::{MOST_WORDS, Term, fold};
use crate::catalogue::store::{Part, Store, chosen};
use crate::catalogue::words::words;
use crate::process::compute::assert_off_runtime;

/// A search for a text.
#[derive(Debug)]
pub(super) struct Search {
    /// The folded text.
    text: Box<str>,
    found: OnceLock<Found>,
}

#[derive(Debug)]
struct Found {
    /// The positions, the best first.
    ranked: Vec<u32>,
    /// The same products in the catalogue's order, in which their columns are read faster.
    part: Part,
}

impl Search {
    pub(super) fn new(text: &str) -> Self {
        Self { text: fold(text).into(), found: OnceLock::new() }
    }

    /// The products of `all` that the search finds, in the catalogue's order. The first call takes long, see
    /// `process/compute.rs`.
    pub(super) fn result(&self, store: &Store, all: &Part) -> &Part {
        &self.found(store, all).part
    }

    /// The positions of [`Self::result`], the best first.
    pub(super) fn ranked(&self, store: &Store, all: &Part) -> &[u32] {
        &self.found(store, all).ranked
    }

    fn found(&self, store: &Store, all: &Part) -> &Found {
        self.found.get_or_init(|| {
            let mut ranked = match &*self.text {
                "" => all.positions.to_vec(),
                text => best_found(text, store, usize::MAX),
            };
            if all.positions.len() < store.len() {
                ranked = chosen(ranked.into_iter(), &all.positions, store.len());
            }
            let part = Part::new(store, chosen(0..store.len() as u32, &ranked, store.len()));
            Found { ranked, part }
        })
    }
}

/// The first products of a search for a folded text among all products of a store, the best first. This takes long,
/// see `process/compute.rs`.
///
/// First come the products with this article number, then those with all of the text in their title or description,
/// as the service searches. If there are none, the result is the products that have each word of the text somewhere.
pub(super) fn best_found(text: &str, store: &Store, most: usize) -> Vec<u32> {
    assert_off_runtime();
    let term = Term::whole(text);
    let index = store.word_index();
    let found = match index {
        Some(index) => indexed::with_text(&term, store, index, most),
        None => sorted(scan::with_text(&term, store), most),
    };
    if !found.is_empty() {
        return found;
    }
    let terms: Vec<Term> = words(text).take(MOST_WORDS + 1).map(Term::word).collect();
    if terms.is_empty() || terms.len() > MOST_WORDS {
        return Vec::new();
    }
    match index {
        Some(index) => indexed::with_words(&terms, store, index, most),
        None => sorted(scan::with_words(&terms, store), most),
    }
}
