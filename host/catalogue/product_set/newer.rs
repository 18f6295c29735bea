//! Products that were asked for one by one since a version was read. They are shown and written instead of the version's
//! own; orders, filters and searches have what was read, until the next version.

use std::collections::HashMap;
use std::sync::Arc;

use super::ProductSet;
use crate::catalogue::key::ProductKey;
use crate::catalogue::model::Product;
use crate::catalogue::store::{Builder, ProductOrders, Store};

/// What was asked for since. Stores of one product each, so that they are shown as all others are; `None` for a product
/// that is gone.
#[derive(Debug, Default)]
pub(super) struct Newer(HashMap<u32, Option<Store>>);

impl Newer {
    /// The product at this position of the version, in a store of its own.
    pub(super) fn at(&self, position: u32) -> Option<&Store> {
        self.0.get(&position).and_then(Option::as_ref)
    }

    /// Whether the product at this position is gone.
    pub(super) fn is_gone(&self, position: u32) -> bool {
        self.0.get(&position).is_some_and(Option::is_none)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The positions, each with its product's store, in the order of the positions.
    pub(super) fn sorted(&self) -> Vec<(u32, Option<&Store>)> {
        let mut sorted: Vec<_> = self.0.iter().map(|(position, store)| (*position, store.as_ref())).collect();
        sorted.sort_unstable_by_key(|(position, _)| *position);
        sorted
    }
}

impl ProductSet {
    /// All products of a version as it was read, with these products laid over it; those that are `None` are gone. The
    /// products that the version does not have are left out.
    pub(crate) fn with_newer<'a>(
        &self,
        products: impl Iterator<Item = (&'a ProductKey, Option<&'a Product>)>,
    ) -> Self {
        let store = self.store();
        let mut newer = HashMap::new();
        for (key, product) in products {
            let Some(position) = store.position(key) else { continue };
            let row = product.map(|product| {
                let mut builder = Builder::new(store.currency());
                builder.push(product).map(|()| builder.finish())
            });
            match row {
                Some(Ok(row)) => drop(newer.insert(position, Some(row))),
                // It has no room, as in a reading.
                Some(Err(_)) | None => drop(newer.insert(position, None)),
            }
        }
        let newer = Newer(newer);
        let orders = match newer.0.values().any(Option::is_none) {
            true => Arc::new(ProductOrders::without(store, |position| newer.is_gone(position))),
            false => Arc::clone(&self.shared.orders),
        };
        Self::of_parts(Arc::clone(&self.shared.store), orders, newer)
    }

    /// The same part of all products after newer ones were laid over them; none of them may be gone.
    pub(crate) fn of_same(&self, all: &Self) -> Self {
        Self { shared: Arc::clone(&all.shared), ..self.clone() }
    }

    /// Whether a product of the version is gone.
    pub(crate) fn lacks_some(&self) -> bool {
        self.shared.newer.0.values().any(Option::is_none)
    }
}
