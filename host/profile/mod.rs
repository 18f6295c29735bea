//! The profile: what the shop says of itself.
//!
//! One [`Profile`] is made when the program starts, and is passed to all code that writes for visitors. No other
//! part of the sources has the shop's name, its language or what it promises; a test searches for them.
//! What the operator has not said is not shown. `docs/decisions/0039-profile.md` and `0050-shop-file.md` say why.

mod accent;
mod currency;
mod currency_sign;
mod defaults;
mod discount;
mod file;
mod icon;
mod languages;
mod links;
mod logo;
mod logo_styles;
mod markdown;
mod money;
mod numbers;
mod ornament;
mod page_builder;
mod picture_fit;
mod redirects;
mod shade;
mod text;
mod text_page;
mod tints;
mod written;

use std::sync::Arc;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::search_text::Rules;
use crate::texts::{Key, Texts};

pub use self::accent::Accent;
pub use self::currency::Currency;
pub use self::currency_sign::CurrencySign;
pub(crate) use self::discount::{OriginalPrice, Reduction, card_discount};
pub use self::file::{RefusedLogo, ShopFile, ShopFileError};
pub use self::icon::PromiseIcon;
pub(crate) use self::logo::LogoForm;
pub use self::logo::{Logo, LogoError};
pub use self::money::Money;
pub use self::numbers::{NumberFormat, plain_rating};
pub use self::ornament::Ornament;
pub use self::picture_fit::{PictureFit, Pictures};
pub use self::redirects::{Redirects, RedirectsError};
pub(crate) use self::text::is_language_tag;
pub use self::text_page::{ElementName, TextElement, TextNode, TextPage, TextPageError};
pub use self::tints::Tints;

/// What the shop says of itself. The default is the sample shop's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The shop's name, as titles, header and files show it.
    pub name: String,
    /// The language of the shop's texts: a tag of BCP 47, such as `en`.
    pub language: String,
    /// What the program itself says.
    pub texts: Arc<Texts>,
    /// How it writes prices, dates and measures.
    pub numbers: Arc<NumberFormat>,
    /// What its searches know of its language, and the owner's words.
    pub searches: Arc<Rules>,
    /// The promises in the strip above the header. Without any there is no strip.
    pub promises: Vec<ShopPromise>,
    /// What the footer names as good to know. Without any this part of the footer is missing.
    pub notes: Vec<String>,
    /// The footer's invitation to a newsletter, if there is one.
    pub newsletter: Option<Newsletter>,
    /// The header's links, and the first categories of its menu.
    pub navigation: Navigation,
    /// Where shoppers ask for a product or order it, on the pages of those without a link.
    pub enquiry: Option<ShopLink>,
    /// What it says of its prices, such as that they include taxes.
    pub price_note: Option<ShopLink>,
    /// The footer's links to the people of the shop, and to its terms. Without any their columns are missing.
    pub contact: Vec<ShopLink>,
    pub legal: Vec<ShopLink>,
    /// The operator's pages of text.
    pub pages: Vec<TextPage>,
    /// Where addresses lead that the shop no longer has.
    pub redirects: Arc<Redirects>,
    /// The footer's last line; may be empty.
    pub closing: String,
    /// What links call the sale.
    pub sale: String,
    /// The banner of the home page, if there is one.
    pub banner: Option<Banner>,
    /// The shop in figures, on the home page. Without any this part of the page is missing.
    pub figures: Vec<Figure>,
    /// What the home page tells of the shop, if anything.
    pub story: Option<Story>,
    /// The home page's description for search engines and link previews.
    pub description: String,
    /// The shop's own logo; without it the header and icons have the drawing of a shop window.
    pub logo: Option<Logo>,
    /// The logo of the dark theme, if it is another one.
    pub logo_dark: Option<Logo>,
    /// The shop's own colour; without it pages have the sample shop's colours.
    pub accent: Option<Accent>,
    /// The tints of categories, if they are not the sample shop's.
    pub tints: Option<Tints>,
    pub ornament: Ornament,
    pub pictures: Pictures,
    /// Whether pages have what a cart would need: its button and that of notifications, quantities, and "Add to Cart".
    pub cart: bool,
    /// Whether the page of a product that is sold elsewhere has a link to there.
    pub links: bool,
    /// Whether the products are the operator's own, from a file or a feed.
    pub is_own: bool,
    /// Whether browsers keep a list of the products that a shopper saves, where these are the operator's own.
    pub saved: bool,
}

/// A promise in the strip above the header: an icon, and a text in three parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ShopPromise {
    pub icon: PromiseIcon,
    pub text: String,
    /// Follows the text where there is room for it; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub detail: String,
    /// Follows the detail; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub end: String,
}

/// A link that the operator chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct ShopLink {
    pub text: String,
    /// A path of the shop, or an address with its scheme.
    pub href: String,
}

/// The footer's invitation to a newsletter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Newsletter {
    pub title: String,
    /// The label of the field for the email address, or the text of the link.
    pub invitation: String,
    /// Where visitors subscribe, instead of the form.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub href: Option<String>,
}

/// What the header leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Navigation {
    /// The header's links, instead of those to the shop's own lists.
    pub links: Option<Vec<ShopLink>>,
    /// The categories that come first in the menu.
    pub categories: Vec<NamedCategory>,
}

/// A category of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCategory {
    /// As the shop's file names it: its name in its address, or in the catalogue.
    pub category: String,
    /// The name that is shown instead of the catalogue's.
    pub name: Option<String>,
}

/// The banner at the top of the home page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// The short line above the title.
    pub occasion: String,
    pub title: String,
    /// May be empty.
    pub text: String,
    /// The two words on the tag in the drawing of a summer's window, one below the other; without them there is no
    /// drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tag: Option<[String; 2]>,
    /// The picture that the operator has named, by its path in the folder of pictures.
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub picture_name: Option<String>,
    /// That picture, or the one of what the banner links to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub picture: Option<BannerPicture>,
    /// `None` for the links to the sale and to all products.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub links: Option<Vec<ShopLink>>,
}

/// What stands in the banner's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct BannerPicture {
    pub src: String,
    /// From 0 to 7: the colour of its plate; absent if it belongs to no category.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tint: Option<u8>,
}

/// One of the shop's figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    /// The figure itself, such as `24/7`.
    pub figure: String,
    /// What it counts, such as `Support`.
    pub meaning: String,
}

/// What the home page tells of the shop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub struct Story {
    pub title: String,
    pub text: String,
    /// The text of the link to the categories.
    pub link: String,
}

/// Whether the language writes compounds as one word.
fn has_long_words(language: &str) -> bool {
    matches!(language.split('-').next(), Some("de" | "nl" | "da" | "fi" | "nb" | "sv"))
}

/// Styles of some languages, without comments and space that is not needed.
fn short(styles: &str) -> String {
    let lines = styles.lines().map(str::trim);
    let rules: String = lines.filter(|line| !line.starts_with("/*")).collect();
    ["{ ", " {", " }", "; ", ": ", ", "]
        .into_iter()
        .fold(rules, |rules, spaced| rules.replace(spaced, spaced.trim()))
}

impl Profile {
    /// A shop that says nothing of itself, with amounts in `currency`: it promises nothing that its operator has not said.
    pub fn neutral(currency: Currency) -> Self {
        Self::saying(Arc::default(), currency)
    }

    /// [`Self::neutral`] with these texts.
    fn saying(texts: Arc<Texts>, currency: Currency) -> Self {
        Self {
            name: texts.text(Key::Shop).into(),
            language: "en".into(),
            numbers: Arc::new(NumberFormat::new("en", currency)),
            searches: Arc::default(),
            promises: Vec::new(),
            notes: Vec::new(),
            newsletter: None,
            navigation: Navigation::default(),
            enquiry: None,
            price_note: None,
            contact: Vec::new(),
            legal: Vec::new(),
            pages: Vec::new(),
            redirects: Arc::default(),
            closing: String::new(),
            sale: texts.text(Key::Sale).into(),
            banner: None,
            figures: Vec::new(),
            story: None,
            description: texts.text(Key::AboutShop).into(),
            logo: None,
            logo_dark: None,
            accent: None,
            tints: None,
            ornament: Ornament::Awning,
            pictures: Pictures::default(),
            cart: false,
            links: false,
            texts,
            is_own: false,
            saved: true,
        }
    }

    /// The styles that make pages the shop's own. They take precedence over the style sheet. `None` if there are none.
    pub(crate) fn styles(&self) -> Option<String> {
        let accent = self.accent.as_ref().map(Accent::styles).unwrap_or_default();
        let mut language = String::new();
        if self.texts.direction().is_some() {
            language += &short(include_str!("right_to_left.css"));
        }
        if has_long_words(&self.language) {
            language += &short(include_str!("long_words.css"));
        }
        let tints = match (self.tints, &self.accent) {
            (Some(Tints::Accent), Some(accent)) => tints::around(accent.own()),
            (Some(Tints::None), _) => tints::none(),
            _ => String::new(),
        };
        let dark = self.logo_dark.as_ref();
        let logo = self.logo.as_ref().map(|logo| logo_styles::styles(logo, dark)).unwrap_or_default();
        let fit = self.pictures.styles(self.is_own);
        let parts = [&accent, &tints, &logo, self.ornament.styles(), fit, &language];
        Some(parts.concat()).filter(|styles| !styles.is_empty())
    }

    /// The pictures that the operator's texts name, by their paths in the folder of pictures.
    pub(crate) fn picture_names(&self) -> Vec<String> {
        let banner = self.banner.iter().filter_map(|banner| banner.picture_name.clone());
        banner.chain(self.pages.iter().flat_map(|page| TextNode::pictures(&page.content))).collect()
    }

    /// Whether the shop has a page of saved products.
    pub(crate) fn has_saved(&self) -> bool {
        self.is_own && self.saved
    }

    /// The operator's text of this name.
    pub(crate) fn text_page(&self, slug: &str) -> Option<&TextPage> {
        self.pages.iter().find(|page| page.slug == slug)
    }

    /// Whether the shop's icon is also an SVG, and not only pictures.
    pub(crate) fn has_drawn_icon(&self) -> bool {
        self.logo.as_ref().is_none_or(|logo| logo.form() == LogoForm::Svg)
    }

    /// The title of a document: the page's own, and the shop's name.
    pub fn title(&self, page: &str) -> String {
        format!("{page} | {}", self.name)
    }
}
