//! What a search asks for.

use std::ops::Range;

use super::rank::{Likeness, MOST_WORDS};
use super::{Language, Rules, fold, fragments, pieces, words_of};

/// The largest number of words that are looked at, with those that are not required.
const MOST_LOOKED_AT: usize = 2 * MOST_WORDS;

/// A search: its folded text and the words of it.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    text: Box<str>,
    words: Vec<Asked>,
}

/// A word of a search.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Where it is in the text.
    range: Range<usize>,
    /// Its stem, if it has other forms.
    stem: Option<String>,
    /// Whether a product must have it.
    pub(crate) is_required: bool,
}

impl Query {
    /// The search for a text. All of its words are required but small ones (unless there are no others) and those beyond
    /// the first [`MOST_WORDS`].
    pub(crate) fn new(text: &str, rules: &Rules) -> Self {
        let cuts = cuts(text);
        let text = fold(text);
        let language = rules.language();
        let asked = |range: Range<usize>| Asked {
            is_required: !is_small(&text, &range, language),
            stem: language.stem(&text[range.clone()]),
            range,
        };
        let words = fragments(&text).flat_map(|word| cut_at(word, &cuts));
        let mut words: Vec<Asked> = words.take(MOST_LOOKED_AT).map(asked).collect();
        if !words.iter().any(|word| word.is_required) {
            words.iter_mut().for_each(|word| word.is_required = true);
        }
        let required = words.iter_mut().filter(|word| word.is_required);
        required.skip(MOST_WORDS).for_each(|word| word.is_required = false);
        Self { text: text.into(), words }
    }

    /// The folded text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The words, in their order.
    pub(crate) fn words(&self) -> &[Asked] {
        &self.words
    }

    /// The text of a word.
    pub(crate) fn word(&self, number: usize) -> &str {
        self.words.get(number).map_or("", |word| &self.text[word.range.clone()])
    }

    /// The stem of a word, if it has other forms.
    pub(crate) fn stem(&self, number: usize) -> Option<&str> {
        self.words.get(number)?.stem.as_deref()
    }

    /// The text of consecutive words without what is between them.
    pub(crate) fn joined(&self, words: Range<usize>) -> String {
        words.map(|number| self.word(number)).collect()
    }

    /// How a folded name has all required words of the search, the last of which may still be typed: the worst likeness of
    /// them; `None` if it lacks one. Words that are not ASCII may be anywhere in a name.
    pub(crate) fn likeness_in(&self, name: &str, rules: &Rules) -> Option<Likeness> {
        let likeness = |number: usize| {
            let (word, stem) = (self.word(number), self.stem(number));
            let is_form = |other: &str| stem.is_some_and(|stem| rules.language().has_stem(other, stem));
            let of_word = |other: &str| match other {
                _ if other == word => Some(Likeness::Whole),
                _ if is_form(other) => Some(Likeness::Form),
                _ if number + 1 == self.words.len() && other.starts_with(word) => Some(Likeness::Beginning),
                _ => (!word.is_ascii() && other.contains(word)).then_some(Likeness::Middle),
            };
            words_of(name).filter_map(of_word).min()
        };
        let mut worst = None;
        for number in self.required() {
            worst = worst.max(Some(likeness(number)?));
        }
        worst
    }

    /// The numbers of the words that a product must have.
    pub(crate) fn required(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.words).filter(|(_, word)| word.is_required).map(|(number, _)| number)
    }
}

/// Where pieces of a text end in the folded text.
fn cuts(text: &str) -> Vec<usize> {
    let mut end = 0;
    // No piece begins or ends with a space but at the ends of the text, so that the pieces are folded to parts of it.
    let ends = pieces(text).map(|piece| {
        end += fold(piece).len();
        end
    });
    ends.collect()
}

/// The parts of a word between these cuts.
fn cut_at(word: Range<usize>, cuts: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let within = cuts.iter().copied().filter(|cut| word.start < *cut && *cut < word.end);
    let mut ends: Vec<usize> = within.collect();
    ends.push(word.end);
    let mut start = word.start;
    ends.into_iter().map(move |end| std::mem::replace(&mut start, end)..end)
}

/// Whether a word is a small one of the language, or the letter after an apostrophe.
fn is_small(text: &str, word: &Range<usize>, language: Language) -> bool {
    let is_after_apostrophe = text[..word.start].ends_with('\'') && word.start > 1;
    language.is_small(&text[word.clone()]) || is_after_apostrophe && word.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn required(text: &str) -> Vec<String> {
        let query = Query::new(text, &Rules::default());
        query.required().map(|number| query.word(number).to_owned()).collect()
    }

    #[test]
    fn small_words_are_required_only_where_there_are_no_others() {
        assert_eq!(required("The running-shoes for a man"), ["running", "shoes", "man"]);
        assert_eq!(required("women\u{2019}s t-shirt & more"), ["women", "t", "shirt", "more"]);
        assert_eq!(required("of the"), ["of", "the"]);
        assert_eq!(required("j'adore"), ["j", "adore"]);
        assert_eq!(required("&"), [""; 0]);
    }

    #[test]
    fn words_without_spaces_are_cut() {
        let japanese = Rules::new("ja", &std::collections::BTreeMap::new()).unwrap();
        let required = |text: &str| {
            let query = Query::new(text, &japanese);
            query.required().map(|number| query.word(number).to_owned()).collect::<Vec<_>>()
        };
        // Katakana are folded to hiragana, and voiced ones have a mark.
        assert_eq!(
            required("USB充電 ガラスのランプ"),
            ["usb", "充電", "\u{304b}\u{3099}らす", "らんふ\u{309a}"]
        );
        assert_eq!(required("の"), ["の"]);
    }

    #[test]
    fn a_search_has_a_bounded_number_of_words() {
        let query = Query::new(&"ab cd ".repeat(40), &Rules::default());
        assert_eq!((query.words().len(), query.required().count()), (MOST_LOOKED_AT, MOST_WORDS));
    }
}
