//! The order of what is found.

use crate::catalogue::columns::Flag;
use crate::catalogue::search::{Rank, Score};
use crate::catalogue::store::Store;

/// A product that was found, by its rank and then its position: the lowest is the best. One number is sorted faster than
/// two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(u64);

impl Ranked {
    pub(super) fn new(rank: Rank, position: u32) -> Self {
        Self(u64::from(rank.number()) << 32 | u64::from(position))
    }

    /// The product with this score.
    pub(super) fn by_score(score: &Score, store: &Store, position: u32) -> Self {
        Self::new(score.rank(store.rating(position), !store.has(Flag::InStock, position)), position)
    }

    fn position(self) -> u32 {
        self.0 as u32
    }
}

/// The positions of the best products, the best first.
pub(super) fn sorted(mut found: Vec<Ranked>, most: usize) -> Vec<u32> {
    if found.len() > most {
        found.select_nth_unstable(most);
        found.truncate(most);
    }
    found.sort_unstable();
    found.into_iter().map(Ranked::position).collect()
}
