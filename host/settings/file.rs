//! The settings file: TOML, with the flags' names as keys.
//!
//! A person who can write the file decides what the shop does, so its values are trusted as much as those of flags.
//! Its shape is not: it may be nested deeply, and must do no harm.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::{Table, Value};

use super::text_file::{TextFileError, text_of};

/// Longest part of a key or value that a message repeats, in characters.
const LONGEST_SHOWN: usize = 80;

/// A setting's values as texts, as they would stand after its flag. Only settings that may be repeated
/// have several.
pub(super) type Values = Vec<String>;

/// What a settings file says.
#[derive(Debug)]
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) values: BTreeMap<String, Values>,
}

/// A setting as a file may name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub(super) name: &'a str,
    /// Whether it takes a list.
    pub(super) is_list: bool,
}

/// Why a file is refused. Every message fits in a line.
#[derive(Debug, Error)]
pub(super) enum FileError {
    #[error("{}: {error}", path.display())]
    NotRead { path: PathBuf, error: TextFileError },
    #[error("{}: line {line}: {problem}", path.display())]
    Syntax { path: PathBuf, line: usize, problem: String },
    #[error("{}: there is no setting `{}`{}", path.display(), shown(key), suggestion(nearest.as_deref()))]
    UnknownKey { path: PathBuf, key: String, nearest: Option<String> },
    #[error("{}: {key}: expected {expected}, found {found}", path.display())]
    Kind { path: PathBuf, key: String, expected: &'static str, found: &'static str },
    /// The value is missing if it is a secret.
    #[error("{}: {key}{}: {problem}", path.display(), value.as_deref().map(|value| format!(" = {:?}", shown(value))).unwrap_or_default())]
    Value { path: PathBuf, key: String, value: Option<String>, problem: String },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
}

/// The beginning of a text, in one line.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// The one of `names` that is most similar to `text`, if one is similar enough.
pub(super) fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // The time that a comparison takes grows with the product of both lengths.
    let text: String = text.chars().take(LONGEST_SHOWN).map(|c| if c == '_' { '-' } else { c }).collect();
    let similar = names.map(|name| (strsim::jaro_winkler(&text.to_ascii_lowercase(), name), name));
    let best = similar.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(similarity, _)| *similarity > 0.75).map(|(_, name)| name)
}

impl SettingsFile {
    /// Reads the file at `path`, whose keys are to be among `keys`.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, has another key, or a value that is not of the kind that its
    /// setting takes. Whether a value makes sense is for the setting's own parser to say.
    pub(super) fn read(path: &Path, keys: &[Key]) -> Result<Self, FileError> {
        let text = text_of(path).map_err(|error| FileError::NotRead { path: path.into(), error })?;
        Self::parse(path, &text, keys)
    }

    /// Reads only these keys of the file at `path`, whatever else it says.
    ///
    /// # Errors
    /// When the file cannot be read, is no TOML, or a key's value is of another kind.
    pub(super) fn read_only(path: &Path, keys: &[Key]) -> Result<Self, FileError> {
        let text = text_of(path).map_err(|error| FileError::NotRead { path: path.into(), error })?;
        let mut table = Self::table(path, &text)?;
        table.retain(|name, _| keys.iter().any(|key| key.name == name));
        Self::of_table(path, table, keys)
    }

    pub(super) fn parse(path: &Path, text: &str, keys: &[Key]) -> Result<Self, FileError> {
        Self::of_table(path, Self::table(path, text)?, keys)
    }

    fn table(path: &Path, text: &str) -> Result<Table, FileError> {
        toml::from_str(text).map_err(|error| {
            // The error's own form has several lines, and repeats the wrong one even if it has a secret.
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            let problem = error.message().lines().collect::<Vec<_>>().join(", ");
            FileError::Syntax { path: path.into(), line, problem: shown(&problem) }
        })
    }

    fn of_table(path: &Path, table: Table, keys: &[Key]) -> Result<Self, FileError> {
        let mut values = BTreeMap::new();
        for (name, value) in table {
            let Some(key) = keys.iter().find(|key| key.name == name) else {
                let nearest = nearest(&name, keys.iter().map(|key| key.name)).map(str::to_owned);
                return Err(FileError::UnknownKey { path: path.into(), key: name, nearest });
            };
            let texts = texts_of(value, key.is_list).map_err(|(expected, found)| FileError::Kind {
                path: path.into(),
                key: name.clone(),
                expected,
                found,
            })?;
            values.insert(name, texts);
        }
        Ok(Self { path: path.into(), values })
    }
}

/// A value as texts; else what is expected and what was found.
fn texts_of(value: Value, is_list: bool) -> Result<Values, (&'static str, &'static str)> {
    const ONE: &str = "a text, a number, `true` or `false`";
    match value {
        Value::Array(items) if is_list => items
            .into_iter()
            .map(|item| text_of_one(item).map_err(|found| ("a list of texts", found)))
            .collect(),
        value => text_of_one(value).map(|text| vec![text]).map_err(|found| (ONE, found)),
    }
}

fn text_of_one(value: Value) -> Result<String, &'static str> {
    match value {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(is_on) => Ok(is_on.to_string()),
        Value::Float(_) => Err("a number with a fraction"),
        Value::Datetime(_) => Err("a date or time"),
        Value::Array(_) => Err("a list"),
        Value::Table(_) => Err("a table"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEYS: [Key; 4] = [
        Key { name: "fresh", is_list: false },
        Key { name: "image-host", is_list: true },
        Key { name: "public-url", is_list: false },
        Key { name: "supervise", is_list: false },
    ];

    fn parse(text: &str) -> Result<BTreeMap<String, Values>, String> {
        let file = SettingsFile::parse(Path::new("/etc/shop.toml"), text, &KEYS);
        file.map(|file| file.values).map_err(|error| error.to_string())
    }

    fn refusal(text: &str) -> String {
        parse(text).unwrap_err()
    }

    #[test]
    fn texts_numbers_switches_and_lists_become_texts() {
        let values = parse("fresh = 2\nsupervise = true\nimage-host = ['a', 'b']\npublic-url = 'c'").unwrap();
        assert_eq!(values["fresh"], ["2"]);
        assert_eq!(values["supervise"], ["true"]);
        assert_eq!(values["image-host"], ["a", "b"]);
        assert_eq!(values["public-url"], ["c"]);
        assert_eq!(parse("image-host = 'a'").unwrap()["image-host"], ["a"]);
        assert!(parse("# nothing\n").unwrap().is_empty());
    }

    #[test]
    fn an_unknown_key_is_refused_with_the_nearest_one() {
        assert_eq!(refusal("frsh = 1"), "/etc/shop.toml: there is no setting `frsh`; did you mean `fresh`?");
        assert!(refusal("image_host = []").ends_with("did you mean `image-host`?"));
        assert!(refusal("image-hosts = []").ends_with("did you mean `image-host`?"));
        assert_eq!(refusal("colour = 1"), "/etc/shop.toml: there is no setting `colour`");
        assert!(refusal("[serve]\nfresh = 1").contains("there is no setting `serve`"));
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        for (text, found) in [
            ("fresh = 1.5", "a number with a fraction"),
            ("fresh = [1]", "a list"),
            ("fresh = { a = 1 }", "a table"),
            ("fresh = 2020-01-01", "a date or time"),
            ("image-host = [['a']]", "a list"),
        ] {
            let message = refusal(text);
            assert!(message.starts_with("/etc/shop.toml: ") && message.ends_with(found), "{message}");
        }
    }

    #[test]
    fn what_is_no_toml_is_refused_with_its_line_and_without_repeating_it() {
        let message = refusal("fresh = 1\n\npublic-url = 's3cret\n");
        assert!(message.starts_with("/etc/shop.toml: line 3: "), "{message}");
        assert!(!message.contains("s3cret") && !message.contains('\n'), "{message}");
        assert!(refusal("fresh = 1\nfresh = 2").starts_with("/etc/shop.toml: line 2: "));
    }

    #[test]
    fn a_hostile_text_is_refused_in_one_short_line() {
        for text in [
            format!("fresh = {}", "[".repeat(200_000)),
            format!("fresh = {}1", "{a=".repeat(60_000)),
            format!("{} = 1", "a.".repeat(100_000) + "b"),
            format!("{} = 1", "k".repeat(200_000)),
            "a = 1\n".repeat(40_000),
            format!("\"{}\" = 1", "\\n".repeat(1_000)),
        ] {
            let message = refusal(&text);
            assert!(message.len() < 600 && !message.contains('\n'), "{message}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_in_one_line(text in "[a-z=\\[\\]{}'\"\\n.#0-9 é-]{0,60}") {
            if let Err(message) = parse(&text) {
                prop_assert!(!message.contains('\n'), "{message}");
            }
        }
    }
}
