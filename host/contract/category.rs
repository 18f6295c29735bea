//! A category, as links and cards show it.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A category's identity: `slug` in URLs, `name` on screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Category {
    pub slug: String,
    pub name: String,
}

/// A category with what its card shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct CategoryCard {
    pub slug: String,
    pub name: String,
    /// Thumbnail of the category's first product; a placeholder is drawn without one.
    pub thumbnail: Option<String>,
    /// Number of products, where it is known.
    pub count: Option<u32>,
    /// From 0 to 7: the colour of its plates, derived from the slug; class `tint-N`.
    pub tint: u8,
}
