//! Builds a store, product by product.

use super::blocks::BlocksBuilder;
use super::for_sale::ForSaleBuilder;
use super::names::{NONE, NamesBuilder};
use super::rows::Rows;
use super::tags::TagsBuilder;
use super::{OPTION, Store, UNDATED, UNRATED, card, details};
use crate::catalogue::columns::Column;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::model::Product;
use crate::catalogue::search::fold;
use crate::catalogue::variant;
use crate::process::compute::assert_off_runtime;
use crate::profile::Currency;

/// The store cannot hold a product: its texts are too long, or there are too many products.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store has no room for this product")]
pub(crate) struct NoRoom;

/// Builds a store. Besides the memory of the store, this needs little: for the distinct names and tags, for one block
/// of details, and at the end 16 bytes for each product.
#[derive(Default)]
pub(crate) struct Builder {
    store: Store,
    names: [NamesBuilder; Column::EVERY.len()],
    tags: TagsBuilder,
    for_sale: ForSaleBuilder,
    details: BlocksBuilder,
    /// Whether the dates of products decide which are the newest.
    keeps_dates: bool,
    /// The bytes of the latest product.
    card: Vec<u8>,
    record: Vec<u8>,
}

impl Builder {
    /// A builder of a store with prices in `currency`.
    pub(crate) fn new(currency: Currency) -> Self {
        Self { store: Store::empty(currency), ..Self::default() }
    }

    /// The builder of a store whose newest products are those with the latest dates.
    pub(crate) fn with_dates(self) -> Self {
        Self { keeps_dates: true, ..self }
    }

    /// Adds the next product in the catalogue's order.
    ///
    /// # Errors
    /// When the store cannot hold it. The product is then left out.
    pub(crate) fn push(&mut self, product: &Product) -> Result<(), NoRoom> {
        let Self { store, names, tags, for_sale, details, keeps_dates, card, record } = self;
        let summary = &product.summary;
        card.clear();
        card::write(product, card);
        record.clear();
        details::write(product, record);
        let mut text = format!("{}\n{}", fold(&summary.title), fold(&summary.description));
        let text_length = text.len();
        add_numbers(product, &mut text);
        add_options(product, &mut text);
        if store.len() >= NONE as usize
            || card.len().max(text.len()) > Rows::LONGEST
            || record.len() > BlocksBuilder::LONGEST
        {
            return Err(NoRoom);
        }
        store.cards.push(card);
        store.texts.push(text.as_bytes());
        // The length is at most [`Rows::LONGEST`].
        store.text_lengths.push(text_length as u32);
        details.push(record);
        store.prices.push(summary.price);
        store.ratings.push(summary.rating.unwrap_or(UNRATED));
        if *keeps_dates {
            store.dates.push(product.changed.unwrap_or(UNDATED));
        }
        store.derive(summary);
        for (column, names) in Column::EVERY.into_iter().zip(names) {
            let is_new = names.push(column.name_of(summary));
            if column == Column::Category && is_new {
                store.categories.extend(summary.category.clone());
            }
        }
        tags.push(&product.tags);
        for_sale.push(&product.variants, store.seed);
        Ok(())
    }

    /// The store of the products so far.
    pub(crate) fn finish(self) -> Store {
        assert_off_runtime();
        let mut store = self.store;
        for (number, names) in self.names.into_iter().enumerate() {
            (store.names[number], store.name_of[number]) = names.finish();
        }
        let Store { categories, names, .. } = &mut store;
        categories.sort_by_key(|slug| names[Column::Category as usize].number(slug.as_str()));
        store.tags = self.tags.finish();
        store.for_sale = self.for_sale.finish();
        store.details = self.details.finish();
        if store.dates.iter().all(|date| *date == UNDATED) {
            store.dates = Vec::new();
        }
        store.dates.shrink_to_fit();
        store.cards = store.cards.finish();
        store.texts = store.texts.finish();
        store.text_lengths.shrink_to_fit();
        store.prices.shrink_to_fit();
        store.ratings.shrink_to_fit();
        store.discounts.shrink_to_fit();
        store.flags.shrink_to_fit();
        (store.by_key, store.by_title) = (store.lookup_by_key(), store.lookup_by_title());
        store
    }
}

/// Adds the folded article numbers of a product and its variants, each on its own line, while there is room.
fn add_numbers(product: &Product, text: &mut String) {
    let Product { sku, gtin, mpn, variants, .. } = product;
    let numbers = [Some(sku.as_str()), gtin.as_ref().map(Gtin::as_str), mpn.as_deref()];
    let of_variants =
        variants.iter().flat_map(|variant| [Some(&*variant.sku), variant.gtin.as_ref().map(Gtin::as_str)]);
    for number in numbers.into_iter().chain(of_variants).flatten().map(fold) {
        if !number.is_empty() && text.len() + number.len() < Rows::LONGEST {
            text.push('\n');
            *text += &number;
        }
    }
}

/// Adds the folded values of the options of a product's variants, each on its own line, while there is room.
fn add_options(product: &Product, text: &mut String) {
    let values = variant::options(&product.variants).into_iter().flat_map(|(_, values)| values);
    for value in values.map(fold) {
        if !value.is_empty() && text.len() + value.len() + 1 < Rows::LONGEST {
            text.push('\n');
            text.push(OPTION);
            *text += &value;
        }
    }
}
