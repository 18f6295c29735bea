//! What searches know of a language: the forms of its words, and its small words.

use snowball_stemmers_rs::{Algorithm, Stemmer};

/// The language of a shop, as far as searches know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    stems: Option<Algorithm>,
    /// The folded words that no search requires.
    small: &'static [&'static str],
}

/// The small words of languages, folded: articles, prepositions and conjunctions.
const ENGLISH: &[&str] = &[
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "it", "my", "of", "on", "or", "the",
    "this", "that", "to", "with", "your",
];
const GERMAN: &[&str] = &[
    "am", "an", "auf", "aus", "bei", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem",
    "einen", "einer", "fur", "im", "in", "ins", "mit", "oder", "und", "vom", "von", "zu", "zum", "zur",
];
const FRENCH: &[&str] = &[
    "a", "au", "aux", "avec", "d", "dans", "de", "des", "du", "en", "et", "l", "la", "le", "les", "ou",
    "par", "pour", "sur", "un", "une",
];
const SPANISH: &[&str] = &[
    "a", "al", "con", "de", "del", "el", "en", "la", "las", "los", "o", "para", "por", "sin", "un", "una",
    "y",
];
const ITALIAN: &[&str] = &[
    "a", "al", "alla", "con", "da", "dei", "del", "della", "delle", "di", "e", "gli", "i", "il", "in", "la",
    "le", "lo", "o", "per", "su", "un", "una",
];
const PORTUGUESE: &[&str] = &[
    "a", "ao", "as", "com", "da", "das", "de", "do", "dos", "e", "em", "na", "no", "o", "os", "ou", "para",
    "por", "um", "uma",
];
const DUTCH: &[&str] = &["de", "een", "en", "het", "in", "met", "of", "op", "te", "van", "voor"];

/// Particles, and the endings and polite beginnings of one letter beside an ideograph.
const JAPANESE: &[&str] = &[
    "は",
    "か\u{3099}",
    "を",
    "に",
    "の",
    "と",
    "や",
    "も",
    "へ",
    "て\u{3099}",
    "から",
    "まて\u{3099}",
    "い",
    "な",
    "き",
    "し",
    "り",
    "お",
    "こ\u{3099}",
];

/// English words whose plurals have other letters, each before its plural.
const IRREGULAR: [(&str, &str); 10] = [
    ("child", "children"),
    ("foot", "feet"),
    ("goose", "geese"),
    ("knife", "knives"),
    ("leaf", "leaves"),
    ("man", "men"),
    ("mouse", "mice"),
    ("shelf", "shelves"),
    ("tooth", "teeth"),
    ("woman", "women"),
];

impl Language {
    /// What is known of the language with this tag (BCP 47). In any other language, words have one form.
    pub(crate) fn of(tag: &str) -> Self {
        use Algorithm::{
            Arabic, Danish, Dutch, English, Finnish, French, German, Greek, Hungarian, Italian, Norwegian,
            Persian, Polish, Portuguese, Romanian, Russian, Spanish, Swedish, Turkish,
        };
        let (stems, small): (_, &[&str]) = match tag.split('-').next().unwrap_or_default() {
            "en" => (Some(English), ENGLISH),
            "de" => (Some(German), GERMAN),
            "fr" => (Some(French), FRENCH),
            "es" => (Some(Spanish), SPANISH),
            "it" => (Some(Italian), ITALIAN),
            "pt" => (Some(Portuguese), PORTUGUESE),
            "nl" => (Some(Dutch), DUTCH),
            "ar" => (Some(Arabic), &["\u{641}\u{64a}", "\u{645}\u{646}", "\u{648}", "\u{627}\u{648}"]),
            "fa" => (Some(Persian), &["\u{648}", "\u{62f}\u{631}", "\u{628}\u{627}", "\u{627}\u{632}"]),
            "da" => (Some(Danish), &["af", "en", "et", "fra", "i", "med", "og", "til"]),
            "nb" | "nn" | "no" => (Some(Norwegian), &["av", "en", "et", "fra", "i", "med", "og", "til"]),
            "sv" => (Some(Swedish), &["av", "en", "ett", "fran", "i", "med", "och", "till"]),
            "fi" => (Some(Finnish), &["ja", "tai"]),
            "el" => (Some(Greek), &[]),
            "hu" => (Some(Hungarian), &["a", "az", "es"]),
            "pl" => (Some(Polish), &["dla", "do", "i", "na", "w", "z"]),
            "ro" => (Some(Romanian), &["cu", "de", "in", "pentru", "si"]),
            "ru" => {
                (Some(Russian), &["\u{432}", "\u{434}\u{43b}\u{44f}", "\u{438}", "\u{43d}\u{430}", "\u{441}"])
            }
            "ja" => (None, JAPANESE),
            "tr" => (Some(Turkish), &["icin", "ile", "ve"]),
            _ => (None, &[]),
        };
        Self { stems, small }
    }

    /// Whether a folded word is one that no search requires.
    pub(crate) fn is_small(&self, word: &str) -> bool {
        self.small.contains(&word)
    }

    /// What all forms of a folded word have in common; `None` if the word has no other forms.
    pub(crate) fn stem(&self, word: &str) -> Option<String> {
        let stems = self.stems?;
        // Shorter words and those with digits are names of models.
        let is_word = word.chars().nth(2).is_some() && !word.bytes().any(|byte| byte.is_ascii_digit());
        if !is_word {
            return None;
        }
        let stemmed = |word: &str| Stemmer::create(stems).stem(word).into_owned();
        // The stem of an irregular plural's own forms, as of womens, is that plural.
        let singular = |word: &str| self.singular(word).map(stemmed);
        let stem = singular(word).unwrap_or_else(|| stemmed(word));
        let stem = singular(&stem).unwrap_or(stem);
        (!stem.is_empty()).then_some(stem)
    }

    /// The singular of an irregular plural.
    fn singular(&self, word: &str) -> Option<&'static str> {
        let is_english = self.stems == Some(Algorithm::English);
        let known = IRREGULAR.iter().find(|(_, plural)| is_english && word == *plural);
        known.map(|(singular, _)| *singular)
    }

    /// The words with which a word with this stem may begin, apart from irregular ones.
    pub(crate) fn beginning(stem: &str) -> &str {
        // The last letter of a stem may be another one in the word: berri of berry.
        match stem.char_indices().next_back() {
            Some((last, _)) if stem.chars().nth(2).is_some() => &stem[..last],
            _ => stem,
        }
    }

    /// The plurals whose stem is that of a folded word, though they may begin otherwise.
    pub(crate) fn irregular(&self, stem: &str) -> impl Iterator<Item = &'static str> {
        let is_english = self.stems == Some(Algorithm::English);
        IRREGULAR.iter().filter_map(move |&(singular, plural)| {
            let is_like = is_english && singular.starts_with(stem);
            (is_like && self.stem(singular).as_deref() == Some(stem)).then_some(plural)
        })
    }

    /// Whether a folded word has this stem.
    pub(crate) fn has_stem(&self, word: &str, stem: &str) -> bool {
        // Most words begin otherwise, which is seen without stemming them.
        let begins = word.starts_with(Self::beginning(stem))
            || self.irregular(stem).any(|other| word.starts_with(other));
        begins && self.stem(word).as_deref() == Some(stem)
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::of("en")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::search::fold;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (tag, one, other) in [
            ("en", "lipsticks", "lipstick"),
            ("en", "berries", "berry"),
            ("en", "watches", "watch"),
            ("en", "running", "run"),
            ("en-GB", "women", "woman"),
            ("en", "womens", "woman"),
            ("en", "knives", "knife"),
            ("de", "lampen", "lampe"),
            ("fr", "chaussures", "chaussure"),
            ("es", "zapatos", "zapato"),
            ("ru", "\u{43b}\u{430}\u{43c}\u{43f}\u{44b}", "\u{43b}\u{430}\u{43c}\u{43f}\u{430}"),
        ] {
            let language = Language::of(tag);
            assert_eq!(language.stem(one), language.stem(other), "{one}");
            assert!(language.stem(one).is_some());
        }
        assert_eq!(Language::of("ja").stem("\u{304f}\u{3064}"), None);
        assert_eq!(Language::of("en").stem("s10"), None);
    }

    #[test]
    fn small_words_are_folded() {
        for tag in [
            "en", "de", "fr", "es", "it", "pt", "nl", "ar", "fa", "da", "no", "sv", "hu", "pl", "ro", "ru",
            "tr",
        ] {
            for small in Language::of(tag).small {
                assert_eq!(fold(small), *small, "{tag}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd_for_a_stemmer(text in "\\PC{0,12}|[a-z]{0,12}|[\u{621}-\u{6cc}]{0,9}|[\u{3b1}-\u{3c9}]{0,9}|[\u{430}-\u{45f}]{0,9}") {
            for tag in ["en", "de", "fr", "es", "it", "pt", "nl", "ar", "fa", "da", "no", "sv", "fi", "el", "hu", "pl", "ro", "ru", "tr"] {
                let _ = Language::of(tag).stem(&fold(&text));
            }
        }
    }
}
