//! Orders of products, made once for each copy of the catalogue.

use super::columns::Column;
use super::model::Summary;
use super::price_scale;
use super::product_index::ProductIndex;
use crate::contract::Sort;
use crate::profile::Money;

/// An order of all products of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The catalogue's own.
    Own,
    /// The deepest discount first, and what is sold out last; without the products that have no discount.
    DeepestDiscounts,
    /// The highest number first; where a product is named by a text, the catalogue's order reversed.
    Newest,
    /// The best rating first.
    BestRated,
}

impl Order {
    pub(super) const EVERY: [Self; 4] = [Self::Own, Self::DeepestDiscounts, Self::Newest, Self::BestRated];

    /// The positions in this order.
    pub(super) fn positions(self, index: &ProductIndex) -> Vec<u32> {
        let product = |position: u32| index.product(position);
        let discount = |position| product(position).discount_percentage;
        let mut positions: Vec<u32> = (0..).take(index.len()).collect();
        // The sorts are stable: products that compare equal keep the catalogue's order.
        match self {
            Self::Own => {}
            Self::DeepestDiscounts => {
                positions.retain(|&position| is_discounted(product(position)));
                positions.sort_by(|&left, &right| discount(right).total_cmp(&discount(left)));
                positions.sort_by_key(|&position| product(position).availability.is_sold_out());
            }
            Self::Newest => {
                // Sources add products at the end. A text says nothing of its product's age, but most numbers do.
                if index.is_numbered() {
                    positions.sort_by_key(|&position| std::cmp::Reverse(product(position).id.number()));
                } else {
                    positions.reverse();
                }
            }
            Self::BestRated => sort(&mut positions, Sort::RatingDesc, index),
        }
        positions
    }
}

/// Whether the discount that cards show is at least one per cent.
fn is_discounted(product: &Summary) -> bool {
    product.discount_percentage.round() >= 1.0
}

/// Products in an order, and in the orders of all sorts.
#[derive(Debug, Default)]
pub(super) struct Arrangement {
    part: Part,
    price_asc: Box<[u32]>,
    price_desc: Box<[u32]>,
    rating_desc: Box<[u32]>,
}

impl Arrangement {
    /// The products at these positions, in this order.
    pub(super) fn new(index: &ProductIndex, positions: Vec<u32>) -> Self {
        let sorted = |by| {
            let mut sorted = positions.clone();
            sort(&mut sorted, by, index);
            sorted.into()
        };
        Self {
            price_asc: sorted(Sort::PriceAsc),
            price_desc: sorted(Sort::PriceDesc),
            rating_desc: sorted(Sort::RatingDesc),
            part: Part::new(index, positions),
        }
    }

    pub(super) fn part(&self) -> &Part {
        &self.part
    }

    /// The positions of the part, sorted. Products that compare equal keep the order of the part.
    pub(super) fn sorted(&self, by: Sort) -> &[u32] {
        match by {
            Sort::PriceAsc => &self.price_asc,
            Sort::PriceDesc => &self.price_desc,
            Sort::RatingDesc => &self.rating_desc,
        }
    }

    /// Approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        4 * size_of_val(&*self.part.positions)
    }
}

/// Sorts positions by a sort that shoppers can choose (stable).
fn sort(positions: &mut [u32], by: Sort, index: &ProductIndex) {
    let facts = |position: u32| index.facts(position);
    positions.sort_by(|&left, &right| match by {
        Sort::PriceAsc => facts(left).price.cmp(&facts(right).price),
        Sort::PriceDesc => facts(right).price.cmp(&facts(left).price),
        Sort::RatingDesc => facts(right).rating.total_cmp(&facts(left).rating),
    });
}

/// Some products of an index, and what occurs among them.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) positions: Box<[u32]>,
    /// The numbers of the names that occur in each [`Column`], in ascending order.
    pub(super) names: [Box<[u32]>; Column::EVERY.len()],
    /// The highest price rounded up, in whole units of the currency.
    pub(super) price_ceiling: u32,
    /// 0 if there are no products.
    pub(super) lowest_price: Money,
    /// The deepest discount that cards show, in whole percent; 0 if they show none.
    pub(super) deepest_discount: u8,
    /// The stops of the price slider, in whole units of the currency.
    pub(super) price_stops: Box<[u32]>,
}

impl Part {
    pub(super) fn new(index: &ProductIndex, positions: Vec<u32>) -> Self {
        let mut names = Column::EVERY.map(|column| Occurring::among(index.names(column).len()));
        let mut deepest_discount = 0;
        let mut prices = Vec::with_capacity(positions.len());
        for &position in &positions {
            let facts = index.facts(position);
            prices.push(facts.price);
            for (column, names) in Column::EVERY.into_iter().zip(&mut names) {
                names.add(facts.name(column));
            }
            deepest_discount = deepest_discount.max(facts.discount);
        }
        let (lowest, highest) = (prices.iter().min().copied(), prices.iter().max().copied());
        let currency = index.currency();
        Self {
            names: names.map(Occurring::numbers),
            lowest_price: lowest.unwrap_or_default(),
            deepest_discount,
            price_ceiling: highest.map_or(0, |highest| currency.rounded_up(highest)),
            price_stops: price_scale::stops(prices, currency),
            positions: positions.into(),
        }
    }
}

/// Which numbers occur.
struct Occurring(Vec<bool>);

impl Occurring {
    fn among(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Ignores the number of products without a name.
    fn add(&mut self, number: u32) {
        if let Some(occurs) = self.0.get_mut(number as usize) {
            *occurs = true;
        }
    }

    fn numbers(self) -> Box<[u32]> {
        (0..).zip(self.0).filter(|(_, occurs)| *occurs).map(|(number, _)| number).collect()
    }
}
