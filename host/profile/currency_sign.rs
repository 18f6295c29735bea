//! The signs, words and codes beside amounts, and the currencies that they name.

use super::Currency;

/// What a text beside an amount says of its currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurrencySign {
    /// There is no text.
    #[default]
    Missing,
    /// A text that is not understood, such as `net`.
    Unknown,
    /// A sign or code of a currency that is not known.
    Other,
    /// A sign of several currencies.
    Shared(SharedSign),
    /// A sign or word of one currency.
    Sign(Currency),
    /// A code of ISO 4217.
    Code(Currency),
}

/// A sign of several currencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedSign {
    Dollar,
    Yen,
    Crown,
    Rupee,
    Franc,
}

/// Signs and words in lower case, with the codes of the currencies that they name.
const SIGNS: [(&str, &str); 68] = [
    ("€", "EUR"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("£", "GBP"),
    ("pound", "GBP"),
    ("pounds", "GBP"),
    ("us$", "USD"),
    ("a$", "AUD"),
    ("au$", "AUD"),
    ("c$", "CAD"),
    ("ca$", "CAD"),
    ("can$", "CAD"),
    ("hk$", "HKD"),
    ("nz$", "NZD"),
    ("s$", "SGD"),
    ("nt$", "TWD"),
    ("mx$", "MXN"),
    ("mex$", "MXN"),
    ("r$", "BRL"),
    ("cn¥", "CNY"),
    ("rmb", "CNY"),
    ("元", "CNY"),
    ("yuan", "CNY"),
    ("jp¥", "JPY"),
    ("円", "JPY"),
    ("yen", "JPY"),
    ("₩", "KRW"),
    ("원", "KRW"),
    ("won", "KRW"),
    ("₹", "INR"),
    ("₫", "VND"),
    ("đ", "VND"),
    ("₪", "ILS"),
    ("₺", "TRY"),
    ("tl", "TRY"),
    ("₴", "UAH"),
    ("грн", "UAH"),
    ("₽", "RUB"),
    ("руб", "RUB"),
    ("₸", "KZT"),
    ("₼", "AZN"),
    ("₾", "GEL"),
    ("֏", "AMD"),
    ("₱", "PHP"),
    ("฿", "THB"),
    ("₦", "NGN"),
    ("₵", "GHS"),
    ("₡", "CRC"),
    ("₲", "PYG"),
    ("₮", "MNT"),
    ("₭", "LAK"),
    ("៛", "KHR"),
    ("৳", "BDT"),
    ("zł", "PLN"),
    ("zl", "PLN"),
    ("kč", "CZK"),
    ("kc", "CZK"),
    ("ft", "HUF"),
    ("lei", "RON"),
    ("лв", "BGN"),
    ("sfr", "CHF"),
    ("rp", "IDR"),
    ("rm", "MYR"),
    ("r", "ZAR"),
    ("ksh", "KES"),
    ("ر.س", "SAR"),
    ("د.إ", "AED"),
    ("د.ك", "KWD"),
];

/// Words for other currencies, and for some that are no more.
const OTHER: [&str; 8] = ["kn", "kuna", "dm", "din", "дин", "ден", "﷼", "bs"];

/// Signs of several currencies.
const SHARED: [(&str, SharedSign); 13] = [
    ("$", SharedSign::Dollar),
    ("dollar", SharedSign::Dollar),
    ("dollars", SharedSign::Dollar),
    ("¥", SharedSign::Yen),
    ("￥", SharedSign::Yen),
    ("kr", SharedSign::Crown),
    ("rs", SharedSign::Rupee),
    ("₨", SharedSign::Rupee),
    ("rupees", SharedSign::Rupee),
    ("fr", SharedSign::Franc),
    ("frs", SharedSign::Franc),
    ("franc", SharedSign::Franc),
    ("francs", SharedSign::Franc),
];

impl SharedSign {
    /// The codes of its currencies.
    fn codes(self) -> &'static str {
        match self {
            Self::Dollar => {
                "USD AUD CAD NZD HKD SGD TWD MXN ARS CLP COP UYU BBD BMD BND BSD BZD CVE DOP FJD GYD JMD KYD LRD NAD \
                 NIO SBD SRD TOP TTD WST XCD BRL MOP ZWG"
            }
            Self::Yen => "JPY CNY",
            Self::Crown => "SEK NOK DKK ISK",
            Self::Rupee => "INR PKR LKR NPR MUR SCR",
            Self::Franc => "CHF XOF XAF XPF BIF CDF DJF GNF KMF RWF",
        }
    }
}

/// Words in capitals that say something of taxes and prices.
const NOTES: [&str; 16] = [
    "NET", "TTC", "VAT", "UST", "IVA", "TVA", "BTW", "GST", "DPH", "INC", "EXC", "RRP", "UVP", "PVP", "MOQ",
    "PCS",
];
/// Longest text that is looked at, in bytes.
const LONGEST: usize = 40;

impl CurrencySign {
    /// What the texts before and after an amount say.
    pub fn beside(before: &str, after: &str) -> Self {
        let (before, after) = (Self::of_words(before, true), Self::of_words(after, false));
        match (before, after) {
            (Self::Missing | Self::Unknown, Self::Missing) => before,
            (Self::Missing | Self::Unknown, _) => after,
            // `$5 CAD`
            (_, Self::Code(currency)) if before.may_be(currency) => after,
            _ => before,
        }
    }

    /// What a cell of its own says.
    pub fn of(text: &str) -> Self {
        Self::of_words(text, false)
    }

    /// What the word says that is next to an amount: the last one of the text before it, the first one of that after it.
    fn of_words(text: &str, is_before: bool) -> Self {
        let text = text.trim_matches(is_decoration);
        if text.len() > LONGEST {
            return Self::Unknown;
        }
        // What the amount is for, such as `/ kg`.
        let text = if is_before { text } else { text.split(['/', '|']).next().unwrap_or_default().trim() };
        if text.is_empty() {
            return Self::Missing;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let (next, two) = match (words.as_slice(), is_before) {
            ([], _) => return Self::Missing,
            ([word], _) => (*word, None),
            ([.., second, last], true) => (*last, Some(format!("{second}{last}"))),
            ([first, second, ..], false) => (*first, Some(format!("{first}{second}"))),
        };
        // `US $` says more than `$`.
        let together = two.map(|two| Self::of_word(&two, false)).filter(|sign| matches!(sign, Self::Sign(_)));
        together.unwrap_or_else(|| Self::of_word(next, words.len() == 1))
    }

    /// What a word says. A code in small letters is one only if there `is_nothing_else`.
    fn of_word(word: &str, is_nothing_else: bool) -> Self {
        let word = word.trim_matches(is_decoration);
        let is_capital = word.bytes().all(|byte| byte.is_ascii_uppercase());
        let code = word.strip_suffix('$').filter(|code| code.len() == 3).unwrap_or(word);
        if let Some(currency) =
            Currency::of_code(code).filter(|_| is_capital || code != word || is_nothing_else)
        {
            return Self::Code(currency);
        }
        let lower = word.to_lowercase();
        let is = |known: &str| known == lower;
        let sign = SIGNS.iter().find(|(sign, _)| is(sign)).and_then(|(_, code)| Currency::parse(code));
        let shared = || SHARED.iter().find(|(sign, _)| is(sign)).map(|(_, shared)| Self::Shared(*shared));
        if let Some(known) = sign.map(Self::Sign).or_else(shared) {
            return known;
        }
        let is_code = is_capital && word.len() == 3 && !NOTES.contains(&word);
        let has_sign = word.contains(|sign: char| sign == '$' || ('\u{20a0}'..='\u{20cf}').contains(&sign));
        if is_code || has_sign || OTHER.contains(&&*lower) { Self::Other } else { Self::Unknown }
    }

    /// The currency, if it names one.
    pub fn currency(self) -> Option<Currency> {
        match self {
            Self::Sign(currency) | Self::Code(currency) => Some(currency),
            Self::Missing | Self::Unknown | Self::Other | Self::Shared(_) => None,
        }
    }

    /// Whether an amount beside it may be in this currency.
    pub fn may_be(self, currency: Currency) -> bool {
        match self {
            Self::Missing | Self::Unknown => true,
            Self::Other => false,
            Self::Shared(sign) => sign.codes().split(' ').any(|code| code == currency.code()),
            Self::Sign(named) | Self::Code(named) => named == currency,
        }
    }
}

/// Whether it only stands around a sign, as the asterisk that leads to a note.
fn is_decoration(sign: char) -> bool {
    sign.is_whitespace() || "*.:;,¹²³'\"".contains(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_a_word_or_a_code_names_a_currency() {
        let code = |code| CurrencySign::Code(Currency::parse(code).unwrap());
        let sign = |code| CurrencySign::Sign(Currency::parse(code).unwrap());
        for (text, expected) in [
            ("", CurrencySign::Missing),
            (" * ", CurrencySign::Missing),
            ("€*", sign("EUR")),
            ("Euro", sign("EUR")),
            ("Eur.", code("EUR")),
            ("EUR incl. VAT", code("EUR")),
            ("€ all incl.", sign("EUR")),
            ("€ / Stück", sign("EUR")),
            ("₹", sign("INR")),
            ("Kč", sign("CZK")),
            ("HK$", sign("HKD")),
            ("US $", sign("USD")),
            ("AUD$", code("AUD")),
            ("руб.", sign("RUB")),
            ("¥", CurrencySign::Shared(SharedSign::Yen)),
            ("kr.", CurrencySign::Shared(SharedSign::Crown)),
            ("$", CurrencySign::Shared(SharedSign::Dollar)),
            ("NET", CurrencySign::Unknown),
            ("per cup", CurrencySign::Unknown),
            ("HRK", CurrencySign::Other),
            ("RD$", CurrencySign::Other),
        ] {
            assert_eq!(CurrencySign::of(text), expected, "{text}");
        }
    }

    #[test]
    fn the_word_next_to_an_amount_counts() {
        let code = |code| Currency::parse(code);
        for (before, after, expected) in [
            ("$", "/ pound", None),
            ("$", "/ft", None),
            ("$", "CAD", code("CAD")),
            ("ab", "€", code("EUR")),
            ("€", "USD", code("EUR")),
            ("", "€ TOP", code("EUR")),
            ("Price EUR", "", code("EUR")),
        ] {
            assert_eq!(CurrencySign::beside(before, after).currency(), expected, "{before} 5 {after}");
        }
    }

    #[test]
    fn every_code_is_one_of_the_standard() {
        let shared = SHARED.iter().flat_map(|(_, sign)| sign.codes().split(' '));
        for code in SIGNS.iter().map(|(_, code)| *code).chain(shared) {
            assert!(Currency::of_code(code).is_some(), "{code}");
        }
    }

    #[test]
    fn a_shared_sign_may_mean_any_of_its_currencies() {
        for (sign, code, may_be) in [
            ("$", "AUD", true),
            ("$", "EUR", false),
            ("¥", "CNY", true),
            ("kr", "SEK", true),
            ("kr", "CZK", false),
            ("€", "USD", false),
            ("net", "USD", true),
        ] {
            let currency = Currency::parse(code).unwrap();
            assert_eq!(CurrencySign::of(sign).may_be(currency), may_be, "{sign} {code}");
        }
    }
}
