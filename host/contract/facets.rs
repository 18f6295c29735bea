//! The filters of a listing and what they are counted with. Both are data by parameter: `host/facets/table.rs` says
//! which parameters there are, and of which kind. The TypeScript types follow that table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, Serializer};
#[cfg(test)]
use ts_rs::TS;

/// The state of the filter sidebar, as read from the URL. Empty means "no filter".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Filters {
    /// By parameter; only those that are set.
    #[serde(flatten)]
    values: BTreeMap<&'static str, FilterValue>,
    /// `None` keeps the listing's own order. `sort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sort: Option<Sort>,
    /// Show also those choices of long filter groups that have fewer products. `facets=all`.
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

/// `Set` is `true`, the others are what they have.
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
        match self.get(parameter) {
            Some(FilterValue::Text(text)) => text,
            _ => "",
        }
    }

    /// The number of a filter, if it is set.
    pub fn number(&self, parameter: &str) -> Option<u32> {
        match self.get(parameter) {
            Some(FilterValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The chosen names of a filter.
    pub fn names(&self, parameter: &str) -> &[String] {
        match self.get(parameter) {
            Some(FilterValue::Names(names)) => names,
            _ => &[],
        }
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

    /// Adds a chosen name to a filter. [`Self::settle`] has to follow.
    pub fn push(&mut self, parameter: &'static str, name: String) {
        match self.values.entry(parameter).or_insert_with(|| FilterValue::Names(Vec::new())) {
            FilterValue::Names(names) => names.push(name),
            other => *other = FilterValue::Names(vec![name]),
        }
    }

    /// Sorts the names of each filter, leaves out repetitions, and keeps at most `most`.
    pub fn settle(&mut self, most: usize) {
        for value in self.values.values_mut() {
            if let FilterValue::Names(names) = value {
                names.sort();
                names.dedup();
                names.truncate(most);
            }
        }
    }

    /// Keeps the names of a filter that `keep` accepts.
    pub fn retain(&mut self, parameter: &str, keep: impl Fn(&str) -> bool) {
        if let Some(FilterValue::Names(names)) = self.values.get_mut(parameter) {
            names.retain(|name| keep(name));
        }
        self.values.retain(|_, value| !value.is_empty());
    }

    /// These filters and another one.
    #[must_use]
    pub fn with(mut self, parameter: &'static str, value: FilterValue) -> Self {
        self.set(parameter, value);
        self
    }

    /// The filters that are set.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &FilterValue)> {
        self.values.iter().map(|(parameter, value)| (*parameter, value))
    }

    /// Approximate size in memory, in bytes, beside its own.
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

/// The filter groups with exact counts, by parameter. Each group is counted with every filter except its own. A text
/// and a tag have none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Facets(BTreeMap<&'static str, FacetGroup>);

/// What a filter group shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FacetGroup {
    Prices(PriceFacets),
    Ratings(RatingFacets),
    Choices(ChoiceFacets),
    /// How many products a flag would leave.
    Flag(u32),
}

impl Facets {
    pub fn set(&mut self, parameter: &'static str, group: FacetGroup) {
        self.0.insert(parameter, group);
    }

    pub fn remove(&mut self, parameter: &str) {
        self.0.remove(parameter);
    }

    /// The groups of names to choose from.
    pub fn all_choices(&mut self) -> impl Iterator<Item = &mut ChoiceFacets> {
        self.0.values_mut().filter_map(|group| match group {
            FacetGroup::Choices(choices) => Some(choices),
            _ => None,
        })
    }

    /// The choices of a group.
    pub fn choices(&self, parameter: &str) -> &[Choice] {
        self.choice_facets(parameter).map_or(&[], |group| &group.choices)
    }

    /// How many more choices a group has.
    pub fn hidden(&self, parameter: &str) -> u32 {
        self.choice_facets(parameter).map_or(0, |group| group.hidden)
    }

    fn choice_facets(&self, parameter: &str) -> Option<&ChoiceFacets> {
        match self.0.get(parameter) {
            Some(FacetGroup::Choices(choices)) => Some(choices),
            _ => None,
        }
    }

    /// How many products a flag would leave; 0 if there is no such flag.
    pub fn flag(&self, parameter: &str) -> u32 {
        match self.0.get(parameter) {
            Some(FacetGroup::Flag(count)) => *count,
            _ => 0,
        }
    }

    #[cfg(test)]
    pub(crate) fn prices(&self, parameter: &str) -> Option<&PriceFacets> {
        match self.0.get(parameter) {
            Some(FacetGroup::Prices(prices)) => Some(prices),
            _ => None,
        }
    }

    #[cfg(test)]
    pub(crate) fn ratings(&self, parameter: &str) -> Option<&RatingFacets> {
        match self.0.get(parameter) {
            Some(FacetGroup::Ratings(ratings)) => Some(ratings),
            _ => None,
        }
    }
}

/// The prices of a listing, for a highest price.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct PriceFacets {
    /// The price slider's maximum: the listing's highest price rounded up, in whole currency units.
    pub ceiling: u32,
    /// Where the price slider stops: at most 33 whole prices in ascending order, from 0 to the maximum, with
    /// about equally many products between two of them.
    pub stops: Vec<WholePrice>,
    /// The chosen highest price; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub chosen: Option<WholePrice>,
}

/// A price without a fraction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct WholePrice {
    /// In whole currency units.
    pub value: u32,
    /// Formatted, such as `$1,300`.
    pub text: String,
}

/// The choices of a lowest rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct RatingFacets {
    /// For 5, 4, 3, 2 and 1 stars "and up", in that order.
    pub steps: Vec<RatingFacet>,
    /// Products of whatever rating: a rating with as many filters nothing.
    pub any: u32,
}

/// "n stars and up".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct RatingFacet {
    pub stars: u8,
    pub count: u32,
    pub selected: bool,
}

/// A group of names to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceFacets {
    /// Those that occur in the listing, by name; of many those with most products.
    pub choices: Vec<Choice>,
    /// How many more occur.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<u32>"))]
    pub hidden: u32,
}

/// One choice of a filter group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// The value that goes into the URL.
    pub value: String,
    pub name: String,
    pub count: u32,
    pub selected: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn all<S: Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("all")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// What stands in the generated file for [`Filters`] and [`Facets`], which follow the table.
#[cfg(test)]
pub(super) const TYPESCRIPT: &str = r#"
/** A row of the table of facets. */
export type FacetRow = (typeof FACETS)[number];
/** The parameters of the facets of a kind. */
export type Parameter<Kind extends FacetRow["kind"] = FacetRow["kind"]> = Extract<FacetRow, { kind: Kind }>["parameter"];
/** What a filter of each kind is set to. */
type Value = { text: string, highest: number, lowest: number, choice: Array<string>, tag: string, flag: true, };
/** What the group of each kind shows; of a flag, how many products it would leave. */
type Group = { text: never, highest: PriceFacets, lowest: RatingFacets, choice: ChoiceFacets, tag: never, flag: number, };
/**
 * The state of the filter sidebar, by the parameters of the address. What is absent is not set.
 */
export type Filters = { [R in FacetRow as R["parameter"]]?: Value[R["kind"]] | undefined } & { 
/**
 * Absent for the listing's own order.
 */
sort?: Sort | undefined, 
/**
 * Show also those choices of long filter groups that have fewer products.
 */
facets?: "all" | undefined, };
/**
 * The filter groups with exact counts. Each group is counted with every filter except its own.
 */
export type Facets = { [R in FacetRow as R["parameter"]]?: Group[R["kind"]] };
"#;
