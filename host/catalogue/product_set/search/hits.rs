//! The products that have a word of a search, in whatever form.

use super::forms::{self, At, Parts, runs};
use crate::catalogue::columns::Column;
use crate::catalogue::search::{Hit, Likeness, Query, Rules, Spot, words_of};
use crate::catalogue::store::{Entry, Store, WordIndex, squeezed};

/// The most words of a search that may be one word elsewhere.
const JOINED: usize = 3;
/// The least letters and digits of the beginning of an article number.
const LEAST_OF_NUMBER: usize = 4;
/// A split word of which each part is in more products than this is looked for in titles alone.
const OFTEN: usize = 20_000;

/// The best hit of a word in each product.
pub(super) struct Hits(pub(super) Vec<Hit>);

impl Hits {
    fn none(store: &Store) -> Self {
        Self(vec![Hit::NONE; store.len()])
    }

    #[inline]
    fn add(&mut self, position: u32, hit: Hit) {
        let own = &mut self.0[position as usize];
        *own = (*own).min(hit);
    }

    /// Adds the products that have one of these words in a spot that is not worse than `worst`.
    fn add_words(&mut self, index: &WordIndex, words: &[usize], likeness: Likeness, worst: Spot) {
        let entries = words.iter().flat_map(|&word| index.entries(word));
        for entry in entries.filter(|entry| entry.spot() <= worst) {
            self.add(entry.position(), Hit::new(entry.spot(), likeness));
        }
    }

    /// Whether at least `most` products have the word in their titles.
    fn are_enough(&self, most: usize) -> bool {
        most < self.0.len() && self.0.iter().filter(|hit| hit.is_in_title()).take(most).count() == most
    }
}

/// What a search is made in.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    pub(super) store: &'a Store,
    pub(super) index: &'a WordIndex,
    pub(super) rules: &'a Rules,
}

/// The hits of each required word of a search. If only the `most` best products are wanted, worse ones may be missing.
pub(super) fn hits(searched: Searched<'_>, query: &Query, most: usize) -> Vec<Hits> {
    let Searched { store, index, rules } = searched;
    let required: Vec<usize> = query.required().collect();
    let mut every: Vec<Hits> = required.iter().map(|_| Hits::none(store)).collect();
    // Forms of words, the best first: once enough titles have one, no other is better.
    let is_enough = |every: &[Hits]| matches!(every, [hits] if hits.are_enough(most));
    // A frequent word is in many descriptions, which need not be looked at where titles may be enough.
    let is_brief = required.len() == 1 && most < store.len();
    let worst: &[Spot] = if is_brief { &[Spot::Title, Spot::Description] } else { &[Spot::Description] };
    for &worst in worst {
        for (hits, &number) in every.iter_mut().zip(&required) {
            for (word, likeness) in forms::whole(index, rules, query.word(number)) {
                hits.add_words(index, &[word], likeness, worst);
            }
        }
        if is_enough(&every) {
            return every;
        }
    }
    add_joined(searched, query, &required, &mut every);
    add_synonyms(searched, query, &required, &mut every);
    for (hits, &number) in every.iter_mut().zip(&required) {
        add_split(searched, query.word(number), hits);
    }
    if is_enough(&every) {
        return every;
    }
    let last = query.words().len() - 1;
    let parts = required.iter().map(|&number| {
        Parts::new(index, query.word(number), At { is_first: number == 0, is_last: number == last })
    });
    let parts: Vec<Parts> = parts.collect();
    for &worst in worst {
        for (hits, Parts { beginnings, .. }) in every.iter_mut().zip(&parts) {
            hits.add_words(index, beginnings, Likeness::Beginning, worst);
        }
        if is_enough(&every) {
            return every;
        }
    }
    for (hits, Parts { middles, unsure, .. }) in every.iter_mut().zip(&parts) {
        hits.add_words(index, middles, Likeness::Middle, Spot::Description);
        for entry in unsure.iter().flat_map(|&word| index.entries(word)) {
            hits.add(entry.position(), Hit::UNSURE);
        }
    }
    add_numbers(searched, query, &required, &mut every);
    if parts.iter().any(|parts| !parts.unsure.is_empty()) {
        decide(store, query, &mut every);
    }
    every
}

/// Adds a hit of all required words among these.
fn add_to_all(
    every: &mut [Hits],
    required: &[usize],
    words: &std::ops::Range<usize>,
    position: u32,
    hit: Hit,
) {
    for (hits, number) in every.iter_mut().zip(required) {
        if words.contains(number) {
            hits.add(position, hit);
        }
    }
}

/// Adds the products in which words of the search that follow each other are one word.
fn add_joined(searched: Searched<'_>, query: &Query, required: &[usize], every: &mut [Hits]) {
    let Searched { index, rules, .. } = searched;
    let count = query.words().len();
    for words in runs(count, JOINED) {
        let joined = query.joined(words.clone());
        let mut found: Vec<usize> =
            forms::whole(index, rules, &joined).into_iter().map(|(word, _)| word).collect();
        if words.end == count && joined.chars().nth(3).is_some() {
            found.extend(index.beginning_with(&joined));
        }
        for entry in found.into_iter().flat_map(|word| index.entries(word)) {
            add_to_all(every, required, &words, entry.position(), Hit::new(entry.spot(), Likeness::Form));
        }
    }
}

/// Adds the products that have a word in several parts which follow each other.
fn add_split(searched: Searched<'_>, word: &str, hits: &mut Hits) {
    let Searched { store, index, rules } = searched;
    for parts in forms::splits(index, rules, word) {
        let Some((last, others)) = parts.split_last() else { continue };
        let mut lists: Vec<Vec<&[Entry]>> = others
            .iter()
            .map(|part| index.number(part).map(|word| index.entries(word)).into_iter().collect())
            .collect();
        let ends = forms::whole(index, rules, last);
        lists.push(ends.iter().map(|&(word, _)| index.entries(word)).collect());
        let length = |list: &Vec<&[Entry]>| list.iter().map(|entries| entries.len()).sum::<usize>();
        lists.sort_by_key(length);
        let Some((rarest, rest)) = lists.split_first() else { continue };
        let is_often = length(rarest) > OFTEN;
        for entry in rarest.iter().copied().flatten() {
            // Parts follow each other at best in the worst of the spots where they are.
            let position = entry.position();
            let mut spots =
                rest.iter().map(|list| list.iter().filter_map(|entries| spot_in(entries, position)).min());
            let worst = spots.try_fold(entry.spot(), |worst, spot| Some(worst.max(spot?)));
            if let Some(worst) = worst.filter(|spot| !is_often || *spot < Spot::Name)
                && let Some(spot) = spot_of_parts(store, rules, position, &parts, worst)
            {
                hits.add(position, Hit::new(spot, Likeness::Form));
            }
        }
    }
}

/// The spot of a word in a product, if the product is among those that have the word.
fn spot_in(entries: &[Entry], position: u32) -> Option<Spot> {
    let at = entries.binary_search_by_key(&position, |entry| entry.position()).ok()?;
    Some(entries[at].spot())
}

/// The best spot of a product in which these words follow each other, from one spot on.
fn spot_of_parts(store: &Store, rules: &Rules, position: u32, parts: &[&str], from: Spot) -> Option<Spot> {
    let are_in = |text: &str| {
        let words: Vec<&str> = words_of(text).collect();
        words.windows(parts.len()).any(|words| {
            let (last, others) = (words.len() - 1, &words[..words.len() - 1]);
            others == &parts[..last] && rules.is_form(words[last], parts[last])
        })
    };
    let (title, description) = store.title_and_description(position);
    if from < Spot::Name && are_in(title) {
        let begins = words_of(title).next() == parts.first().copied();
        return Some(if begins { Spot::TitleStart } else { Spot::Title });
    }
    let labels = store.labels();
    let name = |column: Column| labels.of(column).get(store.name(column, position) as usize);
    let mut names = Column::EVERY.into_iter().filter_map(name);
    if from <= Spot::Name && names.any(|label| are_in(&label.text)) {
        return Some(Spot::Name);
    }
    let mut tags = store.tags().numbers_of(position).iter().filter_map(|&tag| labels.tags.get(tag as usize));
    if from <= Spot::Tag && (tags.any(|tag| are_in(tag)) || store.options(position).any(are_in)) {
        return Some(Spot::Tag);
    }
    are_in(description).then_some(Spot::Description)
}

/// Adds the products that have what words of the search also mean.
fn add_synonyms(searched: Searched<'_>, query: &Query, required: &[usize], every: &mut [Hits]) {
    let Searched { store, index, rules } = searched;
    let stems = |number: usize| query.stem(number).unwrap_or(query.word(number));
    for synonym in rules.synonyms() {
        let length = synonym.words.len();
        let are_equal =
            |start: &usize| (*start..).zip(&synonym.stems).all(|(number, stem)| stems(number) == stem);
        let starts = (0..(query.words().len() + 1).saturating_sub(length)).filter(are_equal);
        for start in starts.take(1) {
            for other in &synonym.others {
                let mut all = vec![Some(Spot::WholeTitle); store.len()];
                for word in other {
                    let mut own = Hits::none(store);
                    let mut spots = vec![None; store.len()];
                    let found = forms::whole(index, rules, word);
                    for entry in found.iter().flat_map(|&(word, _)| index.entries(word)) {
                        let spot: &mut Option<Spot> = &mut spots[entry.position() as usize];
                        *spot = Some(spot.map_or(entry.spot(), |spot| spot.min(entry.spot())));
                    }
                    add_split(searched, word, &mut own);
                    for ((all, spot), hit) in all.iter_mut().zip(spots).zip(own.0) {
                        let spot = spot.or((hit != Hit::NONE).then_some(Spot::Description));
                        *all = all.zip(spot).map(|(one, other)| one.max(other));
                    }
                }
                for (position, spot) in (0..).zip(all) {
                    if let Some(spot) = spot {
                        let hit = Hit::new(spot, Likeness::Form);
                        add_to_all(every, required, &(start..start + length), position, hit);
                    }
                }
            }
        }
    }
}

/// Adds the products of which an article number begins with words of the search.
fn add_numbers(searched: Searched<'_>, query: &Query, required: &[usize], every: &mut [Hits]) {
    let Searched { store, index, .. } = searched;
    let count = query.words().len();
    for words in (0..count).map(|word| word..word + 1).chain(runs(count, count)) {
        let number = squeezed(&query.joined(words.clone()));
        if number.chars().nth(LEAST_OF_NUMBER - 1).is_none() {
            continue;
        }
        for &position in index.numbers().beginning_with(store, &number) {
            add_to_all(every, required, &words, position, Hit::new(Spot::Tag, Likeness::Beginning));
        }
    }
}

/// Whether the products count that have a word only as a part of another: those with all of the search in their text do.
fn decide(store: &Store, query: &Query, every: &mut [Hits]) {
    let finder = memchr::memmem::Finder::new(query.text());
    for position in (0..).take(store.len()) {
        let at = position as usize;
        let is_unsure = every.iter().any(|hits| hits.0[at] == Hit::UNSURE);
        if !is_unsure || every.iter().any(|hits| hits.0[at] == Hit::NONE) {
            continue;
        }
        let hit = match finder.find(store.text(position)) {
            Some(_) => Hit::new(Spot::Description, Likeness::Middle),
            None => Hit::NONE,
        };
        for hits in every.iter_mut().filter(|hits| hits.0[at] == Hit::UNSURE) {
            hits.0[at] = hit;
        }
    }
}
