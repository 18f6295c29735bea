//! The filters of a listing: data by parameter. `host/facets/table.rs` says which parameters there are, and of which
//! kind. The TypeScript types follow that table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
#[cfg(test)]
use ts_rs::TS;

/// The state of the filter sidebar, as read from the URL. Empty means "no filter".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Filters {
    /// The filters that are set, by parameter.
    #[serde(flatten)]
    values: BTreeMap<&'static str, FilterValue>,
    /// The parameter `sort`. `None` keeps the listing's own order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Sort>,
    /// `facets=all`: show also those choices of long filter groups that have fewer products.
    #[serde(rename = "facets", skip_serializing_if = "is_false", serialize_with = "all")]
    pub all_facets: bool,
}

/// What a filter is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FilterValue {
    Text(String),
    Number(u32),
    /// Sorted and without repetitions.
    Names(Vec<String>),
    /// A flag that is set.
    Set,
}

/// `Set` becomes `true`, and every other variant its content.
impl Serialize for FilterValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_u32(*number),
            Self::Names(names) => serializer.collect_seq(names),
            Self::Set => serializer.serialize_bool(true),
        }
    }
}

impl FilterValue {
    /// Whether it filters nothing: an empty text, or no names.
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Names(names) => names.is_empty(),
            Self::Number(_) | Self::Set => false,
        }
    }

    /// Approximate size of its texts in memory, in bytes.
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Names(names) => names.iter().map(|name| size_of::<String>() + name.len()).sum(),
            Self::Number(_) | Self::Set => 0,
        }
    }
}

impl Filters {
    /// What a filter is set to.
    pub fn get(&self, parameter: &str) -> Option<&FilterValue> {
        self.values.get(parameter)
    }

    /// The text of a filter; empty if it is not set.
    pub fn text(&self, parameter: &str) -> &str {
        let Some(FilterValue::Text(text)) = self.get(parameter) else { return "" };
        text
    }

    /// The number of a filter, if it is set.
    pub fn number(&self, parameter: &str) -> Option<u32> {
        let Some(FilterValue::Number(number)) = self.get(parameter) else { return None };
        Some(*number)
    }

    /// The chosen names of a filter.
    pub fn names(&self, parameter: &str) -> &[String] {
        let Some(FilterValue::Names(names)) = self.get(parameter) else { return &[] };
        names
    }

    /// Whether a filter is set.
    pub fn is_set(&self, parameter: &str) -> bool {
        self.values.contains_key(parameter)
    }

    /// Sets a filter, or removes it if the value filters nothing.
    pub fn set(&mut self, parameter: &'static str, mut value: FilterValue) {
        if let FilterValue::Names(names) = &mut value {
            names.sort();
            names.dedup();
        }
        if value.is_empty() {
            self.values.remove(parameter);
        } else {
            self.values.insert(parameter, value);
        }
    }

    pub fn remove(&mut self, parameter: &str) {
        self.values.remove(parameter);
    }

    /// Keeps the names of a filter that `keep` accepts.
    pub fn retain(&mut self, parameter: &str, keep: impl Fn(&str) -> bool) {
        if let Some(FilterValue::Names(names)) = self.values.get_mut(parameter) {
            names.retain(|name| keep(name));
        }
        self.values.retain(|_, value| !value.is_empty());
    }

    /// These filters with another one.
    #[must_use]
    pub fn with(mut self, parameter: &'static str, value: FilterValue) -> Self {
        self.set(parameter, value);
        self
    }

    /// Approximate size in memory, in bytes, of what `Self` points to.
    pub fn size(&self) -> usize {
        let entry = size_of::<&str>() + size_of::<FilterValue>();
        self.values.values().map(|value| entry + value.size()).sum()
    }
}

/// The listing's sort choices; their names are the values of the `sort` parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    PriceAsc,
    PriceDesc,
    RatingDesc,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn all<S: Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("all")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}
