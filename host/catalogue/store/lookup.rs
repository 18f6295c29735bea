//! Finds products by a value, such as their keys.

use twox_hash::XxHash3_128;

/// The positions of all products in the order of the hashes of a value. Among products with equal hashes, a rank
/// decides.
#[derive(Debug, Default)]
pub(super) struct Lookup {
    positions: Box<[u32]>,
    /// Whether any products have equal hashes.
    has_equal: bool,
}

impl Lookup {
    /// `hashes` are the hashes of the products' values, in the order of the products. `rank` orders products with
    /// equal hashes.
    pub(super) fn new<R: Ord>(hashes: impl Iterator<Item = u64>, rank: impl Fn(u32) -> R) -> Self {
        let mut hashed: Vec<(u64, u32)> = hashes.zip(0..).collect();
        hashed.sort_unstable_by(|(left, at_left), (right, at_right)| {
            left.cmp(right).then_with(|| rank(*at_left).cmp(&rank(*at_right)))
        });
        Self {
            has_equal: hashed.windows(2).any(|pair| pair[0].0 == pair[1].0),
            positions: hashed.into_iter().map(|(_, position)| position).collect(),
        }
    }

    /// The positions of the products whose value has this hash, in the order of their ranks.
    pub(super) fn find(&self, hash: u64, hash_at: impl Fn(u32) -> u64) -> impl Iterator<Item = u32> {
        let first = self.positions.partition_point(|&position| hash_at(position) < hash);
        self.positions[first..].iter().copied().take_while(move |&position| hash_at(position) == hash)
    }

    /// Whether any two neighbours in this order `are_equal`. Products with equal values are neighbours.
    pub(super) fn has_neighbours(&self, are_equal: impl Fn(u32, u32) -> bool) -> bool {
        self.has_equal && self.positions.windows(2).any(|pair| are_equal(pair[0], pair[1]))
    }

    /// Size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.positions)
    }
}

/// The hash of a value. Every store has its own seed, so that nobody can choose many values with equal hashes.
pub(super) fn hash(seed: u64, value: &[u8]) -> u64 {
    XxHash3_128::oneshot_with_seed(seed, value) as u64
}
