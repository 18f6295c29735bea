//! In which direction a language is written, and which plural form of a text a number takes.

/// A row for each language. `scripts/plural-rules.mjs` makes them from the CLDR.
const ROWS: &str = include_str!("languages.tsv");
/// The language of a tag that has no row.
const ENGLISH: &str = "en";

/// What texts need to know of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Language {
    pub(super) is_rtl: bool,
    /// The names of the plural forms of whole numbers, as the CLDR names them.
    forms: &'static str,
    /// The number of the form for each whole number: first of those below 100, then of the last two digits of others.
    /// The end, which repeats, is cut.
    pub(super) rule: &'static str,
}

impl Language {
    /// The language with this tag, or with the longest beginning of it that has a row; English if there is none.
    pub(super) fn of(tag: &str) -> Self {
        beginnings(tag).find_map(Self::with_row).or_else(|| Self::with_row(ENGLISH)).unwrap_or(Self {
            is_rtl: false,
            forms: "other",
            rule: "0",
        })
    }

    fn with_row(tag: &str) -> Option<Self> {
        let mut row = ROWS.lines().map(|row| row.split('\t')).find_map(|mut row| {
            let is_it = row.next().is_some_and(|own| own.eq_ignore_ascii_case(tag));
            is_it.then_some(row)
        })?;
        Some(Self { is_rtl: row.next()? == "rtl", forms: row.next()?, rule: row.next()? })
    }

    pub(super) fn forms(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.forms.split(' ')
    }
}

/// The number of the form that a rule gives a whole number.
pub(super) fn form_of(rule: &str, number: u64) -> usize {
    let place = if number < 100 { number } else { 100 + number % 100 };
    let rule = rule.as_bytes();
    let form = usize::try_from(place).ok().and_then(|place| rule.get(place)).or(rule.last());
    form.map_or(0, |digit| usize::from(digit.saturating_sub(b'0')))
}

/// A tag and its beginnings, the longest first: `zh-Hant-TW`, `zh-Hant`, `zh`.
pub(super) fn beginnings(tag: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(tag), |tag| tag.rsplit_once('-').map(|(longer, _)| longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(tag: &str, numbers: impl IntoIterator<Item = u64>) -> Vec<&'static str> {
        let language = Language::of(tag);
        numbers
            .into_iter()
            .map(|number| language.forms().nth(form_of(language.rule, number)).unwrap())
            .collect()
    }

    /// The examples of the CLDR's chart of plural rules.
    #[test]
    fn numbers_take_the_forms_that_the_cldr_names() {
        for (tag, form, examples) in [
            ("en", "one", &[1][..]),
            ("en", "other", &[0, 2, 16, 100, 1_000, 10_000, 1_000_001]),
            ("de-AT", "one", &[1]),
            ("fr", "one", &[0, 1]),
            ("fr", "other", &[2, 17, 100, 1_000, 10_000]),
            ("ja", "other", &[0, 1, 15, 100, 1_000]),
            ("ar", "zero", &[0]),
            ("ar", "one", &[1]),
            ("ar", "two", &[2]),
            ("ar", "few", &[3, 10, 103, 110, 1_003]),
            ("ar", "many", &[11, 26, 99, 111, 1_011]),
            ("ar", "other", &[100, 101, 102, 200, 202, 300, 1_000, 10_000]),
            ("pl", "one", &[1]),
            ("pl", "few", &[2, 4, 22, 24, 32, 102]),
            ("pl", "many", &[0, 5, 19, 100, 112, 1_000]),
            ("ru", "one", &[1, 21, 31, 101, 1_001]),
            ("ru", "few", &[2, 4, 22, 102, 1_002]),
            ("ru", "many", &[0, 5, 19, 100, 111]),
            ("lv", "zero", &[0, 10, 20, 100, 111]),
            ("lv", "one", &[1, 21, 101]),
            ("cy", "two", &[2]),
            ("cy", "many", &[6]),
            ("sl", "two", &[2, 102, 202]),
            ("xx", "one", &[1]),
        ] {
            for found in forms(tag, examples.iter().copied()) {
                assert_eq!(found, form, "{tag}: {examples:?}");
            }
        }
    }

    #[test]
    fn every_rule_names_its_forms_only() {
        for row in ROWS.lines() {
            let tag = row.split('\t').next().unwrap();
            let language = Language::with_row(tag).unwrap();
            let count = language.forms().count();
            assert!(language.rule.bytes().all(|form| usize::from(form - b'0') < count), "{tag}");
        }
        assert!(Language::of("ar-MA").is_rtl && Language::of("he").is_rtl && !Language::of("de").is_rtl);
    }
}
