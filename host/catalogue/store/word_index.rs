//! The words of products, and the products that have each of them.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use memchr::memmem::Finder;
use twox_hash::XxHash3_64;

use super::Store;
use super::article_numbers::ArticleNumbers;
use crate::catalogue::columns::Column;
use crate::catalogue::search::{Spot, fragments};
use crate::process::compute::in_parts;

/// An inverted index of titles, names, options and descriptions, and of the article numbers.
#[derive(Debug, Default)]
pub(crate) struct WordIndex {
    /// The distinct words in alphabetical order, each followed by a newline.
    words: Box<[u8]>,
    /// The place of the newline after each word.
    word_ends: Box<[u32]>,
    /// The products that have each word, one word after the other.
    entries: Box<[Entry]>,
    /// Where the entries of each word end.
    entry_ends: Box<[usize]>,
    numbers: ArticleNumbers,
    by_merit: Box<[u32]>,
}

/// A product that has a word: its position, shifted by the bits of the best [`Spot`] that has the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(u32);

const SPOT_BITS: u32 = 3;

impl Entry {
    /// The most products that entries can tell apart.
    const PRODUCTS: u32 = u32::MAX >> SPOT_BITS;

    #[inline]
    pub(crate) fn position(self) -> u32 {
        self.0 >> SPOT_BITS
    }

    #[inline]
    pub(crate) fn spot(self) -> Spot {
        let number = (self.0 & ((1 << SPOT_BITS) - 1)) as usize;
        Spot::EVERY.get(number).copied().unwrap_or(Spot::Description)
    }
}

impl WordIndex {
    /// The index of products. Those beyond the first 500 million, and words beyond 4 GiB, are not found.
    pub(super) fn new(store: &Store) -> Self {
        let count = u32::try_from(store.len()).unwrap_or(u32::MAX).min(Entry::PRODUCTS);
        let parts = in_parts(count, |positions| Collected::new(store, positions));
        let mut by_merit: Vec<u32> = (0..count).collect();
        by_merit.sort_by_cached_key(|&position| store.merit(position));
        Self { numbers: ArticleNumbers::new(store), by_merit: by_merit.into(), ..joined(&parts) }
    }

    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.word_ends.len()
    }

    /// The word with this number.
    pub(crate) fn word(&self, number: usize) -> &str {
        let word = &self.words[self.start(number)..self.word_ends[number] as usize];
        std::str::from_utf8(word).unwrap_or_default()
    }

    /// The number of a word.
    pub(crate) fn number(&self, word: &str) -> Option<usize> {
        let at = self.first(|other| other < word.as_bytes());
        (at < self.len() && self.word(at) == word).then_some(at)
    }

    /// The numbers of the words that begin with a text.
    pub(crate) fn beginning_with(&self, text: &str) -> Range<usize> {
        let text = text.as_bytes();
        let start = self.first(|word| word < text);
        start..self.first(|word| word < text || word.starts_with(text)).max(start)
    }

    /// The numbers of the words that contain a text, in ascending order.
    pub(crate) fn containing(&self, text: &str) -> impl Iterator<Item = usize> {
        let finder = Finder::new(text).into_owned();
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = from + finder.find(self.words.get(from..)?)?;
            let word = self.word_ends.partition_point(|&end| (end as usize) < at);
            from = *self.word_ends.get(word)? as usize + 1;
            Some(word)
        })
    }

    fn first(&self, before: impl Fn(&[u8]) -> bool) -> usize {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start.midpoint(end);
            let word = &self.words[self.start(middle)..self.word_ends[middle] as usize];
            if before(word) {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    fn start(&self, word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| self.word_ends[before] as usize + 1)
    }

    /// The products that have a word, in ascending order.
    pub(crate) fn entries(&self, word: usize) -> &[Entry] {
        let start = word.checked_sub(1).map_or(0, |before| self.entry_ends[before]);
        &self.entries[start..self.entry_ends[word]]
    }

    pub(crate) fn numbers(&self) -> &ArticleNumbers {
        &self.numbers
    }

    /// All products by [`Store::merit`] (those in stock, then the best rated first), then in the catalogue's order.
    pub(crate) fn by_merit(&self) -> &[u32] {
        &self.by_merit
    }

    /// Size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&*self.words)
            + size_of_val(&*self.word_ends)
            + size_of_val(&*self.entries)
            + size_of_val(&*self.entry_ends)
            + self.numbers.size()
            + size_of_val(&*self.by_merit)
    }
}

/// The words of some consecutive products.
struct Collected<'a> {
    /// The distinct words, in the order of their first occurrences.
    words: Vec<&'a str>,
    /// The numbers of each product's words, one product after the other, shifted by the bits of the [`Spot`].
    found: Vec<u32>,
    /// How many numbers each product has in `found`.
    lengths: Vec<u32>,
    positions: Range<u32>,
}

impl<'a> Collected<'a> {
    fn new(store: &'a Store, positions: Range<u32>) -> Self {
        let mut collector = Collector {
            known: HashMap::with_hasher(WordHash(store.seed)),
            words: Vec::new(),
            last: Vec::new(),
            found: Vec::new(),
        };
        let mut lengths = Vec::with_capacity(positions.len());
        let labels = store.labels();
        for position in positions.clone() {
            let before = collector.found.len();
            let (title, description) = store.title_and_description(position);
            collector.add_title(position, title);
            for column in Column::EVERY {
                let label = labels.of(column).get(store.name(column, position) as usize);
                collector.add(position, label.map_or("", |label| &label.text), Spot::Name);
            }
            for &tag in store.tags().numbers_of(position) {
                collector.add(position, labels.tags.get(tag as usize).map_or("", |tag| tag), Spot::Tag);
            }
            store.options(position).for_each(|option| collector.add(position, option, Spot::Tag));
            collector.add(position, description, Spot::Description);
            lengths.push((collector.found.len() - before) as u32);
        }
        Self { words: collector.words, found: collector.found, lengths, positions }
    }
}

struct Collector<'a> {
    known: HashMap<&'a str, u32, WordHash>,
    words: Vec<&'a str>,
    /// For each word the last product in which it occurred, counted from 1.
    last: Vec<u32>,
    found: Vec<u32>,
}

impl<'a> Collector<'a> {
    fn add_title(&mut self, position: u32, title: &'a str) {
        let mut words = fragments(title);
        let Some(first) = words.next() else { return };
        let second = words.next();
        let spot = if second.is_none() { Spot::WholeTitle } else { Spot::TitleStart };
        self.add_word(position, &title[first], spot);
        second.into_iter().chain(words).for_each(|word| self.add_word(position, &title[word], Spot::Title));
    }

    fn add(&mut self, position: u32, text: &'a str, spot: Spot) {
        fragments(text).for_each(|word| self.add_word(position, &text[word], spot));
    }

    /// Adds a word of a product, unless the product has it in a better spot, which was added before.
    fn add_word(&mut self, position: u32, word: &'a str, spot: Spot) {
        // With a bit for each spot, the numbers of more words would not fit.
        let next = self.words.len().min((u32::MAX >> SPOT_BITS) as usize) as u32;
        let number = *self.known.entry(word).or_insert_with(|| {
            self.words.push(word);
            self.last.push(0);
            next
        });
        let last = &mut self.last[number as usize];
        if *last != position + 1 {
            *last = position + 1;
            self.found.push(number << SPOT_BITS | spot as u32);
        }
    }
}

/// The index of the words of all products, without the numbers and the order of merit.
fn joined(parts: &[Collected<'_>]) -> WordIndex {
    let mut all: Vec<&str> = parts.iter().flat_map(|part| &part.words).copied().collect();
    all.sort_unstable();
    all.dedup();
    let mut words = Vec::with_capacity(all.iter().map(|word| word.len() + 1).sum());
    let mut word_ends = Vec::with_capacity(all.len());
    for word in &all {
        words.extend_from_slice(word.as_bytes());
        let Ok(end) = u32::try_from(words.len()) else { break };
        word_ends.push(end);
        words.push(b'\n');
    }
    let place = |word: &&str| all.binary_search(word).unwrap_or(usize::MAX);
    let places: Vec<Vec<usize>> = parts.iter().map(|part| part.words.iter().map(place).collect()).collect();
    // First how many entries each word has, then where the next one of each belongs.
    let mut next = vec![0; word_ends.len()];
    for (part, places) in parts.iter().zip(&places) {
        for found in &part.found {
            if let Some(count) = next.get_mut(places[(found >> SPOT_BITS) as usize]) {
                *count += 1;
            }
        }
    }
    let mut end = 0;
    for next in &mut next {
        end += std::mem::replace(next, end);
    }
    let mut entries = vec![Entry(0); end];
    for (part, places) in parts.iter().zip(&places) {
        let mut found = part.found.iter();
        for (position, length) in part.positions.clone().zip(&part.lengths) {
            for found in found.by_ref().take(*length as usize) {
                let spot = found & ((1 << SPOT_BITS) - 1);
                if let Some(place) = next.get_mut(places[(found >> SPOT_BITS) as usize]) {
                    entries[*place] = Entry(position << SPOT_BITS | spot);
                    *place += 1;
                }
            }
        }
    }
    WordIndex {
        words: words.into(),
        word_ends: word_ends.into(),
        entries: entries.into(),
        // Each place has reached the end of its word's entries.
        entry_ends: next.into(),
        ..WordIndex::default()
    }
}

/// Hashes words with the store's seed. Faster for short words than the hasher of the standard library.
#[derive(Clone, Copy)]
struct WordHash(u64);

struct WordHasher {
    seed: u64,
    hash: u64,
}

impl BuildHasher for WordHash {
    type Hasher = WordHasher;

    fn build_hasher(&self) -> WordHasher {
        WordHasher { seed: self.0, hash: 0 }
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.hash = XxHash3_64::oneshot_with_seed(self.seed, bytes);
    }

    /// What marks the end of a text says nothing here.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.hash
    }
}
