//! The one rule that both searched texts and search queries follow.
//!
//! A text is folded character by character, so a part of a text is folded to a part of the folded text. What the
//! service finds by comparing lower-case texts is therefore found too.

use std::iter::once;

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;

const COMPATIBILITY: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfkd();
const CLASSES: CanonicalCombiningClassMapBorrowed<'static> = CanonicalCombiningClassMapBorrowed::new();

/// The form in which texts are compared: without case, accents, typographic variants and invisible characters, with
/// a space for each run of white space and hyphens between words.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = Folded(String::with_capacity(text.len()));
    for character in text.chars() {
        match plain(character) {
            ascii if ascii.is_ascii() => folded.push(ascii.to_ascii_lowercase()),
            // These characters are whole religious formulas, and would become eleven times as long.
            formula @ ('\u{fdfa}' | '\u{fdfb}') => folded.push(formula),
            other => {
                COMPATIBILITY.normalize_iter(once(other)).for_each(|part| folded.push_part(plain(part)));
            }
        }
    }
    folded.0.truncate(folded.0.trim_end_matches(' ').len());
    folded.0
}

struct Folded(String);

impl Folded {
    /// Adds a part of a decomposed character, in upper or lower case.
    fn push_part(&mut self, part: char) {
        if is_accent(part) || is_invisible(part) {
            return;
        }
        for character in part.to_lowercase().map(of_one_script) {
            match letters(character) {
                "" => self.push(character),
                letters => self.0.push_str(letters),
            }
        }
    }

    /// Adds a folded character. No folded text begins with a space or has two spaces in a row.
    fn push(&mut self, character: char) {
        if character != ' ' && !character.is_whitespace() {
            self.0.push(character);
        } else if !self.0.is_empty() && !self.0.ends_with(' ') {
            self.0.push(' ');
        }
    }
}

/// The character on a keyboard that people type in place of a typographic one.
fn plain(character: char) -> char {
    match character {
        '-' | '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{58a}' | '\u{5be}' => ' ',
        '`' | '\u{b4}' | '\u{2b9}' | '\u{2bb}'..='\u{2bd}' | '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        '\u{ab}' | '\u{bb}' | '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
        '\u{2044}' | '\u{2215}' => '/',
        other => other,
    }
}

/// Whether a character that is not a letter only changes the one before it, and so is part of a word: it has a
/// combining class, or is one of the Thai signs that have none.
pub(crate) fn is_mark(character: char) -> bool {
    CLASSES.get_u8(character) != 0 || matches!(character, '\u{e47}' | '\u{e4c}'..='\u{e4e}')
}

/// Whether writers may leave a mark out: an accent, or a point in Hebrew or Arabic. In other scripts such marks
/// make other letters.
fn is_accent(character: char) -> bool {
    matches!(CLASSES.get_u8(character), 1 | 7 | 10..=36 | 200..=240)
}

/// Whether a character only arranges the text around it, as a soft hyphen does.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The digit, kana or Arabic letter that people type in place of another one: digits as on a keyboard, hiragana for
/// katakana, and the letters that Arabic and Persian write alike.
fn of_one_script(character: char) -> char {
    let shifted = |base: char, from: char| {
        let distance = u32::from(character) - u32::from(from);
        char::from_u32(u32::from(base) + distance).unwrap_or(character)
    };
    match character {
        '\u{30a1}'..='\u{30f6}' => shifted('\u{3041}', '\u{30a1}'),
        '\u{643}' | '\u{6a9}' => '\u{643}',
        '\u{649}' | '\u{6cc}' => '\u{64a}',
        '\u{629}' => '\u{647}',
        '\u{671}' => '\u{627}',
        _ => {
            let zero = ZEROS.iter().find(|&&zero| u32::from(character).wrapping_sub(zero.into()) < 10);
            zero.map_or(character, |&zero| shifted('0', zero))
        }
    }
}

/// The digit zero of the scripts that have digits of their own, which compatibility leaves as they are.
const ZEROS: [char; 19] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}',
    '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}', '\u{1810}',
    '\u{1946}',
];

/// The letters that replace a small letter which decomposing leaves as it is; empty for other letters. Both small
/// sigmas have one upper case, and some letters are typed as others where a keyboard lacks them.
fn letters(character: char) -> &'static str {
    match character {
        '\u{3c2}' => "\u{3c3}",
        '\u{df}' => "ss",
        '\u{131}' => "i",
        '\u{e6}' => "ae",
        '\u{f0}' | '\u{111}' => "d",
        '\u{f8}' => "o",
        '\u{fe}' => "th",
        '\u{127}' => "h",
        '\u{142}' => "l",
        '\u{153}' => "oe",
        '\u{167}' => "t",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts and their folded forms. The client's tests read `names` too.
    #[derive(serde::Deserialize)]
    struct Cases {
        names: Vec<(String, String)>,
        texts: Vec<(String, String)>,
    }

    #[test]
    fn texts_that_differ_in_spelling_alone_are_folded_to_one() {
        let Cases { names, texts } =
            serde_json::from_str(include_str!("../../tests/cases/folded-texts.json")).unwrap();
        assert!(names.len() >= 20 && texts.len() >= 15);
        for (text, folded) in names.into_iter().chain(texts) {
            assert_eq!(fold(&text), folded, "{text:?}");
            assert_eq!(fold(&text.to_lowercase()), folded, "{text:?}");
        }
    }

    #[test]
    fn each_character_is_folded_once_for_all_and_as_its_small_letter() {
        for character in '\0'..=char::MAX {
            let folded = fold(&character.to_string());
            for other in [character.to_lowercase().to_string(), folded.clone()] {
                assert_eq!(fold(&other), folded, "{character:?}");
            }
            // A text of the catalogue must not take much more memory folded.
            assert!(folded.len() <= 6 * character.len_utf8(), "{character:?}");
        }
    }

    /// What the service compares: the query is trimmed, its hyphens become spaces, and case is ignored.
    fn service_finds(query: &str, text: &str) -> bool {
        let query =
            query.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
        text.to_lowercase().contains(&query.to_lowercase().replace('-', " "))
    }

    proptest! {
        #[test]
        fn what_the_service_finds_is_found(
            before in "\\PC{0,4}",
            // These are letters, marks and signs that are folded in some way, and any others.
            part in "[a\\-  \u{301}\u{3099}\u{e48}\u{e38}\u{df}\u{1e9e}\u{130}\u{3a3}\u{3c2}\u{fb01}\u{2019}\u{2011}\u{feff}\u{ad}\u{1100}\u{1161}\u{ac00}\u{fdfa}\\PC]{0,8}",
            after in "\\PC{0,4}",
        ) {
            // Final sigma: lower case depends on the letters around it.
            let query = part.to_lowercase();
            for text in [format!("{before}{part}{after}"), format!("{before}{}{after}", query.replace('-', " "))] {
                for query in [&part, &query] {
                    if service_finds(query, &text) {
                        prop_assert!(fold(&text).contains(&fold(query)), "{:?} in {:?}", query, text);
                    }
                }
            }
        }

        #[test]
        fn a_folded_text_is_its_own_form(text in "\\PC{0,20}") {
            let folded = fold(&text);
            prop_assert_eq!(&fold(&folded), &folded);
            prop_assert!(!folded.contains(['\n', '\t']) && folded.trim_matches(' ') == folded);
        }
    }
}
