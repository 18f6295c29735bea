//! Amounts as files write them: `1,249.00`, `1.249,00 €`, `15.00 USD`.

use serde::Deserialize;

use crate::profile::{Currency, Money};

/// Highest plausible price, in units of the currency.
const LARGEST: f64 = 1e9;

/// The currency in which a file's prices are read. Prices that name another one are not read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PricesIn {
    Only(Currency),
    /// The currency that the file names first, or else this one.
    OwnOr(Option<Currency>),
}

impl PricesIn {
    /// The currency, if one is known. Unless only one is read, the one that the file has `named` takes precedence.
    pub(super) fn among(self, named: Option<Currency>) -> Option<Currency> {
        match self {
            Self::Only(currency) => Some(currency),
            Self::OwnOr(other) => named.or(other),
        }
    }
}

/// The decimal separator of all amounts in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Decimal {
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Comma,
}

/// The digits of an amount with their separators, and the currency if it is named by its code.
struct Parts<'a> {
    digits: &'a str,
    currency: Option<Currency>,
}

/// What the amounts of a file show of their decimal separator: the count of commas less that of points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    shown_by: i64,
    may_be: i64,
}

impl Votes {
    pub(super) fn count(&mut self, amount: &str) {
        let (votes, sign) = match shown(amount) {
            Some(Shown::Certainly(sign)) => (&mut self.shown_by, sign),
            Some(Shown::Maybe(sign)) => (&mut self.may_be, sign),
            None => return,
        };
        *votes += if sign == Decimal::Comma { 1 } else { -1 };
    }

    /// The separator that most amounts certainly show. If none does, it is the `usual` one of the form. Without that,
    /// amounts such as `1.299` decide, which then have no fraction; and without those it is the point.
    pub(super) fn decimal(self, usual: Option<Decimal>) -> Decimal {
        match (self.shown_by, self.may_be, usual) {
            (1.., _, _) => Decimal::Comma,
            (..=-1, _, _) => Decimal::Point,
            (0, _, Some(usual)) => usual,
            (0, 1.., None) => Decimal::Comma,
            (0, _, None) => Decimal::Point,
        }
    }
}

/// An amount, read by both rules until all amounts of its file have shown which one is right.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    by_point: Option<f64>,
    by_comma: Option<f64>,
    pub(super) currency: Option<Currency>,
    pub(super) has_digits: bool,
    /// Whether the file says `free`.
    pub(super) is_free: bool,
}

impl Amount {
    pub(super) fn read(text: &str) -> Self {
        let Some(Parts { digits, currency }) = parts(text) else {
            let has_digits = text.contains(|sign: char| sign.is_ascii_digit());
            let is_free = text.trim().eq_ignore_ascii_case("free");
            return Self { has_digits, is_free, ..Self::default() };
        };
        let (by_point, by_comma) = (Decimal::Point.value(digits), Decimal::Comma.value(digits));
        Self { by_point, by_comma, currency, has_digits: true, is_free: false }
    }

    /// The amount; `None` if it is not written with this separator.
    pub(super) fn value(self, decimal: Decimal) -> Option<f64> {
        match decimal {
            Decimal::Point => self.by_point,
            Decimal::Comma => self.by_comma,
        }
    }

    /// The amount in the smallest unit of a currency, unless it names another one.
    pub(super) fn money(self, decimal: Decimal, currency: Currency) -> Option<Money> {
        self.currency.is_none_or(|named| named == currency).then_some(())?;
        currency.nearest(self.value(decimal)?)
    }
}

impl Decimal {
    /// The amount that digits and separators mean; `None` if it is too large, or a group has an impossible length.
    fn value(self, digits: &str) -> Option<f64> {
        let (decimal, group) = match self {
            Self::Point => ('.', ','),
            Self::Comma => (',', '.'),
        };
        let (whole, fraction) = digits.split_once(decimal).unwrap_or((digits, ""));
        let groups: Vec<&str> = whole.split(|sign: char| sign == group || is_space(sign)).collect();
        let is_group = |(place, group): (usize, &&str)| match place {
            0 => group.len() <= 3,
            // In India all groups but the last have two digits.
            place if place + 1 < groups.len() => matches!(group.len(), 2 | 3),
            _ => group.len() == 3,
        };
        if groups.len() > 1 && !groups.iter().enumerate().all(is_group) {
            return None;
        }
        let amount: f64 = format!("{}.{fraction}0", groups.concat()).parse().ok()?;
        Some(amount).filter(|amount| (0.0..=LARGEST).contains(amount))
    }
}

/// What an amount shows of its decimal separator.
enum Shown {
    Certainly(Decimal),
    Maybe(Decimal),
}

/// What the separators of an amount show. If it has both kinds, the last one is the decimal separator. One that occurs
/// several times stands between groups and so, more likely, does a single one before the last three digits.
fn shown(amount: &str) -> Option<Shown> {
    let digits = parts(amount)?.digits;
    let single = |at: usize, own: Decimal, other: Decimal| match digits.len() - at {
        4 if !digits.starts_with('0') => Shown::Maybe(other),
        _ => Shown::Certainly(own),
    };
    let is_once = |sign: char| digits.matches(sign).count() == 1;
    Some(match (digits.rfind('.'), digits.rfind(',')) {
        (Some(point), Some(comma)) if point > comma => Shown::Certainly(Decimal::Point),
        (Some(_), Some(_)) => Shown::Certainly(Decimal::Comma),
        (Some(at), None) if is_once('.') => single(at, Decimal::Point, Decimal::Comma),
        (None, Some(at)) if is_once(',') => single(at, Decimal::Comma, Decimal::Point),
        (Some(_), None) => Shown::Certainly(Decimal::Comma),
        (None, Some(_)) => Shown::Certainly(Decimal::Point),
        (None, None) => return None,
    })
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let text = text.trim();
    // In Switzerland `5.-` means 5 without a fraction.
    let text = [".-", ".–", ",-", ",–"].iter().find_map(|dash| text.strip_suffix(dash)).unwrap_or(text);
    let is_digit = |sign: char| sign.is_ascii_digit();
    // A `.` or `,` before the first digit is a decimal sign only at the very beginning of the text.
    let first = if text.starts_with(['.', ',']) { 0 } else { text.find(is_digit)? };
    let last = text.rfind(is_digit)?;
    let digits = text.get(first..=last)?;
    let is_amount = |sign: char| is_digit(sign) || ".,".contains(sign) || is_space(sign);
    let (before, after) = (text[..first].trim(), text[last + 1..].trim());
    // The sign of a currency has no minus, bracket, percent sign or digit.
    let is_sign = |sign: &str| !sign.contains(|sign: char| is_digit(sign) || "-−()%".contains(sign));
    if !digits.chars().all(is_amount) || !is_sign(before) || !is_sign(after) {
        return None;
    }
    Some(Parts { digits, currency: Currency::named(before).or_else(|| Currency::named(after)) })
}

/// Whether it may stand between groups of digits: a space or an apostrophe.
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
            (vec!["1.299", "899"], Decimal::Comma),
            (vec!["1.299", "12.50"], Decimal::Point),
            (vec!["Fr. 12.50"], Decimal::Point),
            (vec!["1.299.000", "1.299"], Decimal::Comma),
            (vec!["1,249.00"], Decimal::Point),
            (vec!["1.249,00 €"], Decimal::Comma),
            (vec!["0,500", "3"], Decimal::Comma),
            (vec![], Decimal::Point),
        ] {
            let mut votes = Votes::default();
            amounts.iter().for_each(|amount| votes.count(amount));
            assert_eq!(votes.decimal(None), decimal, "{amounts:?}");
        }
    }

    #[test]
    fn an_amount_is_read_with_its_currency() {
        let code = |code| Currency::parse(code);
        for (decimal, text, expected) in [
            (Decimal::Point, "15.00 CAD", Some((15.0, code("CAD")))),
            (Decimal::Point, "AED352", Some((352.0, code("AED")))),
            (Decimal::Comma, "1.249,00 €", Some((1_249.0, code("EUR")))),
            (Decimal::Point, "12.90 eur", Some((12.9, code("EUR")))),
            (Decimal::Point, "12.50 NET", Some((12.5, None))),
            (Decimal::Point, "Rs. 1,49,999.50", Some((149_999.5, None))),
            (Decimal::Point, "Rs. 499", Some((499.0, None))),
            (Decimal::Point, "12.-", Some((12.0, None))),
            (Decimal::Point, ".5", Some((0.5, None))),
            (Decimal::Point, "9,90", None),
            (Decimal::Point, "12,5", None),
            (Decimal::Comma, "12.50", None),
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
            let amount = Amount::read(text);
            let read = amount.value(decimal).map(|value| (value, amount.currency));
            assert_eq!(read, expected, "{text}");
        }
    }
}
