//! Formats prices, dates and measures for display. This is the only implementation, so server and
//! browser cannot differ.

use std::fmt::Write as _;

use super::{Price, PriceFormat};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const CURRENCY: &str = "$";
const SEPARATOR: char = ',';

/// The precision of the price before the discount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OriginalPrice {
    /// Whole dollars, on cards; two decimals if the rounded price would not exceed the current one.
    Rounded,
    /// Two decimals, on the product page.
    Exact,
}

/// How far, in percentage points, a discount may be from the one that the two shown prices imply.
const LARGEST_CONTRADICTION: f64 = 3.0;

/// Formats a price in US dollars with its discount in percent.
///
/// The price before the discount is `price / (1 - discount / 100)`. A discount that rounds to 0 % is not
/// shown, and neither is one that rounding the original price has made untrue: `$1.99` instead of `$2` is
/// not 13 % off.
pub(crate) fn price(dollars: f64, discount_percentage: f64, original: OriginalPrice) -> Price {
    let reduction = Reduction::new(dollars, discount_percentage, original);
    Price {
        current: money(dollars, 2),
        original: reduction.map(|Reduction { from, decimals, .. }| money(from, decimals)),
        percent_off: reduction.and_then(|reduction| reduction.percent_off),
    }
}

/// The discount that the card of a product shows, in whole percent; 0 if it shows none.
pub(crate) fn card_discount(dollars: f64, discount_percentage: f64) -> u8 {
    let reduction = Reduction::new(dollars, discount_percentage, OriginalPrice::Rounded);
    reduction.and_then(|reduction| reduction.percent_off).unwrap_or(0)
}

/// What is shown of a discount.
#[derive(Clone, Copy)]
struct Reduction {
    /// The price before the discount, rounded to `decimals`.
    from: f64,
    decimals: usize,
    percent_off: Option<u8>,
}

impl Reduction {
    fn new(dollars: f64, discount_percentage: f64, original: OriginalPrice) -> Option<Self> {
        let percent_off = discount_percentage.round().clamp(0.0, 99.0);
        let before = dollars / (1.0 - discount_percentage / 100.0);
        if percent_off < 1.0 || !before.is_finite() || before <= dollars {
            return None;
        }
        let is_rounded = original == OriginalPrice::Rounded && before.round() > dollars;
        let (from, decimals) = if is_rounded { (before.round(), 0) } else { (before, 2) };
        let implied = 100.0 * (1.0 - dollars / from);
        let is_true = (implied - percent_off).abs() <= LARGEST_CONTRADICTION;
        Some(Self { from, decimals, percent_off: is_true.then_some(percent_off as u8) })
    }
}

/// `$1,299.99`
pub(crate) fn amount(dollars: f64) -> String {
    money(dollars, 2)
}

/// `$1,300`
pub(crate) fn whole(dollars: u32) -> String {
    money(f64::from(dollars), 0)
}

/// How [`whole`] writes prices.
pub(crate) fn price_format() -> PriceFormat {
    PriceFormat { before: CURRENCY.into(), separator: SEPARATOR.into(), after: String::new() }
}

/// `$95.52`, the price of several.
pub(crate) fn total(dollars: f64, quantity: u32) -> String {
    money(dollars * f64::from(quantity), 2)
}

/// `$1,299.99`, with this many decimals.
fn money(dollars: f64, decimals: usize) -> String {
    let plain = format!("{dollars:.decimals$}");
    let (whole, fraction) = plain.split_once('.').map_or((plain.as_str(), None), |(w, f)| (w, Some(f)));
    let mut text = String::with_capacity(plain.len() + 4);
    text.push_str(CURRENCY);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(SEPARATOR);
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `1299.99`, for structured data.
pub(crate) fn plain_price(dollars: f64) -> String {
    format!("{dollars:.2}")
}

/// A rating with one decimal, rounded like JavaScript's `toFixed`, which formats ratings on pages.
///
/// The two differ only for ties: Rust rounds to the even digit, JavaScript up. The only ties are odd
/// multiples of 0.25, because other values with a 5 in the second decimal are not exact in binary.
pub(crate) fn rating(rating: f64) -> String {
    let is_tie = (rating * 4.0).fract() == 0.0 && (rating * 2.0).fract() != 0.0;
    format!("{:.1}", if is_tie { rating + 0.01 } else { rating })
}

/// `April 30, 2025`. `month` counts from 1.
pub(crate) fn date(year: u16, month: u8, day: u8) -> String {
    let name = MONTHS.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
    format!("{name} {day}, {year}")
}

/// `24.88 × 14.9 × 22.54 cm`
pub(crate) fn dimensions(width: f64, height: f64, depth: f64) -> String {
    format!("{} \u{d7} {} \u{d7} {} cm", measure(width), measure(height), measure(depth))
}

/// `6 kg`
pub(crate) fn weight(kilograms: f64) -> String {
    format!("{} kg", measure(kilograms))
}

/// At most two decimals, without trailing zeros.
fn measure(value: f64) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_thousands_and_decimals() {
        assert_eq!(money(0.5, 2), "$0.50");
        assert_eq!(money(999.99, 2), "$999.99");
        assert_eq!(money(36999.99, 2), "$36,999.99");
        assert_eq!(money(1234567.0, 0), "$1,234,567");
    }

    #[test]
    fn the_original_price_is_the_price_before_the_discount() {
        let card = price(90.0, 10.0, OriginalPrice::Rounded);
        assert_eq!((card.original.as_deref(), card.percent_off), (Some("$100"), Some(10)));
        let detail = price(549.99, 13.32, OriginalPrice::Exact);
        assert_eq!((detail.current.as_str(), detail.original.as_deref()), ("$549.99", Some("$634.51")));
    }

    #[test]
    fn the_rounded_original_price_is_never_below_the_current_one() {
        let card = price(1.29, 10.0, OriginalPrice::Rounded);
        assert_eq!(card.original.as_deref(), Some("$1.43"));
    }

    #[test]
    fn a_discount_that_contradicts_the_rounded_prices_is_not_shown() {
        let card = price(1.99, 13.0, OriginalPrice::Rounded);
        assert_eq!((card.original.as_deref(), card.percent_off), (Some("$2"), None));
        assert_eq!(price(1.99, 13.0, OriginalPrice::Exact).percent_off, Some(13));
        assert_eq!(price(9.99, 12.0, OriginalPrice::Rounded).percent_off, Some(12));
    }

    #[test]
    fn several_cost_their_price_together() {
        assert_eq!(total(1.99, 48), "$95.52");
        assert_eq!(total(1299.99, 100), "$129,999.00");
    }

    #[test]
    fn a_discount_that_rounds_to_zero_is_not_shown() {
        let price = price(10.0, 0.4, OriginalPrice::Rounded);
        assert_eq!((price.original, price.percent_off), (None, None));
    }

    #[test]
    fn dates_are_spelled_out() {
        assert_eq!(date(2025, 4, 30), "April 30, 2025");
        assert_eq!(date(2024, 12, 1), "December 1, 2024");
    }

    #[test]
    fn ratings_are_rounded_like_in_javascript() {
        for (value, text) in
            [(4.25, "4.3"), (4.75, "4.8"), (4.35, "4.3"), (4.45, "4.5"), (5.0, "5.0"), (2.5, "2.5")]
        {
            assert_eq!(rating(value), text, "{value}");
        }
    }

    #[test]
    fn measures_have_no_trailing_zeros() {
        assert_eq!(weight(6.0), "6 kg");
        assert_eq!(dimensions(24.88, 14.9, 22.0), "24.88 \u{d7} 14.9 \u{d7} 22 cm");
    }
}
