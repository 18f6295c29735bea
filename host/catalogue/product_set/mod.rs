//! Some products of the catalogue in an order. Sets of one version of the catalogue share its store and its orders, so
//! that making another set copies no product.

mod newer;
mod search;
#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Borrow;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use self::newer::Newer;
use self::search::Search;
use super::columns::Column;
use super::features::Features;
use super::key::ProductKey;
use super::model::{Product, Summary};
use super::search::{Query, Rules, fold};
use super::slug::Slug;
use super::store::{Builder, DetailsError, Part, ProductOrder, ProductOrders, Store, chosen, squeezed};
use crate::contract::Sort;
use crate::process::compute::{BACKGROUND, OffRuntime};
use crate::process::priority::lower_priority;
use crate::profile::{Currency, Money};

/// Products in order, with orders for sorting and a store for filtering. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct ProductSet {
    shared: Arc<Content>,
    /// The order of the version in which the products are.
    order: ProductOrder,
    part: Arc<Part>,
    /// Limits the set to the products of the part that a search finds.
    search: Option<Arc<Search>>,
}

/// The data that all sets of one version of a catalogue share.
#[derive(Debug, Default)]
struct Content {
    store: Arc<Store>,
    orders: Arc<ProductOrders>,
    newer: Newer,
}

/// Sets are equal when they list equal products in the same order.
impl PartialEq for ProductSet {
    fn eq(&self, other: &Self) -> bool {
        let is_equal = |pair: (_, _)| matches!(pair, (Ok(one), Ok(other)) if one == other);
        self.len() == other.len() && self.whole().zip(other.whole()).all(is_equal)
    }
}

impl ProductSet {
    /// A set of `products` with prices in `currency` and without details. They keep their order.
    pub fn new(products: Vec<Summary>, currency: Currency) -> Self {
        let product = |summary| Product { summary, ..Product::default() };
        Self::of(products.into_iter().map(product), currency)
    }

    /// A set of all of these products, in their order, with prices in `currency`.
    pub fn of(products: impl Iterator<Item: Borrow<Product>>, currency: Currency) -> Self {
        Self::built(Builder::new(currency), products)
    }

    /// As [`Self::of`], but the newest products are those that were added last, where the source says when.
    pub(super) fn dated(products: impl Iterator<Item: Borrow<Product>>, currency: Currency) -> Self {
        Self::built(Builder::new(currency).with_dates(), products)
    }

    fn built(mut builder: Builder, products: impl Iterator<Item: Borrow<Product>>) -> Self {
        let left_out = products.filter(|product| builder.push(product.borrow()).is_err()).count();
        if left_out > 0 {
            tracing::warn!(
                left_out,
                "products are left out: their texts are too long, or there are too many"
            );
        }
        Self::of_store(Arc::new(builder.finish()))
    }

    /// A set of all products of a store.
    pub(crate) fn of_store(store: Arc<Store>) -> Self {
        let orders = ProductOrders::new(&store);
        Self::with_orders(store, orders)
    }

    /// As [`Self::of_store`], but with several threads, for the start of the program, which does not wait for the index
    /// for searches: see [`Self::is_searchable`].
    pub(crate) fn of_saved(store: Arc<Store>) -> Self {
        let indexed = Arc::clone(&store);
        let index = move || {
            lower_priority(BACKGROUND);
            indexed.word_index();
        };
        if std::thread::Builder::new().name("word-index".into()).spawn(index).is_err() {
            // The system has no thread to give.
            store.word_index();
        }
        let orders = ProductOrders::at_once(&store);
        Self::with_orders(store, orders)
    }

    fn with_orders(store: Arc<Store>, orders: ProductOrders) -> Self {
        Self::of_parts(store, Arc::new(orders), Newer::default())
    }

    fn of_parts(store: Arc<Store>, orders: Arc<ProductOrders>, newer: Newer) -> Self {
        let part = Arc::clone(orders.part(ProductOrder::Own));
        Self {
            shared: Arc::new(Content { store, orders, newer }),
            order: ProductOrder::Own,
            part,
            search: None,
        }
    }

    /// The product at this position as lists show it: without its description.
    pub(crate) fn summary(&self, position: u32) -> Summary {
        match self.shared.newer.at(position) {
            Some(newer) => newer.summary(0),
            None => self.store().summary(position),
        }
    }

    /// The product at this position with everything that its page shows, if that can be read.
    pub(crate) fn whole_at(&self, position: u32) -> Option<Product> {
        self.find(&self.store().key(position)).ok().flatten()
    }

    /// The product with this key as lists show it, if there is one.
    pub(crate) fn summary_of(&self, key: &ProductKey) -> Option<Summary> {
        let position = self.store().position(key).filter(|&position| !self.shared.newer.is_gone(position))?;
        Some(self.summary(position))
    }

    /// The products at these positions. Consecutive positions are read faster.
    fn products_at<'a>(
        &'a self,
        positions: impl Iterator<Item = u32> + Clone + 'a,
    ) -> impl Iterator<Item = Result<Product, DetailsError>> + 'a {
        let newer = |(position, product)| match self.shared.newer.at(position) {
            Some(newer) => newer.product(0),
            None => product,
        };
        positions.clone().zip(self.store().products_at(positions)).map(newer)
    }

    /// Whether the index for searches is made, so that a search takes little time.
    pub(crate) fn is_searchable(&self) -> bool {
        self.store().has_word_index()
    }

    /// Makes the index for searches, unless it is made.
    pub fn index_words(&self) {
        self.store().word_index();
    }

    /// As [`Self::index_words`], unless [`Self::of_saved`] does.
    pub(super) fn prepare_searches(&self) {
        if !self.store().is_saved() {
            self.index_words();
        }
    }

    /// The size in memory of the index for searches, in bytes; `None` until it is made.
    pub fn word_index_size(&self) -> Option<usize> {
        self.store().word_index_size()
    }

    /// All products of the version that this set belongs to, in this order.
    #[must_use]
    pub fn in_order(&self, order: ProductOrder) -> Self {
        Self { order, ..self.with(Arc::clone(self.shared.orders.part(order))) }
    }

    /// The first `count` products.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        let first = self.shown().iter().copied().take(count).collect();
        self.with(Arc::new(Part::new(self.store(), first)))
    }

    /// The products that a search for `text` finds, the best first. The search is made when the result is first used.
    #[must_use]
    pub fn containing(&self, text: &str, rules: &Arc<Rules>) -> Self {
        Self { search: Some(Arc::new(Search::new(text, rules))), ..self.clone() }
    }

    /// The first `most` products that a search finds among all products of the version.
    pub fn best_found(
        &self,
        _: &OffRuntime,
        text: &str,
        rules: &Rules,
        most: usize,
    ) -> impl Iterator<Item = Summary> {
        let found = search::best_found(&Query::new(text, rules), rules, self.store(), most);
        found
            .into_iter()
            .filter(|&position| !self.shared.newer.is_gone(position))
            .map(|position| self.summary(position))
    }

    /// How many products of the version a search finds.
    pub(crate) fn number_found(&self, _: &OffRuntime, text: &str, rules: &Rules) -> usize {
        search::best_found(&Query::new(text, rules), rules, self.store(), usize::MAX).len()
    }

    /// The products of the version with this article number, however it is spelled.
    pub(crate) fn numbered(&self, _: &OffRuntime, number: &str) -> Vec<u32> {
        let (store, number) = (self.store(), squeezed(&fold(number)));
        let mut found = match number.as_str() {
            "" => Vec::new(),
            number => store.word_index().numbers().equal_to(store, number).to_vec(),
        };
        found.retain(|&position| !self.shared.newer.is_gone(position));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Searches that may be meant by one that finds nothing and do find something, at most `most`, the nearest first.
    pub fn corrections(&self, _: &OffRuntime, text: &str, rules: &Rules, most: usize) -> Vec<String> {
        search::corrections(&Query::new(text, rules), rules, self.store(), most)
    }

    /// Words that resemble those of a search for a folded text, at most `most`.
    pub(crate) fn similar_words(
        &self,
        _: &OffRuntime,
        text: &str,
        rules: &Rules,
        most: usize,
    ) -> Vec<String> {
        search::similar_words(text, rules, self.store(), most)
    }

    /// The set's products of each category.
    pub(super) fn by_category(&self) -> HashMap<Slug, Self> {
        let store = self.store();
        let mut positions = vec![Vec::new(); store.names(Column::Category).len()];
        for &position in self.positions() {
            let category = store.name(Column::Category, position);
            if let Some(positions) = positions.get_mut(category as usize) {
                positions.push(position);
            }
        }
        let set = |(number, positions)| {
            (store.category(number).clone(), self.with(Arc::new(Part::new(store, positions))))
        };
        (0..).zip(positions).map(set).collect()
    }

    /// A part of the set.
    fn with(&self, part: Arc<Part>) -> Self {
        Self { shared: Arc::clone(&self.shared), order: self.order, part, search: None }
    }

    /// Approximate size in memory, in bytes, with everything that the set shares with others.
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.store().size() + self.shared.orders.size()
    }

    /// The largest number of bytes that filtering, counting and searching go through: a search goes through all
    /// products of the version that the set belongs to. No search is made to find this number.
    pub(crate) fn bytes_read(&self) -> usize {
        self.store().bytes_read()
    }

    pub fn len(&self) -> usize {
        self.positions().len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions().is_empty()
    }

    /// The products as lists show them, without their descriptions. They are made one by one.
    pub fn products(&self) -> impl ExactSizeIterator<Item = Summary> + Clone {
        self.shown().iter().map(|&position| self.summary(position))
    }

    /// The products with all that is known of them. They are read one by one.
    pub fn whole(&self) -> impl Iterator<Item = Result<Product, DetailsError>> {
        self.products_at(self.shown().iter().copied())
    }

    /// As [`Self::whole`], but without the first `skipped` products.
    pub(crate) fn whole_behind(&self, skipped: usize) -> impl Iterator<Item = Result<Product, DetailsError>> {
        self.products_at(self.shown().iter().skip(skipped).copied())
    }

    /// A hash of all products of the version that this set belongs to, which is the same in every replica.
    ///
    /// # Errors
    /// When details that lie in a file cannot be read.
    pub(crate) fn digest(&self) -> io::Result<blake3::Hash> {
        let read = self.store().digest()?;
        if self.shared.newer.is_empty() {
            return Ok(read);
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(read.as_bytes());
        for (position, product) in self.shared.newer.sorted() {
            hasher.update(&position.to_le_bytes());
            if let Some(product) = product {
                hasher.update(product.digest()?.as_bytes());
            }
        }
        Ok(hasher.finalize())
    }

    /// The products other than the one with this key: those after it, and then those before it.
    pub(crate) fn others(&self, key: &ProductKey) -> impl Iterator<Item = Summary> {
        let positions = self.shown();
        let (before, after) =
            self.place(key).map_or((positions, &[][..]), |own| (&positions[..own], &positions[own + 1..]));
        after.iter().chain(before).map(|&position| self.summary(position))
    }

    /// The place of the product with this key in the set.
    fn place(&self, key: &ProductKey) -> Option<usize> {
        let own = self.store().position(key)?;
        self.shown().iter().position(|&position| position == own)
    }

    /// The keys of the products, which are faster to go through than the products.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = ProductKey> + Clone {
        self.shown().iter().map(|&position| self.store().key(position))
    }

    /// The product with this key, among all products of the version; `None` if there is none.
    ///
    /// # Errors
    /// When its details could not be read.
    pub(super) fn find(&self, key: &ProductKey) -> Result<Option<Product>, DetailsError> {
        let position = self.store().position(key).filter(|&position| !self.shared.newer.is_gone(position));
        let read = |position| match self.shared.newer.at(position) {
            Some(newer) => newer.product(0),
            None => self.store().product(position),
        };
        position.map(read).transpose()
    }

    /// Whether an older product of the version has this title: one with a lower number or, if any product is named by a
    /// text, one that the source lists earlier.
    pub(crate) fn has_earlier_namesake(&self, title: &str, id: &ProductKey) -> bool {
        self.store().has_earlier_namesake(title, id)
    }

    /// The version's spelling of a tag, if the version has a product with this key that carries the tag.
    pub(crate) fn tag_of(&self, id: &ProductKey, tag: &str) -> Option<&str> {
        let tags = self.store().tags();
        let number = tags.number(tag)?;
        let position = self.store().position(id)?;
        tags.is_carried_by(position, number).then(|| tags.spelling(number))
    }

    /// The store that positions refer to.
    pub(crate) fn store(&self) -> &Store {
        &self.shared.store
    }

    /// The positions of the set's products in [`Self::store`]. For a search, they are in the catalogue's order.
    pub(crate) fn positions(&self) -> &[u32] {
        &self.part().positions
    }

    /// The positions of the set's products in the order in which they are shown: for a search, the best first.
    fn shown(&self) -> &[u32] {
        self.search.as_ref().map_or(&self.part.positions, |search| search.ranked(self.store(), &self.part))
    }

    /// Sorts positions of the set that are in the order of [`Self::positions`]. Products that compare equal keep that
    /// order. Without a sort, the result has the order in which the set shows its products.
    pub(crate) fn sort(&self, by: Option<Sort>, positions: Vec<u32>) -> Vec<u32> {
        match by {
            Some(by) => self.shared.orders.sort(self.order, by, positions, self.store()),
            None if self.search.is_none() => positions,
            None if positions.len() == self.len() => self.shown().to_vec(),
            None => chosen(self.shown().iter().copied(), &positions, self.store().len()),
        }
    }

    /// The numbers of the names that occur in the set, in ascending order.
    pub(crate) fn occurring(&self, column: Column) -> &[u32] {
        &self.part().names[column as usize]
    }

    /// The numbers of the values of a filtered option that occur in the set, in ascending order.
    pub(crate) fn occurring_values(&self, place: usize) -> &[u32] {
        &self.part().values[place]
    }

    /// The numbers of the brands that occur in the set, in ascending order.
    pub(crate) fn brands(&self) -> &[u32] {
        self.occurring(Column::Brand)
    }

    /// The numbers of the categories that occur in the set, in ascending order.
    pub(crate) fn categories(&self) -> &[u32] {
        self.occurring(Column::Category)
    }

    /// What the products of the version have.
    pub(super) fn features(&self) -> Features {
        let (store, discounted) = (self.store(), self.shared.orders.part(ProductOrder::DeepestDiscounts));
        Features {
            brands: !store.names(Column::Brand).is_empty(),
            categories: !store.names(Column::Category).is_empty(),
            discounts: !discounted.positions.is_empty(),
            dates: store.has_dates(),
            ratings: store.has_ratings(),
        }
    }

    /// The currency of the prices.
    pub fn currency(&self) -> Currency {
        self.store().currency()
    }

    /// The highest price rounded up, in whole units of the currency.
    pub(crate) fn price_ceiling(&self) -> u32 {
        self.part().price_ceiling
    }

    /// The lowest price; 0 if the set is empty.
    pub(crate) fn lowest_price(&self) -> Money {
        self.part().lowest_price
    }

    /// The deepest discount that cards show, in whole percent; 0 if they show none.
    pub(crate) fn deepest_discount(&self) -> u8 {
        self.part().deepest_discount
    }

    /// The stops of the price slider, in whole units of the currency: from 0 to the ceiling, about equally many
    /// products apart.
    pub(crate) fn price_stops(&self) -> &[u32] {
        &self.part().price_stops
    }

    fn part(&self) -> &Part {
        self.search.as_ref().map_or(&self.part, |search| search.result(self.store(), &self.part))
    }
}
