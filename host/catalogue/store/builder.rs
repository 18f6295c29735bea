//! Builds a store, product by product.

use super::blocks::BlocksBuilder;
use super::lookup::{Lookup, hash};
use super::names::{NONE, NamesBuilder};
use super::rows::Rows;
use super::tags::TagsBuilder;
use super::{Store, UNRATED, card, details};
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::model::Product;
use crate::catalogue::search::fold;
use crate::process::compute::assert_off_runtime;
use crate::profile::{Currency, card_discount};

/// A product that a store cannot hold: it has longer texts, or there are too many products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store has no room for this product")]
pub(crate) struct NoRoom;

/// Builds a store. Beside what becomes part of it, this needs little memory: for the distinct names and tags, for one
/// block of details, and at the end 16 bytes for each product.
#[derive(Default)]
pub(crate) struct Builder {
    store: Store,
    names: [NamesBuilder; Column::EVERY.len()],
    tags: TagsBuilder,
    details: BlocksBuilder,
    /// The bytes of the latest product.
    card: Vec<u8>,
    record: Vec<u8>,
}

impl Builder {
    /// A builder of a store with prices in `currency`.
    pub(crate) fn new(currency: Currency) -> Self {
        let store = Store { currency, seed: fastrand::u64(..), is_numbered: true, ..Store::default() };
        Self { store, ..Self::default() }
    }

    /// Adds the next product in the catalogue's order.
    ///
    /// # Errors
    /// When the store cannot hold it. It is left out then.
    pub(crate) fn push(&mut self, product: &Product) -> Result<(), NoRoom> {
        let Self { store, names, tags, details, card, record } = self;
        let summary = &product.summary;
        card.clear();
        card::write(product, card);
        record.clear();
        details::write(product, record);
        let text = format!("{}\n{}", fold(&summary.title), fold(&summary.description));
        if store.len() >= NONE as usize
            || card.len().max(text.len()) > Rows::LONGEST
            || record.len() > BlocksBuilder::LONGEST
        {
            return Err(NoRoom);
        }
        store.cards.push(card);
        store.texts.push(text.as_bytes());
        details.push(record);
        store.prices.push(summary.price);
        store.ratings.push(summary.rating.unwrap_or(UNRATED));
        let currency = store.currency;
        let discount =
            card_discount(summary.price, summary.discount_percentage, summary.list_price, currency);
        store.discounts.push(discount);
        store.flags.push(Flag::all_of(summary));
        for (column, names) in Column::EVERY.into_iter().zip(names) {
            let is_new = names.push(column.name_of(summary));
            if column == Column::Category && is_new {
                store.categories.extend(summary.category.clone());
            }
        }
        tags.push(&product.tags);
        store.has_ratings |= summary.rating.is_some();
        store.is_numbered &= summary.id.number().is_some();
        Ok(())
    }

    /// The store of the products so far. This takes long, see `process/compute.rs`.
    pub(crate) fn finish(self) -> Store {
        assert_off_runtime();
        let mut store = self.store;
        for (number, names) in self.names.into_iter().enumerate() {
            (store.names[number], store.name_of[number]) = names.finish();
        }
        let Store { categories, names, .. } = &mut store;
        categories.sort_by_key(|slug| names[Column::Category as usize].number(slug.as_str()));
        store.tags = self.tags.finish();
        store.details = self.details.finish();
        store.cards = store.cards.finish();
        store.texts = store.texts.finish();
        store.prices.shrink_to_fit();
        store.ratings.shrink_to_fit();
        store.discounts.shrink_to_fit();
        store.flags.shrink_to_fit();
        let positions = (0..).take(store.len());
        store.by_key = Lookup::new(positions.clone().map(|at| store.hash_of(&store.key(at))), |at| at);
        // The oldest of the products with one title comes first.
        let titles = positions.map(|at| hash(store.seed, store.title_of(at).as_bytes()));
        store.by_title = Lookup::new(titles, |at| (store.is_numbered.then(|| store.key(at)), at));
        store
    }
}
