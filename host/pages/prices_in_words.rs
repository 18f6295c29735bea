//! Prices that a search names in English words, such as "red lamp under 50" or "lamp $20-50".

use crate::profile::Currency;

/// The words that name a highest and a lowest price.
const BELOW: [&str; 2] = ["below", "under"];
const ABOVE: [&str; 2] = ["above", "over"];
/// What stands between the prices of a range.
const DASHES: [char; 3] = ['-', '\u{2013}', '\u{2014}'];
/// Longest number, in characters.
const LONGEST: usize = 12;

/// A search without the prices that it named.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Priced {
    pub(super) rest: String,
    /// The lowest price, rounded down to whole units of the currency.
    pub(super) least: Option<u32>,
    /// The highest price, rounded up to whole units of the currency.
    pub(super) most: Option<u32>,
}

/// The prices that end a search, in `currency`: a number after a word, with or without the currency's code or a sign,
/// or two numbers with a dash between them and a code or a sign.
pub(super) fn priced(text: &str, currency: Currency) -> Option<Priced> {
    let code = |word: &str| word.eq_ignore_ascii_case(currency.code());
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let after = words.pop_if(|word| code(word));
    let prices = words.pop()?;
    let before = words.pop_if(|word| code(word));
    let (least, most) = match prices.split_once(DASHES) {
        Some((least, most)) => {
            let (least, most) = (Amount::read(least)?, Amount::read(most)?);
            let is_price = least.has_sign || most.has_sign || before.is_some() || after.is_some();
            (is_price && least.units < most.units).then_some((Some(least.down()), Some(most.up())))?
        }
        None => {
            let (price, word) = (Amount::read(prices)?, words.pop()?);
            let is_one_of = |known: [&str; 2]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
            match (is_one_of(BELOW), is_one_of(ABOVE)) {
                (true, _) => (None, Some(price.up())),
                (_, true) => (Some(price.down()), None),
                _ => return None,
            }
        }
    };
    (!words.is_empty()).then(|| Priced { rest: words.join(" "), least, most })
}

/// A number of units above 0.
struct Amount {
    units: f64,
    has_sign: bool,
}

impl Amount {
    /// Reads a number with at most one sign beside it.
    fn read(word: &str) -> Option<Self> {
        let is_sign = |letter: char| matches!(letter, '$' | '\u{a3}' | '\u{a5}' | '\u{20ac}');
        let number = word.strip_prefix(is_sign).or_else(|| word.strip_suffix(is_sign)).unwrap_or(word);
        let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        if number.len() > LONGEST
            || !number.bytes().all(is_plain)
            || !number.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let units: f64 = number.replace(',', "").parse().ok()?;
        (units > 0.0).then_some(Self { units, has_sign: number.len() < word.len() })
    }

    // The number is short, and has no sign.
    fn down(&self) -> u32 {
        self.units as u32
    }

    fn up(&self) -> u32 {
        self.units.ceil() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_at_the_end_of_a_search_are_understood() {
        let dollars = Currency::default();
        for (text, rest, least, most) in [
            ("red lamp under 50", "red lamp", None, Some(50)),
            ("lamp Below $1,299.50", "lamp", None, Some(1300)),
            ("lamp under 20$", "lamp", None, Some(20)),
            ("lamp under 20 USD", "lamp", None, Some(20)),
            ("lamp under usd 20", "lamp", None, Some(20)),
            ("red lamp over 50", "red lamp", Some(50), None),
            ("lamp above $19.99", "lamp", Some(19), None),
            ("lamp $20-50", "lamp", Some(20), Some(50)),
            ("lamp 20-50$", "lamp", Some(20), Some(50)),
            ("red lamp $19.50\u{2013}$49.50", "red lamp", Some(19), Some(50)),
            ("lamp 20-50 USD", "lamp", Some(20), Some(50)),
            ("lamp usd 20-50", "lamp", Some(20), Some(50)),
        ] {
            assert_eq!(priced(text, dollars), Some(Priced { rest: rest.into(), least, most }), "{text}");
        }
    }

    #[test]
    fn other_words_and_numbers_are_no_prices() {
        for text in [
            "",
            "under 50",
            "over 50",
            "$20-50",
            "lamp 50",
            "lamp under",
            "lamp under the",
            "under 50 lamps",
            "lamp under -5",
            "lamp under 0",
            "lamp under 1.2.3",
            "lamp under 5000000000000",
            "lamp under $$5",
            "lamp under 20 EUR",
            "lamp 20-50",
            "lamp $50-20",
            "lamp $0-20",
            "lamp $20-",
            "lamp 20-50-80 USD",
            "lamp 20-50 EUR",
        ] {
            assert_eq!(priced(text, Currency::default()), None, "{text}");
        }
    }
}
