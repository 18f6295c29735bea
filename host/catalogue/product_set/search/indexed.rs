//! Searches that look words up in an index. They find the same products as searches that go through all texts.

use std::cmp::Reverse;
use std::ops::Range;

use super::names::Found;
use super::order::by_fit;
use super::scan::best;
use crate::catalogue::search::{Field, Fit, Hit, Score, Term, fragments};
use crate::catalogue::store::{Containing, Store, WordIndex, WordPair, kept};

/// The best hit of a term in each product.
struct Hits(Vec<Hit>);

/// See [`super::best_found`].
pub(super) fn with_text(term: &Term, store: &Store, index: &WordIndex, most: usize) -> Vec<u32> {
    let mut hits =
        Hits::first_in_titles(term, store, index, most).unwrap_or_else(|| Hits::in_texts(term, store, index));
    hits.improve_by_names(term, store, |hit| hit.is_in(Field::Description));
    let mut found: Vec<u32> = index.with_number(store, term.text()).collect();
    for &position in &found {
        hits.0[position as usize] = Hit::NONE;
    }
    found.truncate(most);
    let rest = most - found.len();
    found.extend(hits.sorted(store, index, rest));
    found
}

/// See [`super::best_found`].
pub(super) fn with_words(terms: &[Term], store: &Store, index: &WordIndex, most: usize) -> Vec<u32> {
    let mut every = Vec::with_capacity(terms.len());
    for term in terms {
        let mut hits = Hits::in_texts(term, store, index);
        hits.improve_by_names(term, store, |hit| !hit.is_in(Field::Title));
        every.push(hits);
    }
    if let [hits] = &*every {
        return hits.sorted(store, index, most);
    }
    let fit = |position: u32| {
        let mut score = Score::default();
        let mut is_in_title = true;
        for Hits(hits) in &every {
            let hit = hits[position as usize];
            if hit == Hit::NONE {
                return None;
            }
            is_in_title &= hit.is_in(Field::Title);
            score.add_hit(hit);
        }
        if is_in_title {
            // The index does not say how near the terms are to each other.
            score = Score::default();
            let (title, _) = store.title_and_description(position);
            for term in terms {
                score.add(Field::Title, term.best_in(title)?);
            }
        }
        Some(score.fit())
    };
    let fits: Vec<Fit> = (0..store.len() as u32).map(|position| fit(position).unwrap_or(Fit::NONE)).collect();
    by_fit(&fits, Fit::number, Fit::COUNT, (store, index), most)
}

impl Hits {
    /// The hits in titles and descriptions.
    fn in_texts(term: &Term, store: &Store, index: &WordIndex) -> Self {
        let mut hits = Self(vec![Hit::NONE; store.len()]);
        let parts: Vec<Range<usize>> = fragments(term.text()).collect();
        if is_part_of_a_word(term) {
            for found in index.containing(term.text()).filter(|found| term.counts_at(found.place)) {
                for entry in found.entries {
                    hits.add(entry.position(), Hit::new(entry.field(), found.place));
                }
            }
        } else if parts.is_empty() {
            (0..).take(store.len()).for_each(|position| hits.read(term, store, position));
        } else {
            for position in with_all(term.text(), &parts, store, index) {
                hits.read(term, store, position);
            }
        }
        hits
    }

    /// The best hits, if they are in the titles of at least `most` products: worse hits then need not be looked for.
    /// `None` if fewer titles have the term, or the term is more than a part of a word.
    fn first_in_titles(term: &Term, store: &Store, index: &WordIndex, most: usize) -> Option<Self> {
        if most > store.len() || !is_part_of_a_word(term) {
            return None;
        }
        let mut hits = Self(vec![Hit::NONE; store.len()]);
        let mut found: Vec<_> = index.containing(term.text()).collect();
        found.sort_by_key(|found| found.place);
        let mut count = 0;
        for words in found.chunk_by(|one, next| one.place == next.place) {
            let entries = words.iter().flat_map(|found| found.entries);
            for entry in entries.filter(|entry| entry.field() == Field::Title) {
                let hit = Hit::new(Field::Title, words[0].place);
                count += usize::from(hits.0[entry.position() as usize] == Hit::NONE);
                hits.add(entry.position(), hit);
            }
            if count >= most {
                return Some(hits);
            }
        }
        None
    }

    fn add(&mut self, position: u32, hit: Hit) {
        let own = &mut self.0[position as usize];
        *own = (*own).min(hit);
    }

    /// Looks for a term in a product's texts, without the index.
    fn read(&mut self, term: &Term, store: &Store, position: u32) {
        if let Some((field, occurrence)) = best(term, store.title_and_description(position), || None) {
            self.add(position, Hit::new(field, occurrence.place()));
        }
    }

    /// Adds the hits in names, for products whose hit in their texts `allows` it.
    fn improve_by_names(&mut self, term: &Term, store: &Store, allows: impl Fn(Hit) -> bool) {
        let found = Found::new(store, term);
        if found.is_empty() {
            return;
        }
        for (position, own) in (0..).zip(&mut self.0) {
            if allows(*own)
                && let Some((field, occurrence)) = found.best_of(store, position)
            {
                *own = (*own).min(Hit::new(field, occurrence.place()));
            }
        }
    }

    /// The products with the best hits, the best first.
    fn sorted(&self, store: &Store, index: &WordIndex, most: usize) -> Vec<u32> {
        by_fit(&self.0, Hit::number, Hit::COUNT, (store, index), most)
    }
}

/// Whether a term lies within a word wherever it occurs.
fn is_part_of_a_word(term: &Term) -> bool {
    fragments(term.text()).next().is_some_and(|part| part == (0..term.text().len()))
}

/// The products that may contain a text with these fragments: they have a word for each of the longest fragments, and
/// have the words for consecutive fragments one after the other.
fn with_all(text: &[u8], parts: &[Range<usize>], store: &Store, index: &WordIndex) -> Vec<u32> {
    /// How many fragments are looked up. Looking up more takes longer, and rules out few more products.
    const LOOKED_UP: usize = 4;
    let mut longest: Vec<(usize, &Range<usize>)> = parts.iter().enumerate().collect();
    longest.sort_by_key(|(_, part)| Reverse(part.len()));
    longest.truncate(LOOKED_UP);
    // How many of the fragments so far each product has.
    let mut counts = vec![0; store.len()];
    for (looked_up, (at, _)) in (0_u8..).zip(&longest) {
        for entry in words_of(text, parts, *at, index).flat_map(|found| found.entries) {
            let count = &mut counts[entry.position() as usize];
            if *count == looked_up {
                *count += 1;
            }
        }
        if !counts.contains(&(looked_up + 1)) {
            return Vec::new();
        }
    }
    let pairs = pairs_of(text, parts, index);
    let may_have = |position: u32| {
        pairs.iter().all(|pairs| pairs.iter().any(|&pair| index.pairs().may_have(position, pair)))
    };
    let all = kept(0..store.len() as u32, |position| counts[position as usize] as usize == longest.len());
    kept(all.into_iter(), may_have)
}

/// The words that a fragment of a text may be in: the first fragment may end a word, the last one may begin one.
fn words_of<'a>(
    text: &[u8],
    parts: &[Range<usize>],
    at: usize,
    index: &'a WordIndex,
) -> impl Iterator<Item = Containing<'a>> {
    let (is_first, is_last) = (at == 0, at + 1 == parts.len());
    index
        .containing(&text[parts[at].clone()])
        .filter(move |found| (is_first || found.place.is_at_start()) && (is_last || found.is_at_end))
}

/// For each two consecutive fragments of a text: the pairs of words of which a product with the text has one.
/// Fragments with too many possible pairs are left out.
fn pairs_of(text: &[u8], parts: &[Range<usize>], index: &WordIndex) -> Vec<Vec<WordPair>> {
    /// Checking more pairs takes as long as reading the text, and rules out fewer products.
    const MOST: usize = 12;
    let words: Vec<Vec<&[u8]>> = (0..parts.len())
        .map(|at| words_of(text, parts, at, index).map(|found| found.word).take(MOST + 1).collect())
        .collect();
    let pairs = |(words, parts): (&[Vec<&[u8]>], &[Range<usize>])| {
        let between = &text[parts[0].end..parts[1].start];
        let pairs = words[0]
            .iter()
            .flat_map(|first| words[1].iter().map(|second| index.pair(&[first, between, second].concat())));
        (words[0].len() * words[1].len() <= MOST).then(|| pairs.collect())
    };
    words.windows(2).zip(parts.windows(2)).filter_map(pairs).collect()
}
