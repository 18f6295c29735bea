//! A search in a product set. It is made when its result is first used.

mod correct;
mod forms;
mod hits;
mod order;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use memchr::memmem::Finder;

use self::hits::{Hits, Searched, hits};
use self::order::by_fit;
use crate::catalogue::search::{Fit, Hit, Language, Likeness, Query, Rules, Score, Spot};
use crate::catalogue::store::{Part, Store, chosen, squeezed};
use crate::process::compute::assert_off_runtime;

/// A search for a text.
#[derive(Debug)]
pub(super) struct Search {
    query: Query,
    rules: Arc<Rules>,
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
    pub(super) fn new(text: &str, rules: &Arc<Rules>) -> Self {
        Self { query: Query::new(text, rules), rules: Arc::clone(rules), found: OnceLock::new() }
    }

    /// The products of `all` that the search finds, in the catalogue's order.
    pub(super) fn result(&self, store: &Store, all: &Part) -> &Part {
        &self.found(store, all).part
    }

    /// The positions of [`Self::result`], the best first.
    pub(super) fn ranked(&self, store: &Store, all: &Part) -> &[u32] {
        &self.found(store, all).ranked
    }

    fn found(&self, store: &Store, all: &Part) -> &Found {
        self.found.get_or_init(|| {
            let mut ranked = match self.query.text() {
                "" => all.positions.to_vec(),
                _ => best_found(&self.query, &self.rules, store, usize::MAX),
            };
            if all.positions.len() < store.len() {
                ranked = chosen(ranked.into_iter(), &all.positions, store.len());
            }
            let part = Part::new(store, chosen(0..store.len() as u32, &ranked, store.len()));
            Found { ranked, part }
        })
    }
}

/// The first products of a search among all products of a store, the best first.
///
/// First come the products with this article number, then those that have each required word of the search somewhere, in
/// whatever form. Those with all of the text as a part of their title or description are among them.
pub(super) fn best_found(query: &Query, rules: &Rules, store: &Store, most: usize) -> Vec<u32> {
    assert_off_runtime();
    let index = store.word_index();
    let mut first: Vec<u32> = Vec::new();
    let number = squeezed(query.text());
    if !number.is_empty() {
        first.extend(index.numbers().equal_to(store, &number));
        first.sort_unstable();
        first.dedup();
        first.truncate(most);
    }
    let rest = most - first.len();
    let mut every = match query.words() {
        [] => vec![with_signs(store, query.text())],
        _ => hits(Searched { store, index, rules }, query, most),
    };
    // There is at least one word.
    if let Some(Hits(hits)) = every.first_mut() {
        first.iter().for_each(|&position| hits[position as usize] = Hit::NONE);
    }
    let found = match &*every {
        [Hits(hits)] if query.words().len() < 2 => by_fit(hits, Hit::number, Hit::COUNT, store, rest),
        every => by_fit(&fits(every, query, store), Fit::number, Fit::COUNT, store, rest),
    };
    first.extend(found);
    first
}

/// The searches that may be meant by one that finds nothing and do find something, at most `most`, the nearest first.
pub(super) fn corrections(query: &Query, rules: &Rules, store: &Store, most: usize) -> Vec<String> {
    correct::corrections(Searched { store, index: store.word_index(), rules }, query, most)
}

/// Words that resemble those of a search for a folded text, at most `most`.
pub(super) fn similar_words(text: &str, rules: &Rules, store: &Store, most: usize) -> Vec<String> {
    correct::similar_words(Searched { store, index: store.word_index(), rules }, text, most)
}

/// The products whose texts have signs that belong to no word.
fn with_signs(store: &Store, signs: &str) -> Hits {
    let finder = Finder::new(signs);
    let hit = |position: u32| match finder.find(store.text(position)) {
        Some(_) => Hit::new(Spot::Description, Likeness::Middle),
        None => Hit::NONE,
    };
    Hits((0..).take(store.len()).map(hit).collect())
}

/// How well each product fits a search of several words.
fn fits(every: &[Hits], query: &Query, store: &Store) -> Vec<Fit> {
    // In whatever form a word is in a title, it mostly begins alike.
    let begins = query.required().map(|number| {
        let word = query.word(number);
        let begin = query.stem(number).map(Language::beginning).filter(|begin| word.starts_with(begin));
        Finder::new(begin.unwrap_or(word)).into_owned()
    });
    let begins: Vec<Finder<'_>> = begins.collect();
    let fit = |position: u32| {
        let mut score = Score::default();
        for Hits(hits) in every {
            let hit = hits[position as usize];
            if hit.number() >= Hit::COUNT {
                return Fit::NONE;
            }
            score.add(hit);
        }
        if !score.is_in_title() {
            return score.fit();
        }
        let title = store.folded_title(position);
        match title.strip_prefix(query.text().as_bytes()) {
            Some([]) => Fit::EQUAL_TITLE,
            Some([next, ..]) if next.is_ascii() && !next.is_ascii_alphanumeric() => Fit::TITLE_BEGINS,
            _ => score.fit_in_title(apart(title, &begins)),
        }
    };
    (0..).take(store.len()).map(fit).collect()
}

/// How many bytes are between words with these beginnings in a title, as far as they are there.
fn apart(title: &[u8], begins: &[Finder<'_>]) -> usize {
    let (mut first, mut end, mut length) = (usize::MAX, 0, 0);
    for begin in begins {
        if let Some(at) = begin.find(title) {
            let rest = &title[at + begin.needle().len()..];
            let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
            let own = begin.needle().len() + rest.iter().take_while(|byte| is_of_word(byte)).count();
            first = first.min(at);
            end = end.max(at + own);
            length += own;
        }
    }
    end.saturating_sub(first).saturating_sub(length)
}
