//! Prices that a search names in words, such as "red lamp under 50" or "lamp $20-50".

use crate::catalogue::search::fold;
use crate::profile::Profile;
use crate::texts::Key;

/// What stands between the prices of a range.
const DASHES: [char; 3] = ['-', '\u{2013}', '\u{2014}'];
/// Longest number, in characters.
const LONGEST: usize = 12;

/// A search without the prices that it named.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Priced {
    pub(crate) rest: String,
    /// The lowest price, rounded down to whole units of the currency.
    pub(crate) least: Option<u32>,
    /// The highest price, rounded up to whole units of the currency.
    pub(crate) most: Option<u32>,
}

/// The prices that end a search in a shop's language and currency: a number before or after the language's words, with or
/// without the currency's code or a sign, or two numbers with a dash between them and a code or a sign. In a shop whose
/// language the program does not speak, its English words are no words of the shop's.
pub(super) fn priced(text: &str, profile: &Profile) -> Option<Priced> {
    if profile.texts.other_language().is_some() {
        return None;
    }
    let mut search = Search { profile, words: text.split_whitespace().map(str::to_owned).collect() };
    let behind = search.pop_side(true);
    let is_behind = search.pop_currency();
    let prices = fold_amount(&search.words.pop()?);
    let has_currency = search.pop_currency() || is_behind;
    let amount = |text: &str| Amount::read(text, profile.numbers.has_decimal_comma());
    let (least, most) = match prices.split_once(DASHES) {
        Some((least, most)) => {
            let (least, most) = (amount(least)?, amount(most)?);
            let is_price = least.has_sign || most.has_sign || has_currency;
            (is_price && least.units < most.units).then_some((Some(least.down()), Some(most.up())))?
        }
        None => {
            let price = amount(&prices)?;
            match behind.or_else(|| search.pop_side(false))? {
                Side::Below => (None, Some(price.up())),
                Side::Above => (Some(price.down()), None),
            }
        }
    };
    let rest = search.words.join(" ");
    (!rest.is_empty()).then_some(Priced { rest, least, most })
}

/// An amount with ASCII digits and usual signs. Dashes stay, which folding makes spaces.
fn fold_amount(word: &str) -> String {
    word.split_inclusive(DASHES)
        .map(|part| match part.strip_suffix(DASHES) {
            Some(amount) => fold(amount) + "-",
            None => fold(part),
        })
        .collect()
}

/// On which side of a price the wanted ones are.
#[derive(Clone, Copy)]
enum Side {
    Below,
    Above,
}

/// What is left of a search.
struct Search<'a> {
    profile: &'a Profile,
    words: Vec<String>,
}

impl Search<'_> {
    /// Takes the currency's code, or a sign with spaces around it, off the end.
    fn pop_currency(&mut self) -> bool {
        let currency = self.profile.numbers.currency();
        let code = currency.code();
        let is_currency = |word: &mut String| {
            word.eq_ignore_ascii_case(code) || !word.is_empty() && word.chars().all(is_sign)
        };
        self.words.pop_if(is_currency).is_some()
    }

    /// Takes words for a side off the end. Behind a number they may stand without a space.
    fn pop_side(&mut self, is_behind: bool) -> Option<Side> {
        let known = |key| self.profile.texts.text(key).split(',').map(fold).filter(|known| !known.is_empty());
        let below = known(Key::BelowPrice).map(|known| (Side::Below, known));
        let above = known(Key::AbovePrice).map(|known| (Side::Above, known));
        let all: Vec<(Side, String)> = below.chain(above).collect();
        for (side, known) in all {
            let at = self.words.len().checked_sub(known.split(' ').count());
            if let Some(at) = at
                && fold(&self.words[at..].join(" ")) == known
            {
                self.words.truncate(at);
                return Some(side);
            }
            if is_behind
                && !known.is_ascii()
                && let Some(last) = self.words.last_mut()
                && let Some(amount) = fold(last).strip_suffix(&*known).map(str::to_owned)
                && amount.starts_with(|letter: char| letter.is_ascii_digit() || is_sign(letter))
            {
                *last = amount;
                return Some(side);
            }
        }
        None
    }
}

/// Whether a letter is the sign of a currency.
fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '\u{a3}' | '\u{a5}' | '\u{20ac}' | '\u{5186}')
}

/// A number of units above 0.
struct Amount {
    units: f64,
    has_sign: bool,
}

impl Amount {
    /// Reads a number with at most one sign beside it.
    fn read(word: &str, has_decimal_comma: bool) -> Option<Self> {
        let number = word.strip_prefix(is_sign).or_else(|| word.strip_suffix(is_sign)).unwrap_or(word);
        let is_plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        if number.len() > LONGEST
            || !number.bytes().all(is_plain)
            || !number.starts_with(|c: char| c.is_ascii_digit())
        {
            return None;
        }
        let group = if has_decimal_comma { '.' } else { ',' };
        // Other than three digits behind it are decimals, whatever the language writes.
        let is_decimal = number
            .rsplit_once(group)
            .is_some_and(|(whole, rest)| rest.len() < 3 && !whole.contains([',', '.']));
        let plain = if is_decimal { number.replace(group, ".") } else { number.replace(group, "") };
        let units: f64 = plain.replace(',', ".").parse().ok()?;
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
    use crate::profile::{Currency, NumberFormat};
    use crate::texts::Texts;

    fn shop(language: &str, currency: &str) -> Profile {
        let currency = Currency::parse(currency).unwrap();
        Profile {
            texts: Texts::new(language, &Default::default()).into(),
            numbers: NumberFormat::new(language, currency).into(),
            ..Profile::default()
        }
    }

    #[test]
    fn every_language_has_words_for_prices() {
        for (language, currency, text, rest, least, most) in [
            ("de", "EUR", "rote Lampe unter 49,90 \u{20ac}", "rote Lampe", None, Some(50)),
            ("de", "EUR", "rote Lampe unter 49,90\u{20ac}", "rote Lampe", None, Some(50)),
            ("de", "EUR", "Stuhl \u{fc}ber 1.299", "Stuhl", Some(1_299), None),
            ("de", "EUR", "Stuhl bis zu 19.99 EUR", "Stuhl", None, Some(20)),
            ("fr", "EUR", "lampe Moins de 50", "lampe", None, Some(50)),
            ("es", "EUR", "mesa de roble m\u{e1}s de 20", "mesa de roble", Some(20), None),
            ("it", "EUR", "lampada fino a 30", "lampada", None, Some(30)),
            ("nl", "EUR", "lamp minder dan 30", "lamp", None, Some(30)),
            (
                "ar",
                "AED",
                "\u{643}\u{631}\u{633}\u{64a} \u{623}\u{642}\u{644} \u{645}\u{646} \u{665}\u{660}",
                "\u{643}\u{631}\u{633}\u{64a}",
                None,
                Some(50),
            ),
            (
                "ja",
                "JPY",
                "\u{30e9}\u{30f3}\u{30d7} 5000\u{5186}\u{4ee5}\u{4e0b}",
                "\u{30e9}\u{30f3}\u{30d7}",
                None,
                Some(5_000),
            ),
            (
                "ja",
                "JPY",
                "\u{30e9}\u{30f3}\u{30d7} \u{a5}5,000 \u{4ee5}\u{4e0a}",
                "\u{30e9}\u{30f3}\u{30d7}",
                Some(5_000),
                None,
            ),
        ] {
            let expected = Priced { rest: rest.into(), least, most };
            assert_eq!(priced(text, &shop(language, currency)), Some(expected), "{text}");
        }
    }

    #[test]
    fn prices_at_the_end_of_a_search_are_understood() {
        let english = Profile::default();
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
            assert_eq!(priced(text, &english), Some(Priced { rest: rest.into(), least, most }), "{text}");
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
            assert_eq!(priced(text, &Profile::default()), None, "{text}");
        }
    }
}
