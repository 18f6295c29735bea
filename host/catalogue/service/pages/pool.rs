//! The products that a pass has read so far.

use std::collections::HashMap;
use std::sync::Arc;

use super::version::{NOTHING, RowRead};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::catalogue::query::Result;
use crate::catalogue::service::wire::{Dropped, Row};
use crate::catalogue::store::{Builder, Store};
use crate::profile::Currency;

/// Products in the order in which they were read.
#[derive(Default)]
pub(super) struct Pool {
    currency: Currency,
    builder: Builder,
    count: u32,
    seen: HashMap<ProductKey, Seen>,
    dropped: Dropped,
    /// How many products the store has no room for.
    without_room: usize,
}

/// What was read of the entries with one key. The first valid one counts.
struct Seen {
    /// The position of the product, or [`NOTHING`].
    position: u32,
    digest: u32,
    /// How many invalid entries come before it.
    rejected: u32,
}

/// What became of a row that was added.
pub(super) struct Added {
    pub(super) row: RowRead,
    /// Whether the pool has exactly this product for its key.
    pub(super) matches_store: bool,
    /// Whether no entry with its key was known.
    pub(super) is_new: bool,
}

impl Pool {
    pub(super) fn new(currency: Currency) -> Self {
        Self { currency, builder: Builder::new(currency), ..Self::default() }
    }

    /// The number of products.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Adds a row. `is_distinct` says that it is a further entry of the list for certain: where pages overlap, a row may
    /// be an entry that was added before. `before` is the offset of its page.
    pub(super) fn add(&mut self, row: Row, is_distinct: bool, before: u64) -> Added {
        let Row { key, product, digest, dropped } = row;
        let is_new = key.as_ref().is_some_and(|key| !self.seen.contains_key(key));
        if is_new || is_distinct {
            self.dropped.absorb(dropped, before);
        }
        let Some(key) = key else {
            return Added { row: RowRead { position: NOTHING, digest }, matches_store: true, is_new };
        };
        let Some(product) = product else {
            self.reject(key, is_distinct);
            return Added { row: RowRead { position: NOTHING, digest }, matches_store: true, is_new };
        };
        let known = self.seen.get(&key).filter(|seen| seen.position != NOTHING);
        if let Some(&Seen { position, digest: own, .. }) = known {
            if is_distinct {
                self.dropped.add_repeated_product(key);
            }
            return Added { row: RowRead { position, digest }, matches_store: own == digest, is_new };
        }
        let position = self.push(key, &product, digest);
        Added { row: RowRead { position, digest }, matches_store: position != NOTHING, is_new }
    }

    /// Notes an entry without a valid product.
    pub(super) fn reject(&mut self, key: ProductKey, is_distinct: bool) {
        let new = Seen { position: NOTHING, digest: 0, rejected: 0 };
        let is_new = !self.seen.contains_key(&key);
        let seen = self.seen.entry(key).or_insert(new);
        if seen.position == NOTHING && (is_new || is_distinct) {
            seen.rejected += 1;
        }
    }

    /// Adds a product of the last pass, unless the pool has one with its key. Returns the position of the pool's product,
    /// and whether it is this one.
    pub(super) fn add_known(&mut self, product: &Product, digest: u32) -> (u32, bool) {
        let key = &product.summary.id;
        match self.seen.get(key).filter(|seen| seen.position != NOTHING) {
            Some(seen) => (seen.position, seen.digest == digest),
            None => (self.push(key.clone(), product, digest), true),
        }
    }

    fn push(&mut self, key: ProductKey, product: &Product, digest: u32) -> u32 {
        let has_room = self.builder.push(product).is_ok();
        let position = if has_room { self.count } else { NOTHING };
        self.count += u32::from(has_room);
        self.without_room += usize::from(!has_room);
        let rejected = self.seen.get(&key).map_or(0, |seen| seen.rejected);
        self.seen.insert(key, Seen { position, digest, rejected });
        position
    }

    /// The digests of the products' entries, by their positions.
    pub(super) fn digests(&self) -> Vec<u32> {
        let mut digests = vec![0; self.count as usize];
        for seen in self.seen.values().filter(|seen| seen.position != NOTHING) {
            digests[seen.position as usize] = seen.digest;
        }
        digests
    }

    /// The positions in a list of the ids for which no entry was read.
    pub(super) fn missing(&self, ids: &[Option<ProductKey>]) -> Vec<u64> {
        let is_missing = |id: &Option<ProductKey>| id.as_ref().is_some_and(|id| !self.seen.contains_key(id));
        (0..).zip(ids).filter(|(_, id)| is_missing(id)).map(|(position, _)| position).collect()
    }

    /// Builds the store of a list's products, in the order of the list. Returns it with what was left out, and a table
    /// from positions in this pool to positions in the store, if they differ.
    ///
    /// # Errors
    /// When a product cannot be decoded.
    pub(super) fn finish(self, ids: &[Option<ProductKey>]) -> Result<(Store, Dropped, Option<Vec<u32>>)> {
        if self.without_room > 0 {
            let left_out = self.without_room;
            tracing::warn!(
                left_out,
                "products are left out: their texts are too long, or there are too many"
            );
        }
        let order = self.order(ids);
        let store = self.builder.finish();
        if order.len() == self.count as usize && order.iter().copied().eq(0..self.count) {
            return Ok((store, self.dropped, None));
        }
        let mut positions = vec![NOTHING; self.count as usize];
        let mut builder = Builder::new(self.currency);
        let mut count = 0;
        for (&from, product) in order.iter().zip(store.products_at(order.iter().copied())) {
            let product = product.map_err(|error| CatalogueError::Details(Arc::new(error)))?;
            // The first store had room for it, so this one has.
            if builder.push(&product).is_ok() {
                positions[from as usize] = count;
                count += 1;
            }
        }
        drop(store);
        Ok((builder.finish(), self.dropped, Some(positions)))
    }

    /// The positions of a list's products in its order. A product stands where the first valid entry with its key does.
    fn order(&self, ids: &[Option<ProductKey>]) -> Vec<u32> {
        let product = |id: &ProductKey| self.seen.get(id).filter(|seen| seen.position != NOTHING);
        // How many entries are left before the one that counts, for keys whose first entry is invalid.
        let mut left: HashMap<&ProductKey, u32> = HashMap::new();
        for id in ids.iter().flatten() {
            if let Some(seen) = product(id).filter(|seen| seen.rejected > 0) {
                let left = left.entry(id).and_modify(|left| *left += 1).or_insert(0);
                *left = (*left).min(seen.rejected);
            }
        }
        let mut is_taken = vec![false; self.count as usize];
        let mut order = Vec::with_capacity(self.count as usize);
        for id in ids.iter().flatten() {
            let Some(seen) = product(id) else { continue };
            match left.get_mut(id) {
                Some(left) if *left > 0 => *left -= 1,
                _ if !is_taken[seen.position as usize] => {
                    is_taken[seen.position as usize] = true;
                    order.push(seen.position);
                }
                _ => {}
            }
        }
        order
    }
}
