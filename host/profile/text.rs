//! Texts of a file in which an operator describes the shop, checked when they are read.

use std::path::{Component, Path};

use serde::Deserialize;
use url::Url;

/// A text of one line with at most `MOST` characters. White space around it is left out.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Text<const MOST: usize>(String);

impl<const MOST: usize> TryFrom<String> for Text<MOST> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let text = text.trim();
        let length = text.chars().count();
        if text.is_empty() {
            Err("expected a text".into())
        } else if length > MOST {
            Err(format!("expected at most {MOST} characters, found {length}"))
        } else if text.chars().any(char::is_control) {
            Err("expected a text of one line without control characters".into())
        } else {
            Ok(Self(text.into()))
        }
    }
}

impl<const MOST: usize> From<Text<MOST>> for String {
    fn from(Text(text): Text<MOST>) -> Self {
        text
    }
}

/// A tag of a language (BCP 47).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct LanguageTag(pub(super) String);

impl TryFrom<String> for LanguageTag {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if is_language_tag(&text) {
            Ok(Self(text))
        } else {
            Err(format!("`{}` is not the tag of a language, such as de or pt-BR", text.escape_debug()))
        }
    }
}

/// Whether a text may be the tag of a language. Only its form is checked (RFC 5646, section 2.1): subtags of up to eight
/// letters and digits, of which the first has two or three letters.
pub(crate) fn is_language_tag(text: &str) -> bool {
    let is_subtag =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let language = text.split('-').next().unwrap_or_default();
    let is_language =
        (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_language && text.split('-').all(is_subtag) && text.len() <= 35
}

/// Where a link leads: a path of the shop, or an address for a browser, an email program or a telephone.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Href(pub(super) String);

impl TryFrom<String> for Href {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        /// Longest address, in bytes.
        const LONGEST: usize = 500;
        let wrong = || {
            format!(
                "`{}` is no address: expected a path such as /sale, or https:, mailto: or tel:",
                text.escape_debug()
            )
        };
        if text.len() > LONGEST || text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err(wrong());
        }
        // A second slash would lead to another host, and so would a backslash.
        let is_path = text.starts_with('/') && !text[1..].starts_with(['/', '\\']);
        let has_scheme = || {
            let url = Url::parse(&text).ok();
            url.is_some_and(|url| matches!(url.scheme(), "https" | "http" | "mailto" | "tel"))
        };
        if is_path || has_scheme() { Ok(Self(text)) } else { Err(wrong()) }
    }
}

/// The name of a file in the folder of the shop's file, or in a folder within it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct FileName(pub(super) String);

impl TryFrom<String> for FileName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_inside = Path::new(&text).components().all(|part| matches!(part, Component::Normal(_)));
        if !text.is_empty() && text.len() <= 200 && is_inside && !text.chars().any(char::is_control) {
            Ok(Self(text))
        } else {
            Err(format!("`{}` is not the name of a file beside this one", text.escape_debug()))
        }
    }
}

/// The path of a picture in the folder of pictures. Whether there is one is known when the products are read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PictureName(pub(super) String);

impl TryFrom<String> for PictureName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match FileName::try_from(text) {
            Ok(FileName(name)) => Ok(Self(name)),
            Err(_) => Err("expected the path of a picture in the folder of pictures".into()),
        }
    }
}

/// A file of Markdown, such as `terms.md`. Its name is also the name of its page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct PageFile {
    name: String,
    slug: String,
}

impl TryFrom<String> for PageFile {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let FileName(name) = FileName::try_from(text)?;
        let file = name.rsplit('/').next().unwrap_or_default();
        match file.strip_suffix(".md").filter(|stem| is_slug(stem)) {
            Some(stem) => Ok(Self { slug: stem.to_owned(), name }),
            None => Err(format!(
                "`{}` does not end with a name such as terms.md: a to z, 0 to 9 and hyphens before .md",
                name.escape_debug()
            )),
        }
    }
}

impl PageFile {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn slug(&self) -> &str {
        &self.slug
    }

    pub(super) fn href(&self) -> String {
        format!("/page/{}", self.slug)
    }
}

fn is_slug(text: &str) -> bool {
    (1..=60).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_short_line() {
        let text = |text: &str| Text::<5>::try_from(text.to_owned()).map(String::from);
        assert_eq!(text(" caf\u{e9} "), Ok("caf\u{e9}".into()));
        for wrong in ["", "  ", "123456", "a\nb", "a\u{7}"] {
            assert!(text(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_language_has_the_form_of_a_tag() {
        for (tag, is_tag) in [
            ("de", true),
            ("pt-BR", true),
            ("zh-Hant-TW", true),
            ("gsw", true),
            ("", false),
            ("d", false),
            ("german-language-tag", false),
            ("de_DE", false),
            ("de-", false),
            ("\"><script>", false),
        ] {
            assert_eq!(LanguageTag::try_from(tag.to_owned()).is_ok(), is_tag, "{tag}");
        }
    }

    #[test]
    fn a_link_leads_into_the_shop_or_to_a_known_kind_of_address() {
        for (address, is_one) in [
            ("/sale", true),
            ("/", true),
            ("/category/lamps?sort=price-asc", true),
            ("https://example.org/terms", true),
            ("mailto:shop@example.org", true),
            ("tel:+49301234567", true),
            ("//evil.example", false),
            ("/\\evil.example", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("sale", false),
            ("", false),
            ("https://", false),
            ("https://a.example/a b", false),
        ] {
            assert_eq!(Href::try_from(address.to_owned()).is_ok(), is_one, "{address}");
        }
    }

    #[test]
    fn a_page_has_the_name_of_its_file() {
        let page = |name: &str| PageFile::try_from(name.to_owned());
        assert_eq!(page("texts/terms-2.md").unwrap().href(), "/page/terms-2");
        for wrong in [
            "",
            "terms",
            "Terms.md",
            ".md",
            "../terms.md",
            "/etc/terms.md",
            "a b.md",
            "terms.md/",
            "x/../y.md",
        ] {
            assert!(page(wrong).is_err(), "{wrong}");
        }
    }
}
