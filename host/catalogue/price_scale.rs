//! The scale of a price slider. Steps of equal amounts help little where one product costs a thousand
//! times as much as most others, so the steps divide the products evenly instead.

use crate::profile::{Currency, Money};

/// The largest number of steps of a scale.
const STEPS: usize = 32;
/// The largest number of prices that are looked at. They give as good a scale as millions do.
const LOOKED_AT: usize = 1 << 14;

/// Whole prices in ascending order, from 0 to `ceiling`, which is the highest price of a list rounded up. About equally
/// many products, and at least one, lie between two neighbours. `price` gives the price of each of `count` products.
pub(super) fn stops(
    count: usize,
    price: impl Fn(usize) -> Money,
    ceiling: u32,
    currency: Currency,
) -> Box<[u32]> {
    let mut prices: Vec<Money> = match count {
        ..=LOOKED_AT => (0..count).map(price).collect(),
        _ => (0..LOOKED_AT).map(|number| price(spread(number, count))).collect(),
    };
    prices.sort_unstable();
    let looked_at = prices.len();
    let steps = STEPS.min(looked_at);
    let quantile = |step: usize| prices[(step * looked_at).div_ceil(steps) - 1];
    let mut stops = vec![0];
    let mut last = 0;
    for step in 1..steps {
        let price = quantile(step);
        if price <= currency.whole(last) {
            continue;
        }
        last = rounded_up(price, quantile(step + 1), currency);
        if last >= ceiling {
            break;
        }
        stops.push(last);
    }
    if ceiling > 0 {
        stops.push(ceiling);
    }
    stops.into()
}

/// The place of a number among `count` places. Ascending numbers are spread over all places at irregular distances,
/// because prices may repeat at regular ones. Fractional parts of multiples of the golden ratio are spread like that.
fn spread(number: usize, count: usize) -> usize {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let part = (number as u64).wrapping_mul(GOLDEN);
    ((u128::from(part) * count as u128) >> u64::BITS) as usize
}

/// `price` rounded up to a number of whole units that is as round as possible below the `next` price.
fn rounded_up(price: Money, next: Money, currency: Currency) -> u32 {
    let room = next.minor().saturating_sub(price.minor()) / currency.unit();
    let mut step = 1;
    // 1, 2, 5, 10, 20, 50 and so on, up to a thousand million.
    for (factor, divisor) in [(2, 1), (5, 2), (2, 1)].into_iter().cycle().take(27) {
        let next = step * factor / divisor;
        if u64::from(next) > room {
            break;
        }
        step = next;
    }
    currency.rounded_up(price).div_ceil(step).saturating_mul(step)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(prices: &[f64]) -> Vec<u32> {
        let dollars = Currency::default();
        let prices: Vec<Money> = prices.iter().map(|&price| dollars.nearest(price).unwrap()).collect();
        scale(&prices, dollars).into()
    }

    fn scale(prices: &[Money], currency: Currency) -> Box<[u32]> {
        let ceiling = prices.iter().max().map_or(0, |&highest| currency.rounded_up(highest));
        stops(prices.len(), |number| prices[number], ceiling, currency)
    }

    fn share(prices: &[f64], max: u32) -> f64 {
        let kept = prices.iter().filter(|&&price| price <= f64::from(max)).count();
        kept as f64 / prices.len() as f64
    }

    #[test]
    fn stops_are_round_and_end_at_the_highest_price_rounded_up() {
        assert_eq!(of(&[8.99, 9.99, 12.99, 14.99, 19.99]), [0, 9, 10, 14, 15, 20]);
        assert_eq!(of(&[899.99, 36_999.99, 1_299.99, 0.49]), [0, 500, 1_000, 20_000, 37_000]);
    }

    #[test]
    fn nothing_to_divide_leaves_the_ends() {
        assert_eq!(of(&[]), [0]);
        assert_eq!(of(&[0.0, 0.0]), [0]);
        assert_eq!(of(&[4.5]), [0, 5]);
        assert_eq!(of(&[7.0; 100]), [0, 7]);
    }

    #[test]
    fn one_expensive_product_does_not_take_the_scale() {
        let mut prices: Vec<f64> = (0..200).map(|number| 5.0 + f64::from(number)).collect();
        prices.push(40_000.0);
        let stops = of(&prices);
        let half = share(&prices, stops[stops.len() / 2]);
        assert!((0.4..=0.6).contains(&half), "{half} at half of {stops:?}");
    }

    #[test]
    fn a_long_list_is_divided_whatever_repeats_in_it() {
        for repeated in [7, 16, 24, 1_024] {
            let price = |number: usize| Money::from_minor((number % repeated * 1_000) as u64);
            let count = LOOKED_AT * 16 / repeated * repeated;
            let currency = Currency::default();
            let ceiling = currency.rounded_up(price(repeated - 1));
            let [long, short] = [count, repeated].map(|count| stops(count, price, ceiling, currency));
            assert_eq!(long.len(), short.len(), "{repeated}");
            for (long, short) in long.iter().zip(short) {
                assert!(long.abs_diff(short) <= ceiling / 50, "{repeated}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_step_lets_in_a_product(
            cents in prop::collection::vec(prop_oneof![0_u32..3_000, 0_u32..400_000_000], 0..300),
        ) {
            let prices: Vec<f64> = cents.into_iter().map(|cents| f64::from(cents) / 100.0).collect();
            let stops = of(&prices);
            prop_assert!(stops.len() <= STEPS + 1);
            prop_assert_eq!(stops[0], 0);
            let highest = prices.iter().copied().fold(0.0, f64::max);
            prop_assert_eq!(f64::from(stops[stops.len() - 1]), highest.ceil());
            for neighbours in stops.windows(2) {
                prop_assert!(neighbours[0] < neighbours[1]);
                prop_assert!(share(&prices, neighbours[0]) < share(&prices, neighbours[1]));
            }
        }

        #[test]
        fn prices_that_differ_enough_are_divided_evenly(
            gaps in prop::collection::vec(100_u32..100_000, 64..300),
        ) {
            let mut total = 0;
            let mut next = |gap| { total += gap; f64::from(total) / 100.0 };
            let prices: Vec<f64> = gaps.into_iter().map(&mut next).collect();
            let stops = of(&prices);
            prop_assert_eq!(stops.len(), STEPS + 1);
            for (step, &stop) in stops.iter().enumerate() {
                let off = share(&prices, stop) - step as f64 / STEPS as f64;
                prop_assert!(off.abs() <= 1.0 / STEPS as f64 + 0.02, "{off} at {stop}");
            }
        }
    }
}
