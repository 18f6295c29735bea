//! Numbers of the service: JSON numbers, or texts that are plain decimals.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use crate::catalogue::availability::Availability;
use crate::profile::{Currency, Money};

/// Longest text that is read as a number, in bytes.
const MAX_LENGTH: usize = 40;
/// Whole numbers up to this one are read exactly; a larger one may have been rounded.
const MAX_EXACT: f64 = ((1_u64 << 53) - 1) as f64;

/// Highest plausible price, in units of the currency.
const MAX_PRICE: f64 = 1e9;

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Whole(u64),
    Decimal(f64),
}

impl Number {
    /// The number; never -0.
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            // -0 + 0 is 0.
            Self::Decimal(number) => number + 0.0,
        }
    }

    /// The number if it is whole, not negative, and known exactly.
    pub(super) fn whole(self) -> Option<u64> {
        match self {
            Self::Whole(number) => Some(number),
            Self::Decimal(number) => {
                let is_exact = (0.0..=MAX_EXACT).contains(&number) && number.fract() == 0.0;
                is_exact.then_some(number as u64)
            }
        }
    }

    /// The nearest whole number, at least 0. The cast saturates.
    pub(super) fn count(self) -> u32 {
        self.value().round() as u32
    }

    /// A plausible price in units of `currency`, rounded to what it can pay.
    pub(super) fn price(self, currency: Currency) -> Option<Money> {
        (0.0..=MAX_PRICE).contains(&self.value()).then(|| currency.nearest(self.value()))?
    }

    /// The availability that a number in stock means. A negative number says nothing certain: it may count orders that
    /// cannot be fulfilled, or be an error.
    pub(super) fn stock(self) -> Option<Availability> {
        (self.value().round() >= 0.0).then(|| Availability::of_stock(self.count()))
    }

    /// Reads a minus sign, if there is one, and digits with at most one point among or before them.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() > MAX_LENGTH || fraction.is_empty() || digits.is_empty() {
            return None;
        }
        if !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        text.parse().map(Self::Whole).or_else(|_| text.parse().map(Self::Decimal)).ok()
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
        Ok(Number::Whole(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Number, E> {
        Ok(Number::Decimal(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Number, E> {
        Ok(Number::Decimal(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        Number::parse(text).ok_or_else(|| E::custom("not a plain decimal"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_whether_they_are_json_or_text() {
        for (json, number) in [
            ("12", Number::Whole(12)),
            (r#""12""#, Number::Whole(12)),
            (r#"" 12.50 ""#, Number::Decimal(12.5)),
            (r#""-3""#, Number::Decimal(-3.0)),
            (r#"".5""#, Number::Decimal(0.5)),
            ("1e3", Number::Decimal(1_000.0)),
            ("9007199254740993", Number::Whole((1 << 53) + 1)),
            (r#""18446744073709551616""#, Number::Decimal(18_446_744_073_709_551_616.0)),
        ] {
            assert_eq!(serde_json::from_str::<Number>(json).ok(), Some(number), "{json}");
        }
        let long = format!("\"{}\"", "9".repeat(MAX_LENGTH + 1));
        for other in [
            "null",
            "true",
            "[]",
            "{}",
            r#""""#,
            r#"" ""#,
            r#""-""#,
            r#"".""#,
            r#""1.""#,
            r#""+1""#,
            r#""1e3""#,
            r#""1,299.99""#,
            r#""$5""#,
            r#""12 pieces""#,
            r#""0x10""#,
            r#""NaN""#,
            r#""inf""#,
            r#""--1""#,
            &long,
        ] {
            assert!(serde_json::from_str::<Number>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        for zero in ["-0", "-0.0", r#""-0""#, r#""-0.00""#, "0"] {
            let number: Number = serde_json::from_str(zero).unwrap();
            assert!(number.value() == 0.0 && number.value().is_sign_positive(), "{zero}");
        }
    }

    #[test]
    fn a_whole_number_is_exact() {
        for (json, whole) in [
            ("5.0", Some(5)),
            (r#""5.0""#, Some(5)),
            ("9007199254740992", Some(1 << 53)),
            ("9007199254740991.0", Some((1 << 53) - 1)),
            // It may have been another number before it was rounded.
            ("9007199254740992.0", None),
            ("5.5", None),
            ("-5", None),
        ] {
            assert_eq!(serde_json::from_str::<Number>(json).unwrap().whole(), whole, "{json}");
        }
    }
}
