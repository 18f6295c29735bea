//! Texts as a file has them.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text, or its plural forms by their names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    Plain(String),
    Forms(BTreeMap<String, String>),
}

/// The texts of a file by their keys.
pub(super) type Table = BTreeMap<String, Written>;

/// The files of texts, each with the tag of its language; English is the first.
pub(super) const FILES: [(&str, &str); 8] = [
    ("en", include_str!("../../client/texts/en.json")),
    ("ar", include_str!("../../client/texts/ar.json")),
    ("de", include_str!("../../client/texts/de.json")),
    ("es", include_str!("../../client/texts/es.json")),
    ("fr", include_str!("../../client/texts/fr.json")),
    ("it", include_str!("../../client/texts/it.json")),
    ("ja", include_str!("../../client/texts/ja.json")),
    ("nl", include_str!("../../client/texts/nl.json")),
];

/// The texts of one of [`FILES`].
pub(super) fn table_of(file: &str) -> Table {
    let sections: BTreeMap<String, Table> = serde_json::from_str(file).unwrap_or_default();
    sections.into_values().flatten().collect()
}

impl Written {
    /// The names of the placeholders in the order of their numbers: that of a count is the first.
    pub(super) fn placeholders(&self) -> Vec<&str> {
        let (texts, mut found): (Vec<&String>, _) = match self {
            Self::Plain(text) => (vec![text], Vec::new()),
            Self::Forms(forms) => {
                (forms.get("other").into_iter().chain(forms.values()).collect(), vec!["count"])
            }
        };
        for name in texts.into_iter().flat_map(|text| names(text)) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }
}

/// The names in braces in a text.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}
