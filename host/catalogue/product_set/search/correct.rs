//! Searches that are meant by one that finds nothing.

use std::cmp::Reverse;

use super::best_found;
use super::forms::{self, At, Parts};
use super::hits::Searched;
use crate::catalogue::search::{Query, words_of};
use crate::catalogue::words::Word;

/// How many words may stand for one of the search.
const MOST_SIMILAR: usize = 3;
/// How many words a search may have that is corrected.
const MOST_CORRECTED: usize = 12;
/// How many searches are tried.
const TRIED: usize = 8;
/// The least letters of each part of a word that is split where it is mistaken.
const LEAST_PART: usize = 3;

/// A word of the index that resembles another one: after how many changes, and in how many products it is.
type Similar<'a> = (usize, Reverse<usize>, &'a str);

/// The words of the index that resemble a folded word, the most similar first, then the most frequent. Numbers, small
/// words and single letters are none.
pub(super) fn similar<'a>(searched: Searched<'a>, word: &str) -> Vec<Similar<'a>> {
    let Searched { index, rules, .. } = searched;
    let Some(asked) = Word::new(word) else { return Vec::new() };
    // A word that resembles this one begins with its first or second letter, or lacks its own first one here.
    let mut letters = word.char_indices();
    let (first, second) = (letters.next(), letters.next());
    let begin = |letter: Option<(usize, char)>| {
        let letter = letter.map(|(_, letter)| letter.to_string()).unwrap_or_default();
        index.beginning_with(&letter)
    };
    let mut found: Vec<Similar<'a>> = begin(first)
        .chain(begin(second))
        .chain(index.containing(word))
        .filter_map(|number| {
            let known = Word::new(index.word(number))?;
            let is_offered = known.text != word
                && !rules.language().is_small(known.text)
                && known.text.chars().any(char::is_alphabetic);
            let changes = asked.resembles(&known).filter(|_| is_offered)?;
            Some((changes, Reverse(index.entries(number).len()), known.text))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_SIMILAR);
    found
}

/// The searches that may be meant by one that finds nothing and do find something, at most `most`, the nearest first.
pub(super) fn corrections(searched: Searched<'_>, query: &Query, most: usize) -> Vec<String> {
    let count = query.words().len();
    if !(1..=MOST_CORRECTED).contains(&count) {
        return Vec::new();
    }
    let word = |number: usize| query.word(number);
    let options: Vec<Vec<(usize, String)>> =
        (0..count).map(|number| options(searched, query, number)).collect();
    let mut tried: Vec<(usize, String)> = vec![(0, String::new())];
    for options in &options {
        let extended = tried
            .iter()
            .flat_map(|(cost, text)| options.iter().map(move |(more, word)| (cost + more, with(text, word))));
        tried = extended.collect();
        tried.sort();
        tried.truncate(TRIED);
    }
    let is_known = |number: usize| options[number].iter().any(|(cost, _)| *cost == 0);
    for start in (0..count - 1).filter(|&start| !is_known(start) || !is_known(start + 1)) {
        let joined = query.joined(start..start + 2);
        for (rank, (changes, _, similar)) in (0..).zip(self::similar(searched, &joined)) {
            let before = (0..start).map(word).chain([similar]).chain((start + 2..count).map(word));
            tried.push((cost(changes, rank), before.collect::<Vec<_>>().join(" ")));
        }
    }
    tried.sort();
    let typed = (0..count).map(word).collect::<Vec<_>>().join(" ");
    let finds = |text: &String| {
        let query = Query::new(text, searched.rules);
        !best_found(&query, searched.rules, searched.store, 1).is_empty()
    };
    let tried = tried.into_iter().map(|(_, text)| text).filter(|text| *text != typed);
    tried.take(TRIED).filter(finds).take(most).collect()
}

fn with(text: &str, word: &str) -> String {
    if text.is_empty() { word.to_owned() } else { [text, " ", word].concat() }
}

/// What a word of the search costs that is another one after some changes: the rank among such words decides between
/// equally many.
fn cost(changes: usize, rank: usize) -> usize {
    changes * (MOST_SIMILAR + 1) + rank
}

/// What may stand for a word of the search, with its [`cost`]: the word itself, if it is found or not required,
/// similar words, and two words.
fn options(searched: Searched<'_>, query: &Query, number: usize) -> Vec<(usize, String)> {
    let word = query.word(number);
    let mut options: Vec<(usize, String)> = Vec::new();
    if !query.words()[number].is_required || is_found(searched, word) {
        options.push((0, word.to_owned()));
    }
    let similar = (0..).zip(similar(searched, word));
    options.extend(similar.map(|(rank, (changes, _, similar))| (cost(changes, rank), similar.to_owned())));
    if options.is_empty() {
        options.extend(split(searched, word));
    }
    options
}

/// Whether a word is found by itself.
fn is_found(Searched { index, rules, .. }: Searched<'_>, word: &str) -> bool {
    let at = At { is_first: false, is_last: true };
    let is_part = || {
        let parts = Parts::new(index, word, at);
        !parts.beginnings.is_empty() || !parts.middles.is_empty()
    };
    !forms::whole(index, rules, word).is_empty() || is_part()
}

/// The first way in which a word is two words, one of them with a mistake.
fn split(searched: Searched<'_>, word: &str) -> Option<(usize, String)> {
    let Searched { index, .. } = searched;
    let is_long = |part: &str| part.chars().nth(LEAST_PART - 1).is_some();
    let best =
        |part: &str| similar(searched, part).into_iter().next().map(|(changes, _, word)| (changes, word));
    let ways = word.char_indices().map(|(at, _)| word.split_at(at));
    let mut ways = ways.filter(|(begin, end)| is_long(begin) && is_long(end)).take(24);
    ways.find_map(|(begin, end)| match (index.number(begin), index.number(end)) {
        (Some(_), _) => best(end).map(|(changes, end)| (cost(1 + changes, 0), [begin, " ", end].concat())),
        (_, Some(_)) => {
            best(begin).map(|(changes, begin)| (cost(1 + changes, 0), [begin, " ", end].concat()))
        }
        _ => None,
    })
}

/// Words of the index that resemble one of the search and are found by themselves. A search of several words also gives
/// those of them that are known.
pub(super) fn similar_words(searched: Searched<'_>, text: &str, most: usize) -> Vec<String> {
    let Searched { index, rules, .. } = searched;
    let words: Vec<&str> = words_of(text).take(MOST_CORRECTED).collect();
    let known =
        |word: &&str| words.len() > 1 && Word::new(*word).is_some() && !rules.language().is_small(word);
    let known = words.iter().filter(|word| known(word)).filter_map(|&word| {
        let number = index.number(word)?;
        Some((0, Reverse(index.entries(number).len()), word))
    });
    let similar = words.iter().flat_map(|word| similar(searched, word));
    let mut found: Vec<Similar<'_>> = known.chain(similar).collect();
    found.sort_unstable();
    found.dedup_by(|one, other| one.2 == other.2);
    found.into_iter().map(|(_, _, word)| word.to_owned()).take(most).collect()
}
