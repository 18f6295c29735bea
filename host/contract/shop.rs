//! What every page shows of the shop's profile.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::filters::is_false;
use crate::profile::{Newsletter, Profile, ShopLink, ShopPromise};

/// What the shop says of itself on every page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Shop {
    pub name: String,
    /// The language of the document, as the host sends it.
    pub language: String,
    /// In the strip above the header; without any there is no strip.
    pub promises: Vec<ShopPromise>,
    /// What the footer names as good to know.
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub newsletter: Option<Newsletter>,
    /// The footer's links to whoever answers questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ShopLink>>"))]
    pub contact: Vec<ShopLink>,
    /// The footer's links to the shop's terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ShopLink>>"))]
    pub legal: Vec<ShopLink>,
    /// The footer's last line.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub closing: String,
    /// What links call the sale.
    pub sale: String,
    /// There is no cart, and nothing to be notified of.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub no_cart: bool,
}

impl From<&Profile> for Shop {
    fn from(profile: &Profile) -> Self {
        let Profile {
            name, language, promises, notes, newsletter, contact, legal, closing, sale, cart, ..
        } = profile.clone();
        Self { name, language, promises, notes, newsletter, contact, legal, closing, sale, no_cart: !cart }
    }
}
