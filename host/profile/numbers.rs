//! Writes prices, dates and measures for display. This is the only implementation, so server and browser cannot
//! differ.

use std::fmt::Write as _;

use super::languages::Language;
use super::{Currency, Money};

/// How a shop writes amounts, dates and measures. The default is that of US dollars in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    currency: Currency,
    language: &'static Language,
    /// What stands before and after an amount: the currency, with a space where one belongs.
    before: String,
    after: String,
}

impl Default for NumberFormat {
    fn default() -> Self {
        Self::new("en", Currency::default())
    }
}

/// Keeps an amount and its currency on one line.
const SPACE: char = '\u{a0}';

impl NumberFormat {
    /// The format of amounts of `currency` in a language (BCP 47); that of English if it is not known.
    pub fn new(language: &str, currency: Currency) -> Self {
        let language = Language::of(language);
        let mut sign = language.sign(currency.code()).to_owned();
        let (before, after) = match language.is_currency_first {
            true => {
                // Letters do not touch the digits.
                if sign.ends_with(char::is_alphabetic) {
                    sign.push(SPACE);
                }
                (sign, String::new())
            }
            false => (String::new(), format!("{SPACE}{sign}")),
        };
        Self { currency, language, before, after }
    }

    /// The currency of its amounts.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// `$1,299.99`
    pub fn amount(&self, amount: Money) -> String {
        self.money(amount, self.currency.exponent())
    }

    /// `$1,300`, of an amount without a fraction.
    pub fn whole_amount(&self, amount: Money) -> String {
        self.money(amount, 0)
    }

    /// `$1,300`, of so many whole units.
    pub fn whole(&self, units: u32) -> String {
        self.whole_amount(self.currency.whole(units))
    }

    fn money(&self, amount: Money, decimals: usize) -> String {
        let unit = self.currency.unit();
        let whole = (amount.minor() / unit).to_string();
        let mut text = String::with_capacity(self.before.len() + 2 * whole.len() + 6 + self.after.len());
        text.push_str(&self.before);
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push_str(self.language.group);
            }
            text.push(digit);
        }
        if decimals > 0 {
            text.push_str(self.language.decimal);
            // Writing to a string cannot fail.
            let _ = write!(text, "{:0decimals$}", amount.minor() % unit);
        }
        text.push_str(&self.after);
        text
    }

    /// A rating with one decimal, see [`plain_rating`].
    pub fn rating(&self, rating: f64) -> String {
        self.localised(plain_rating(rating))
    }

    /// `April 30, 2025`. `month` counts from 1.
    pub fn date(&self, year: u16, month: u8, day: u8) -> String {
        self.language.date(year, month, day)
    }

    /// `24.88 × 14.9 × 22.54 cm`
    pub fn dimensions(&self, width: f64, height: f64, depth: f64) -> String {
        let [width, height, depth] = [width, height, depth].map(|length| self.measure(length));
        format!("{width} \u{d7} {height} \u{d7} {depth} cm")
    }

    /// `6 kg`
    pub fn weight(&self, kilograms: f64) -> String {
        format!("{} kg", self.measure(kilograms))
    }

    /// At most two decimals, without trailing zeros.
    fn measure(&self, value: f64) -> String {
        let text = format!("{value:.2}");
        self.localised(text.trim_end_matches('0').trim_end_matches('.').into())
    }

    /// A plain decimal with the decimal sign of the language.
    fn localised(&self, plain: String) -> String {
        if self.language.decimal == "." { plain } else { plain.replace('.', self.language.decimal) }
    }
}

/// A rating with one decimal, for programs. Ties are rounded up.
///
/// Rust rounds them to the even digit. The only ties are odd multiples of 0.25, because other values with a 5 in the
/// second decimal are not exact in binary.
pub fn plain_rating(rating: f64) -> String {
    let is_tie = (rating * 4.0).fract() == 0.0 && (rating * 2.0).fract() != 0.0;
    format!("{:.1}", if is_tie { rating + 0.01 } else { rating })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn format(language: &str, code: &str) -> NumberFormat {
        NumberFormat::new(language, Currency::parse(code).unwrap())
    }

    #[test]
    fn amounts_are_written_as_in_the_language() {
        for (language, code, minor, text) in [
            ("en", "USD", 50, "$0.50"),
            ("en", "USD", 129_999, "$1,299.99"),
            ("en-US", "USD", 123_456_700, "$1,234,567.00"),
            ("en-GB", "GBP", 129_999, "\u{a3}1,299.99"),
            ("de", "EUR", 129_999, "1.299,99\u{a0}\u{20ac}"),
            ("de-AT", "EUR", 5, "0,05\u{a0}\u{20ac}"),
            ("fr", "EUR", 129_999, "1\u{202f}299,99\u{a0}\u{20ac}"),
            ("ja", "JPY", 1_300, "\u{ffe5}1,300"),
            ("en", "JPY", 1_300, "\u{a5}1,300"),
            ("en", "KWD", 1_250, "KWD\u{a0}1.250"),
            ("de", "KWD", 1_234_567_005, "1.234.567,005\u{a0}KWD"),
            ("xx", "USD", 129_999, "$1,299.99"),
            ("", "USD", u64::MAX, "$184,467,440,737,095,516.15"),
        ] {
            assert_eq!(format(language, code).amount(Money::from_minor(minor)), text);
        }
        assert_eq!(format("de", "EUR").whole(1_300), "1.300\u{a0}\u{20ac}");
        assert_eq!(NumberFormat::default().whole(u32::MAX), "$4,294,967,295");
    }

    #[test]
    fn dates_are_spelled_out() {
        let dollars = NumberFormat::default();
        assert_eq!(dollars.date(2025, 4, 30), "April 30, 2025");
        assert_eq!(dollars.date(2024, 12, 1), "December 1, 2024");
        assert_eq!(format("de", "EUR").date(2024, 3, 1), "1. M\u{e4}rz 2024");
        assert_eq!(format("fr", "EUR").date(2024, 8, 1), "1 ao\u{fb}t 2024");
        assert_eq!(format("ja", "JPY").date(2024, 12, 1), "2024\u{5e74}12\u{6708}1\u{65e5}");
    }

    #[test]
    fn ratings_are_rounded_up_from_the_middle() {
        for (value, text) in
            [(4.25, "4.3"), (4.75, "4.8"), (4.35, "4.3"), (4.45, "4.5"), (5.0, "5.0"), (2.5, "2.5")]
        {
            assert_eq!(plain_rating(value), text, "{value}");
        }
        assert_eq!(format("de", "EUR").rating(4.25), "4,3");
    }

    #[test]
    fn measures_have_no_trailing_zeros() {
        let dollars = NumberFormat::default();
        assert_eq!(dollars.weight(6.0), "6 kg");
        assert_eq!(dollars.dimensions(24.88, 14.9, 22.0), "24.88 \u{d7} 14.9 \u{d7} 22 cm");
        assert_eq!(format("de", "EUR").weight(0.5), "0,5 kg");
    }

    proptest! {
        #[test]
        fn every_amount_can_be_read_again(
            (language, code) in prop::sample::select(vec![
                ("en", "USD"), ("de", "EUR"), ("fr", "EUR"), ("ja", "JPY"), ("en", "KWD"),
            ]),
            minor: u64,
        ) {
            let format = format(language, code);
            let text = format.amount(Money::from_minor(minor));
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            prop_assert_eq!(digits.parse(), Ok(minor));
            let amount = text.trim_start_matches(&*format.before).trim_end_matches(&*format.after);
            let whole = match code {
                "JPY" => amount,
                _ => amount.rsplit_once(format.language.decimal).unwrap().0,
            };
            let mut groups = whole.split(format.language.group);
            prop_assert!((1..=3).contains(&groups.next().unwrap().len()));
            prop_assert!(groups.all(|group| group.len() == 3));
        }
    }
}
