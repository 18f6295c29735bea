//! The words that follow each other in the texts of each product.

use super::lookup::hash;

/// Bits in a filter for each of its pairs of words. With [`HASHES`] set for each, 1 of 90 absent pairs seems present.
const BITS: usize = 12;
const HASHES: u32 = 3;
/// Bits of a hash that select one bit of a filter. Filters with more bits than they can select leave some bits unused.
const PART: u32 = u64::BITS / HASHES;

/// A Bloom filter for each product's pairs of words. A pair is two consecutive words with the text between them.
#[derive(Debug, Default)]
pub(crate) struct WordPairs {
    filters: Box<[u64]>,
    /// Where the filter of each product ends.
    ends: Box<[usize]>,
}

/// The hash of a pair of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordPair(u64);

impl WordPair {
    /// The pair that is this text: two words with the text between them.
    pub(super) fn new(seed: u64, text: &[u8]) -> Self {
        Self(hash(seed, text))
    }

    /// Its bits in a filter of `length` elements: the element and the mask of each bit.
    fn bits(self, length: usize) -> impl Iterator<Item = (usize, u64)> {
        (0..HASHES).map(move |number| {
            // Each uses its own part of the hash, as a fraction of the filter: a remainder takes longer.
            let part = (self.0 >> (PART * number)) % (1 << PART);
            let bit = (part * (length as u64 * 64)) >> PART;
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }
}

impl WordPairs {
    /// Whether a product may have this pair of words: false only if it does not have the pair.
    pub(crate) fn may_have(&self, position: u32, pair: WordPair) -> bool {
        let position = position as usize;
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        let filter = &self.filters[start..self.ends[position]];
        !filter.is_empty() && pair.bits(filter.len()).all(|(at, mask)| filter[at] & mask != 0)
    }

    /// Size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.filters) + size_of_val(&*self.ends)
    }
}

/// Collects the pairs of words, product by product.
#[derive(Default)]
pub(super) struct Collected {
    filters: Vec<u64>,
    ends: Vec<usize>,
}

impl Collected {
    /// Adds the next product with all of its pairs.
    pub(super) fn add(&mut self, pairs: &[WordPair]) {
        let start = self.filters.len();
        self.filters.resize(start + (pairs.len() * BITS).div_ceil(64), 0);
        let filter = &mut self.filters[start..];
        for pair in pairs {
            for (at, mask) in pair.bits(filter.len()) {
                filter[at] |= mask;
            }
        }
        self.ends.push(self.filters.len());
    }

    pub(super) fn finish(self) -> WordPairs {
        WordPairs { filters: self.filters.into(), ends: self.ends.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: usize) -> WordPair {
        WordPair::new(7, number.to_string().as_bytes())
    }

    #[test]
    fn every_pair_is_found_and_few_others_seem_to_be_there() {
        let mut collected = Collected::default();
        let sizes = [0, 1, 45, 3_000];
        for size in sizes {
            collected.add(&(0..size).map(pair).collect::<Vec<_>>());
        }
        let pairs = collected.finish();
        for (position, size) in (0..).zip(sizes) {
            assert!((0..size).all(|number| pairs.may_have(position, pair(number))), "{size}");
            let seeming =
                (size..size + 1_000).filter(|&number| pairs.may_have(position, pair(number))).count();
            assert!(seeming < 40, "{seeming} of 1,000 beside {size}");
        }
        assert!(pairs.size() > 3_000 * BITS / 8);
    }
}
