//! The texts of the interface: what the program itself says to visitors, in the shop's language.
//!
//! The English texts are in `client/texts/en.json`, and each other language has a file beside it. `build.rs` makes a type of
//! the keys, so that a text that does not exist cannot be asked for. An operator replaces single texts, or writes those of
//! another language (`[words]` in the shop's file). `docs/decisions/0054-languages.md` says how the texts reach the
//! browser.

mod keys;
mod language;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;
mod words;
mod written;

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use serde::Serialize;
use serde_json::json;

pub use self::keys::Key;
use self::keys::Section;
use self::language::{Language, beginnings, form_of};
pub(crate) use self::words::form_to_fill_in;
pub use self::words::{WordError, Words};
use self::written::{FILES, Table, Written, table_of};

/// The interface's texts in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The tag of the language of most texts.
    language: String,
    is_rtl: bool,
    rule: &'static str,
    /// By the numbers of the keys. In each `{0}` and so on stand for values. One that depends on a count has a line for each
    /// of its language's forms, and the count is `{0}`.
    texts: Vec<String>,
    /// Whether they are what the client's bundle has already.
    is_built_in: bool,
    /// Whether they are in another language than the shop.
    is_foreign: bool,
}

impl Default for Texts {
    fn default() -> Self {
        Self::new("en", &Words::default())
    }
}

impl Texts {
    /// The texts of a shop in this language. What neither the operator's words nor the program has in it is English.
    pub fn new(tag: &str, words: &Words) -> Self {
        let rules = Language::of(tag);
        let english = table_of(FILES[0].1);
        let own = own_table(tag);
        let is_own = own.is_some() || !words.is_empty();
        let own = own.map(|(_, table)| table).unwrap_or_default();
        let texts = Section::EVERY.into_iter().flat_map(Section::keys).map(|(_, key)| {
            let numbers = english.get(key).map(Written::placeholders).unwrap_or_default();
            let written = words.get(key).or(own.get(key)).or(english.get(key));
            written.map(|written| text_of(written, &rules, &numbers)).unwrap_or_default()
        });
        let language = if is_own { tag } else { FILES[0].0 };
        Self {
            texts: texts.collect(),
            language: language.into(),
            is_rtl: rules.is_rtl && is_own,
            rule: rules.rule,
            is_built_in: words.is_empty() && own.is_empty() && is_own,
            is_foreign: !is_own,
        }
    }

    /// The tag of the texts' language, which is English where the program has no texts in the shop's.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The texts' language, if it is not the shop's.
    pub fn other_language(&self) -> Option<&str> {
        self.is_foreign.then_some(self.language())
    }

    /// The writing direction, if it is not from left to right: the value of `dir`.
    pub fn direction(&self) -> Option<&'static str> {
        self.is_rtl.then_some("rtl")
    }

    /// A text without values.
    pub fn text(&self, key: Key) -> &str {
        self.texts.get(key as usize).map_or("", String::as_str)
    }

    /// A text with values, in the order of the placeholders in the English text.
    pub fn with(&self, key: Key, values: &[&dyn Display]) -> String {
        filled(self.text(key), values)
    }

    /// A text in the form for a count, which comes before the further values.
    pub fn count(&self, key: Key, count: usize, further: &[&dyn Display]) -> String {
        let forms = self.text(key);
        // A text with one form has it for every count.
        let text = forms.split('\n').nth(form_of(self.rule, count as u64)).unwrap_or(forms);
        let values: Vec<&dyn Display> =
            [&count as &dyn Display].into_iter().chain(further.iter().copied()).collect();
        filled(text, &values)
    }

    /// The texts of pages as the isolates take them, with their language if that is not the shop's; `None` where these are
    /// the ones that are built in.
    pub(crate) fn of_pages(&self) -> Option<impl Serialize + use<'_>> {
        let pages: Vec<&String> =
            Section::Pages.keys().filter_map(|(number, _)| self.texts.get(number)).collect();
        (!self.is_built_in).then_some((self.rule, pages, self.other_language()))
    }

    /// The script with the texts that replace the client's English ones; `None` where these stay.
    pub(crate) fn script(&self) -> Option<String> {
        let pages = json!(self.of_pages()?);
        let suggestions: BTreeMap<&str, &String> = Section::Suggestions
            .keys()
            .filter_map(|(number, key)| Some((key, self.texts.get(number)?)))
            .collect();
        let suggestions = json!((self.rule, suggestions));
        Some(format!("export default {pages};export const suggestions={suggestions};"))
    }
}

/// The program's own texts in this language, or in the longest beginning of its tag that has some, and its tag. English
/// ones are not its own.
fn own_table(tag: &str) -> Option<(&'static str, Table)> {
    let file = |tag: &str| FILES.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(tag));
    let (own, file) = beginnings(tag).find_map(file)?;
    Some((own, if own == FILES[0].0 { Table::new() } else { table_of(file) }))
}

/// The text with numbers for its placeholders, in all forms of its language. A text of another language may lack some of
/// them.
fn text_of(written: &Written, rules: &Language, placeholders: &[&str]) -> String {
    match written {
        Written::Plain(text) => numbered(text, placeholders),
        Written::Forms(forms) => {
            let other = || forms.get("other").or_else(|| forms.values().last()).map_or("", String::as_str);
            let form = |name| forms.get(name).map_or_else(other, String::as_str);
            let lines: Vec<String> = rules.forms().map(|name| numbered(form(name), placeholders)).collect();
            match lines.iter().all(|line| *line == lines[0]) {
                true => lines.into_iter().next().unwrap_or_default(),
                false => lines.join("\n"),
            }
        }
    }
}

/// The text with the numbers of the placeholders instead of their names.
fn numbered(text: &str, placeholders: &[&str]) -> String {
    let pairs = placeholders.iter().enumerate();
    pairs.fold(text.to_owned(), |text, (number, name)| {
        text.replace(&format!("{{{name}}}"), &format!("{{{number}}}"))
    })
}

/// The text with values for its placeholders.
fn filled(text: &str, values: &[&dyn Display]) -> String {
    let mut full = String::with_capacity(text.len() + 16 * values.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        full.push_str(before);
        let placeholder = after
            .split_once('}')
            .and_then(|(name, end)| Some((values.get(name.parse::<usize>().ok()?)?, end)));
        let Some((value, end)) = placeholder else {
            full.push('{');
            rest = after;
            continue;
        };
        // A `String` takes everything.
        let _ = write!(full, "{value}");
        rest = end;
    }
    full.push_str(rest);
    full
}
