//! The words of titles and descriptions, and the products that have each of them.

use std::collections::HashMap;

use memchr::memmem::Finder;

use super::Store;
use super::lookup::hash;
use super::word_pairs::{Collected, WordPair, WordPairs};
use crate::catalogue::search::{Field, Place, fragments};
use crate::process::compute::assert_off_runtime;

/// After how many products it is checked whether the index is still wanted.
const ASKED_EVERY: u32 = 1 << 12;

/// An inverted index of the titles and descriptions, and of the article numbers.
#[derive(Debug, Default)]
pub(crate) struct WordIndex {
    /// The distinct words in the order of their first occurrences, each followed by a newline.
    words: Box<[u8]>,
    /// The place of the newline after each word.
    word_ends: Box<[u32]>,
    /// The products that have each word, one word after the other.
    entries: Box<[Entry]>,
    /// Where the entries of each word end.
    entry_ends: Box<[usize]>,
    /// The hash of each article number, with a product that has it, in ascending order.
    numbers: Box<[(u32, u32)]>,
    by_merit: Box<[u32]>,
    pairs: WordPairs,
    /// The seed of the hashes of pairs.
    seed: u64,
}

/// A product that has a word: its position, shifted left by one bit, which is set if only the description has the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry(u32);

/// A word that contains the part that is looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Containing<'a> {
    pub(crate) word: &'a [u8],
    pub(crate) place: Place,
    /// Whether the word ends with that part.
    pub(crate) is_at_end: bool,
    pub(crate) entries: &'a [Entry],
}

impl Entry {
    #[inline]
    pub(crate) fn position(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn field(self) -> Field {
        if self.0 & 1 == 0 { Field::Title } else { Field::Description }
    }
}

impl WordIndex {
    /// The index of products; `None` if there are too many products or words, or if it is no longer wanted. This takes
    /// long, see `process/compute.rs`.
    pub(super) fn new(store: &Store, is_wanted: impl Fn() -> bool) -> Option<Self> {
        assert_off_runtime();
        let count = u32::try_from(store.len()).ok().filter(|count| count.leading_zeros() > 0)?;
        let mut words = Words { seed: store.seed, ..Words::default() };
        for position in 0..count {
            if position.is_multiple_of(ASKED_EVERY) && !is_wanted() {
                return None;
            }
            let (title, description) = store.title_and_description(position);
            words.add(position, title, 0);
            words.add(position, description, 1);
            words.end_product();
        }
        let mut numbers: Vec<_> = (0..count)
            .flat_map(|position| {
                let lines = store.numbers(position).split(|&byte| byte == b'\n');
                lines
                    .filter(|line| !line.is_empty())
                    .map(move |line| (number_hash(store.seed, line), position))
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut by_merit: Vec<u32> = (0..count).collect();
        by_merit.sort_by_cached_key(|&position| store.merit(position));
        words.finish(numbers.into(), by_merit.into())
    }

    /// The words that contain `part`, which must lie within a word.
    pub(crate) fn containing(&self, part: &[u8]) -> impl Iterator<Item = Containing<'_>> {
        let finder = Finder::new(part).into_owned();
        let (length, mut from) = (part.len(), 0);
        std::iter::from_fn(move || {
            let at = from + finder.find(self.words.get(from..)?)?;
            let word = self.word_ends.partition_point(|&end| (end as usize) < at);
            let (start, end) = (Self::start(&self.word_ends, word), self.word_ends[word] as usize);
            let place = match at == start {
                true if at + length == end => Place::WholeWord,
                true => Place::WordStart,
                false => Place::Inside,
            };
            from = end + 1;
            let entries = self.entries(word);
            let word = &self.words[start..end];
            Some(Containing { word, place, is_at_end: word.ends_with(finder.needle()), entries })
        })
    }

    /// Where a word starts.
    fn start(ends: &[u32], word: usize) -> usize {
        word.checked_sub(1).map_or(0, |before| ends[before] as usize + 1)
    }

    fn entries(&self, word: usize) -> &[Entry] {
        let start = word.checked_sub(1).map_or(0, |before| self.entry_ends[before]);
        &self.entries[start..self.entry_ends[word]]
    }

    /// The products that have this folded article number, in ascending order.
    pub(crate) fn with_number<'a>(&'a self, store: &'a Store, number: &'a [u8]) -> impl Iterator<Item = u32> {
        let hash = number_hash(store.seed, number);
        let first = self.numbers.partition_point(|&(other, _)| other < hash);
        let found = self.numbers[first..].iter().take_while(move |&&(other, _)| other == hash);
        let has = move |position: &u32| {
            store.numbers(*position).split(|&byte| byte == b'\n').any(|line| line == number)
        };
        found.map(|&(_, position)| position).filter(has)
    }

    /// All products by [`Store::merit`] (best rated first, then those in stock), then in the catalogue's order.
    pub(crate) fn by_merit(&self) -> &[u32] {
        &self.by_merit
    }

    /// The pairs of words that each product may have.
    pub(crate) fn pairs(&self) -> &WordPairs {
        &self.pairs
    }

    /// A pair of words with what is between them.
    pub(crate) fn pair(&self, text: &[u8]) -> WordPair {
        WordPair::new(self.seed, text)
    }

    /// Size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&*self.words)
            + size_of_val(&*self.word_ends)
            + size_of_val(&*self.entries)
            + size_of_val(&*self.entry_ends)
            + size_of_val(&*self.numbers)
            + size_of_val(&*self.by_merit)
            + self.pairs.size()
    }
}

fn number_hash(seed: u64, number: &[u8]) -> u32 {
    hash(seed, number) as u32
}

/// Collects the words of products.
#[derive(Default)]
struct Words<'a> {
    known: HashMap<&'a [u8], u32>,
    /// For each word the last product in which it occurred, counted from 1, and the number of products with it.
    seen: Vec<(u32, u32)>,
    /// The numbers of each product's words, one product after the other, shifted by the bit of [`Entry`].
    found: Vec<u32>,
    product_ends: Vec<usize>,
    words: Vec<u8>,
    word_ends: Vec<usize>,
    /// The pairs of words of the product that is being added.
    last_pairs: Vec<WordPair>,
    pairs: Collected,
    seed: u64,
}

impl<'a> Words<'a> {
    fn add(&mut self, position: u32, text: &'a [u8], bit: u32) {
        let mut before = None;
        for range in fragments(text) {
            let word = &text[range.clone()];
            if let Some(start) = before.replace(range.start) {
                self.last_pairs.push(WordPair::new(self.seed, &text[start..range.end]));
            }
            let next = self.seen.len() as u32;
            let number = *self.known.entry(word).or_insert_with(|| {
                self.seen.push((0, 0));
                self.words.extend_from_slice(word);
                self.word_ends.push(self.words.len());
                self.words.push(b'\n');
                next
            });
            let (last, count) = &mut self.seen[number as usize];
            if *last != position + 1 {
                (*last, *count) = (position + 1, *count + 1);
                self.found.push(number << 1 | bit);
            }
        }
    }

    fn end_product(&mut self) {
        self.product_ends.push(self.found.len());
        self.pairs.add(&self.last_pairs);
        self.last_pairs.clear();
    }

    fn finish(self, numbers: Box<[(u32, u32)]>, by_merit: Box<[u32]>) -> Option<WordIndex> {
        if self.words.len() > u32::MAX as usize || self.seen.len() > (u32::MAX >> 1) as usize {
            return None;
        }
        let mut next = Vec::with_capacity(self.seen.len());
        let mut end = 0;
        for (_, count) in &self.seen {
            next.push(end);
            end += *count as usize;
        }
        let mut entries = vec![Entry(0); end];
        let mut start = 0;
        for (position, product_end) in (0u32..).zip(self.product_ends) {
            for found in &self.found[start..product_end] {
                let place = &mut next[(found >> 1) as usize];
                entries[*place] = Entry(position << 1 | found & 1);
                *place += 1;
            }
            start = product_end;
        }
        Some(WordIndex {
            words: self.words.into(),
            word_ends: self.word_ends.into_iter().map(|end| end as u32).collect(),
            entries: entries.into(),
            // Each place has reached the end of its word's entries.
            entry_ends: next.into(),
            numbers,
            by_merit,
            pairs: self.pairs.finish(),
            seed: self.seed,
        })
    }
}
