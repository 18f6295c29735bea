//! The words that occur in a version of the catalogue.

use std::collections::HashMap;

use crate::catalogue::search::fold;
use crate::catalogue::words::{Word, words};

/// The largest number of titles, of brands and of tags whose words are collected.
const TEXTS: usize = 50_000;

/// The words of a version's titles, brands and tags.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary(Box<[Known]>);

/// A word of titles, brands or tags.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) word: Word<Box<str>>,
    /// How often the word occurs.
    pub(crate) count: u32,
}

impl Vocabulary {
    /// The words of titles, which are folded already, and of brands and tags.
    pub(super) fn new<'a>(
        titles: impl Iterator<Item = &'a str>,
        brands: impl Iterator<Item = &'a str>,
        tags: impl Iterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<String> = brands.take(TEXTS).chain(tags.take(TEXTS)).map(fold).collect();
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for word in titles.take(TEXTS).flat_map(words) {
            *counts.entry(word).or_default() += 1;
        }
        for word in names.iter().flat_map(|name| words(name)) {
            *counts.entry(word).or_default() += 1;
        }
        let known = counts
            .into_iter()
            .filter_map(|(word, count)| Some(Known { word: Word::new(word.into())?, count }));
        Self(known.collect())
    }

    /// About how much memory the vocabulary of this many products takes, in bytes.
    pub(super) fn allowance(products: usize) -> usize {
        const TEXT: usize = 16;
        products.min(TEXTS) * (size_of::<Known>() + TEXT)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Known> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vocabulary_counts_the_words_of_titles_brands_and_tags() {
        let titles = ["green tea", "tea, black (3 g)", "teapot"];
        let brands = ["Black & Tea", "Hallbryn"].into_iter();
        let vocabulary = Vocabulary::new(titles.into_iter(), brands, ["Hot-drinks"].into_iter());
        let mut known: Vec<_> = vocabulary.iter().map(|known| (&*known.word.text, known.count)).collect();
        known.sort_unstable();
        let expected = [
            ("black", 2),
            ("drinks", 1),
            ("green", 1),
            ("hallbryn", 1),
            ("hot", 1),
            ("tea", 3),
            ("teapot", 1),
        ];
        assert_eq!(known, expected);
    }
}
