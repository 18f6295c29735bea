//! The filters of listings. One table (`table.rs`) says which there are; query string, filtering, counts, contract and
//! client follow it.

mod apply;
mod clean;
mod counts;
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
pub(crate) use query::{SHOWN, limit, parameters, read, write};
pub(crate) use table::{BRAND, CATEGORY, Kind, PRICE, RATING, STOCK, TABLE, TAG, TEXT};
