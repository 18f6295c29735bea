//! The counts of a listing's filters, by parameter. `host/facets/table.rs` says which parameters there are, and of
//! which kind. The TypeScript types follow that table.

use std::collections::BTreeMap;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The filter groups with exact counts, by parameter. Each group is counted with every filter except its own. Texts
/// and tags have no group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Facets(BTreeMap<&'static str, FacetGroup>);

/// What a filter group shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FacetGroup {
    /// The chosen lowest price.
    From(WholePrice),
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

    /// The group of a filter by names to choose from.
    pub fn choices_mut(&mut self, parameter: &str) -> Option<&mut ChoiceFacets> {
        let Some(FacetGroup::Choices(choices)) = self.0.get_mut(parameter) else { return None };
        Some(choices)
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
        let Some(FacetGroup::Choices(choices)) = self.0.get(parameter) else { return None };
        Some(choices)
    }

    /// How many products a flag would leave; 0 if there is no such flag.
    pub fn flag(&self, parameter: &str) -> u32 {
        let Some(FacetGroup::Flag(count)) = self.0.get(parameter) else { return 0 };
        *count
    }

    #[cfg(test)]
    pub(crate) fn lowest_price(&self, parameter: &str) -> Option<&WholePrice> {
        let Some(FacetGroup::From(price)) = self.0.get(parameter) else { return None };
        Some(price)
    }

    #[cfg(test)]
    pub(crate) fn prices(&self, parameter: &str) -> Option<&PriceFacets> {
        let Some(FacetGroup::Prices(prices)) = self.0.get(parameter) else { return None };
        Some(prices)
    }

    #[cfg(test)]
    pub(crate) fn ratings(&self, parameter: &str) -> Option<&RatingFacets> {
        let Some(FacetGroup::Ratings(ratings)) = self.0.get(parameter) else { return None };
        Some(ratings)
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
    /// How many products there are of any rating. A step with the same count filters nothing.
    pub any: u32,
}

/// "n stars and up".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct RatingFacet {
    pub stars: u8,
    pub count: u32,
}

/// A group of names to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ChoiceFacets {
    /// The choices that occur in the listing, by name or in their natural order; of many, those with the most products.
    pub choices: Vec<Choice>,
    /// How many more choices occur.
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
    /// What is shown, if it is not the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub name: Option<String>,
    pub count: u32,
    /// Whether a filter chooses it. Pages read that from the filters.
    #[serde(skip)]
    pub selected: bool,
}

impl Choice {
    /// What is shown.
    pub fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.value)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// What stands in the generated file for [`super::Filters`] and [`Facets`], which follow the table.
#[cfg(test)]
pub(super) const TYPESCRIPT: &str = r#"
/** A row of the table of facets. */
export type FacetRow = (typeof FACETS)[number];
/** The parameters of the facets of a kind. */
export type Parameter<Kind extends FacetRow["kind"] = FacetRow["kind"]> = Extract<FacetRow, { kind: Kind }>["parameter"];
/** What a filter of each kind is set to. */
type Value = { text: string, from: number, highest: number, lowest: number, choice: Array<string>, tag: string, flag: true, };
/** What the group of each kind shows: of a lowest price, the chosen one; of a flag, how many products it would leave. */
type Group = { text: never, from: WholePrice, highest: PriceFacets, lowest: RatingFacets, choice: ChoiceFacets, tag: never, flag: number, };
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
