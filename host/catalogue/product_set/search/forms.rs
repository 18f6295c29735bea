//! The words of an index that a word of a search stands for.

use std::ops::Range;

use crate::catalogue::search::{Language, Likeness, Rules};
use crate::catalogue::store::WordIndex;

/// How many words that begin alike are looked at for forms of one: a hostile catalogue may have many.
const MOST_FORMS: usize = 10_000;
/// The longest word that is looked for in parts, in bytes.
const LONGEST_SPLIT: usize = 48;
/// The most parts of a word, the most ways to split one, and the most beginnings that are tried.
const PARTS: usize = 4;
const SPLITS: usize = 16;
const TRIED: usize = 400;

/// The words of an index that equal a folded word or are forms of it, by their numbers.
pub(super) fn whole(index: &WordIndex, rules: &Rules, word: &str) -> Vec<(usize, Likeness)> {
    let mut found: Vec<(usize, Likeness)> = Vec::new();
    found.extend(index.number(word).map(|number| (number, Likeness::Whole)));
    let mut add = |number: usize| {
        if !found.iter().any(|&(known, _)| known == number) {
            found.push((number, Likeness::Form));
        }
    };
    let language = rules.language();
    if let Some(stem) = language.stem(word) {
        let range = index.beginning_with(Language::beginning(&stem));
        let irregular = language.irregular(&stem).map(|plural| index.beginning_with(plural));
        range
            .take(MOST_FORMS)
            .chain(irregular.flatten())
            .filter(|&number| language.has_stem(index.word(number), &stem))
            .for_each(&mut add);
    }
    spellings(word).filter_map(|other| index.number(&other)).for_each(&mut add);
    found
}

/// How else a folded word is written: with an umlaut as one letter or as two, and with or without the Arabic article.
fn spellings(word: &str) -> impl Iterator<Item = String> {
    const ARTICLE: &str = "\u{627}\u{644}";
    let as_one = ["ae", "oe", "ue"].iter().fold(word.to_owned(), |word, two| word.replace(two, &two[..1]));
    let as_two = word.char_indices().filter(|(_, letter)| matches!(letter, 'a' | 'o' | 'u'));
    let as_two = as_two.map(|(at, _)| [&word[..=at], "e", &word[at + 1..]].concat());
    let article = match word.strip_prefix(ARTICLE) {
        Some(rest) => Some(rest.to_owned()),
        None => word
            .starts_with(|letter| ('\u{620}'..='\u{64a}').contains(&letter))
            .then(|| [ARTICLE, word].concat()),
    };
    std::iter::once(as_one).filter(move |other| other != word).chain(as_two).chain(article)
}

/// The words of an index that only begin with a folded word or contain it, by their numbers.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) beginnings: Vec<usize>,
    pub(super) middles: Vec<usize>,
    /// Those that count only if the whole search is a part of the product's text.
    pub(super) unsure: Vec<usize>,
}

/// Where a word is in a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) is_first: bool,
    pub(super) is_last: bool,
}

impl Parts {
    /// A short ASCII word is a part of too many others: beside other words it must begin one, or be whole. The first
    /// word of a text that is a part of another may end a word there, and the last one may begin one.
    pub(super) fn new(index: &WordIndex, word: &str, At { is_first, is_last }: At) -> Self {
        let mut parts = Self::default();
        let is_any = is_first && is_last || !word.is_ascii() || word.len() > 3;
        let begins = index.beginning_with(word);
        if is_any || word.len() == 3 {
            parts.beginnings.extend(begins.clone());
        } else if is_last {
            parts.unsure.extend(begins.clone());
        }
        if is_any {
            parts.middles.extend(index.containing(word).filter(|number| !begins.contains(number)));
        } else if is_first {
            // A word may both begin and end with it.
            let is_end =
                |&number: &usize| index.word(number).strip_suffix(word).is_some_and(|rest| !rest.is_empty());
            parts.unsure.extend(index.containing(word).filter(is_end));
        }
        parts
    }
}

/// The ways in which a folded word is several words of the index. The last part may be another form of a word.
pub(super) fn splits<'a>(index: &WordIndex, rules: &Rules, word: &'a str) -> Vec<Vec<&'a str>> {
    let mut splits = Splits { index, rules, tried: 0, parts: Vec::new(), found: Vec::new() };
    if word.len() <= LONGEST_SPLIT {
        splits.extend(word);
    }
    splits.found
}

struct Splits<'a, 'i> {
    index: &'i WordIndex,
    rules: &'i Rules,
    tried: usize,
    parts: Vec<&'a str>,
    found: Vec<Vec<&'a str>>,
}

impl<'a> Splits<'a, '_> {
    fn extend(&mut self, rest: &'a str) {
        if self.parts.len() + 1 == PARTS {
            return;
        }
        for (at, _) in rest.char_indices().skip(1) {
            self.tried += 1;
            if self.tried > TRIED || self.found.len() == SPLITS {
                return;
            }
            let (part, after) = rest.split_at(at);
            if self.index.number(part).is_none() {
                continue;
            }
            self.parts.push(part);
            if !whole(self.index, self.rules, after).is_empty() {
                self.found.push(self.parts.iter().copied().chain([after]).collect());
            }
            self.extend(after);
            self.parts.pop();
        }
    }
}

/// The ranges of at least two of `count` words that follow each other, of at most `longest`.
pub(super) fn runs(count: usize, longest: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count).flat_map(move |start| (start + 2..=count.min(start + longest)).map(move |end| start..end))
}
