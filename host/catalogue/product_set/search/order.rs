//! The order of what is found.

use crate::catalogue::columns::Flag;
use crate::catalogue::search::{Rank, Score};
use crate::catalogue::store::Store;

/// The positions with the best ranks, the best first.
pub(super) fn sorted(mut found: Vec<(Rank, u32)>, most: usize) -> Vec<u32> {
    if found.len() > most {
        found.select_nth_unstable(most);
        found.truncate(most);
    }
    found.sort_unstable();
    found.into_iter().map(|(_, position)| position).collect()
}

/// The rank of a product with this score.
pub(super) fn ranked(score: &Score, store: &Store, position: u32) -> Rank {
    score.rank(store.rating(position), !store.has(Flag::InStock, position))
}
