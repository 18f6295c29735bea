//! Searches that look words up in an index. They find the same as those that go through all texts.

use std::cmp::Reverse;

use super::names::Found;
use super::order::{ranked, sorted};
use super::scan::best;
use crate::catalogue::search::{Field, Hit, Score, Term, fragments};
use crate::catalogue::store::{Containing, Store, WordIndex};

/// The best hit of a term in each product.
struct Hits(Vec<Hit>);

/// See [`super::best_found`].
pub(super) fn with_text(term: &Term, store: &Store, index: &WordIndex, most: usize) -> Vec<u32> {
    let mut hits = Hits::in_texts(term, store, index);
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
    let rank = |position: u32| {
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
            // How near they are to each other is not in the index.
            score = Score::default();
            let (title, _) = store.title_and_description(position);
            for term in terms {
                score.add(Field::Title, term.best_in(title)?);
            }
        }
        Some((ranked(&score, store, position), position))
    };
    sorted((0..).take(store.len()).filter_map(rank).collect(), most)
}

impl Hits {
    /// The hits in titles and descriptions.
    fn in_texts(term: &Term, store: &Store, index: &WordIndex) -> Self {
        let mut hits = Self(vec![Hit::NONE; store.len()]);
        let parts: Vec<&[u8]> = fragments(term.text()).collect();
        match &*parts {
            [] => (0..).take(store.len()).for_each(|position| hits.read(term, store, position)),
            [word] if word.len() == term.text().len() => {
                for found in index.containing(word).filter(|found| term.counts_at(found.place)) {
                    for entry in found.entries {
                        hits.add(entry.position(), Hit::new(entry.field(), found.place));
                    }
                }
            }
            parts => {
                for position in with_all(parts, store, index) {
                    hits.read(term, store, position);
                }
            }
        }
        hits
    }

    fn add(&mut self, position: u32, hit: Hit) {
        let own = &mut self.0[position as usize];
        *own = (*own).min(hit);
    }

    /// Looks for a term in a product's texts themselves.
    fn read(&mut self, term: &Term, store: &Store, position: u32) {
        // Few products have it, which one look at both texts shows.
        if term.is_in(store.text(position))
            && let Some((field, occurrence)) = best(term, store.title_and_description(position), || None)
        {
            self.add(position, Hit::new(field, occurrence.place()));
        }
    }

    /// Adds the hits in names, for products whose hit in their texts allows it.
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
        /// So much less than everything is sorted faster than everything is gone through in its order.
        const FEW: usize = 16;
        let mut counts = [0; Hit::COUNT];
        for hit in &self.0 {
            if let Some(count) = counts.get_mut(hit.number()) {
                *count += 1;
            }
        }
        let mut total = 0;
        // How many of each hit are wanted: all, until there are enough.
        let wanted = counts.map(|count: usize| {
            let wanted = count.min(most - total);
            total += wanted;
            wanted
        });
        let worst = wanted.iter().rposition(|wanted| *wanted > 0);
        let Some(worst) = worst else { return Vec::new() };
        if counts[..=worst].iter().sum::<usize>() <= store.len() / FEW {
            let hits = (0..).zip(&self.0).filter(|(_, hit)| hit.number() <= worst);
            let rank = |(position, hit): (u32, &Hit)| {
                let mut score = Score::default();
                score.add_hit(*hit);
                (ranked(&score, store, position), position)
            };
            return sorted(hits.map(rank).collect(), most);
        }
        let mut next = 0;
        let mut places = wanted.map(|wanted| {
            let start = next;
            next += wanted;
            (start, start + wanted)
        });
        let mut found = vec![0; total];
        let mut missing = total;
        for &position in index.by_merit() {
            if let Some((next, end)) = places.get_mut(self.0[position as usize].number())
                && next < end
            {
                found[*next] = position;
                *next += 1;
                missing -= 1;
                if missing == 0 {
                    break;
                }
            }
        }
        found
    }
}

/// The products that have a word for each of the longest fragments of a text, which may contain the text. Its first
/// fragment may be the end of a word, its last one a beginning.
fn with_all(parts: &[&[u8]], store: &Store, index: &WordIndex) -> Vec<u32> {
    /// Fragments that are looked up. More of them take longer, and leave out little.
    const LOOKED_UP: usize = 4;
    let mut longest: Vec<(usize, &[u8])> = parts.iter().copied().enumerate().collect();
    longest.sort_by_key(|(_, part)| Reverse(part.len()));
    longest.truncate(LOOKED_UP);
    // How many of the fragments so far each product has.
    let mut counts = vec![0; store.len()];
    for (looked_up, (at, part)) in (0_u8..).zip(&longest) {
        let may_be_it = |found: &Containing<'_>| {
            (*at == 0 || found.place.is_at_start()) && (at + 1 == parts.len() || found.is_at_end)
        };
        for entry in index.containing(part).filter(may_be_it).flat_map(|found| found.entries) {
            let count = &mut counts[entry.position() as usize];
            if *count == looked_up {
                *count += 1;
            }
        }
        if !counts.contains(&(looked_up + 1)) {
            return Vec::new();
        }
    }
    (0..).zip(counts).filter(|(_, count)| *count as usize == longest.len()).map(|(at, _)| at).collect()
}
