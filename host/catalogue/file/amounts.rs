//! Amounts as files write them: `1,249.00`, `1.249,00 €`, `15.00 USD`.

use crate::profile::{Currency, Money};

/// Highest plausible price, in units of the currency.
const LARGEST: f64 = 1e9;

/// The currency in which a file's prices are read. Prices that name another one are not read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PricesIn {
    Only(Currency),
    /// The one that the file names first, or else this one.
    OwnOr(Option<Currency>),
}

/// Which sign stands before the fraction in all amounts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimal {
    Point,
    Comma,
}

/// The digits of an amount with their separators, and the currency if it is named by its code.
struct Parts<'a> {
    digits: &'a str,
    currency: Option<Currency>,
}

impl Decimal {
    /// The sign that most of the amounts show to be theirs; the point if none does, as in `1,299` alone.
    pub(super) fn of<'a>(amounts: impl Iterator<Item = &'a str>) -> Self {
        let mut commas = 0_i64;
        for amount in amounts {
            commas += match shown(amount) {
                Some(Self::Comma) => 1,
                Some(Self::Point) => -1,
                None => 0,
            };
        }
        if commas > 0 { Self::Comma } else { Self::Point }
    }

    /// The amount of a text, and the currency that it names.
    pub(super) fn parse(self, text: &str) -> Option<(f64, Option<Currency>)> {
        let Parts { digits, currency } = parts(text)?;
        let (decimal, group) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let plain: String = digits
            .chars()
            .filter(|sign| *sign != group && !is_space(*sign))
            .map(|sign| if sign == decimal { '.' } else { sign })
            .collect();
        let amount: f64 = plain.parse().ok()?;
        (0.0..=LARGEST).contains(&amount).then_some((amount, currency))
    }
}

/// The amount in the smallest unit of a currency.
pub(super) fn money(amount: f64, currency: Currency) -> Option<Money> {
    currency.nearest(amount)
}

/// What the separators of an amount show: the last one of two kinds stands before the fraction, and one that comes
/// again stands between groups. Before three digits a single one may be either.
fn shown(amount: &str) -> Option<Decimal> {
    let digits = parts(amount)?.digits;
    let (point, comma) = (digits.rfind('.'), digits.rfind(','));
    let once = |sign: char| digits.matches(sign).count() == 1;
    match (point, comma) {
        (Some(point), Some(comma)) => Some(if point > comma { Decimal::Point } else { Decimal::Comma }),
        (Some(at), None) if once('.') => {
            (digits.len() - at != 4 || digits.starts_with("0.")).then_some(Decimal::Point)
        }
        (None, Some(at)) if once(',') => {
            (digits.len() - at != 4 || digits.starts_with("0,")).then_some(Decimal::Comma)
        }
        (Some(_), None) => Some(Decimal::Comma),
        (None, Some(_)) => Some(Decimal::Point),
        (None, None) => None,
    }
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let text = text.trim();
    let first = text.find(|sign: char| sign.is_ascii_digit() || ".,".contains(sign))?;
    let last = text.rfind(|sign: char| sign.is_ascii_digit())?;
    let digits = text.get(first..=last)?;
    let is_amount = |sign: char| sign.is_ascii_digit() || ".,'\u{2019}".contains(sign) || is_space(sign);
    let (before, after) = (text[..first].trim(), text[last + 1..].trim());
    // A minus is no sign of a currency.
    let is_sign = |sign: &str| sign.chars().all(|sign| !sign.is_ascii_digit() && !"-−()%".contains(sign));
    if !digits.chars().all(is_amount) || !is_sign(before) || !is_sign(after) {
        return None;
    }
    let currency = Currency::parse(before).or_else(|| Currency::parse(after));
    Some(Parts { digits, currency })
}

/// Spaces and apostrophes between groups of digits.
fn is_space(sign: char) -> bool {
    sign.is_whitespace() || "'\u{2019}".contains(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_amounts_of_a_file_say_which_sign_is_before_the_fraction() {
        for (amounts, decimal) in [
            (vec!["12.50", "1,299"], Decimal::Point),
            (vec!["12,50", "1.299"], Decimal::Comma),
            (vec!["1,299"], Decimal::Point),
            (vec!["1.299"], Decimal::Point),
            (vec!["1.299.000", "1.299"], Decimal::Comma),
            (vec!["1,249.00"], Decimal::Point),
            (vec!["1.249,00 €"], Decimal::Comma),
            (vec!["0,500", "3"], Decimal::Comma),
            (vec![], Decimal::Point),
        ] {
            assert_eq!(Decimal::of(amounts.iter().copied()), decimal, "{amounts:?}");
        }
    }

    #[test]
    fn an_amount_is_read_with_its_currency() {
        let code = |code| Currency::parse(code);
        for (decimal, text, expected) in [
            (Decimal::Point, "15.00 USD", Some((15.0, code("USD")))),
            (Decimal::Point, "AED352", Some((352.0, code("AED")))),
            (Decimal::Comma, "1.249,00 €", Some((1_249.0, None))),
            (Decimal::Point, "$1,249.5", Some((1_249.5, None))),
            (Decimal::Point, "1 249.5", Some((1_249.5, None))),
            (Decimal::Comma, "1'249,5", Some((1_249.5, None))),
            (Decimal::Comma, "1\u{a0}249,50\u{a0}Kč", Some((1_249.5, None))),
            (Decimal::Point, "0", Some((0.0, None))),
            (Decimal::Point, "-5", None),
            (Decimal::Point, "(5)", None),
            (Decimal::Point, "", None),
            (Decimal::Point, "free", None),
            (Decimal::Point, "1.2.3", None),
            (Decimal::Point, "5 or 6", None),
            (Decimal::Point, "99999999999", None),
        ] {
            assert_eq!(decimal.parse(text), expected, "{text}");
        }
    }
}
