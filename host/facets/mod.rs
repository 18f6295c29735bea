//! The filters of listings. One table (`table.rs`) defines them; query string, filtering, counts, contract and
//! client follow from it, so that another flag or choice needs a row and a column, not changes in many files.
//!
//! This module promises that each group is counted with every filter except its own, and that filters without effect
//! are removed, so that invented filters make no pages of their own. `docs/decisions/0040-facets.md` says why.

mod apply;
mod clean;
mod counts;
mod option_choice;
mod option_counts;
pub(crate) mod price_caps;
mod query;
mod selection;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

pub use apply::{Filtered, apply};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use clean::MAX_TEXT;
pub(crate) use clean::clean;
pub(crate) use query::{limit, parameters, read, write};
pub(crate) use table::{BRAND, CATEGORY, Kind, LOWEST_PRICE, PRICE, RATING, STOCK, TABLE, TAG, TEXT};
