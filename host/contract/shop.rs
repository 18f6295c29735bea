//! What every page shows of the shop's profile.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::filters::is_false;
use crate::profile::{Logo, Newsletter, Profile, ShopLink, ShopPromise};

/// What the shop says of itself on every page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Shop {
    pub name: String,
    /// The shop's own logo.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub logo: Option<ShopLogo>,
    /// The language of the document, as the host sends it.
    pub language: String,
    /// Shown in the strip above the header; without promises there is no strip.
    pub promises: Vec<ShopPromise>,
    /// What the footer names as good to know.
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub newsletter: Option<Newsletter>,
    /// The header's links, instead of those to the shop's own lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub links: Option<Vec<ShopLink>>,
    /// The footer's links to the people of the shop.
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
    /// There is no cart, and there are no notifications.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub no_cart: bool,
    /// The products are the operator's own.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub own: bool,
    /// The browser keeps a list of the products that a shopper saves.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub saves: bool,
}

/// The shop's own logo. Only the proportion of width and height counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ShopLogo {
    pub src: String,
    pub width: u32,
    pub height: u32,
    /// The address of the dark theme's logo, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub dark: Option<String>,
    /// It shows the shop's name, which does not stand beside it.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub has_name: bool,
}

impl From<&Profile> for Shop {
    fn from(profile: &Profile) -> Self {
        let saves = profile.has_saved();
        let Profile {
            name,
            logo,
            logo_dark,
            language,
            promises,
            notes,
            newsletter,
            navigation,
            contact,
            legal,
            closing,
            sale,
            cart,
            is_own: own,
            ..
        } = profile.clone();
        let dark = logo_dark.as_ref().map(Logo::path);
        let logo = logo.as_ref().map(|logo| ShopLogo { dark, ..ShopLogo::from(logo) });
        let links = navigation.links;
        Self {
            name,
            logo,
            language,
            promises,
            notes,
            newsletter,
            links,
            contact,
            legal,
            closing,
            sale,
            no_cart: !cart,
            own,
            saves,
        }
    }
}

impl From<&Logo> for ShopLogo {
    fn from(logo: &Logo) -> Self {
        let (width, height) = logo.size();
        Self { src: logo.path(), dark: None, width, height, has_name: logo.has_name() }
    }
}
