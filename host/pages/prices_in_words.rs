//! Prices that a search names in English words, such as "red lamp under 50".

use crate::profile::Currency;

/// The words that name a highest price.
const BELOW: [&str; 2] = ["below", "under"];
/// Longest number, in characters.
const LONGEST: usize = 12;

/// A search without the price that it named.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Priced {
    pub(super) rest: String,
    /// The highest price, rounded up to whole units of the currency.
    pub(super) most: u32,
}

/// The highest price that ends a search, in `currency`: a number, with or without the currency's code or a sign.
pub(super) fn priced(text: &str, currency: Currency) -> Option<Priced> {
    let code = |word: &str| word.eq_ignore_ascii_case(currency.code());
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.pop_if(|word| code(word));
    let most = amount(words.pop()?)?;
    words.pop_if(|word| code(word));
    let below = words.pop()?;
    let is_price = BELOW.iter().any(|known| below.eq_ignore_ascii_case(known)) && !words.is_empty();
    is_price.then(|| Priced { rest: words.join(" "), most })
}

/// A number of units, rounded up, with at most one sign beside it.
fn amount(word: &str) -> Option<u32> {
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
    // The number is short, and has no sign.
    Some(units.ceil() as u32).filter(|&units| units > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_at_the_end_of_a_search_is_understood() {
        let dollars = Currency::default();
        for (text, rest, most) in [
            ("red lamp under 50", "red lamp", 50),
            ("lamp Below $1,299.50", "lamp", 1300),
            ("lamp under 20$", "lamp", 20),
            ("lamp under 20 USD", "lamp", 20),
            ("lamp under usd 20", "lamp", 20),
        ] {
            assert_eq!(priced(text, dollars), Some(Priced { rest: rest.into(), most }), "{text}");
        }
        for text in [
            "",
            "under 50",
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
        ] {
            assert_eq!(priced(text, dollars), None, "{text}");
        }
    }
}
