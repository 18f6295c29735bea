//! The file in which an operator describes the shop (`--shop`).

use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use super::text::{Href, LanguageTag, Text};
use super::{Accent, Banner, Currency, NumberFormat, Profile, PromiseIcon, ShopLink, ShopPromise, Story};

/// Most promises: the strip has room for so many.
const PROMISES: usize = 3;
/// Most links of the banner.
const BANNER_LINKS: usize = 2;
/// Most notes, and most links of a column of the footer.
const FOOTER: usize = 8;

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum ShopFileError {
    /// No TOML, an unknown key, or a value that cannot be shown.
    #[error("line {line}: {problem}")]
    Toml { line: usize, problem: String },
    #[error("{key}: at most {most} are shown, found {found}")]
    TooMany { key: &'static str, most: usize, found: usize },
    #[error("price_format: name the `currency` of the example too")]
    NoCurrency,
    #[error(
        "price_format: `{example}` is not 1234 {code} as a price, with its decimals 5, 6 and so on, such as \
         \"1.234,56 \u{20ac}\""
    )]
    PriceFormat { example: String, code: String },
}

/// What an operator says of the shop. What is not said is not shown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShopFile {
    name: Option<Text<60>>,
    tagline: Option<Text<120>>,
    description: Option<Text<300>>,
    language: Option<LanguageTag>,
    currency: Option<Currency>,
    price_format: Option<Text<40>>,
    accent: Option<Accent>,
    promises: Vec<WrittenPromise>,
    banner: Option<WrittenBanner>,
    story: Option<WrittenStory>,
    notes: Vec<Text<120>>,
    contact: Vec<WrittenLink>,
    legal: Vec<WrittenLink>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPromise {
    text: Text<60>,
    #[serde(default)]
    icon: PromiseIcon,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBanner {
    occasion: Option<Text<60>>,
    title: Text<80>,
    text: Option<Text<300>>,
    #[serde(default)]
    links: Vec<WrittenLink>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStory {
    title: Text<80>,
    text: Text<1000>,
    /// The text of the link to the categories.
    link: Text<60>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLink {
    text: Text<60>,
    to: Href,
}

impl ShopFile {
    /// Reads the file's text.
    ///
    /// # Errors
    /// When it is no TOML, has a key that is not known, or a value that cannot be shown.
    pub fn parse(text: &str) -> Result<Self, ShopFileError> {
        let file: Self = toml::from_str(text).map_err(|error| {
            // The error's own form repeats the line, which may be long.
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            ShopFileError::Toml { line, problem: error.message().lines().collect::<Vec<_>>().join(", ") }
        })?;
        let banner_links = file.banner.as_ref().map_or(0, |banner| banner.links.len());
        for (key, most, found) in [
            ("promises", PROMISES, file.promises.len()),
            ("banner.links", BANNER_LINKS, banner_links),
            ("notes", FOOTER, file.notes.len()),
            ("contact", FOOTER, file.contact.len()),
            ("legal", FOOTER, file.legal.len()),
        ] {
            if found > most {
                return Err(ShopFileError::TooMany { key, most, found });
            }
        }
        if let Some(example) = &file.price_format {
            let currency = file.currency.ok_or(ShopFileError::NoCurrency)?;
            let example = String::from(example.clone());
            if file.language_format(currency).like(&example).is_none() {
                return Err(ShopFileError::PriceFormat { example, code: currency.code().into() });
            }
        }
        Ok(file)
    }

    /// The currency of the shop, if the file names one.
    pub fn currency(&self) -> Option<Currency> {
        self.currency
    }

    /// The shop's own colour, if the file names one.
    pub fn accent(&self) -> Option<&Accent> {
        self.accent.as_ref()
    }

    /// The shop's profile, with amounts in `currency`.
    pub fn profile(&self, currency: Currency) -> Profile {
        let neutral = Profile::neutral(currency);
        let file = self.clone();
        let name = file.name.map_or(neutral.name, String::from);
        let banner = file.banner.map(|banner| banner.named(&name));
        let links = |links: Vec<WrittenLink>| links.into_iter().map(ShopLink::from).collect();
        Profile {
            numbers: Arc::new(self.numbers(currency)),
            name,
            language: file.language.map_or(neutral.language, |LanguageTag(tag)| tag),
            description: file
                .description
                .map(String::from)
                .or_else(|| file.tagline.clone().map(String::from))
                .unwrap_or(neutral.description),
            closing: file.tagline.map(String::from).unwrap_or_default(),
            promises: file.promises.into_iter().map(ShopPromise::from).collect(),
            banner,
            story: file.story.map(Story::from),
            notes: file.notes.into_iter().map(String::from).collect(),
            accent: file.accent,
            contact: links(file.contact),
            legal: links(file.legal),
            ..neutral
        }
    }

    fn language_format(&self, currency: Currency) -> NumberFormat {
        NumberFormat::new(self.language.as_ref().map_or("en", |LanguageTag(tag)| tag), currency)
    }

    /// The example of an amount holds for its own currency: the products may have another one.
    fn numbers(&self, currency: Currency) -> NumberFormat {
        let numbers = self.language_format(currency);
        let example = self.price_format.clone().filter(|_| self.currency == Some(currency)).map(String::from);
        example.and_then(|example| numbers.clone().like(&example)).unwrap_or(numbers)
    }
}

impl From<WrittenPromise> for ShopPromise {
    fn from(WrittenPromise { text, icon }: WrittenPromise) -> Self {
        Self { icon, text: text.into(), detail: String::new(), end: String::new() }
    }
}

impl WrittenBanner {
    /// Above the title stands the occasion or else the shop's name.
    fn named(self, name: &str) -> Banner {
        let Self { occasion, title, text, links } = self;
        Banner {
            occasion: occasion.map_or_else(|| name.to_owned(), String::from),
            title: title.into(),
            text: text.map(String::from).unwrap_or_default(),
            tag: None,
            links: Some(links.into_iter().map(ShopLink::from).collect()),
        }
    }
}

impl From<WrittenStory> for Story {
    fn from(WrittenStory { title, text, link }: WrittenStory) -> Self {
        Self { title: title.into(), text: text.into(), link: link.into() }
    }
}

impl From<WrittenLink> for ShopLink {
    fn from(WrittenLink { text, to: Href(href) }: WrittenLink) -> Self {
        Self { text: text.into(), href }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Money;

    const DOCUMENT: &str = include_str!("../../docs/shop.md");

    /// The example of the document.
    fn example() -> &'static str {
        let (_, rest) = DOCUMENT.split_once("```toml\n").unwrap();
        rest.split_once("```").unwrap().0
    }

    #[test]
    fn the_profile_says_what_the_file_says() {
        let euro = Currency::parse("EUR").unwrap();
        let profile = ShopFile::parse(example()).unwrap().profile(euro);
        assert_eq!((&*profile.name, &*profile.language), ("Lampenladen", "de"));
        assert_eq!(profile.closing, "Licht f\u{fc}r lange Abende");
        assert_eq!(profile.numbers.amount(Money::from_minor(129_999)), "1.299,99\u{a0}\u{20ac}");
        assert_eq!(profile.promises.len(), 2);
        assert_eq!(profile.promises[0].icon, PromiseIcon::Truck);
        assert_eq!(profile.banner.unwrap().links.unwrap()[0].href, "/new-arrivals");
        assert_eq!(profile.contact[0].href, "mailto:laden@example.org");
        assert_eq!(profile.legal[0].text, "Impressum");
        assert!(!profile.cart && profile.newsletter.is_none() && profile.figures.is_empty());
    }

    #[test]
    fn the_document_names_every_key_and_every_icon() {
        let ShopFile {
            name,
            tagline,
            description,
            language,
            currency,
            price_format,
            accent,
            promises,
            banner,
            story,
            notes,
            contact,
            legal,
        } = ShopFile::parse(example()).unwrap();
        assert!(name.is_some() && tagline.is_some() && description.is_some() && language.is_some());
        assert!(
            currency.is_some()
                && price_format.is_some()
                && accent.is_some()
                && banner.is_some()
                && story.is_some()
        );
        assert!(!promises.is_empty() && !notes.is_empty() && !contact.is_empty() && !legal.is_empty());
        let error = ShopFile::parse("[[promises]]\ntext = \"a\"\nicon = \"none\"").unwrap_err().to_string();
        let (_, icons) = error.split_once("one of ").unwrap();
        let icons: Vec<&str> = icons.split('`').skip(1).step_by(2).collect();
        assert!(icons.len() > 10, "{error}");
        for icon in icons {
            assert!(DOCUMENT.contains(&format!("`{icon}`")), "{icon}");
        }
    }

    #[test]
    fn a_banner_and_a_promise_need_no_more_than_their_texts() {
        let file =
            ShopFile::parse("name = \"Lux\"\n[[promises]]\ntext = \"Fast\"\n[banner]\ntitle = \"New\"")
                .unwrap();
        let profile = file.profile(Currency::default());
        assert_eq!(profile.promises[0].icon, PromiseIcon::Check);
        assert_eq!(profile.banner.unwrap().occasion, "Lux");
    }

    #[test]
    fn a_file_that_says_nothing_gives_the_neutral_profile() {
        let currency = Currency::default();
        assert_eq!(ShopFile::parse("").unwrap().profile(currency), Profile::neutral(currency));
    }

    #[test]
    fn an_example_of_an_amount_is_not_used_for_another_currency() {
        let file = ShopFile::parse(example()).unwrap();
        let yen = file.profile(Currency::parse("JPY").unwrap());
        assert_eq!(yen.numbers.amount(Money::from_minor(1_300)), "1.300\u{a0}\u{a5}");
    }

    #[test]
    fn what_cannot_be_used_is_named_with_its_line_or_key() {
        for (text, named) in [
            ("nmae = \"Shop\"", "nmae"),
            ("name = \"\"", "line 1"),
            ("\nname = 3", "line 2"),
            ("language = \"german_\"", "german_"),
            ("currency = \"euro\"", "euro"),
            ("price_format = \"1.234,56 \u{20ac}\"", "currency"),
            ("currency = \"EUR\"\nprice_format = \"1,50\"", "1,50"),
            ("currency = \"JPY\"\nprice_format = \"1,234.56\"", "JPY"),
            ("[[promises]]\ntext = \"a\"\nicon = \"rocket\"", "rocket"),
            ("[banner]\ntext = \"a\"", "title"),
            ("[[legal]]\ntext = \"a\"\nto = \"javascript:alert(1)\"", "javascript"),
            (&"[[promises]]\ntext = \"a\"\n".repeat(4), "promises"),
            (&format!("name = \"{}\"", "n".repeat(300)), "at most 60 characters, found 300"),
            ("accent = \"reddish\"", "reddish"),
            ("name", "line 1"),
        ] {
            let error = ShopFile::parse(text).err().unwrap().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
