//! Money, dates and measures as shoppers read them. One implementation, so that no two places can
//! disagree.

use std::fmt::Write as _;

use crate::contract::Price;

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

/// How precisely the price before the discount is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginalPrice {
    /// Whole dollars, on cards; cents where rounding would hide that there is a discount.
    Rounded,
    /// Two decimals, on the product page.
    Exact,
}

/// Formats a price in US dollars with its discount.
///
/// The price before the discount is `price / (1 - discount / 100)`.
pub fn price(dollars: f64, discount_percentage: f64, original: OriginalPrice) -> Price {
    let percent_off = discount_percentage.round().clamp(0.0, 99.0) as u8;
    let before = dollars / (1.0 - discount_percentage / 100.0);
    let shown = percent_off > 0 && before.is_finite() && before > dollars;
    Price {
        current: money(dollars, 2),
        original: shown.then(|| match original {
            OriginalPrice::Rounded if before.round() > dollars => money(before.round(), 0),
            OriginalPrice::Rounded | OriginalPrice::Exact => money(before, 2),
        }),
        percent_off: shown.then_some(percent_off),
    }
}

/// `$1,299.99`, with as many decimals as asked for.
fn money(dollars: f64, decimals: usize) -> String {
    let plain = format!("{dollars:.decimals$}");
    let (whole, fraction) = plain.split_once('.').map_or((plain.as_str(), None), |(w, f)| (w, Some(f)));
    let mut text = String::with_capacity(plain.len() + 4);
    text.push('$');
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(fraction) = fraction {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `1299.99`, for machines.
pub fn plain_price(dollars: f64) -> String {
    format!("{dollars:.2}")
}

/// A rating with one decimal, rounded as JavaScript's `toFixed` does, which is what pages show.
///
/// The two differ only where the value lies exactly between: Rust takes the even digit, JavaScript
/// the larger. Of all multiples of 0.05 only odd quarters are exact in binary.
pub fn rating(rating: f64) -> String {
    let between = (rating * 4.0).fract() == 0.0 && (rating * 2.0).fract() != 0.0;
    format!("{:.1}", if between { rating + 0.01 } else { rating })
}

/// `April 30, 2025` for an RFC 3339 timestamp; nothing when it is none.
///
/// The day is the one that the timestamp itself names, so that it reads the same everywhere.
pub fn date(timestamp: &str) -> Option<String> {
    let (day, time) = timestamp.split_at_checked(10)?;
    if !time.starts_with('T') || timestamp.len() > 40 || !time.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let mut parts = day.split('-');
    let mut number = |length: usize| -> Option<u32> {
        let part = parts.next()?;
        (part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then(|| format!("{} {day}, {year}", MONTHS[month as usize - 1]))
}

/// `24.88 × 14.9 × 22.54 cm`
pub fn dimensions(width: f64, height: f64, depth: f64) -> String {
    format!("{} \u{d7} {} \u{d7} {} cm", measure(width), measure(height), measure(depth))
}

/// `6 kg`
pub fn weight(kilograms: f64) -> String {
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
    fn the_original_price_undoes_the_discount() {
        let card = price(90.0, 10.0, OriginalPrice::Rounded);
        assert_eq!((card.original.as_deref(), card.percent_off), (Some("$100"), Some(10)));
        let detail = price(549.99, 13.32, OriginalPrice::Exact);
        assert_eq!((detail.current.as_str(), detail.original.as_deref()), ("$549.99", Some("$634.51")));
    }

    #[test]
    fn rounding_never_makes_the_original_the_lower_price() {
        let card = price(1.29, 10.0, OriginalPrice::Rounded);
        assert_eq!(card.original.as_deref(), Some("$1.43"));
    }

    #[test]
    fn a_discount_that_rounds_to_nothing_is_not_shown() {
        let price = price(10.0, 0.4, OriginalPrice::Rounded);
        assert_eq!((price.original, price.percent_off), (None, None));
    }

    #[test]
    fn dates_read_as_the_timestamp_says() {
        assert_eq!(date("2025-04-30T23:59:59.999Z").as_deref(), Some("April 30, 2025"));
        assert_eq!(date("2024-02-29T00:00:00Z").as_deref(), Some("February 29, 2024"));
        for bad in
            ["", "2025-04-30", "2025-13-01T00:00:00Z", "2023-02-29T00:00Z", "+025-04-30T0", "April 30, 2025"]
        {
            assert_eq!(date(bad), None, "{bad}");
        }
    }

    #[test]
    fn ratings_round_like_the_browser() {
        for (value, text) in
            [(4.25, "4.3"), (4.75, "4.8"), (4.35, "4.3"), (4.45, "4.5"), (5.0, "5.0"), (2.5, "2.5")]
        {
            assert_eq!(rating(value), text, "{value}");
        }
    }

    #[test]
    fn measures_lose_trailing_zeros() {
        assert_eq!(weight(6.0), "6 kg");
        assert_eq!(dimensions(24.88, 14.9, 22.0), "24.88 \u{d7} 14.9 \u{d7} 22 cm");
    }
}
