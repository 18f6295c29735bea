//! What a shop's searches know besides its products.

use std::collections::BTreeMap;

use super::fold;
use super::fragments::words_of;
use super::language::Language;

/// The most synonyms of a shop, and of one word.
const MOST: usize = 2_000;
const MOST_OF_ONE: usize = 20;
/// The most words of a synonym.
const WORDS: usize = 4;

/// The language of a shop's searches, and the owner's words. The default is English without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    language: Language,
    synonyms: Vec<Synonym>,
}

/// Words, and what is searched for besides them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Synonym {
    /// The folded words.
    pub(crate) words: Vec<String>,
    /// Their stems, or the words that have none.
    pub(crate) stems: Vec<String>,
    /// The folded words of each text that is also meant.
    pub(crate) others: Vec<Vec<String>>,
}

/// Why synonyms cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynonymError {
    #[error("at most {MOST} words may have synonyms, found {0}")]
    TooMany(usize),
    #[error("`{0}`: a word may have at most {MOST_OF_ONE} synonyms")]
    TooManyOfOne(String),
    #[error("`{0}` must have 1 to {WORDS} words")]
    Words(String),
    /// Two keys are written differently, but are the same when searched.
    #[error("`{0}` occurs twice")]
    Twice(String),
}

impl Rules {
    /// The rules of a shop in a language (BCP 47), with its synonyms: for a text, other texts that it also means.
    ///
    /// # Errors
    /// When there are too many synonyms, or one has no words or too many.
    pub fn new(language: &str, synonyms: &BTreeMap<String, Vec<String>>) -> Result<Self, SynonymError> {
        if synonyms.len() > MOST {
            return Err(SynonymError::TooMany(synonyms.len()));
        }
        let language = Language::of(language);
        let mut known: Vec<Synonym> = Vec::new();
        for (text, others) in synonyms {
            if others.len() > MOST_OF_ONE {
                return Err(SynonymError::TooManyOfOne(text.clone()));
            }
            let words = words(text)?;
            if known.iter().any(|synonym| synonym.words == words) {
                return Err(SynonymError::Twice(text.clone()));
            }
            let others = others.iter().map(|other| self::words(other)).collect::<Result<_, _>>()?;
            let stems =
                words.iter().map(|word| language.stem(word).unwrap_or_else(|| word.clone())).collect();
            known.push(Synonym { words, stems, others });
        }
        Ok(Self { language, synonyms: known })
    }

    pub(crate) fn language(&self) -> Language {
        self.language
    }

    pub(crate) fn synonyms(&self) -> &[Synonym] {
        &self.synonyms
    }

    /// Whether two folded words are forms of one.
    pub(crate) fn is_form(&self, one: &str, other: &str) -> bool {
        one == other || self.language.stem(one).is_some_and(|stem| self.language.has_stem(other, &stem))
    }
}

fn words(text: &str) -> Result<Vec<String>, SynonymError> {
    let words: Vec<String> = words_of(&fold(text)).map(str::to_owned).collect();
    if (1..=WORDS).contains(&words.len()) { Ok(words) } else { Err(SynonymError::Words(text.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(synonyms: &[(&str, &[&str])]) -> Result<Rules, SynonymError> {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        Rules::new("en", &synonyms.iter().map(|(text, others)| ((*text).to_owned(), owned(others))).collect())
    }

    #[test]
    fn synonyms_are_checked() {
        let known = rules(&[("Sneaker", &["trainer", "Gym-shoe"])]).unwrap();
        assert_eq!(known.synonyms()[0].words, ["sneaker"]);
        assert_eq!(known.synonyms()[0].others, [vec!["trainer"], vec!["gym", "shoe"]]);
        for (wrong, expected) in [
            (rules(&[("&", &["and"])]), SynonymError::Words("&".into())),
            (rules(&[("a", &["b c d e f"])]), SynonymError::Words("b c d e f".into())),
            (rules(&[("a", &["b"; 21])]), SynonymError::TooManyOfOne("a".into())),
            (rules(&[("A", &["b"]), ("a", &["c"])]), SynonymError::Twice("a".into())),
        ] {
            assert_eq!(wrong, Err(expected));
        }
    }
}
