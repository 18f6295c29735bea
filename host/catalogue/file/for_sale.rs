//! Whether a row says that its product is for sale.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::row::{Field, Row};
use crate::catalogue::availability::Availability;

/// The columns that say it, each with words of its own kind.
pub(super) const COLUMNS: [Field; 5] =
    [Field::Status, Field::Visibility, Field::Published, Field::Active, Field::Withdrawn];

/// Answers to a question such as `visible`, in lower case, with `|` between them. In [`Field::Withdrawn`] they mean the
/// opposite.
const YES: &str = "1|1.0|true|t|yes|y|on|ja|j|oui|sí|sì|si|da|ano|tak|wahr|vrai|verdadero|vero|waar|pravda";
const NO: &str = "0|0.0|false|f|no|n|off|none|nein|non|nee|ne|nie|falsch|faux|falso|onwaar|nepravda";

/// States of what is for sale, and of what is not.
const FOR_SALE: &str = "active|enabled|published|publish|visible|online|live|public|listed|approved|available|\
    catalog, search|catalog|search|aktiv|aktiviert|sichtbar|veröffentlicht|actif|publié|activo|\
    publicado|attivo|pubblicato|actief|zichtbaar|both|公開";
const NOT_FOR_SALE: &str = "-1|draft|archived|archive|hidden|private|pending|unlisted|inactive|not active|trash|staging|\
    whitelist_only|disabled|unpublished|not published|deleted|removed|offline|rejected|suspended|\
    blocked|discontinued|not visible|not visible individually|invisible|inaktiv|deaktiviert|entwurf|\
    archiviert|gelöscht|versteckt|unsichtbar|nicht sichtbar|inactif|désactivé|brouillon|masqué|inactivo|\
    borrador|oculto|inattivo|bozza|nascosto|inactief|archivé|archivado|archiviato|non publié|\
    no publicado|concept|verborgen|非公開";

/// What stands in [`Field::Withdrawn`] instead of a word.
const MARKS: [&str; 3] = ["x", "✓", "✔"];

/// Whether each of these words says yes, and whether it is an answer.
static SAYS: LazyLock<HashMap<&str, (bool, bool)>> = LazyLock::new(|| {
    [(YES, (true, true)), (NO, (false, true)), (FOR_SALE, (true, false)), (NOT_FOR_SALE, (false, false))]
        .into_iter()
        .flat_map(|(words, says)| words.split('|').map(move |word| (word, says)))
        .collect()
});

/// What a row says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ForSale {
    #[default]
    Yes,
    No,
    /// These columns have words that are not understood, and no other says no.
    Unclear(Columns),
}

/// A set of [`COLUMNS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns(u8);

impl Columns {
    fn one(number: usize) -> Self {
        Self(1 << number)
    }

    #[must_use]
    pub(super) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether they have one in common.
    pub(super) fn meets(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// What is known of the columns of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SaleColumns {
    /// Those in which a row has a word that says yes or no.
    pub(super) used: Columns,
    /// Those in which a row has another word.
    unclear: Columns,
}

impl SaleColumns {
    /// Before the first row. `own` are the columns that the operator has named: those of [`COLUMNS`] count, even if no row has
    /// a word that is understood.
    pub(super) fn with(own: &[(String, Field)]) -> Self {
        let named =
            COLUMNS.iter().enumerate().filter(|(_, column)| own.iter().any(|(_, field)| field == *column));
        let used = named.fold(Columns::default(), |used, (number, _)| used.and(Columns::one(number)));
        Self { used, unclear: Columns::default() }
    }

    /// Reads a row.
    pub(super) fn read(&mut self, row: &Row) -> ForSale {
        self.read_words(COLUMNS.map(|field| row.get(field)))
    }

    /// Reads the words of a row in [`COLUMNS`]; a blank one says nothing.
    pub(super) fn read_words(&mut self, words: [&str; COLUMNS.len()]) -> ForSale {
        let (mut is_no, mut unclear) = (false, Columns::default());
        for (number, word) in words.into_iter().enumerate().filter(|(_, word)| !is_blank(word)) {
            match says_of(COLUMNS[number], word) {
                Some(yes) => {
                    is_no |= !yes;
                    self.used = self.used.and(Columns::one(number));
                }
                None => unclear = unclear.and(Columns::one(number)),
            }
        }
        self.unclear = self.unclear.and(unclear);
        match is_no {
            true => ForSale::No,
            false if unclear == Columns::default() => ForSale::Yes,
            false => ForSale::Unclear(unclear),
        }
    }

    /// The columns that say nothing about sale, because all of their words mean something else, such as `new` and `used`.
    pub(super) fn unused(self) -> impl Iterator<Item = Field> {
        let is_unused = move |number: usize| {
            let column = Columns::one(number);
            self.unclear.meets(column) && !self.used.meets(column)
        };
        (0..COLUMNS.len()).filter(move |number| is_unused(*number)).map(|number| COLUMNS[number])
    }
}

/// Whether a word says yes or no; `None` if it says neither.
pub(super) fn says(word: &str) -> Option<bool> {
    answer(&word.to_lowercase()).map(|(yes, _)| yes)
}

/// Whether a word in lower case says yes, and whether it is an answer.
fn answer(word: &str) -> Option<(bool, bool)> {
    // What is sold out is for sale again one day.
    SAYS.get(word).copied().or_else(|| Availability::named(word, None).map(|_| (true, false)))
}

/// Whether a word in a column of [`COLUMNS`] says that a product is for sale; `None` if it says neither.
fn says_of(column: Field, word: &str) -> Option<bool> {
    let word = word.to_lowercase();
    let is_withdrawn = column == Field::Withdrawn;
    if is_withdrawn && MARKS.contains(&&*word) {
        return Some(false);
    }
    answer(&word).map(|(yes, is_answer)| yes != (is_withdrawn && is_answer))
}

/// Whether a cell in a column of [`COLUMNS`] says that a product is not for sale, so that it counts more than another cell of
/// the same meaning.
pub(super) fn says_no(column: Field, word: &str) -> bool {
    says_of(column, word.trim()) == Some(false)
}

/// Whether a program wrote it for a missing value.
fn is_blank(word: &str) -> bool {
    ["", "-", "null", "nan", "n/a"].iter().any(|blank| word.eq_ignore_ascii_case(blank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_says_yes_or_no_or_something_else() {
        for (words, expected) in [(YES, true), (NO, false), (FOR_SALE, true), (NOT_FOR_SALE, false)] {
            for word in words.split('|') {
                assert_eq!(says(&word.to_uppercase()), Some(expected), "{word}");
            }
        }
        assert_eq!(says("In Stock"), Some(true));
        for other in ["new", "used", "2", ""] {
            assert_eq!(says(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_withdrawn_is_read_the_other_way_round() {
        for (word, expected) in [
            ("yes", Some(false)),
            ("1", Some(false)),
            ("TRUE", Some(false)),
            ("Ja", Some(false)),
            ("X", Some(false)),
            ("no", Some(true)),
            ("0", Some(true)),
            ("false", Some(true)),
            ("nein", Some(true)),
            // A state is none, and Access writes -1 for yes.
            ("archived", Some(false)),
            ("Hidden", Some(false)),
            ("-1", Some(false)),
            ("active", Some(true)),
            ("visible", Some(true)),
            ("perhaps", None),
        ] {
            assert_eq!(says_of(Field::Withdrawn, word), expected, "{word}");
        }
    }

    #[test]
    fn a_column_that_the_operator_names_counts_without_a_known_word() {
        let mut columns = SaleColumns::with(&[("stav".into(), Field::Status)]);
        assert_eq!(columns.read_words(["skryto?", "", "", "", ""]), ForSale::Unclear(Columns::one(0)));
        assert!(columns.used.meets(Columns::one(0)) && columns.unused().next().is_none());
    }

    #[test]
    fn a_column_without_a_known_word_says_nothing() {
        let mut columns = SaleColumns::default();
        assert_eq!(columns.read_words(["new", "", "yes", "", ""]), ForSale::Unclear(Columns::one(0)));
        assert_eq!(columns.read_words(["used", "", "no", "", ""]), ForSale::No);
        assert_eq!(columns.read_words(["", "", "maybe", "", ""]), ForSale::Unclear(Columns::one(2)));
        assert_eq!(columns.unused().collect::<Vec<_>>(), [Field::Status]);
        assert!(columns.used.meets(Columns::one(2)) && !columns.used.meets(Columns::one(0)));
    }
}
