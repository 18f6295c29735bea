//! A product, as its card and its page show it.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::category::Category;
use super::filters;
use crate::profile::ShopLink;

/// A product as its card shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ProductCard {
    /// What the product is called in its address.
    pub id: String,
    pub title: String,
    pub brand: Option<String>,
    pub thumbnail: Option<String>,
    /// Its category's: the colour of its plate, from 0 to 7.
    pub tint: u8,
    /// Another picture, shown while a pointer is over the card. Known only where lists have whole products.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub second: Option<String>,
    pub price: Price,
    /// Absent if it is not known.
    pub rating: Option<Rating>,
    /// Absent if it is not known.
    pub availability: Option<AvailabilityLabel>,
    /// The shop has no cart that it could be added to.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub no_cart: bool,
    /// The article number, in listings that hardly have pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub number: Option<String>,
    /// Dimensions and weight, in listings that hardly have pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub facts: Option<String>,
    /// The shop keeps no list of saved products.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub no_heart: bool,
    /// The colours that it comes in, as `#rrggbb`: several, but not more than fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub colours: Vec<String>,
}

/// Whether a product can be had, such as `In Stock` or `3 left`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct AvailabilityLabel {
    pub text: String,
    /// Absent if nothing needs attention.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tone: Option<AvailabilityTone>,
}

/// Why a label asks for attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum AvailabilityTone {
    /// Few are left.
    Few,
    /// It is sold out.
    #[serde(rename = "none")]
    SoldOut,
}

/// How well a product is rated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// 0 to 5.
    pub value: f64,
    /// Formatted with one decimal, such as `4.4`.
    pub text: String,
}

/// A price, formatted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Price {
    /// What is paid now, such as `$1,299.99`.
    pub current: String,
    /// The price before the discount; absent when nothing is off. Rounded to whole units on
    /// cards, to two decimals on the product page.
    pub original: Option<String>,
    /// The discount in whole percent; absent when it rounds to nothing.
    pub percent_off: Option<u8>,
    /// A variant on offer costs more.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub from: bool,
    /// What a unit costs, such as `$3.98 / 100 g`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub unit: Option<String>,
    /// What the price before the discount is, if that is the lowest one of the last 30 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub original_note: Option<String>,
}

/// `/product/{id}`
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Product {
    /// Absent when there is no such product, or when the catalogue did not answer (`failed`).
    pub product: Option<ProductDetail>,
    /// The catalogue did not answer.
    pub failed: bool,
    /// More products of the same category.
    pub related: Vec<ProductCard>,
}

/// Everything that the product page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ProductDetail {
    /// The shop has no cart that it could be added to.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub no_cart: bool,
    /// What the product is called in its address.
    pub id: String,
    pub title: String,
    pub description: String,
    /// Absent when the catalogue named none that can be part of an address.
    pub category: Option<Category>,
    pub brand: Option<String>,
    pub sku: String,
    pub tags: Vec<Tag>,
    pub price: Price,
    /// Absent if it is not known.
    pub rating: Option<Rating>,
    /// Whether it can be had, in one label or two; empty if that is not known.
    pub availability: Vec<AvailabilityLabel>,
    /// At least 1.
    pub minimum_order_quantity: u32,
    /// What the minimum order costs, formatted, such as `$95.52`.
    pub minimum_order_total: String,
    /// What else is known of it, in the order of the page.
    pub facts: Vec<Fact>,
    /// Image addresses, at least the thumbnail where there is one.
    pub images: Vec<String>,
    pub thumbnail: Option<String>,
    /// Its category's: the colour of its plate, from 0 to 7.
    pub tint: u8,
    /// Absent if they are not known.
    pub reviews: Option<Vec<Review>>,
    /// The options of its variants.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ProductOption>>"))]
    pub options: Vec<ProductOption>,
    /// The values of the chosen variant, such as `M / Blue`; absent if none is chosen. Then it is shown as its cheapest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub variant: Option<String>,
    /// What the shop says of its prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub price_note: Option<ShopLink>,
    /// Where it is sold, if the shop shows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub link: Option<ProductLink>,
    /// Where to ask for it or order it, if it has no link.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub enquiry: Option<ShopLink>,
}

/// A fact of a product, such as `Weight: 6 kg`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Fact {
    pub name: String,
    pub text: String,
    pub icon: FactIcon,
}

/// The icon beside a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub enum FactIcon {
    Truck,
    PackageOpen,
    ShieldCheck,
    Ruler,
    Weight,
    UserRound,
    Sun,
}

/// A link to where a product is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ProductLink {
    /// An `http(s)` URL.
    pub href: String,
    /// The name of its host, without `www.`.
    pub host: String,
}

/// An option of a product's variants, such as the size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ProductOption {
    pub name: String,
    /// In the source's order.
    pub values: Vec<OptionValue>,
    /// There are too many values to show them side by side.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub is_long: bool,
}

/// A value of an option, such as `M`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct OptionValue {
    pub name: String,
    /// The id of the variant that has it instead of the chosen value, or else of the nearest one; absent where there is
    /// nothing to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub variant: Option<String>,
    /// The chosen variant has it.
    #[serde(skip_serializing_if = "filters::is_false")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub is_chosen: bool,
    /// Why it cannot be had: it is sold out or, without a tone, not made in this combination.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub note: Option<AvailabilityLabel>,
    /// The colour that it names, as `#rrggbb`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub colour: Option<String>,
}

/// A tag of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    pub name: String,
    /// Site-relative address of the products that carry it, this one among them; absent where they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub href: Option<String>,
}

/// One shopper's review.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Review {
    pub reviewer_name: String,
    /// 1 to 5.
    pub rating: u8,
    /// Formatted with one decimal, such as `4.0`.
    pub rating_text: String,
    /// As the catalogue sent it (RFC 3339, or the date alone), for sorting and `<time datetime>`.
    pub date: String,
    /// Formatted, such as `April 30, 2025`.
    pub date_text: String,
    pub comment: String,
}
