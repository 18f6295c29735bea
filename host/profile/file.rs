//! The file in which an operator describes the shop (`--shop`).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use thiserror::Error;

use super::logo::{Logo, LogoError};
use super::text::{FileName, LanguageTag, Text};
use super::text_page::{TextPage, TextPageError};
use super::written::{
    WrittenBanner, WrittenLink, WrittenNavigation, WrittenNewsletter, WrittenPromise, WrittenStory,
};
use super::{
    Accent, Currency, Newsletter, NumberFormat, Ornament, Pictures, Profile, Redirects, RedirectsError,
    ShopLink, ShopPromise, Story, Tints,
};
use crate::bounded_file::BoundedFileError;
use crate::search_text::{Rules, SynonymError};
use crate::texts::{Texts, WordError, Words};

/// Largest logo and largest text of a page, in bytes.
const LARGEST: u64 = 500 << 10;
/// Largest table of moved addresses, in bytes.
const LARGEST_TABLE: u64 = 4 << 20;
/// Most promises: the strip has room for this many.
const PROMISES: usize = 3;
/// Most links of the banner.
const BANNER_LINKS: usize = 2;
/// Most notes, and most links of a column of the footer.
const FOOTER: usize = 8;
/// Most links of the navigation.
const NAVIGATION_LINKS: usize = 6;
/// Most categories that the navigation names: as many as its menu has.
const NAVIGATION_CATEGORIES: usize = 100;

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum ShopFileError {
    /// It is no TOML, or has an unknown key or a value that cannot be shown.
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
    #[error("{key}: the link `{text}` needs either `to` or `page`")]
    Link { key: &'static str, text: String },
    #[error("page: `{first}` and `{second}` would have the same address")]
    SameAddress { first: String, second: String },
    #[error("{key}: name the `{needed}` too")]
    Needs { key: &'static str, needed: &'static str },
    #[error("cannot read {name}")]
    Beside { name: String, source: BoundedFileError },
    #[error("logo: {name} cannot be used")]
    Logo { name: String, source: LogoError },
    #[error("{name}: {source}")]
    Page { name: String, source: TextPageError },
    #[error("redirects: {name} cannot be used")]
    Redirects { name: String, source: RedirectsError },
    #[error("synonyms: {0}")]
    Synonyms(#[from] SynonymError),
    #[error(transparent)]
    Word(#[from] WordError),
    #[error("{name} is not UTF-8")]
    Encoding { name: String },
}

/// A drawing that is not used, and the picture beside it that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLogo {
    pub name: String,
    /// Why it is not used.
    pub reason: String,
    pub picture: String,
}

/// What an operator says of the shop. What is not said is not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShopFile {
    name: Option<Text<60>>,
    tagline: Option<Text<120>>,
    description: Option<Text<300>>,
    logo: Option<FileName>,
    logo_dark: Option<FileName>,
    language: Option<LanguageTag>,
    currency: Option<Currency>,
    price_format: Option<Text<40>>,
    accent: Option<Accent>,
    tints: Option<Tints>,
    ornament: Ornament,
    pictures: Pictures,
    promises: Vec<WrittenPromise>,
    banner: Option<WrittenBanner>,
    story: Option<WrittenStory>,
    navigation: WrittenNavigation,
    enquiry: Option<WrittenLink>,
    price_note: Option<WrittenLink>,
    saved: Option<bool>,
    notes: Vec<Text<120>>,
    newsletter: Option<WrittenNewsletter>,
    contact: Vec<WrittenLink>,
    legal: Vec<WrittenLink>,
    synonyms: BTreeMap<String, Vec<String>>,
    words: Words,
    redirects: Option<FileName>,
    /// What the table of moved addresses says.
    #[serde(skip)]
    moved: Arc<Redirects>,
    /// The logo's file.
    #[serde(skip)]
    drawing: Option<Logo>,
    /// The file of the dark theme's logo.
    #[serde(skip)]
    dark_drawing: Option<Logo>,
    /// A drawing that is not used.
    #[serde(skip)]
    refused_logo: Option<RefusedLogo>,
    /// The pages of the Markdown files.
    #[serde(skip)]
    pages: Vec<TextPage>,
}

/// Reads a file of up to so many bytes in the folder of the shop's file.
type ReadBeside<'a> = &'a dyn Fn(&str, u64) -> Result<Vec<u8>, BoundedFileError>;

impl ShopFile {
    /// Reads the file's text. `beside` reads a file of up to so many bytes in the same folder.
    ///
    /// # Errors
    /// When it is no TOML, has a key that is not known, or a value or a file that cannot be shown.
    pub fn parse(text: &str, beside: ReadBeside<'_>) -> Result<Self, ShopFileError> {
        let mut file: Self = toml::from_str(text).map_err(|error| {
            // The error's own form repeats the line, which may be long.
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            let problem = error.message().lines().collect::<Vec<_>>().join(", ");
            match text.lines().nth(line - 1).and_then(key_of) {
                Some(key) => ShopFileError::Toml { line, problem: format!("{key}: {problem}") },
                None => ShopFileError::Toml { line, problem },
            }
        })?;
        if file.tints == Some(Tints::Accent) && file.accent.is_none() {
            return Err(ShopFileError::Needs { key: "tints", needed: "accent" });
        }
        file.check_numbers()?;
        file.searches()?;
        file.words.check(file.language())?;
        file.check_links()?;
        if let Some(example) = &file.price_format {
            let currency = file.currency.ok_or(ShopFileError::NoCurrency)?;
            let example = String::from(example.clone());
            if file.language_format(currency).like(&example).is_none() {
                return Err(ShopFileError::PriceFormat { example, code: currency.code().into() });
            }
        }
        let read_up_to = |name: &str, most| {
            beside(name, most).map_err(|source| ShopFileError::Beside { name: name.into(), source })
        };
        let read = |name: &str| read_up_to(name, LARGEST);
        (file.drawing, file.refused_logo) = file.read_logo(&read)?;
        file.dark_drawing = file.read_dark_logo(&read)?;
        file.pages = file.read_pages(&read)?;
        if let Some(FileName(name)) = &file.redirects {
            let table = read_up_to(name, LARGEST_TABLE)?;
            let moved = Redirects::parse(&table)
                .map_err(|source| ShopFileError::Redirects { name: name.clone(), source })?;
            file.moved = Arc::new(moved);
        }
        Ok(file)
    }

    /// Reads the logo. If it cannot be drawn, the picture beside it takes its place.
    fn read_logo(
        &self,
        read: &dyn Fn(&str) -> Result<Vec<u8>, ShopFileError>,
    ) -> Result<(Option<Logo>, Option<RefusedLogo>), ShopFileError> {
        let Some(FileName(name)) = &self.logo else { return Ok((None, None)) };
        let source = match Logo::parse(read(name)?) {
            Ok(logo) => return Ok((Some(logo), None)),
            Err(source) => source,
        };
        let name = name.clone();
        let picture = self.picture_beside();
        let beside = picture.and_then(|picture| Some((Logo::parse(read(&picture).ok()?).ok()?, picture)));
        match beside {
            Some((logo, picture)) => {
                Ok((Some(logo), Some(RefusedLogo { name, reason: source.to_string(), picture })))
            }
            None => Err(ShopFileError::Logo { name, source }),
        }
    }

    /// Reads the logo of the dark theme, which only goes with one of the light theme.
    fn read_dark_logo(
        &self,
        read: &dyn Fn(&str) -> Result<Vec<u8>, ShopFileError>,
    ) -> Result<Option<Logo>, ShopFileError> {
        let Some(FileName(name)) = &self.logo_dark else { return Ok(None) };
        if self.logo.is_none() {
            return Err(ShopFileError::Needs { key: "logo_dark", needed: "logo" });
        }
        let logo = Logo::parse(read(name)?);
        logo.map(Some).map_err(|source| ShopFileError::Logo { name: name.clone(), source })
    }

    /// The name of the picture that a logo may have beside it: `logo.png` for `logo.svg`.
    fn picture_beside(&self) -> Option<String> {
        let FileName(name) = self.logo.as_ref()?;
        let picture = Path::new(name).with_extension("png").to_str()?.to_owned();
        Some(picture).filter(|picture| picture != name)
    }

    /// The drawing that is not used, if there is one.
    pub fn refused_logo(&self) -> Option<&RefusedLogo> {
        self.refused_logo.as_ref()
    }

    fn check_numbers(&self) -> Result<(), ShopFileError> {
        let banner_links = self.banner.as_ref().map_or(0, |banner| banner.links.len());
        let navigation_links = self.navigation.links.as_ref().map_or(0, Vec::len);
        for (key, most, found) in [
            ("promises", PROMISES, self.promises.len()),
            ("banner.links", BANNER_LINKS, banner_links),
            ("navigation.links", NAVIGATION_LINKS, navigation_links),
            ("navigation.categories", NAVIGATION_CATEGORIES, self.navigation.categories.len()),
            ("notes", FOOTER, self.notes.len()),
            ("contact", FOOTER, self.contact.len()),
            ("legal", FOOTER, self.legal.len()),
        ] {
            if found > most {
                return Err(ShopFileError::TooMany { key, most, found });
            }
        }
        Ok(())
    }

    /// Every list of links, with its key.
    fn links(&self) -> [(&'static str, &[WrittenLink]); 6] {
        let banner = self.banner.as_ref().map_or(&[][..], |banner| &banner.links);
        let navigation = self.navigation.links.as_deref().unwrap_or_default();
        [
            ("banner.links", banner),
            ("navigation.links", navigation),
            ("enquiry", self.enquiry.as_slice()),
            ("price_note", self.price_note.as_slice()),
            ("contact", &self.contact),
            ("legal", &self.legal),
        ]
    }

    fn check_links(&self) -> Result<(), ShopFileError> {
        for (key, links) in self.links() {
            if let Some(link) = links.iter().find(|link| link.to.is_some() == link.page.is_some()) {
                return Err(ShopFileError::Link { key, text: link.text.clone().into() });
            }
        }
        Ok(())
    }

    /// The pages that links name, each of them once. The title of a page without one is the text of its first link.
    fn read_pages(
        &self,
        read: &dyn Fn(&str) -> Result<Vec<u8>, ShopFileError>,
    ) -> Result<Vec<TextPage>, ShopFileError> {
        let mut named: BTreeMap<&str, (&str, String)> = BTreeMap::new();
        for link in self.links().into_iter().flat_map(|(_, links)| links) {
            let Some(page) = &link.page else { continue };
            let (name, title) = (page.name(), String::from(link.text.clone()));
            let (first, _) = named.entry(page.slug()).or_insert((name, title));
            if *first != name {
                return Err(ShopFileError::SameAddress { first: (*first).into(), second: name.into() });
            }
        }
        let slugs: Vec<&str> = named.keys().copied().collect();
        let page = |(slug, (name, title)): (&str, (&str, String))| {
            let text =
                String::from_utf8(read(name)?).map_err(|_| ShopFileError::Encoding { name: name.into() })?;
            TextPage::parse(slug, &title, &text, &slugs)
                .map_err(|source| ShopFileError::Page { name: name.into(), source })
        };
        named.into_iter().map(page).collect()
    }

    /// The names of the files beside this one that it uses.
    pub fn names(&self) -> Vec<String> {
        let pages =
            self.links().into_iter().flat_map(|(_, links)| links).filter_map(|link| link.page.as_ref());
        let logos = [&self.logo, &self.logo_dark].into_iter().flatten().map(|FileName(name)| name.clone());
        let pages = pages.map(|page| page.name().to_owned());
        let redirects = self.redirects.as_ref().map(|FileName(name)| name.clone());
        logos.chain(self.picture_beside()).chain(pages).chain(redirects).collect()
    }

    /// The pictures that it names, by their paths in the folder of pictures.
    pub fn picture_names(&self) -> Vec<String> {
        self.profile(Currency::default()).picture_names()
    }

    /// The currency of the shop, if the file names one.
    pub fn currency(&self) -> Option<Currency> {
        self.currency
    }

    /// Whether the logo is hard to see on the header, and stands on a plate, in the light theme and the dark one.
    pub(crate) fn logo_has_plate(&self) -> [bool; 2] {
        let dark = self.dark_drawing.as_ref().or(self.drawing.as_ref());
        [
            self.drawing.as_ref().is_some_and(|logo| logo.is_faint()[0]),
            dark.is_some_and(|logo| logo.is_faint()[1]),
        ]
    }

    /// The shop's own colour, if the file names one.
    pub fn accent(&self) -> Option<&Accent> {
        self.accent.as_ref()
    }

    /// The keys of the interface's texts that are English although the shop is not.
    pub(crate) fn missing_texts(&self) -> Vec<&'static str> {
        self.words.missing_in(self.language())
    }

    /// The shop's profile, with amounts in `currency`.
    pub fn profile(&self, currency: Currency) -> Profile {
        let neutral = Profile::saying(Arc::new(Texts::new(self.language(), &self.words)), currency);
        let file = self.clone();
        let name = file.name.map_or(neutral.name, String::from);
        let banner = file.banner.map(|banner| banner.named(&name));
        let links = |links: Vec<WrittenLink>| links.into_iter().map(ShopLink::from).collect();
        Profile {
            numbers: Arc::new(self.numbers(currency)),
            // They were checked when the file was read.
            searches: Arc::new(self.searches().unwrap_or_default()),
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
            newsletter: file.newsletter.map(Newsletter::from),
            navigation: file.navigation.into(),
            enquiry: file.enquiry.map(ShopLink::from),
            price_note: file.price_note.map(ShopLink::from),
            saved: file.saved.unwrap_or(neutral.saved),
            logo: file.drawing,
            logo_dark: file.dark_drawing,
            tints: file.tints.or_else(|| file.accent.as_ref().map(|_| Tints::Accent)),
            accent: file.accent,
            ornament: file.ornament,
            pictures: file.pictures,
            contact: links(file.contact),
            legal: links(file.legal),
            pages: file.pages,
            redirects: file.moved,
            ..neutral
        }
    }

    /// What searches know of the shop.
    fn searches(&self) -> Result<Rules, SynonymError> {
        Rules::new(self.language(), &self.synonyms)
    }

    /// The language of the shop's texts.
    pub fn language(&self) -> &str {
        self.language.as_ref().map_or("en", |LanguageTag(tag)| tag)
    }

    fn language_format(&self, currency: Currency) -> NumberFormat {
        NumberFormat::new(self.language(), currency)
    }

    /// The example of an amount applies to its own currency only: the products may have another one.
    fn numbers(&self, currency: Currency) -> NumberFormat {
        let numbers = self.language_format(currency);
        let example = self.price_format.clone().filter(|_| self.currency == Some(currency)).map(String::from);
        example.and_then(|example| numbers.clone().like(&example)).unwrap_or(numbers)
    }
}

/// The key of a line such as `logo = 3`. The parser's errors name no key.
fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    Some(key.trim()).filter(|key| !key.is_empty() && key.bytes().all(is_bare))
}

#[cfg(test)]
mod tests {
    use std::io;

    use resvg::tiny_skia::Pixmap;

    use super::*;
    use crate::profile::{Money, PromiseIcon};

    const DOCUMENT: &str = include_str!("../../docs/shop.md");

    /// The example of the document.
    fn example() -> &'static str {
        let (_, rest) = DOCUMENT.split_once("```toml\n").unwrap();
        rest.split_once("```").unwrap().0
    }

    const FILTERS: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><filter id="a"><feGaussianBlur/></filter><rect width="9" height="9" filter="url(#a)"/></svg>"#;

    #[test]
    fn a_picture_beside_a_drawing_that_is_refused_is_the_logo() {
        let file = parse("logo = \"blurred.svg\"").unwrap();
        assert_eq!(file.names(), ["blurred.svg", "blurred.png"], "a change of either is noticed");
        let refused = file.refused_logo().unwrap();
        assert_eq!((&*refused.name, &*refused.picture), ("blurred.svg", "blurred.png"));
        assert!(refused.reason.contains("filters"), "{}", refused.reason);
        assert_eq!(file.profile(Currency::default()).logo.unwrap().size(), (9, 9));
        let error = parse("logo = \"alone.svg\"").unwrap_err();
        assert_eq!(error.to_string(), "logo: alone.svg cannot be used");
        assert_eq!(parse("logo = \"logo.svg\"").unwrap().refused_logo(), None);
    }

    /// The files that the example names, and others.
    fn beside(name: &str, _: u64) -> Result<Vec<u8>, BoundedFileError> {
        match name {
            "moved.csv" => Ok(b"from,to\n/alte-lampen,/category/lighting\n/shop/*,/category/*\n".to_vec()),
            "circle.csv" => Ok(b"from,to\n/a,/b\n/b,/a\n".to_vec()),
            "logo.svg" | "logo-night.svg" => {
                Ok(br#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"/>"#.to_vec())
            }
            "impressum.md" | "texts/impressum.md" => Ok(b"# Impressum\n\nLampenladen, Berlin".to_vec()),
            "blurred.svg" | "alone.svg" => Ok(FILTERS.into()),
            "blurred.png" => Ok(Pixmap::new(9, 9).unwrap().encode_png().unwrap()),
            "no-picture.png" => Ok(b"no picture".to_vec()),
            _ => Err(io::Error::from(io::ErrorKind::NotFound).into()),
        }
    }

    fn parse(text: &str) -> Result<ShopFile, ShopFileError> {
        ShopFile::parse(text, &beside)
    }

    #[test]
    fn the_profile_says_what_the_file_says() {
        let euro = Currency::parse("EUR").unwrap();
        let profile = parse(example()).unwrap().profile(euro);
        assert_eq!((&*profile.name, &*profile.language), ("Lampenladen", "de"));
        assert_eq!(profile.closing, "Licht f\u{fc}r lange Abende");
        assert_eq!(profile.numbers.amount(Money::from_minor(129_999)), "1.299,99\u{a0}\u{20ac}");
        assert_eq!(profile.promises.len(), 2);
        assert_eq!(profile.promises[0].icon, PromiseIcon::Truck);
        assert_eq!(profile.banner.unwrap().links.unwrap()[0].href, "/new-arrivals");
        assert_eq!(profile.contact[0].href, "mailto:laden@example.org");
        assert_eq!((&*profile.legal[0].text, &*profile.legal[0].href), ("Impressum", "/page/impressum"));
        assert_eq!((&*profile.pages[0].slug, &*profile.pages[0].title), ("impressum", "Impressum"));
        assert!(profile.logo.unwrap().has_name() && profile.logo_dark.is_some());
        assert_eq!(profile.tints, Some(Tints::Accent));
        assert!(!profile.saved);
        assert_eq!(profile.newsletter.unwrap().href.unwrap(), "https://post.example/lampenladen");
        assert_eq!(profile.navigation.links.unwrap().len(), 2);
        assert_eq!(profile.navigation.categories[1].name.as_deref(), Some("Sessel"));
        assert_eq!(profile.enquiry.unwrap().href, "https://wa.me/4930123456");
        assert_eq!(profile.searches.synonyms().len(), 2);
        assert_eq!(profile.redirects.find("/alte-lampen").as_deref(), Some("/category/lighting"));
        assert!(!profile.cart && profile.figures.is_empty());
    }

    /// The words in backquotes after `one of` in an error.
    fn expected(text: &str) -> Vec<String> {
        let error = parse(text).unwrap_err().to_string();
        let (_, words) = error.split_once("one of ").unwrap();
        words.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_document_names_every_key_and_every_icon() {
        let (keys, icons) =
            (expected("nothing = 1"), expected("[[promises]]\ntext = \"a\"\nicon = \"none\""));
        assert!(keys.len() > 15 && icons.len() > 10, "{keys:?} {icons:?}");
        let (_, table) = DOCUMENT.split_once("| key |").unwrap();
        for key in &keys {
            assert!(table.contains(&format!("`{key}`")) || table.contains(&format!("[{key}]")), "{key}");
            let shown = example().lines().any(|line| {
                let line = line.trim_start_matches('[');
                line.starts_with(&format!("{key} =")) || line.starts_with(&format!("{key}]"))
            });
            assert!(shown, "the example lacks {key}");
        }
        for icon in icons {
            assert!(table.contains(&format!("`{icon}`")), "{icon}");
        }
    }

    #[test]
    fn a_banner_and_a_promise_need_no_more_than_their_texts() {
        let file = parse("name = \"Lux\"\n[[promises]]\ntext = \"Fast\"\n[banner]\ntitle = \"New\"").unwrap();
        let profile = file.profile(Currency::default());
        assert_eq!(profile.promises[0].icon, PromiseIcon::Check);
        assert_eq!(profile.banner.unwrap().occasion, "Lux");
    }

    #[test]
    fn a_file_that_says_nothing_gives_the_neutral_profile() {
        let currency = Currency::default();
        assert_eq!(parse("").unwrap().profile(currency), Profile::neutral(currency));
    }

    #[test]
    fn an_example_of_an_amount_is_not_used_for_another_currency() {
        let file = parse(example()).unwrap();
        let yen = file.profile(Currency::parse("JPY").unwrap());
        assert_eq!(yen.numbers.amount(Money::from_minor(1_300)), "1.300\u{a0}\u{a5}");
    }

    #[test]
    fn what_cannot_be_used_is_named_with_its_line_or_key() {
        for (text, named) in [
            ("nmae = \"Shop\"", "nmae"),
            ("name = \"\"", "line 1"),
            ("\nname = 3", "line 2: name: "),
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
            ("ornament = \"curtain\"", "curtain"),
            ("tints = \"pink\"", "pink"),
            ("tints = \"accent\"", "tints: name the `accent` too"),
            ("logo_dark = \"logo.svg\"", "logo_dark: name the `logo` too"),
            ("logo = \"logo.svg\"\nlogo_dark = \"missing.svg\"", "missing.svg"),
            ("[pictures]\nfit = \"fill\"", "fill"),
            ("[pictures]\nfits = \"cover\"", "fits"),
            ("redirects = \"../moved.csv\"", "../moved.csv"),
            ("redirects = \"missing.csv\"", "missing.csv"),
            ("redirects = \"circle.csv\"", "circle.csv"),
            ("logo = \"../logo.svg\"", "../logo.svg"),
            ("logo = \"missing.svg\"", "missing.svg"),
            ("logo = \"no-picture.png\"", "no-picture.png"),
            ("[[legal]]\ntext = \"Terms\"", "Terms"),
            ("[enquiry]\ntext = \"Ask\"", "enquiry: the link `Ask`"),
            ("[[legal]]\ntext = \"Terms\"\npage = \"terms.txt\"", "terms.txt"),
            ("[[legal]]\ntext = \"Terms\"\nto = \"/\"\npage = \"impressum.md\"", "Terms"),
            (
                "legal = [{ text = \"a\", page = \"impressum.md\" }, { text = \"b\", page = \"texts/impressum.md\" }]",
                "same address",
            ),
            ("[navigation]\ncategories = [{ category = \" \" }]", "line 2"),
            ("[synonyms]\nsofa = [\"&\"]", "synonyms: `&`"),
            ("[synonyms]\nsofa = \"couch\"", "line 2"),
            ("name", "line 1"),
        ] {
            let error = parse(text).err().unwrap().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
