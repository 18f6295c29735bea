//! Parts of the shop file (`--shop`) as they are written, before they become parts of the profile.

use serde::Deserialize;

use super::text::{Href, PageFile, PictureName, Text};
use super::{Banner, NamedCategory, Navigation, Newsletter, PromiseIcon, ShopLink, ShopPromise, Story};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPromise {
    text: Text<60>,
    #[serde(default)]
    icon: PromiseIcon,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenBanner {
    occasion: Option<Text<60>>,
    title: Text<80>,
    text: Option<Text<300>>,
    picture: Option<PictureName>,
    #[serde(default)]
    pub(super) links: Vec<WrittenLink>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenStory {
    title: Text<80>,
    text: Text<1000>,
    /// The text of the link to the categories.
    link: Text<60>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenNewsletter {
    title: Text<60>,
    /// The text of the link.
    text: Text<60>,
    to: Href,
}

/// A link: either to an address, or to the page that a file of text becomes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenLink {
    pub(super) text: Text<60>,
    pub(super) to: Option<Href>,
    pub(super) page: Option<PageFile>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WrittenNavigation {
    pub(super) links: Option<Vec<WrittenLink>>,
    pub(super) categories: Vec<WrittenCategory>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenCategory {
    category: Text<200>,
    text: Option<Text<60>>,
}

impl From<WrittenPromise> for ShopPromise {
    fn from(WrittenPromise { text, icon }: WrittenPromise) -> Self {
        Self { icon, text: text.into(), detail: String::new(), end: String::new() }
    }
}

impl WrittenBanner {
    /// The banner, which shows the shop's name where no occasion is written.
    pub(super) fn named(self, name: &str) -> Banner {
        let Self { occasion, title, text, picture, links } = self;
        Banner {
            occasion: occasion.map_or_else(|| name.to_owned(), String::from),
            title: title.into(),
            text: text.map(String::from).unwrap_or_default(),
            tag: None,
            picture_name: picture.map(|PictureName(name)| name),
            picture: None,
            links: Some(links.into_iter().map(ShopLink::from).collect()),
        }
    }
}

impl From<WrittenStory> for Story {
    fn from(WrittenStory { title, text, link }: WrittenStory) -> Self {
        Self { title: title.into(), text: text.into(), link: link.into() }
    }
}

impl From<WrittenNewsletter> for Newsletter {
    fn from(WrittenNewsletter { title, text, to: Href(href) }: WrittenNewsletter) -> Self {
        Self { title: title.into(), invitation: text.into(), href: Some(href) }
    }
}

impl From<WrittenLink> for ShopLink {
    fn from(WrittenLink { text, to, page }: WrittenLink) -> Self {
        let href = to.map(|Href(href)| href).or_else(|| page.map(|page| page.href()));
        Self { text: text.into(), href: href.unwrap_or_default() }
    }
}

impl From<WrittenNavigation> for Navigation {
    fn from(WrittenNavigation { links, categories }: WrittenNavigation) -> Self {
        let category = |WrittenCategory { category, text }| NamedCategory {
            category: category.into(),
            name: text.map(String::from),
        };
        Self {
            links: links.map(|links| links.into_iter().map(ShopLink::from).collect()),
            categories: categories.into_iter().map(category).collect(),
        }
    }
}
