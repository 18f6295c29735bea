//! Writes prices, dates and measures for display. This is the only implementation, so server and browser cannot
//! differ.

use std::fmt::Write as _;

use super::languages::Language;
use super::{Currency, Money};

/// How a shop writes amounts, dates and measures. The default is for US dollars in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    currency: Currency,
    language: Language,
    /// The sign between groups of digits.
    group: String,
    /// The sign before the decimals.
    decimal: String,
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
/// The currency in the pattern of a language.
const SIGN: char = '\u{a4}';
/// Digits of the last group of an amount.
const LAST_GROUP: usize = 3;

impl NumberFormat {
    /// The format of amounts of `currency` in a language (BCP 47); in English if that is not known.
    pub fn new(language: &str, currency: Currency) -> Self {
        let language = Language::of(language);
        let sign = language.sign(currency.code());
        let (before, after) = language.amount.split_once('N').unwrap_or_default();
        // Letters do not touch the digits, nor does the end of an abbreviation.
        let space_before =
            before.ends_with(SIGN) && sign.ends_with(|last: char| last.is_alphabetic() || last == '.');
        let space_after = after.starts_with(SIGN) && sign.starts_with(char::is_alphabetic);
        let with_space = |text: String, is_needed: bool, at: usize| {
            let mut text = text;
            if is_needed {
                text.insert(at, SPACE);
            }
            text
        };
        let before = before.replace(SIGN, &sign);
        let end = before.len();
        Self {
            currency,
            before: with_space(before, space_before, end),
            after: with_space(after.replace(SIGN, &sign), space_after, 0),
            group: language.group.into(),
            decimal: language.decimal.into(),
            language,
        }
    }

    /// The format in which amounts look like this example of one thousand two hundred and thirty-four, such as
    /// `1.234,56 €`: with its signs, and the currency as and where it is written there. `None` if the example has other
    /// digits, or not as many decimals as the currency.
    #[must_use]
    pub fn like(mut self, example: &str) -> Option<Self> {
        let first = example.find(|letter: char| letter.is_ascii_digit())?;
        let last = example.rfind(|letter: char| letter.is_ascii_digit())? + 1;
        let (before, number, after) = (&example[..first], &example[first..last], &example[last..]);
        let exponent = self.currency.exponent();
        let whole_end = number.len().checked_sub(exponent)?;
        let (whole, decimals) = number.split_at_checked(whole_end)?;
        let (whole, decimal) = match exponent {
            0 => (whole, &*self.decimal),
            // The sign before the decimals follows the last digit of the whole number.
            _ => whole.rfind(|letter: char| letter.is_ascii_digit()).map(|end| whole.split_at(end + 1))?,
        };
        let group = whole.strip_prefix('1')?.strip_suffix("234")?;
        let is_sign =
            |sign: &str| sign.chars().count() <= 1 && !sign.contains(|letter: char| letter.is_ascii_digit());
        let is_it = "56789".starts_with(decimals)
            && is_sign(group)
            && is_sign(decimal)
            && (exponent == 0 || !decimal.is_empty() && group != decimal)
            && before.chars().chain(after.chars()).all(|letter| !letter.is_control());
        // Without a sign, the example may be of a language that divides only larger numbers.
        let (group, groups_four) = match group {
            "" if !self.language.groups_four => (&*self.group, false),
            group => (group, true),
        };
        self.language.groups_four = groups_four;
        // A line does not end within an amount.
        let unbroken = |text: &str| text.replace(' ', "\u{a0}");
        is_it.then(|| Self {
            before: unbroken(before),
            after: unbroken(after),
            group: unbroken(group),
            decimal: decimal.into(),
            ..self
        })
    }

    /// Whether decimals stand behind a comma.
    pub(crate) fn has_decimal_comma(&self) -> bool {
        self.decimal == ","
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

    /// `$1,300`, of this many whole units.
    pub fn whole(&self, units: u32) -> String {
        self.whole_amount(self.currency.whole(units))
    }

    fn money(&self, amount: Money, decimals: usize) -> String {
        let unit = self.currency.unit();
        let whole = (amount.minor() / unit).to_string();
        let mut text = String::with_capacity(self.before.len() + 2 * whole.len() + 6 + self.after.len());
        text.push_str(&self.before);
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && self.is_divided_before(whole.len() - index, whole.len()) {
                text.push_str(&self.group);
            }
            text.push(digit);
        }
        if decimals > 0 {
            text.push_str(&self.decimal);
            // Writing to a string cannot fail.
            let _ = write!(text, "{:0decimals$}", amount.minor() % unit);
        }
        text.push_str(&self.after);
        text
    }

    /// Whether a number of this many `digits` is divided before the last `rest` of them.
    fn is_divided_before(&self, rest: usize, digits: usize) -> bool {
        let is_divided = digits > LAST_GROUP + 1 || self.language.groups_four;
        let beyond = rest.checked_sub(LAST_GROUP);
        is_divided && beyond.is_some_and(|beyond| beyond.is_multiple_of(self.language.group_length))
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

    /// A decimal that is written with a point.
    pub(crate) fn decimal(&self, plain: &str) -> String {
        self.localised(plain.into())
    }

    /// At most two decimals, without trailing zeros.
    fn measure(&self, value: f64) -> String {
        let text = format!("{value:.2}");
        self.localised(text.trim_end_matches('0').trim_end_matches('.').into())
    }

    /// A plain decimal with the decimal sign of the language.
    fn localised(&self, plain: String) -> String {
        let decimal = self.language.decimal;
        if decimal == "." { plain } else { plain.replace('.', decimal) }
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
            ("de-AT", "EUR", 5, "\u{20ac}\u{a0}0,05"),
            ("fr", "EUR", 129_999, "1\u{202f}299,99\u{a0}\u{20ac}"),
            ("ja", "JPY", 1_300, "\u{ffe5}1,300"),
            ("en", "JPY", 1_300, "\u{a5}1,300"),
            ("en", "KWD", 1_250, "KWD\u{a0}1.250"),
            ("de", "KWD", 1_234_567_005, "1.234.567,005\u{a0}KWD"),
            ("hi", "INR", 123_456_700, "\u{20b9}12,34,567.00"),
            ("es", "EUR", 123_456, "1234,56\u{a0}\u{20ac}"),
            ("es", "EUR", 1_234_567, "12.345,67\u{a0}\u{20ac}"),
            ("nl", "EUR", 129_999, "\u{20ac}\u{a0}1.299,99"),
            ("pl", "PLN", 129_999, "1299,99\u{a0}z\u{142}"),
            ("ar", "SAR", 5_000, "\u{200f}50.00\u{a0}\u{631}.\u{633}.\u{200f}"),
            ("si", "LKR", 500, "\u{dbb}\u{dd4}.\u{a0}5.00"),
            ("bn", "CHF", 5_000, "50.00\u{a0}CHF"),
            ("xx", "USD", 129_999, "$1,299.99"),
            ("", "USD", u64::MAX, "$184,467,440,737,095,516.15"),
        ] {
            assert_eq!(format(language, code).amount(Money::from_minor(minor)), text);
        }
        assert_eq!(format("de", "EUR").whole(1_300), "1.300\u{a0}\u{20ac}");
        assert_eq!(NumberFormat::default().whole(u32::MAX), "$4,294,967,295");
    }

    #[test]
    fn amounts_are_written_like_an_example() {
        for (language, code, example, minor, text) in [
            ("en", "EUR", "1.234,56 \u{20ac}", 129_999_900, "1.299.999,00\u{a0}\u{20ac}"),
            ("de", "CHF", "Fr. 1'234.56", 5, "Fr.\u{a0}0.05"),
            ("en", "USD", "$1234.56", 129_999_900, "$1299999.00"),
            ("es", "EUR", "1.234,56\u{20ac}", 123_456, "1.234,56\u{20ac}"),
            ("en", "JPY", "1,234\u{5186}", 1_300, "1,300\u{5186}"),
            ("en", "KWD", "1,234.567 KD", 1_250, "1.250\u{a0}KD"),
            ("fr", "EUR", "1 234,56", 129_999, "1\u{a0}299,99"),
            ("es", "EUR", "1234,56 \u{20ac}", 123_456_700, "1.234.567,00\u{a0}\u{20ac}"),
        ] {
            let like = format(language, code).like(example);
            let amount = like.map(|format| format.amount(Money::from_minor(minor)));
            assert_eq!(amount.as_deref(), Some(text), "{example}");
        }
        for (code, example) in [
            ("EUR", ""),
            ("EUR", "\u{20ac}"),
            ("EUR", "1.234 \u{20ac}"),
            ("EUR", "1.234,567 \u{20ac}"),
            ("EUR", "1,234,56 \u{20ac}"),
            ("EUR", "9.999,99 \u{20ac}"),
            ("EUR", "1..234,56"),
            ("EUR", "123456"),
            ("EUR", "56"),
            ("EUR", "\n1.234,56"),
            ("JPY", "1,234.56"),
        ] {
            assert_eq!(format("en", code).like(example), None, "{code} {example}");
        }
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
                ("en", "USD"), ("de", "EUR"), ("fr", "EUR"), ("ja", "JPY"), ("en", "KWD"), ("hi", "INR"), ("ar", "SAR"),
                ("es", "EUR"),
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
                _ => amount.rsplit_once(&*format.decimal).unwrap().0,
            };
            let groups: Vec<&str> = whole.rsplit(&*format.group).collect();
            let (last, rest) = groups.split_last().unwrap();
            let length = format.language.group_length;
            prop_assert!((1..=3).contains(&last.len()) || groups.len() == 1 && last.len() == 4);
            prop_assert!(rest.iter().zip([3].into_iter().chain(std::iter::repeat(length))).all(|(group, length)| group.len() == length));
        }
    }
}
