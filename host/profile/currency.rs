//! Currencies and their units (ISO 4217).

use serde::Deserialize;

use super::Money;

/// A currency of ISO 4217. The default is the US dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Currency {
    code: [u8; 3],
    /// How many decimals it has.
    exponent: u8,
}

impl Default for Currency {
    fn default() -> Self {
        Self { code: *b"USD", exponent: 2 }
    }
}

/// The currencies without smaller units, and those with a thousand of them, in the list of 2024. All others have a
/// hundred.
const WITHOUT_DECIMALS: [&[u8; 3]; 16] = [
    b"BIF", b"CLP", b"DJF", b"GNF", b"ISK", b"JPY", b"KMF", b"KRW", b"PYG", b"RWF", b"UGX", b"VND", b"VUV",
    b"XAF", b"XOF", b"XPF",
];
const WITH_THREE_DECIMALS: [&[u8; 3]; 7] = [b"BHD", b"IQD", b"JOD", b"KWD", b"LYD", b"OMR", b"TND"];

/// The codes of the currencies that shops take, in the list of 2024. They are sorted, and each is followed by a space.
const CODES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
                         CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
                         HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD \
                         MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN \
                         PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY \
                         TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG ";

impl TryFrom<String> for Currency {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        let wrong = || format!("`{}` is not the code of a currency, such as EUR", code.escape_debug());
        Self::parse(&code).ok_or_else(wrong)
    }
}

impl Currency {
    /// The currency with this code of three capital letters.
    pub fn parse(code: &str) -> Option<Self> {
        let code: [u8; 3] = code.as_bytes().try_into().ok()?;
        if !code.iter().all(u8::is_ascii_uppercase) {
            return None;
        }
        Some(Self::of(code))
    }

    /// The currency with this code, which consists of capital letters.
    fn of(code: [u8; 3]) -> Self {
        let exponent = match &code {
            code if WITHOUT_DECIMALS.contains(&code) => 0,
            code if WITH_THREE_DECIMALS.contains(&code) => 3,
            _ => 2,
        };
        Self { code, exponent }
    }

    /// The currency with this code of the standard, in any letter case.
    pub fn of_code(code: &str) -> Option<Self> {
        let mut code: [u8; 3] = code.as_bytes().try_into().ok()?;
        code.make_ascii_uppercase();
        let (codes, _) = CODES.as_bytes().as_chunks::<4>();
        codes.binary_search_by(|known| known[..3].cmp(&code)).ok()?;
        Some(Self::of(code))
    }

    /// Its code, such as `EUR`.
    pub fn code(&self) -> &str {
        // A code consists of ASCII letters.
        str::from_utf8(&self.code).unwrap_or_default()
    }

    /// How many decimals its amounts have.
    pub fn exponent(self) -> usize {
        self.exponent.into()
    }

    /// How many of the smallest unit make one unit of the currency.
    pub(crate) fn unit(self) -> u64 {
        10_u64.pow(self.exponent.into())
    }

    /// An amount of this many units of the currency.
    pub fn whole(self, units: u32) -> Money {
        // At most 1,000 times `u32::MAX`.
        Money::from_minor(u64::from(units) * self.unit())
    }

    /// An amount in whole units, rounded up; the largest number if it is larger.
    pub(crate) fn rounded_up(self, amount: Money) -> u32 {
        u32::try_from(amount.minor().div_ceil(self.unit())).unwrap_or(u32::MAX)
    }

    /// The amount nearest to a decimal, as it would be written with the currency's decimals: ties go to the even
    /// amount. `None` if it is negative or too large.
    pub fn nearest(self, decimal: f64) -> Option<Money> {
        const LARGEST: f64 = 9e18;
        let minor = (decimal * self.unit() as f64).round();
        if !(0.0..=LARGEST).contains(&minor) || decimal < 0.0 {
            return None;
        }
        // Most decimals have no further places, so that they need not be written as text.
        if minor / self.unit() as f64 == decimal {
            return Some(Money::from_minor(minor as u64));
        }
        let written = format!("{decimal:.*}", self.exponent());
        written.replace('.', "").parse().ok().map(Money::from_minor)
    }

    /// The amount as a decimal of the currency, which [`Self::nearest`] reads exactly up to [`Money::MAX_PRICE`].
    pub(crate) fn decimal(self, amount: Money) -> f64 {
        amount.minor() as f64 / self.unit() as f64
    }

    /// An amount for programs, such as `1299.99`.
    pub fn plain(self, amount: Money) -> String {
        let (whole, fraction) = (amount.minor() / self.unit(), amount.minor() % self.unit());
        match self.exponent() {
            0 => whole.to_string(),
            decimals => format!("{whole}.{fraction:0decimals$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    #[test]
    fn currencies_have_the_decimals_of_the_standard() {
        for (code, exponent) in [("USD", 2), ("EUR", 2), ("JPY", 0), ("KWD", 3), ("XYZ", 2)] {
            assert_eq!((currency(code).exponent(), currency(code).code()), (exponent, code));
        }
        for code in ["", "usd", "US", "USDX", "U D", "\u{20ac}"] {
            assert_eq!(Currency::parse(code), None, "{code}");
        }
        assert_eq!(Some(Currency::default()), Currency::parse("USD"));
    }

    #[test]
    fn amounts_are_written_for_programs() {
        for (code, decimal, plain) in [
            ("USD", 1299.99, "1299.99"),
            ("USD", 5.0, "5.00"),
            ("JPY", 1299.99, "1300"),
            ("KWD", 1.25, "1.250"),
            ("KWD", 0.0, "0.000"),
        ] {
            let currency = currency(code);
            assert_eq!(currency.plain(currency.nearest(decimal).unwrap()), plain);
        }
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for decimal in [-1.0, -0.001, f64::NAN, f64::INFINITY, 1e300, f64::MIN] {
            assert_eq!(currency("EUR").nearest(decimal), None, "{decimal}");
        }
        assert_eq!(currency("EUR").nearest(-0.0), Some(Money::default()));
    }

    fn any_currency() -> impl Strategy<Value = Currency> {
        prop::sample::select(vec!["USD", "JPY", "KWD"]).prop_map(currency)
    }

    proptest! {
        #[test]
        fn decimals_are_rounded_as_they_are_written(
            currency in any_currency(),
            decimal in prop_oneof![
                0.0..1e9,
                (0_u32..u32::MAX).prop_map(|eighths| f64::from(eighths) / 8.0),
                (0_u64..1_000_000_000_000).prop_map(|thousandths| thousandths as f64 / 1_000.0),
            ],
        ) {
            let amount = currency.nearest(decimal).unwrap();
            prop_assert_eq!(currency.plain(amount), format!("{decimal:.*}", currency.exponent()));
        }

        #[test]
        fn what_is_written_for_programs_is_read_again(
            currency in any_currency(),
            minor in 0..=Money::MAX_PRICE.minor(),
        ) {
            let amount = Money::from_minor(minor);
            let read = currency.plain(amount).parse().ok().and_then(|decimal| currency.nearest(decimal));
            prop_assert_eq!(read, Some(amount));
            prop_assert_eq!(currency.nearest(currency.decimal(amount)), Some(amount));
        }

        #[test]
        fn whole_amounts_are_not_below(currency in any_currency(), minor in 0..=Money::MAX_PRICE.minor()) {
            let (amount, up) = (Money::from_minor(minor), currency.rounded_up(Money::from_minor(minor)));
            prop_assert!(up == u32::MAX || currency.whole(up) >= amount);
            prop_assert!(up == 0 || currency.whole(up - 1) < amount);
        }
    }
}
