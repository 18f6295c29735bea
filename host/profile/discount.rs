//! The price before a discount, and what is shown of it.

use super::{Currency, Money};

/// The precision of the price before the discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginalPrice {
    /// Whole units, on cards; all decimals if the rounded price would not exceed the current one.
    Rounded,
    /// All decimals, on the product page.
    Exact,
}

/// How far, in percentage points, a discount may be from the one that the two shown prices imply.
const LARGEST_CONTRADICTION: f64 = 3.0;

/// The discount that the card of a product shows, in whole percent; 0 if it shows none.
pub(crate) fn card_discount(
    price: Money,
    discount_percentage: f64,
    list_price: Option<Money>,
    currency: Currency,
) -> u8 {
    let reduction = Reduction::new(price, discount_percentage, list_price, currency, OriginalPrice::Rounded);
    reduction.and_then(|reduction| reduction.percent_off).unwrap_or(0)
}

/// What is shown of a discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reduction {
    /// The price before the discount.
    pub(crate) from: Money,
    /// Whether that price is shown in whole units.
    pub(crate) is_whole: bool,
    /// The discount in whole percent.
    pub(crate) percent_off: Option<u8>,
}

impl Reduction {
    /// The price before a discount in percent is `list_price`, which is never rounded, or `price / (1 - discount / 100)`
    /// if there is none. A discount that rounds to 0 % is not shown, and neither is one that rounding the original price
    /// has made untrue: `$1.99` instead of `$2` is not 13 % off.
    pub(crate) fn new(
        price: Money,
        discount_percentage: f64,
        list_price: Option<Money>,
        currency: Currency,
        original: OriginalPrice,
    ) -> Option<Self> {
        let now = currency.decimal(price);
        let percent_off = discount_percentage.round().clamp(0.0, 99.0);
        let computed = || now / (1.0 - discount_percentage / 100.0);
        let before = list_price.map_or_else(computed, |list_price| currency.decimal(list_price));
        if percent_off < 1.0 || !before.is_finite() || before <= now {
            return None;
        }
        let whole = before.round();
        let is_whole = original == OriginalPrice::Rounded && list_price.is_none() && whole > now;
        let implied = 100.0 * (1.0 - now / whole);
        let is_true = !is_whole || (implied - percent_off).abs() <= LARGEST_CONTRADICTION;
        let from = currency.nearest(if is_whole { whole } else { before })?;
        // Less than the smallest unit may be off a small price.
        (from > price).then_some(Self { from, is_whole, percent_off: is_true.then_some(percent_off as u8) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduction(cents: u64, discount_percentage: f64, original: OriginalPrice) -> Option<Reduction> {
        Reduction::new(Money::from_minor(cents), discount_percentage, None, Currency::default(), original)
    }

    #[test]
    fn the_original_price_is_the_price_before_the_discount() {
        let reduced = |cents, is_whole, percent_off| {
            Some(Reduction { from: Money::from_minor(cents), is_whole, percent_off })
        };
        for (cents, discount, original, expected) in [
            (9000, 10.0, OriginalPrice::Rounded, reduced(10000, true, Some(10))),
            (54999, 13.32, OriginalPrice::Exact, reduced(63451, false, Some(13))),
            // Rounded, it would be below the current one.
            (129, 10.0, OriginalPrice::Rounded, reduced(143, false, Some(10))),
            // The discount contradicts the rounded price.
            (199, 13.0, OriginalPrice::Rounded, reduced(200, true, None)),
            (199, 13.0, OriginalPrice::Exact, reduced(229, false, Some(13))),
            (999, 12.0, OriginalPrice::Rounded, reduced(1100, true, Some(12))),
            (1000, 0.4, OriginalPrice::Rounded, None),
            (0, 50.0, OriginalPrice::Exact, None),
            (5, 4.0, OriginalPrice::Exact, None),
        ] {
            assert_eq!(reduction(cents, discount, original), expected, "{cents} {discount}");
        }
    }

    #[test]
    fn a_list_price_is_shown_as_it_is() {
        for (price, discount, list_price, percent_off) in
            [(120, 25.0, Money::from_minor(160), 25), (1, 99.999_999, Money::MAX_PRICE, 99)]
        {
            for original in [OriginalPrice::Exact, OriginalPrice::Rounded] {
                let (price, currency) = (Money::from_minor(price), Currency::default());
                let reduction =
                    Reduction::new(price, discount, Some(list_price), currency, original).unwrap();
                assert_eq!(
                    (reduction.from, reduction.is_whole, reduction.percent_off),
                    (list_price, false, Some(percent_off))
                );
            }
        }
    }

    #[test]
    fn a_discount_of_nearly_everything_does_no_harm() {
        for discount in [99.9, 99.999_999_999, 100.0, f64::NAN, 1e308, -1e308] {
            for original in [OriginalPrice::Rounded, OriginalPrice::Exact] {
                let _ = reduction(Money::MAX_PRICE.minor(), discount, original);
            }
        }
    }
}
