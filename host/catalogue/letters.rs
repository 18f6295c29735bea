//! Makes texts for addresses from the names that sources use.

use any_ascii::any_ascii_char;
use icu_normalizer::ComposingNormalizerBorrowed;
use twox_hash::XxHash3_128;

/// Length of [`suffix`], in characters.
pub(super) const SUFFIX: usize = 6;
/// Length of [`long_suffix`], in characters.
pub(super) const LONG_SUFFIX: usize = 12;

/// Gives each letter with its marks one character, where there is one.
const COMPOSED: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();

/// How a shop writes letters in addresses that have only `a` to `z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// `Kranze` for `Kränze`.
    #[default]
    Usual,
    /// `Kraenze` for `Kränze`.
    German,
}

impl Spelling {
    /// The spelling of a shop in this language, a tag of BCP 47.
    pub fn of(language: &str) -> Self {
        let primary = language.split('-').next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("de") { Self::German } else { Self::Usual }
    }

    /// `name` with those letters replaced that this spelling writes with others.
    pub(super) fn spelled(self, name: &str) -> String {
        let composed = COMPOSED.normalize(name);
        let mut spelled = String::with_capacity(composed.len() + 4);
        for letter in composed.chars() {
            match (self, letter) {
                (Self::German, 'ä') => spelled += "ae",
                (Self::German, 'ö') => spelled += "oe",
                (Self::German, 'ü') => spelled += "ue",
                (Self::German, 'Ä') => spelled += "Ae",
                (Self::German, 'Ö') => spelled += "Oe",
                (Self::German, 'Ü') => spelled += "Ue",
                (Self::German, 'ß') => spelled += "ss",
                (_, other) => spelled.push(other),
            }
        }
        spelled
    }
}

/// `name` in Latin letters, with `-` in place of every character that is not `allowed`, cut to `limit` characters.
pub(super) fn in_letters(name: &str, limit: usize, allowed: impl Fn(char) -> bool) -> String {
    let letters = name.chars().flat_map(|character| any_ascii_char(character).chars());
    letters.map(|letter| if allowed(letter) { letter } else { '-' }).take(limit).collect()
}

/// 6 of the characters a to z and 2 to 7: 30 bits of a hash of `name`, the same in every version of the program.
pub(super) fn suffix(name: &str) -> String {
    code(name, SUFFIX)
}

/// 12 of these characters: 60 bits of the same hash.
pub(super) fn long_suffix(name: &str) -> String {
    code(name, LONG_SUFFIX)
}

fn code(name: &str, length: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = XxHash3_128::oneshot(name.as_bytes());
    (0..length).map(|place| char::from(LETTERS[(hash >> (5 * place)) as usize % LETTERS.len()])).collect()
}
