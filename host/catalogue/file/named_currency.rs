//! Which currency the amounts of a file are in.

use super::amounts::{Amount, PricesIn, beside};
use super::error::FileError;
use crate::profile::{Currency, CurrencySign};

/// What stands beside the amounts of a file.
#[derive(Debug, Default)]
pub(super) struct NamedCurrency {
    /// The first currency that a code names, and the first that a sign names.
    by_code: Option<Currency>,
    by_sign: Option<Currency>,
    /// The first sign of the dollar that says not which.
    dollar: Option<Unclear>,
    /// The first sign of another kind that several currencies have, or of one that is not known.
    shared: Option<Unclear>,
    /// The first text that is not understood, and how many amounts have one.
    unknown: Option<Unclear>,
    with_unknown: u64,
    /// How many amounts have nothing beside them.
    bare: u64,
}

/// What was decided for all amounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decided {
    /// The currency; `None` if nothing names one: then the amounts are bare, or dollars that may be those of the United
    /// States.
    pub(super) currency: Option<Currency>,
    /// Whether texts that are not understood, such as `net`, may stand beside amounts.
    pub(super) has_notes: bool,
    /// What names the currency, for operators; `None` if nothing does.
    pub(super) named_by: Option<&'static str>,
}

/// What names no single currency.
#[derive(Debug)]
struct Unclear {
    sign: CurrencySign,
    written: String,
    line: u32,
}

impl NamedCurrency {
    /// Takes an amount in this line, as it is `written`.
    pub(super) fn add_amount(&mut self, Amount { sign, has_digits, .. }: Amount, written: &str, line: u32) {
        if has_digits {
            self.bare += u64::from(sign == CurrencySign::Missing);
            self.add_sign(sign, || beside(written), line);
        }
    }

    /// Takes what stands beside an amount in this line. `written` is called if it has to be named.
    pub(super) fn add_sign(&mut self, sign: CurrencySign, written: impl FnOnce() -> String, line: u32) {
        self.with_unknown += u64::from(sign == CurrencySign::Unknown);
        let unclear = match sign {
            CurrencySign::Missing => return,
            CurrencySign::Code(currency) => {
                self.by_code.get_or_insert(currency);
                return;
            }
            CurrencySign::Sign(currency) => {
                self.by_sign.get_or_insert(currency);
                return;
            }
            CurrencySign::Shared(_) if sign.may_be(Currency::default()) => &mut self.dollar,
            CurrencySign::Shared(_) | CurrencySign::Other => &mut self.shared,
            CurrencySign::Unknown => &mut self.unknown,
        };
        if unclear.is_none() {
            *unclear = Some(Unclear { sign, written: written(), line });
        }
    }

    /// The currency of the amounts, which the options of the file may have `said`.
    ///
    /// # Errors
    /// When a sign or text leaves open which currency it is.
    pub(super) fn decide(self, wanted: PricesIn, said: Option<Currency>) -> Result<Decided, FileError> {
        let Self { by_code, by_sign, dollar, shared, unknown, with_unknown, bare } = self;
        // An operator's currency may say which dollar a plain sign is, whatever other signs are there.
        let said_dollar =
            wanted.given().filter(|given| dollar.as_ref().is_some_and(|dollar| dollar.sign.may_be(*given)));
        let named = said.or(by_code).or(said_dollar).or(by_sign);
        let currency = wanted.among(named);
        // Beside amounts that are mostly bare, such a text is a mistake of its row.
        let has_notes = named.is_some() || with_unknown > bare;
        let is_said = said.or(by_code).is_some() || (currency.is_some() && currency == wanted.given());
        let open = match by_sign {
            _ if is_said => None,
            // In a shop with euros a sign of dollars is a mistake of its row; beside `A$` it is open what `$` means.
            Some(named) => [dollar.filter(|_| named != Currency::default()), shared]
                .into_iter()
                .flatten()
                .find(|unclear| unclear.sign.may_be(named)),
            None if dollar.is_some() => shared,
            None => shared.or(unknown.filter(|_| has_notes)),
        };
        match open {
            Some(Unclear { written, line, .. }) => Err(FileError::Currency { written, line }),
            None => {
                let named_by = [
                    (said, "`currency` in the options of the file"),
                    (by_code, "a code in the file"),
                    (by_sign, "a sign or word in the file"),
                    (wanted.given(), "--currency or the shop's file"),
                ];
                let names = |(name, _): &(Option<Currency>, &str)| name.is_some() && *name == currency;
                let named_by = named_by.into_iter().find(names).map(|(_, by)| by);
                Ok(Decided { currency, has_notes, named_by })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_say_which_currency_they_are_in() {
        let currency = |code| Currency::parse(code);
        let decide = |amounts: &[&str], wanted, said| {
            let mut named = NamedCurrency::default();
            for amount in amounts {
                named.add_amount(Amount::read(amount), amount, 2);
            }
            let decided = named.decide(wanted, said);
            decided.map(|decided| decided.currency).map_err(|error| error.to_string())
        };
        for (amounts, expected) in [
            (vec!["5"], Ok(None)),
            (vec!["$5", "6"], Ok(None)),
            (vec!["$5", "US$6"], Ok(Some("USD"))),
            (vec!["49,90 €*", "5"], Ok(Some("EUR"))),
            (vec!["49,90 Euro", "$12", "¥500", "5 net"], Ok(Some("EUR"))),
            (vec!["¥500", "5 EUR"], Ok(Some("EUR"))),
            (vec!["$5", "5 CAD"], Ok(Some("CAD"))),
            (vec!["5 kr"], Err("kr")),
            (vec!["¥500", "$5"], Err("¥")),
            (vec!["A$5", "$5"], Err("$")),
            (vec!["5 HRK"], Err("HRK")),
            (vec!["5 HRK", "6 €"], Ok(Some("EUR"))),
            (vec!["5 net", "6 net", "5"], Err("net")),
            (vec!["5 net", "5", "6"], Ok(None)),
        ] {
            let decided = decide(&amounts, PricesIn::OwnOr(None), None);
            match (decided, expected) {
                (Ok(decided), Ok(code)) => assert_eq!(decided, code.and_then(currency), "{amounts:?}"),
                (Err(error), Err(sign)) => {
                    assert!(error.contains(&format!("`{sign}`")) && error.contains("--currency"), "{error}");
                }
                (decided, _) => panic!("{amounts:?}: {decided:?}"),
            }
            // Another start, and a later reading, give the same currency.
            for wanted in ["SEK", "JPY", "AUD"].map(|code| currency(code).unwrap()) {
                if let Ok(Some(decided)) = decide(&amounts, PricesIn::OwnOr(Some(wanted)), None) {
                    let later = PricesIn::Only { currency: decided, given: Some(wanted) };
                    let again = decide(&amounts, later, None);
                    assert_eq!(again, Ok(Some(decided)), "{amounts:?}");
                }
            }
        }
        assert_eq!(decide(&["5 kr"], PricesIn::OwnOr(currency("NOK")), None), Ok(currency("NOK")));
        assert_eq!(decide(&["A$5", "$5"], PricesIn::OwnOr(currency("AUD")), None), Ok(currency("AUD")));
        assert_eq!(decide(&["$5", "CA$5"], PricesIn::OwnOr(currency("USD")), None), Ok(currency("USD")));
        assert_eq!(decide(&["$5", "5 CAD"], PricesIn::OwnOr(currency("USD")), None), Ok(currency("CAD")));
        assert_eq!(decide(&["5 net"], PricesIn::OwnOr(None), currency("CHF")), Ok(currency("CHF")));
    }
}
