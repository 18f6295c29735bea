//! Orders of products, made once for each version of the store.

use std::cmp::Reverse;
use std::sync::{Arc, OnceLock};

use super::Store;
use super::for_sale::FILTERED;
use super::kept::chosen;
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::price_scale;
use crate::contract::Sort;
use crate::process::compute::{assert_off_runtime, at_once};
use crate::profile::Money;

/// An order of all products of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProductOrder {
    /// The catalogue's own order.
    #[default]
    Own,
    /// The deepest discount first, but sold-out products last; without the products that have no discount.
    DeepestDiscounts,
    /// The latest date first, where dates decide; then the highest key first or, if a key is a text, the catalogue's order
    /// reversed.
    Newest,
    /// The best rating first.
    BestRated,
}

impl ProductOrder {
    const EVERY: [Self; 4] = [Self::Own, Self::DeepestDiscounts, Self::Newest, Self::BestRated];

    /// The positions in this order.
    fn positions(self, store: &Store) -> Vec<u32> {
        let mut positions: Vec<u32> = (0..).take(store.len()).collect();
        // The sorts are stable: products that compare equal keep the catalogue's order.
        match self {
            Self::Own => {}
            Self::DeepestDiscounts => {
                let discounts: Vec<f64> =
                    positions.iter().map(|&position| store.discount_percentage(position)).collect();
                let discount = |position: u32| discounts[position as usize];
                positions.retain(|&position| is_discounted(discount(position)));
                positions.sort_by_cached_key(|&position| {
                    (!store.has(Flag::InStock, position), Reverse(bits(discount(position))))
                });
            }
            Self::Newest => {
                // Sources append products. A text says nothing of its product's age, but most numbers do.
                if store.is_numbered() {
                    positions.sort_by_cached_key(|&position| Reverse(store.key(position).number()));
                } else {
                    positions.reverse();
                }
                if store.has_dates() {
                    positions.sort_by_key(|&position| Reverse(store.date(position)));
                }
            }
            Self::BestRated => sort(&mut positions, Sort::RatingDesc, store),
        }
        positions
    }
}

/// Whether a discount rounds to at least one per cent.
fn is_discounted(discount_percentage: f64) -> bool {
    discount_percentage.round() >= 1.0
}

/// Every order of the products of a store.
#[derive(Debug, Default)]
pub(crate) struct ProductOrders([Arranged; ProductOrder::EVERY.len()]);

/// The products in an order.
#[derive(Debug, Default)]
struct Arranged {
    part: Arc<Part>,
    /// Each sort of the products, made when it is first used.
    sorted: [OnceLock<Box<[u32]>>; 3],
}

impl Arranged {
    fn new(store: &Store, order: ProductOrder) -> Self {
        Self::of(store, order.positions(store))
    }

    fn of(store: &Store, positions: Vec<u32>) -> Self {
        Self { part: Arc::new(Part::new(store, positions)), sorted: Default::default() }
    }
}

impl ProductOrders {
    pub(crate) fn new(store: &Store) -> Self {
        Self(ProductOrder::EVERY.map(|order| Arranged::new(store, order)))
    }

    /// As [`Self::new`], with a thread for each order.
    pub(crate) fn at_once(store: &Store) -> Self {
        let arranged = at_once(ProductOrder::EVERY.to_vec(), |order| Arranged::new(store, order));
        // There is one result for each order.
        arranged.try_into().map_or_else(|_| Self::default(), Self)
    }

    /// As [`Self::new`], without the products at the positions that are gone.
    pub(crate) fn without(store: &Store, is_gone: impl Fn(u32) -> bool) -> Self {
        Self(ProductOrder::EVERY.map(|order| {
            let mut positions = order.positions(store);
            positions.retain(|&position| !is_gone(position));
            Arranged::of(store, positions)
        }))
    }

    pub(crate) fn part(&self, order: ProductOrder) -> &Arc<Part> {
        &self.0[order as usize].part
    }

    /// Sorts positions that are in the relative order of `order`. Products that compare equal keep that order.
    pub(crate) fn sort(
        &self,
        order: ProductOrder,
        by: Sort,
        mut positions: Vec<u32>,
        store: &Store,
    ) -> Vec<u32> {
        /// Up to this fraction of all products, sorting is faster than choosing from all products sorted.
        const FEW: usize = 16;
        let Arranged { part, sorted } = &self.0[order as usize];
        if positions.len() <= part.positions.len() / FEW {
            sort(&mut positions, by, store);
            return positions;
        }
        assert_off_runtime();
        let sorted = sorted[by as usize].get_or_init(|| {
            let mut sorted = part.positions.clone();
            sort(&mut sorted, by, store);
            sorted
        });
        chosen(sorted.iter().copied(), &positions, store.len())
    }

    /// Size in memory, in bytes, with an allowance for the sorts that are not made yet.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().map(|Arranged { part, sorted }| part.size() * (1 + sorted.len())).sum()
    }
}

/// Stably sorts positions by a sort that shoppers can choose.
fn sort(positions: &mut [u32], by: Sort, store: &Store) {
    // Keys that lie together are compared faster than those that are looked up each time.
    match by {
        Sort::PriceAsc => positions.sort_by_cached_key(|&position| store.price(position)),
        Sort::PriceDesc => positions.sort_by_cached_key(|&position| Reverse(store.price(position))),
        Sort::RatingDesc => positions.sort_by_cached_key(|&position| Reverse(bits(store.rating(position)))),
    }
}

/// A sort key for finite values. Negative values, such as an unknown rating, are the lowest.
fn bits(value: f64) -> u64 {
    // The bits of positive numbers have the order of the numbers.
    if value < 0.0 { 0 } else { value.abs().to_bits() + 1 }
}

/// Some products of a store, and what filters need to know of them.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) positions: Box<[u32]>,
    /// The numbers of the names that occur in each [`Column`], in ascending order.
    pub(crate) names: [Box<[u32]>; Column::EVERY.len()],
    /// The numbers of the values that occur of each filtered option, in ascending order.
    pub(crate) values: [Box<[u32]>; FILTERED],
    /// The highest price rounded up, in whole units of the currency.
    pub(crate) price_ceiling: u32,
    /// 0 if there are no products.
    pub(crate) lowest_price: Money,
    /// The deepest discount that cards show, in whole percent; 0 if they show none.
    pub(crate) deepest_discount: u8,
    /// The stops of the price slider, in whole units of the currency.
    pub(crate) price_stops: Box<[u32]>,
}

impl Part {
    pub(crate) fn new(store: &Store, positions: Vec<u32>) -> Self {
        let mut names = Column::EVERY.map(|column| Occurring::among(store.names(column).len()));
        let mut deepest_discount = 0;
        let (mut lowest, mut highest) = (None::<Money>, Money::default());
        for &position in &positions {
            let price = store.price(position);
            lowest = Some(lowest.map_or(price, |lowest| lowest.min(price)));
            highest = highest.max(price);
            for (column, names) in Column::EVERY.into_iter().zip(&mut names) {
                names.add(store.name(column, position));
            }
            deepest_discount = deepest_discount.max(store.discount(position));
        }
        let currency = store.currency();
        let price_ceiling = currency.rounded_up(highest);
        Self {
            names: names.map(Occurring::numbers),
            values: store.for_sale().occurring(&positions),
            lowest_price: lowest.unwrap_or_default(),
            deepest_discount,
            price_ceiling,
            price_stops: price_scale::stops(
                positions.len(),
                |number| store.price(positions[number]),
                price_ceiling,
                currency,
            ),
            positions: positions.into(),
        }
    }

    /// Size of the positions in memory, in bytes; everything else is small.
    fn size(&self) -> usize {
        size_of_val(&*self.positions)
    }
}

/// The set of numbers that occur.
struct Occurring(Vec<bool>);

impl Occurring {
    fn among(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Ignores [`super::NONE`].
    fn add(&mut self, number: u32) {
        if let Some(occurs) = self.0.get_mut(number as usize) {
            *occurs = true;
        }
    }

    fn numbers(self) -> Box<[u32]> {
        (0..).zip(self.0).filter(|(_, occurs)| *occurs).map(|(number, _)| number).collect()
    }
}
