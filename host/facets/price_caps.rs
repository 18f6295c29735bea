//! Round prices that divide a listing, for its quick filters. They are so few that the pass that counts the facets
//! can count products for them as well.

use crate::profile::{Currency, Money};

/// The largest number of prices.
const CAPS: usize = 5;

/// Round prices in ascending order, each with the number of products that cost at most that much.
#[derive(Debug, Default)]
pub struct PriceCaps(Vec<PriceCap>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PriceCap {
    /// In whole units of the currency.
    pub(crate) price: u32,
    amount: Money,
    /// How many products cost at most that much.
    pub(crate) count: u32,
}

impl PriceCaps {
    /// Round prices near some of the stops of a price slider, about equally many products apart, and below the ceiling.
    pub(super) fn below(stops: &[u32], currency: Currency) -> Self {
        let (Some(&ceiling), steps) = (stops.last(), stops.len() - usize::from(!stops.is_empty())) else {
            return Self::default();
        };
        let near = (1..=CAPS).filter_map(|part| stops.get((part * steps).div_ceil(CAPS + 1)).copied());
        let mut prices: Vec<u32> = near.map(round).filter(|&price| price < ceiling).collect();
        prices.dedup();
        let cap = |price| PriceCap { price, amount: currency.whole(price), count: 0 };
        Self(prices.into_iter().map(cap).collect())
    }

    /// Counts a product.
    #[inline]
    pub(super) fn add(&mut self, price: Money) {
        for cap in &mut self.0 {
            cap.count += u32::from(price <= cap.amount);
        }
    }

    /// Up to `most` prices, each of which leaves and leaves out at least a tenth of the `total` products. They are
    /// spread over all such prices.
    pub(crate) fn dividing(&self, total: usize, most: usize) -> Vec<PriceCap> {
        let divides = |cap: &&PriceCap| {
            let count = cap.count as usize;
            count > 0 && count < total && count * 10 >= total && (total - count) * 10 >= total
        };
        let mut caps: Vec<PriceCap> = self.0.iter().filter(divides).copied().collect();
        // Two prices that leave the same products are one choice.
        caps.dedup_by_key(|cap| cap.count);
        let shown = most.min(caps.len());
        (0..shown).map(|place| caps[(2 * place + 1) * caps.len() / (2 * shown)]).collect()
    }
}

/// The nearest price with a single nonzero digit, at least 10; 5 for prices below 8.
fn round(price: u32) -> u32 {
    if price < 8 {
        return 5;
    }
    let unit = 10_u32.pow(price.max(10).ilog10());
    price.saturating_add(unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prices(stops: &[u32]) -> Vec<u32> {
        PriceCaps::below(stops, Currency::default()).0.iter().map(|cap| cap.price).collect()
    }

    #[test]
    fn prices_are_round_and_below_the_highest() {
        assert_eq!(prices(&[0, 9, 15, 24, 37, 80, 120, 1_750, 37_000]), [20, 40, 100, 2_000]);
        for stops in [vec![0, 3], vec![0], Vec::new()] {
            assert!(prices(&stops).is_empty());
        }
        assert_eq!([0, 7, 8, 10, 14, 15, 96, 1_499].map(round), [5, 5, 10, 10, 10, 20, 100, 1_000]);
    }

    #[test]
    fn those_that_leave_nearly_all_or_nearly_nothing_are_no_choice() {
        let mut caps = PriceCaps::below(&[0, 10, 20, 30, 40, 50, 60], Currency::default());
        assert_eq!(caps.0.len(), 5);
        for price in [25; 9].into_iter().chain([45; 10]).chain([55]) {
            caps.add(Currency::default().whole(price));
        }
        // 10 and 20 leave nothing, 50 leaves all but one, 40 the same as 30.
        let shown = caps.dividing(20, 3);
        assert!(matches!(*shown, [PriceCap { price: 30, count: 9, .. }]), "{shown:?}");
        assert!(caps.dividing(20, 0).is_empty());
    }

    proptest! {
        #[test]
        fn every_price_shown_divides_the_products(
            products in prop::collection::vec(0_u32..500, 0..60),
            stops in prop::collection::btree_set(0_u32..500, 0..33),
            most in 0_usize..5,
        ) {
            let mut caps = PriceCaps::below(&stops.iter().copied().collect::<Vec<_>>(), Currency::default());
            products.iter().for_each(|&price| caps.add(Currency::default().whole(price)));
            let shown = caps.dividing(products.len(), most);
            prop_assert!(shown.len() <= most);
            prop_assert!(shown.is_sorted_by(|left, right| left.price < right.price && left.count < right.count));
            for PriceCap { price, count, .. } in shown {
                prop_assert_eq!(count as usize, products.iter().filter(|&&product| product <= price).count());
                prop_assert!(count > 0 && (count as usize) < products.len());
            }
        }
    }
}
