//! How languages write amounts and dates, from the CLDR 46.

/// What a language writes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Language {
    /// Its tag (BCP 47); without a region it stands for all that have no row of their own.
    tag: &'static str,
    /// Between groups of three digits.
    pub(super) group: &'static str,
    /// Before the decimals.
    pub(super) decimal: &'static str,
    /// Whether the currency stands before the amount, without a space if it is a sign.
    pub(super) is_currency_first: bool,
    /// The signs of currencies; others are written with their codes.
    signs: &'static [(&'static str, &'static str)],
    months: [&'static str; 12],
    /// A date, in which `D`, `M` and `Y` stand for day, month and year.
    date: &'static str,
}

/// What other signs are called everywhere.
const SIGNS: &[(&str, &str)] = &[("USD", "$"), ("EUR", "\u{20ac}"), ("GBP", "\u{a3}"), ("JPY", "\u{a5}")];

const ENGLISH: Language = Language {
    tag: "en",
    group: ",",
    decimal: ".",
    is_currency_first: true,
    signs: SIGNS,
    months: [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    date: "M D, Y",
};

static LANGUAGES: [Language; 5] = [
    ENGLISH,
    Language {
        tag: "en-GB",
        date: "D M Y",
        signs: &[("USD", "US$"), ("EUR", "\u{20ac}"), ("GBP", "\u{a3}"), ("JPY", "JP\u{a5}")],
        ..ENGLISH
    },
    Language {
        tag: "de",
        group: ".",
        decimal: ",",
        is_currency_first: false,
        signs: SIGNS,
        months: [
            "Januar",
            "Februar",
            "M\u{e4}rz",
            "April",
            "Mai",
            "Juni",
            "Juli",
            "August",
            "September",
            "Oktober",
            "November",
            "Dezember",
        ],
        date: "D. M Y",
    },
    Language {
        tag: "fr",
        group: "\u{202f}",
        decimal: ",",
        is_currency_first: false,
        signs: &[("USD", "$US"), ("EUR", "\u{20ac}"), ("GBP", "\u{a3}GB")],
        months: [
            "janvier",
            "f\u{e9}vrier",
            "mars",
            "avril",
            "mai",
            "juin",
            "juillet",
            "ao\u{fb}t",
            "septembre",
            "octobre",
            "novembre",
            "d\u{e9}cembre",
        ],
        date: "D M Y",
    },
    Language {
        tag: "ja",
        group: ",",
        decimal: ".",
        is_currency_first: true,
        signs: &[("USD", "$"), ("EUR", "\u{20ac}"), ("GBP", "\u{a3}"), ("JPY", "\u{ffe5}")],
        months: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
        date: "Y\u{5e74}M\u{6708}D\u{65e5}",
    },
];

impl Language {
    /// The language with this tag, or without its region; English if it has no row.
    pub(super) fn of(tag: &str) -> &'static Self {
        let row = |tag: &str| LANGUAGES.iter().find(|language| language.tag.eq_ignore_ascii_case(tag));
        let primary = tag.split('-').next().unwrap_or_default();
        row(tag).or_else(|| row(primary)).unwrap_or(&LANGUAGES[0])
    }

    /// What a currency is written as.
    pub(super) fn sign<'a>(&self, code: &'a str) -> &'a str {
        self.signs.iter().find(|(known, _)| *known == code).map_or(code, |(_, sign)| sign)
    }

    /// A date, spelled out. `month` counts from 1.
    pub(super) fn date(&self, year: u16, month: u8, day: u8) -> String {
        let name = self.months.get(usize::from(month).wrapping_sub(1)).copied().unwrap_or_default();
        let mut text = String::with_capacity(24);
        for part in self.date.chars() {
            match part {
                'D' => text.push_str(&day.to_string()),
                'M' => text.push_str(name),
                'Y' => text.push_str(&year.to_string()),
                between => text.push(between),
            }
        }
        text
    }
}
