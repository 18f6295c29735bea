//! The products that a pass has read so far.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
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
#[derive(Default)]
struct Seen {
    /// The position of the product, if there is one.
    position: Option<u32>,
    /// How many invalid entries come before it.
    rejected: u32,
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
    /// be an entry that was added before. `before` is the offset of its page. Returns whether no entry with its key was
    /// known.
    pub(super) fn add(&mut self, row: Row, is_distinct: bool, before: u64) -> bool {
        let Row { key, product, dropped } = row;
        let is_new = key.as_ref().is_some_and(|key| !self.seen.contains_key(key));
        if is_new || is_distinct {
            self.dropped.absorb(dropped, before);
        }
        let Some(key) = key else { return false };
        let seen = self.seen.entry(key.clone()).or_default();
        match (product, seen.position) {
            (None, None) if is_new || is_distinct => seen.rejected += 1,
            (Some(_), Some(_)) if is_distinct => self.dropped.add_repeated_product(key),
            (Some(product), None) => match self.builder.push(&product) {
                Ok(()) => {
                    seen.position = Some(self.count);
                    self.count += 1;
                }
                Err(_) => self.without_room += 1,
            },
            _ => {}
        }
        is_new
    }

    /// The ids of a list for which no entry was read.
    pub(super) fn missing(&self, ids: &[Option<ProductKey>]) -> Vec<ProductKey> {
        ids.iter().flatten().filter(|id| !self.seen.contains_key(id)).cloned().collect()
    }

    /// Builds the store of a list's products, in the order of the list. Returns it with what was left out.
    ///
    /// # Errors
    /// When a product cannot be decoded.
    pub(super) fn finish(self, ids: &[Option<ProductKey>]) -> Result<(Store, Dropped)> {
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
            return Ok((store, self.dropped));
        }
        let mut builder = Builder::new(self.currency);
        for product in store.products_at(order.into_iter()) {
            let product = product.map_err(|error| CatalogueError::Details(Arc::new(error)))?;
            // The first store had room for it, so this one has.
            let _ = builder.push(&product);
        }
        drop(store);
        Ok((builder.finish(), self.dropped))
    }

    /// The positions of a list's products in its order. A product stands where the first valid entry with its key does.
    fn order(&self, ids: &[Option<ProductKey>]) -> Vec<u32> {
        let product = |id: &ProductKey| {
            let seen = self.seen.get(id)?;
            Some((seen.position?, seen.rejected))
        };
        // How many entries are left before the one that counts, for keys whose first entry is invalid.
        let mut left: HashMap<&ProductKey, u32> = HashMap::new();
        for id in ids.iter().flatten() {
            if let Some((_, rejected)) = product(id).filter(|(_, rejected)| *rejected > 0) {
                let left = left.entry(id).and_modify(|left| *left += 1).or_insert(0);
                *left = (*left).min(rejected);
            }
        }
        let mut is_taken = vec![false; self.count as usize];
        let mut order = Vec::with_capacity(self.count as usize);
        for id in ids.iter().flatten() {
            let Some((position, _)) = product(id) else { continue };
            match left.get_mut(id) {
                Some(left) if *left > 0 => *left -= 1,
                _ if !mem::replace(&mut is_taken[position as usize], true) => order.push(position),
                _ => {}
            }
        }
        order
    }
}
