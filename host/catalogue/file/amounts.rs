//! Amounts as files write them: `1,249.00`, `1.249,00 €`, `15.00 USD`.

use serde::Deserialize;

use crate::profile::{Currency, CurrencySign, Money};

/// Highest plausible price, in units of the currency.
const LARGEST: f64 = 1e9;

/// The currency in which a file's prices are read. Prices that name another one are not read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PricesIn {
    /// One currency, whatever the file names; `given` is the one that an operator has said.
    Only { currency: Currency, given: Option<Currency> },
    /// The currency that the file names first, or else this one.
    OwnOr(Option<Currency>),
}

impl PricesIn {
    /// The currency, if one is known. Unless only one is read, the one that the file has `named` takes precedence.
    pub(super) fn among(self, named: Option<Currency>) -> Option<Currency> {
        match self {
            Self::Only { currency, .. } => Some(currency),
            Self::OwnOr(other) => named.or(other),
        }
    }

    /// The currency that an operator has said.
    pub(crate) fn given(self) -> Option<Currency> {
        match self {
            Self::Only { given, .. } | Self::OwnOr(given) => given,
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

/// The digits of an amount with their separators, and what stands beside them.
struct Parts<'a> {
    digits: &'a str,
    before: &'a str,
    after: &'a str,
}

/// What the amounts of a file show of their decimal separator: counts of commas less those of points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    certain: i64,
    /// Counts of amounts such as `1.299`, each for the separator that its file has if the amount is whole.
    possible: i64,
    /// Whether an amount has three digits that are certainly a fraction, such as `0.500`.
    has_thousandths: bool,
}

/// How all amounts of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) decimal: Decimal,
    /// Whether three digits after the separator are a fraction. Otherwise they may also be a group of a whole number.
    pub(super) has_thousandths: bool,
    /// Whether only amounts such as `1.299`, which can be read in two ways, decided it.
    pub(super) is_guessed: bool,
    /// Whether an amount has a separator.
    pub(super) has_separators: bool,
}

impl Votes {
    pub(super) fn count(&mut self, amount: Amount) {
        let (votes, sign) = match amount.shown {
            Some(Shown::Certainly { decimal, has_thousandths }) => {
                self.has_thousandths |= has_thousandths;
                (&mut self.certain, decimal)
            }
            Some(Shown::Maybe(decimal)) => (&mut self.possible, decimal),
            None => return,
        };
        *votes += if sign == Decimal::Comma { 1 } else { -1 };
    }

    /// How the amounts of a file are written. The separator is the one that most of them certainly show. If none does,
    /// it is the `usual` one of the form. Without that, amounts such as `1.299` decide: they have no fraction, unless the
    /// currency has three decimals. Without those it is the point.
    pub(super) fn written(self, usual: Option<Decimal>, currency: Currency) -> Written {
        // Amounts of dinars of Iraq have no fraction.
        let has_three = currency.exponent() == 3 && currency.code() != "IQD";
        let possible = if has_three { -self.possible } else { self.possible };
        let decimal = match (self.certain, possible, usual) {
            (1.., _, _) => Decimal::Comma,
            (..=-1, _, _) => Decimal::Point,
            (0, _, Some(usual)) => usual,
            (0, 1.., None) => Decimal::Comma,
            (0, _, None) => Decimal::Point,
        };
        Written {
            decimal,
            // A form that says how amounts are written is believed, unless another amount is written otherwise.
            has_thousandths: has_three || self.has_thousandths || (self.certain == 0 && usual.is_some()),
            is_guessed: self.certain == 0 && self.possible != 0 && usual.is_none(),
            has_separators: self.certain != 0 || self.possible != 0,
        }
    }
}

/// An amount, read by both rules until all amounts of its file have shown which one is right.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amount {
    by_point: Option<f64>,
    by_comma: Option<f64>,
    shown: Option<Shown>,
    pub(super) sign: CurrencySign,
    pub(super) has_digits: bool,
    /// Whether the file says `free`.
    pub(super) is_free: bool,
}

impl Amount {
    pub(super) fn read(text: &str) -> Self {
        let Some(Parts { digits, before, after }) = parts(text) else {
            let has_digits = text.contains(|sign: char| sign.is_ascii_digit());
            let is_free = text.trim().eq_ignore_ascii_case("free");
            return Self { has_digits, is_free, ..Self::default() };
        };
        Self {
            by_point: Decimal::Point.value(digits),
            by_comma: Decimal::Comma.value(digits),
            shown: shown(digits),
            sign: CurrencySign::beside(before, after),
            has_digits: true,
            is_free: false,
        }
    }

    /// The amount, with what another cell says of its currency. An amount that names another one itself keeps it.
    pub(super) fn with_sign(self, sign: CurrencySign) -> Self {
        match sign.currency() {
            Some(currency) if !self.sign.may_be(currency) => self,
            Some(_) => Self { sign, ..self },
            None if self.sign == CurrencySign::Missing => Self { sign, ..self },
            None => self,
        }
    }

    /// The amount; `None` if it is not written like this.
    pub(super) fn value(self, decimal: Decimal) -> Option<f64> {
        match decimal {
            Decimal::Point => self.by_point,
            Decimal::Comma => self.by_comma,
        }
    }

    /// Both readings, if it is not known which one is right: with a fraction, and without.
    pub(super) fn readings(self, written: Written) -> Option<[f64; 2]> {
        let is_open = !written.has_thousandths
            && matches!(self.shown, Some(Shown::Maybe(if_whole)) if if_whole != written.decimal);
        let readings = || Some([self.by_point?, self.by_comma?]);
        readings().filter(|_| is_open)
    }

    /// The amount in the smallest unit of a currency, unless it names another one.
    pub(super) fn money(self, decimal: Decimal, currency: Currency) -> Option<Money> {
        self.sign.may_be(currency).then_some(())?;
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
        let mut groups = whole.split(|sign: char| sign == group || is_space(sign)).peekable();
        let mut plain = String::with_capacity(digits.len() + 1);
        let mut is_first = true;
        while let Some(group) = groups.next() {
            let is_group = match (is_first, groups.peek()) {
                (true, None) => true,
                (true, Some(_)) => group.len() <= 3,
                // In India all groups but the last have two digits.
                (false, Some(_)) => matches!(group.len(), 2 | 3),
                (false, None) => group.len() == 3,
            };
            if !is_group {
                return None;
            }
            plain += group;
            is_first = false;
        }
        plain.push('.');
        plain += fraction;
        let amount: f64 = plain.parse().ok()?;
        Some(amount).filter(|amount| (0.0..=LARGEST).contains(amount))
    }
}

/// What an amount shows of its decimal separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Certainly {
        decimal: Decimal,
        has_thousandths: bool,
    },
    /// Three digits after the other separator may be a fraction. If they are a group of a whole number, this is the
    /// decimal separator.
    Maybe(Decimal),
}

/// What the separators of an amount show. If it has both kinds, the last one is the decimal separator. One that occurs
/// several times stands between groups and so, more likely, does a single one before the last three digits.
fn shown(digits: &str) -> Option<Shown> {
    let certainly = |decimal| Shown::Certainly { decimal, has_thousandths: false };
    let fraction = |at: usize, decimal| Shown::Certainly { decimal, has_thousandths: digits.len() - at == 4 };
    let single = |at: usize, own: Decimal, other: Decimal| match digits.len() - at {
        4 if !digits.starts_with('0') && (1..=3).contains(&at) => Shown::Maybe(other),
        _ => fraction(at, own),
    };
    let is_once = |sign: char| digits.matches(sign).count() == 1;
    Some(match (digits.rfind('.'), digits.rfind(',')) {
        (Some(point), Some(comma)) if point > comma => fraction(point, Decimal::Point),
        (Some(_), Some(comma)) => fraction(comma, Decimal::Comma),
        (Some(at), None) if is_once('.') => single(at, Decimal::Point, Decimal::Comma),
        (None, Some(at)) if is_once(',') => single(at, Decimal::Comma, Decimal::Point),
        (Some(_), None) => certainly(Decimal::Comma),
        (None, Some(_)) => certainly(Decimal::Point),
        (None, None) => return None,
    })
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let text = text.trim();
    let is_digit = |sign: char| sign.is_ascii_digit();
    // A `.` or `,` before the first digit is a decimal sign only at the very beginning of the text.
    let first = if text.starts_with(['.', ',']) { 0 } else { text.find(is_digit)? };
    let last = text.rfind(is_digit)?;
    let digits = text.get(first..=last)?;
    let is_amount = |sign: char| is_digit(sign) || ".,".contains(sign) || is_space(sign);
    let (before, after) = (text[..first].trim(), text[last + 1..].trim());
    // `5.-` and `5,- kr` mean 5 without a fraction.
    let after =
        [".-", ".–", ",-", ",–"].iter().find_map(|dash| after.strip_prefix(dash)).unwrap_or(after).trim();
    // The sign of a currency has no minus, bracket, percent sign or digit.
    let is_sign = |sign: &str| !sign.contains(|sign: char| is_digit(sign) || "-−()%".contains(sign));
    (digits.chars().all(is_amount) && is_sign(before) && is_sign(after)).then_some(Parts {
        digits,
        before,
        after,
    })
}

/// What stands beside an amount, for a message: at most 20 characters.
pub(super) fn beside(amount: &str) -> String {
    let Some(Parts { before, after, .. }) = parts(amount) else { return String::new() };
    let beside = if before.is_empty() { after } else { before };
    beside.chars().take(20).collect()
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
            amounts.iter().for_each(|amount| votes.count(Amount::read(amount)));
            assert_eq!(votes.written(None, Currency::default()).decimal, decimal, "{amounts:?}");
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
            (Decimal::Comma, "1.299,- kr", Some((1_299.0, None))),
            (Decimal::Comma, "249,– €", Some((249.0, code("EUR")))),
            (Decimal::Point, ".5", Some((0.5, None))),
            (Decimal::Point, "9,90", None),
            (Decimal::Point, "12,5", None),
            (Decimal::Comma, "12.50", None),
            (Decimal::Point, "$1,249.5", Some((1_249.5, None))),
            (Decimal::Point, "1 249.5", Some((1_249.5, None))),
            (Decimal::Comma, "1'249,5", Some((1_249.5, None))),
            (Decimal::Comma, "1\u{a0}249,50\u{a0}Kč", Some((1_249.5, code("CZK")))),
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
            let read = amount.value(decimal).map(|value| (value, amount.sign.currency()));
            assert_eq!(read, expected, "{text}");
        }
    }
}
