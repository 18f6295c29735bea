//! How languages write amounts and dates.

/// A row for each language, and for regions and scripts that write differently from their language.
/// `scripts/languages.mjs` makes them from the CLDR.
const ROWS: &str = include_str!("languages.tsv");

/// How a language writes amounts and dates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Language {
    /// The sign between groups of digits.
    pub(super) group: &'static str,
    /// The sign before the decimals.
    pub(super) decimal: &'static str,
    /// Digits of each group but the last one, which has three.
    pub(super) group_length: usize,
    /// Whether four digits are divided.
    pub(super) groups_four: bool,
    /// An amount, in which `N` and `¤` stand for the number and the currency.
    pub(super) amount: &'static str,
    /// A date, in which `D`, `M` and `Y` stand for day, month and year.
    date: &'static str,
    /// The months, with bars between them.
    months: &'static str,
    /// The codes of currencies, each followed by its sign, with bars between them.
    signs: &'static str,
}

impl Language {
    /// The language with this tag, or with the longest beginning of it that has a row; English if there is none.
    pub(super) fn of(tag: &str) -> Self {
        let mut tag = tag;
        loop {
            if let Some(language) = Self::with_row(tag) {
                return language;
            }
            tag = tag.rsplit_once('-').map_or("en", |(longer, _)| longer);
        }
    }

    fn with_row(tag: &str) -> Option<Self> {
        let mut row = ROWS.lines().map(|row| row.split('\t')).find_map(|mut row| {
            let is_it = row.next().is_some_and(|own| own.eq_ignore_ascii_case(tag));
            is_it.then_some(row)
        })?;
        Some(Self {
            group: row.next()?,
            decimal: row.next()?,
            group_length: row.next()?.parse().ok()?,
            groups_four: row.next()? == "true",
            amount: row.next()?,
            date: row.next()?,
            months: row.next()?,
            signs: row.next()?,
        })
    }

    /// How a currency is written: by a sign of the language, or else of English, or else by its code.
    pub(super) fn sign(&self, code: &str) -> String {
        let own = self.own_sign(code).or_else(|| Self::with_row("en")?.own_sign(code));
        own.unwrap_or(code).to_owned()
    }

    fn own_sign(&self, code: &str) -> Option<&'static str> {
        let mut signs = self.signs.split('|').filter_map(|pair| pair.split_once(' '));
        signs.find(|(known, _)| *known == code).map(|(_, sign)| sign)
    }

    /// A date, spelled out. `month` counts from 1.
    pub(super) fn date(&self, year: u16, month: u8, day: u8) -> String {
        let name = self.months.split('|').nth(usize::from(month).wrapping_sub(1)).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_says_all_that_is_needed() {
        let tags = ROWS.lines().filter_map(|row| row.split('\t').next());
        assert!(tags.clone().count() > 100);
        for tag in tags {
            let language = Language::with_row(tag).expect(tag);
            assert!(language.amount.matches('N').count() == 1 && language.amount.contains('\u{a4}'), "{tag}");
            assert!(['D', 'M', 'Y'].iter().all(|part| language.date.contains(*part)), "{tag}");
            assert_eq!(language.months.split('|').count(), 12, "{tag}");
            assert_ne!(language.group, language.decimal, "{tag}");
            assert!((2..=3).contains(&language.group_length), "{tag}");
        }
    }

    #[test]
    fn a_region_without_a_row_writes_as_its_language() {
        assert_eq!(Language::of("de-DE-1996"), Language::of("de"));
        assert_eq!(Language::of("DE-at"), Language::of("de-AT"));
        assert_ne!(Language::of("de-AT"), Language::of("de"));
        assert_eq!(Language::of("zh-Hant-MO"), Language::of("zh-Hant"));
        for unknown in ["", "-", "xx", "xx-XX"] {
            assert_eq!(Language::of(unknown), Language::of("en"), "{unknown}");
        }
    }
}
