//! The operator's own texts: `[words]` of the shop's file.

use serde::Deserialize;
use thiserror::Error;

use super::keys::Section;
use super::language::Language;
use super::own_table;
use super::written::{FILES, Table, Written, names, table_of};

/// Longest text, in characters.
const LONGEST: usize = 300;

/// Texts that an operator has written, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Words(Table);

/// Why a text of the operator cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordError {
    #[error("words: there is no text `{0}`")]
    Unknown(String),
    #[error("words: `{key}` has to be of one line, with 1 to {LONGEST} characters")]
    Length { key: String },
    #[error("words: `{key}` has {{{name}}}, which is none of its values: {known}")]
    Placeholder { key: String, name: String, known: String },
    #[error("words: `{key}` depends on a number: write {forms}")]
    Forms { key: String, forms: String },
    #[error("words: `{key}` has one form: write a text")]
    OneForm { key: String },
}

impl Words {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, key: &str) -> Option<&Written> {
        self.0.get(key)
    }

    /// The keys of the texts that neither the program nor the operator has in this language.
    pub(crate) fn missing_in(&self, tag: &str) -> Vec<&'static str> {
        let keys = Section::EVERY.into_iter().flat_map(Section::keys).map(|(_, key)| key);
        match own_table(tag) {
            Some(_) => Vec::new(),
            None => keys.filter(|key| self.get(key).is_none()).collect(),
        }
    }

    /// Checks that the texts can be used in a shop of this language.
    ///
    /// # Errors
    /// When there is no text with a key, and when a text has other values or forms than it can have.
    pub fn check(&self, tag: &str) -> Result<(), WordError> {
        let english = table_of(FILES[0].1);
        for (key, written) in &self.0 {
            let key = || key.clone();
            let original = english.get(&key()).ok_or_else(|| WordError::Unknown(key()))?;
            let texts: Vec<&String> = match (original, written) {
                (Written::Plain(_), Written::Plain(text)) => vec![text],
                (Written::Forms(_), Written::Forms(forms)) => {
                    let mut needed = Language::of(tag).forms();
                    if !needed.all(|form| forms.contains_key(form)) {
                        return Err(WordError::Forms { key: key(), forms: form_names(tag) });
                    }
                    forms.values().collect()
                }
                (Written::Forms(_), Written::Plain(_)) => {
                    return Err(WordError::Forms { key: key(), forms: form_names(tag) });
                }
                (Written::Plain(_), Written::Forms(_)) => return Err(WordError::OneForm { key: key() }),
            };
            let known = original.placeholders();
            for text in texts {
                if !(1..=LONGEST).contains(&text.chars().count()) || text.chars().any(char::is_control) {
                    return Err(WordError::Length { key: key() });
                }
                if let Some(name) = names(text).find(|name| !known.contains(name)) {
                    let known = if known.is_empty() { "it has none".into() } else { known.join(", ") };
                    return Err(WordError::Placeholder { key: key(), name: name.into(), known });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl<const COUNT: usize> From<[(String, Written); COUNT]> for Words {
    fn from(words: [(String, Written); COUNT]) -> Self {
        Self(words.into())
    }
}

/// The forms of a language as an operator writes them.
fn form_names(tag: &str) -> String {
    let forms: Vec<String> = Language::of(tag).forms().map(|form| format!("{form} = \"…\"")).collect();
    format!("{{ {} }}", forms.join(", "))
}

/// The lines of `[words]` for a language in which the program has no texts, each with the English text to translate; `None`
/// where it has them.
pub(crate) fn form_to_fill_in(tag: &str) -> Option<String> {
    if own_table(tag).is_some() {
        return None;
    }
    let english = table_of(FILES[0].1);
    let lines = english.iter().map(|(key, written)| match written {
        Written::Plain(text) => format!("# {key} = {}\n", quoted(text)),
        Written::Forms(forms) => {
            let other = forms.get("other").map_or("", String::as_str);
            let form = |name| format!("{name} = {}", quoted(forms.get(name).map_or(other, String::as_str)));
            let forms: Vec<String> = Language::of(tag).forms().map(form).collect();
            format!("# {key} = {{ {} }}\n", forms.join(", "))
        }
    });
    Some(lines.collect())
}

/// A text as a string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
