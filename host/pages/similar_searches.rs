//! Searches that resemble one that finds nothing.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::catalogue::search::fold;
use crate::catalogue::words::{Word, words};
use crate::catalogue::{Category, ProductSet};

/// Most similar words that are offered.
const WORDS: usize = 4;
/// Most words of a search that is corrected or shortened.
const MOST_COUNTED: usize = 6;
/// How many words of the search are looked at for similar ones.
const ASKED_WORDS: usize = 4;
/// How many categories' names are looked at.
const NAMES: usize = 50_000;
/// How many similar words are tried, until enough of them find something.
const TRIED: usize = 12;

/// Searches that resemble one for a folded text and find something: this search with other words for those that find
/// nothing, then similar words by themselves, then this search without its rarest word.
pub(super) fn similar_searches(text: &str, all: &ProductSet, categories: &[Category]) -> Vec<String> {
    let asked: Vec<Word<&str>> = words(text).filter_map(Word::new).take(ASKED_WORDS).collect();
    let counted = counted_words(text, all);
    let mut searches: Vec<String> = corrected(&counted, all).into_iter().collect();
    searches.extend(similar_words(&asked, all, categories));
    searches.truncate(WORDS);
    searches.extend(without_rarest(&counted, all).filter(|search| !searches.contains(search)));
    searches
}

/// The words of a search, each with the number of products that it finds by itself; none if they are too
/// many, or if the searches would take long.
fn counted_words<'a>(text: &'a str, all: &ProductSet) -> Vec<(&'a str, usize)> {
    let words: Vec<&str> = words(text).take(MOST_COUNTED + 1).collect();
    if !all.searches_fast() || !(2..=MOST_COUNTED).contains(&words.len()) {
        return Vec::new();
    }
    words.into_iter().map(|word| (word, all.number_found(word))).collect()
}

/// The search in which each word that finds nothing is replaced by the most similar one that is known; `None` if there is
/// no such word, or if that finds nothing.
fn corrected(counted: &[(&str, usize)], all: &ProductSet) -> Option<String> {
    if counted.iter().all(|&(_, count)| count > 0) {
        return None;
    }
    let known = all.store().vocabulary();
    let replaced = counted.iter().map(|&(word, count)| {
        if count > 0 {
            return Some(word);
        }
        let asked = [Word::new(word)?];
        let similar = known.iter().filter_map(|known| {
            Some((distance(&asked, &known.word)?, Reverse(known.count), &*known.word.text))
        });
        similar.min().map(|(_, _, word)| word)
    });
    let search = replaced.collect::<Option<Vec<&str>>>()?.join(" ");
    all.finds(&search).then_some(search)
}

/// The search without the words that find nothing or, if each finds something, without the rarest word whose removal
/// makes it find something.
fn without_rarest(counted: &[(&str, usize)], all: &ProductSet) -> Option<String> {
    let without = |is_left_out: &dyn Fn(usize) -> bool| {
        let kept = (0..).zip(counted).filter(|(at, _)| !is_left_out(*at)).map(|(_, (word, _))| *word);
        Some(kept.collect::<Vec<_>>().join(" ")).filter(|search| !search.is_empty() && all.finds(search))
    };
    if counted.iter().any(|&(_, count)| count == 0) {
        return without(&|at| counted[at].1 == 0);
    }
    let mut rarest: Vec<usize> = (0..counted.len()).collect();
    rarest.sort_by_key(|&at| counted[at].1);
    rarest.into_iter().find_map(|left_out| without(&|at| at == left_out))
}

/// Words of titles, brands, tags and categories that resemble those of the search and find something: the most similar
/// first, then the most frequent.
fn similar_words(asked: &[Word<&str>], all: &ProductSet, categories: &[Category]) -> Vec<String> {
    if asked.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = categories.iter().take(NAMES).map(|category| fold(&category.name)).collect();
    // How far each similar word is, how often it occurs, and whether a search for it finds something for sure.
    let mut similar: HashMap<&str, (usize, u32, bool)> = HashMap::new();
    for known in all.store().vocabulary().iter() {
        if let Some(distance) = distance(asked, &known.word) {
            // A search covers the texts that these words are from.
            similar.insert(&known.word.text, (distance, known.count, true));
        }
    }
    for word in names.iter().flat_map(|name| words(name)).filter_map(Word::new) {
        if let Some(distance) = distance(asked, &word) {
            similar.entry(word.text).or_insert((distance, 0, false)).1 += 1;
        }
    }
    let mut similar: Vec<_> = similar
        .into_iter()
        .map(|(word, (distance, count, is_found))| (distance, Reverse(count), word, is_found))
        .collect();
    similar.sort_unstable();
    let tried = similar.into_iter().take(TRIED);
    let found = tried.filter(|&(_, _, word, is_found)| is_found || !all.containing(word).is_empty());
    found.map(|(_, _, word, _)| word.to_owned()).take(WORDS).collect()
}

/// How far a word is from the nearest one of the search; `None` if it is too far from all of them.
pub(super) fn distance(asked: &[Word<&str>], word: &Word<impl AsRef<str>>) -> Option<usize> {
    let begin_alike = |asked: &&Word<&str>| begin_alike(asked.text, word.text.as_ref());
    asked.iter().filter(begin_alike).filter_map(|asked| asked.distance(word)).min()
}

/// Whether two words begin so alike that one may be meant by the other. Few slips concern the first letter: it is
/// left out, or swapped with the second one. A word that differs otherwise at its beginning looks like another word.
fn begin_alike(one: &str, other: &str) -> bool {
    let begin = |word: &str| {
        let mut letters = word.chars();
        (letters.next(), letters.next())
    };
    let ((first, second), (other_first, other_second)) = (begin(one), begin(other));
    let lacks_first = |short: &str, long: &str| {
        let mut letters = long.chars();
        letters.next().is_some() && letters.as_str() == short
    };
    first == other_first
        || (first == other_second && second == other_first)
        || lacks_first(one, other)
        || lacks_first(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Summary;
    use crate::profile::Currency;

    fn searches(text: &str) -> Vec<String> {
        let titles =
            ["Red Lipstick", "Red Lamp", "Green Lamp", "Kitchen Scales", "\u{767d}\u{8272}\u{706f}\u{5177}"];
        let product =
            |(title, id): (&str, u64)| Summary { id: id.into(), title: title.into(), ..Summary::default() };
        let all = ProductSet::new(titles.into_iter().zip(1..).map(product).collect(), Currency::default());
        similar_searches(&fold(text), &all, &[])
    }

    #[test]
    fn a_misspelled_word_is_replaced_in_the_whole_search() {
        assert_eq!(searches("Red Lipstik")[0], "red lipstick");
        assert_eq!(searches("gren lapm")[0], "green lamp");
        assert_eq!(searches("lipstik"), ["lipstick"]);
    }

    #[test]
    fn the_rarest_word_is_left_out() {
        assert_eq!(searches("red xyzzy"), ["red"]);
        assert_eq!(searches("xyzzy green plugh lamp"), ["lamp", "green", "green lamp"]);
        // Each word is somewhere, but no product has them all.
        assert_eq!(searches("green kitchen lamp").last().unwrap(), "green lamp");
        assert_eq!(searches("xyzzy plugh"), [""; 0]);
    }

    #[test]
    fn words_of_scripts_without_spaces_are_not_replaced() {
        assert_eq!(searches("\u{767d}\u{8272}\u{706f}\u{5178}"), [""; 0]);
    }
}
