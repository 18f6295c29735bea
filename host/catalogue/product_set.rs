//! Some products of the catalogue in an order. Sets of the same copy share the products, their index and
//! their orders, so that making another set copies no product.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use memchr::memmem::Finder;
use serde::{Serialize, Serializer};

use super::arrangement::{Arrangement, Order, Part};
use super::columns::Column;
use super::key::ProductKey;
use super::model::Summary;
use super::product_index::ProductIndex;
use super::search::fold;
use super::slug::Slug;
use super::tag_index::TagIndex;
use crate::contract::Sort;
use crate::process::compute::assert_off_runtime;
use crate::profile::{Currency, Money};

/// Products in order, with orders for sorting and an index for filtering. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct ProductSet {
    shared: Arc<Shared>,
    arrangement: Arc<Arrangement>,
    /// Limits the set to the products of the arrangement that a search finds.
    search: Option<Arc<Search>>,
}

/// What all sets of one copy of the catalogue share.
#[derive(Debug, Default)]
struct Shared {
    index: ProductIndex,
    /// All products in each [`Order`], by its number.
    orders: [Arc<Arrangement>; Order::EVERY.len()],
}

/// A search, which is made when its result is first used.
#[derive(Debug)]
struct Search {
    /// The folded text.
    text: Box<str>,
    found: OnceLock<Part>,
}

/// Sets are equal when they list equal products in the same order.
impl PartialEq for ProductSet {
    fn eq(&self, other: &Self) -> bool {
        self.products().eq(other.products())
    }
}

/// A set is serialised as its products; everything else is derived again.
impl Serialize for ProductSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.products())
    }
}

impl ProductSet {
    /// Indexes `products` with prices in `currency`, which keep their order, and makes their orders. This takes long,
    /// see `process/compute.rs`.
    pub fn new(products: Vec<Summary>, currency: Currency) -> Self {
        Self::indexed(products, currency, TagIndex::default())
    }

    /// Like [`Self::new`], with the tags of each product.
    pub(crate) fn tagged<'a>(
        products: Vec<Summary>,
        currency: Currency,
        tags: impl Iterator<Item = &'a [String]>,
    ) -> Self {
        Self::indexed(products, currency, TagIndex::new(tags))
    }

    fn indexed(products: Vec<Summary>, currency: Currency, tags: TagIndex) -> Self {
        assert_off_runtime();
        let index = ProductIndex::new(products, currency, tags);
        let orders = Order::EVERY.map(|order| Arc::new(Arrangement::new(&index, order.positions(&index))));
        let shared = Arc::new(Shared { index, orders });
        let arrangement = Arc::clone(shared.arrangement(Order::Own));
        Self { shared, arrangement, search: None }
    }

    /// All products of the copy that this set belongs to, in an order.
    #[must_use]
    pub fn in_order(&self, order: Order) -> Self {
        self.arranged(Arc::clone(self.shared.arrangement(order)))
    }

    /// The first `count` products.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        let first = self.positions().iter().copied().take(count).collect();
        self.arranged(Arc::new(Arrangement::new(&self.shared.index, first)))
    }

    /// The products whose title or description contains `text`, both folded. The search is made when the result is
    /// first used. That takes long, see `process/compute.rs`.
    #[must_use]
    pub fn containing(&self, text: &str) -> Self {
        let search = Search { text: fold(text).into(), found: OnceLock::new() };
        Self { search: Some(Arc::new(search)), ..self.clone() }
    }

    /// The set's products of each category.
    pub(super) fn by_category(&self) -> HashMap<Slug, Self> {
        let index = self.index();
        let mut positions = vec![Vec::new(); index.names(Column::Category).len()];
        for &position in self.positions() {
            let category = index.facts(position).name(Column::Category);
            if let Some(positions) = positions.get_mut(category as usize) {
                positions.push(position);
            }
        }
        let set = |(number, positions)| {
            let slug = index.first_of(Column::Category, number).category.clone();
            Some((slug?, self.arranged(Arc::new(Arrangement::new(index, positions)))))
        };
        (0..).zip(positions).filter_map(set).collect()
    }

    fn arranged(&self, arrangement: Arc<Arrangement>) -> Self {
        Self { shared: Arc::clone(&self.shared), arrangement, search: None }
    }

    /// Approximate size in memory, in bytes, with everything that the set shares with others.
    pub fn size(&self) -> usize {
        let orders = self.shared.orders.iter().map(|arrangement| arrangement.size());
        size_of::<Self>() + self.shared.index.size() + orders.sum::<usize>()
    }

    /// How many bytes filtering, counting and searching go through at most: a search goes through all products of the
    /// copy that the set belongs to. It is not made for this.
    pub(crate) fn bytes_read(&self) -> usize {
        self.shared.index.bytes_read()
    }

    pub fn len(&self) -> usize {
        self.positions().len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions().is_empty()
    }

    pub fn products(&self) -> impl ExactSizeIterator<Item = &Summary> + Clone {
        self.positions().iter().map(|&position| self.shared.index.product(position))
    }

    /// Whether an older product has this title, among all of the copy: one with a lower number or, where products are
    /// named by texts, one that the source lists before.
    pub(crate) fn has_earlier_namesake(&self, title: &str, id: &ProductKey) -> bool {
        self.shared.index.has_earlier_namesake(title, id)
    }

    /// The copy's spelling of a tag, if this product carries it in the copy.
    pub(crate) fn tag_of(&self, product: &Summary, tag: &str) -> Option<&str> {
        let (index, tags) = (self.index(), self.index().tags());
        let number = tags.number(tag)?;
        let position = index.position(&product.title, &product.id)?;
        tags.is_carried_by(position, number).then(|| tags.spelling(number))
    }

    /// The products that positions refer to.
    pub(crate) fn index(&self) -> &ProductIndex {
        &self.shared.index
    }

    /// The positions of the set's products in [`Self::index`].
    pub(crate) fn positions(&self) -> &[u32] {
        &self.part().positions
    }

    /// The positions of the set's products, and perhaps of others, sorted. Products that compare equal keep
    /// the set's order.
    pub(crate) fn sorted(&self, by: Sort) -> &[u32] {
        self.arrangement.sorted(by)
    }

    /// The numbers of the names that occur in the set, in ascending order.
    pub(crate) fn occurring(&self, column: Column) -> &[u32] {
        &self.part().names[column as usize]
    }

    /// The numbers of the brands that occur in the set, in ascending order.
    pub(crate) fn brands(&self) -> &[u32] {
        self.occurring(Column::Brand)
    }

    /// The numbers of the categories that occur in the set, in ascending order.
    pub(crate) fn categories(&self) -> &[u32] {
        self.occurring(Column::Category)
    }

    /// Whether a product of the copy has a rating.
    pub(crate) fn has_ratings(&self) -> bool {
        self.index().has_ratings()
    }

    /// The currency of the prices.
    pub fn currency(&self) -> Currency {
        self.index().currency()
    }

    /// The highest price rounded up, in whole units of the currency.
    pub(crate) fn price_ceiling(&self) -> u32 {
        self.part().price_ceiling
    }

    /// 0 if the set is empty.
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
        let all = self.arrangement.part();
        self.search.as_ref().map_or(all, |search| search.result(&self.shared.index, all))
    }
}

impl Shared {
    fn arrangement(&self, order: Order) -> &Arc<Arrangement> {
        &self.orders[order as usize]
    }
}

impl Search {
    /// The products of `all` that the search finds.
    fn result(&self, index: &ProductIndex, all: &Part) -> &Part {
        self.found.get_or_init(|| {
            assert_off_runtime();
            let text = Finder::new(&*self.text);
            let contains = |position: &u32| text.find(index.text(*position)).is_some();
            Part::new(index, all.positions.iter().copied().filter(contains).collect())
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::Availability;

    fn product() -> impl Strategy<Value = Summary> {
        (
            "[a-cB]{1,4}( [a-c]{1,3})?",
            "[a-c]{0,6}",
            prop::option::of("[x-zY\u{fd}]"),
            prop::option::of("[p-r]"),
            0_u32..50,
            0_u32..4,
            prop::option::of(0_u32..=50),
            prop::option::of(0_u32..3),
        )
            .prop_map(|(title, description, brand, category, price, discount, rating, stock)| {
                Summary {
                    title,
                    description,
                    category: category.and_then(|slug| Slug::parse(&slug)),
                    brand,
                    price: Money::from_minor(u64::from(price) * 50),
                    discount_percentage: f64::from(discount) / 2.0,
                    rating: rating.map(|rating| f64::from(rating) / 10.0),
                    availability: stock.map_or(Availability::Unknown, Availability::of_stock),
                    ..Summary::default()
                }
            })
    }

    /// Some products with distinct ids in any order.
    pub(crate) fn products() -> impl Strategy<Value = Vec<Summary>> {
        let ids = (0_u64..40)
            .prop_map(|count| (1..=count).map(ProductKey::from).collect::<Vec<_>>())
            .prop_shuffle();
        ids.prop_flat_map(|ids| (prop::collection::vec(product(), ids.len()), Just(ids))).prop_map(
            |(mut products, ids)| {
                products.iter_mut().zip(ids).for_each(|(product, id)| product.id = id);
                products
            },
        )
    }

    proptest! {
        #[test]
        fn the_set_of_a_category_equals_one_of_its_products_alone(all in products()) {
            let by_category = ProductSet::new(all.clone(), Currency::default()).by_category();
            for slug in ["p", "q", "r"].map(|slug| Slug::parse(slug).unwrap()) {
                let own = all.iter().filter(|product| product.category.as_ref() == Some(&slug));
                let alone = ProductSet::new(own.cloned().collect(), Currency::default());
                let set = by_category.get(&slug).cloned().unwrap_or_default();
                prop_assert_eq!(&set, &alone);
                prop_assert_eq!(set.price_ceiling(), alone.price_ceiling());
                prop_assert_eq!(set.lowest_price(), alone.lowest_price());
                prop_assert_eq!(set.deepest_discount(), alone.deepest_discount());
                if !alone.is_empty() {
                    prop_assert_eq!(set.price_stops(), alone.price_stops());
                }
                for sort in [Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc] {
                    let sorted = |set: &ProductSet| -> Vec<ProductKey> {
                        let id = |&position: &u32| set.index().product(position).id.clone();
                        set.sorted(sort).iter().map(id).collect()
                    };
                    prop_assert_eq!(sorted(&set), sorted(&alone));
                }
            }
        }

        #[test]
        fn an_earlier_namesake_has_the_same_title_and_a_lower_number(all in products()) {
            let set = ProductSet::new(all.clone(), Currency::default());
            for own in &all {
                let has = all.iter().any(|other| other.title == own.title && other.id < own.id);
                prop_assert_eq!(set.has_earlier_namesake(&own.title, &own.id), has);
            }
            prop_assert!(!set.has_earlier_namesake("no such title", &1_000.into()));
        }

        #[test]
        fn where_products_are_named_by_texts_an_earlier_namesake_is_listed_before(mut all in products(), any_number: bool) {
            for (place, product) in all.iter_mut().enumerate().skip(usize::from(any_number)) {
                product.id = ProductKey::of(&format!("k{}", 1_000 - place));
            }
            let set = ProductSet::new(all.clone(), Currency::default());
            for (place, own) in all.iter().enumerate().filter(|_| all.len() > 1) {
                let has = all[..place].iter().any(|other| other.title == own.title);
                prop_assert_eq!(set.has_earlier_namesake(&own.title, &own.id), has);
            }
        }
    }
}
