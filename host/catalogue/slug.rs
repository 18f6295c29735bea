//! The slugs that name categories in addresses.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use icu_normalizer::DecomposingNormalizerBorrowed;
use serde::{Deserialize, Serialize, Serializer};

use super::letters::{SUFFIX, Spelling, in_letters, suffix};

/// Gives canonically equivalent texts one spelling, so that they have one hash.
const CANONICAL: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

/// A category's slug: 1 to 64 lower-case ASCII letters, digits and hyphens, so that it is safe in a path of the
/// service's API. Slugs are equal if their texts are.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Slug {
    text: Box<str>,
    /// The source's name for the category, if the slug was made from it. JSON has no such name: only answers of the
    /// service are saved as JSON, and those have slugs.
    name: Option<Arc<str>>,
}

impl Slug {
    const MAX_LENGTH: usize = 64;

    /// The slug, if `text` is a valid one.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_slug = (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(allowed);
        is_slug.then(|| Self { text: text.into(), name: None })
    }

    /// The slug of a category for which its source has only a name; `None` for a blank name. A name that is a slug
    /// stays as it is. Other names that differ only in case, white space and hyphens have one slug. Other characters
    /// that slugs do not have are transliterated or left out, and a hash of 30 bits is appended, so that two such names
    /// have different slugs unless their hashes are equal.
    pub fn of(name: &str) -> Option<Self> {
        if let Some(slug) = Self::parse(name) {
            return Some(slug);
        }
        let name = name.trim();
        let lower = name.to_lowercase();
        let lower = joined(lower.split(|letter: char| letter.is_whitespace() || letter == '-'));
        let lower = Some(CANONICAL.normalize(&lower)).filter(|lower| !lower.is_empty())?;
        let slug = Self::parse(&lower).map_or_else(|| changed(&lower), |slug| slug.text);
        Some(Self { text: slug, name: Some(name.into()) })
    }

    /// The slug of `address`, for a category that is shown as `name`; `None` for a blank address.
    pub(crate) fn named(address: &str, name: &str) -> Option<Self> {
        Self::of(address).map(|slug| Self { name: Some(name.into()), ..slug })
    }

    /// The slug of `address` in this spelling and without its hash, for a category that is shown as `name`; `None` if it has
    /// no hash, or nothing else.
    pub(crate) fn without_code(address: &str, name: &str, spelling: Spelling) -> Option<Self> {
        let mut letters = plain_letters(&spelling.spelled(&address.trim().to_lowercase()));
        letters.truncate(Self::MAX_LENGTH);
        let text = Self::parse(letters.trim_end_matches('-'))?.text;
        let coded = Self::of(address)?;
        (coded.text != text).then(|| Self { text, name: Some(name.into()) })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The name that the slug was made from.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name that the slug was made from, or else the slug as words: hyphens become spaces, and each word is
    /// capitalised.
    pub fn title(&self) -> String {
        if let Some(name) = &self.name {
            return name.as_ref().into();
        }
        let capitalise = |word: &str| {
            let mut characters = word.chars();
            characters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + characters.as_str()
            })
        };
        let title = self.text.split('-').map(capitalise).collect::<Vec<_>>().join(" ");
        match title.trim() {
            // It may consist of hyphens.
            "" => self.text.as_ref().into(),
            title => title.into(),
        }
    }

    /// The path as which files write a category that is called `Shoes (Men)` because others have its name too:
    /// `Men > Shoes`. `None` for any other.
    pub(crate) fn path(&self) -> Option<String> {
        let (name, above) = self.name()?.strip_suffix(')')?.rsplit_once(" (")?;
        let above = above.replace(", ", " > ");
        let address = format!("{} {name}", above.replace(" > ", " "));
        let spellings = [Spelling::Usual, Spelling::German];
        let without_code = spellings.map(|spelling| Self::without_code(&address, name, spelling));
        let is_own = |slug: Self| slug == *self;
        let is_of_path =
            Self::of(&address).is_some_and(is_own) || without_code.into_iter().flatten().any(is_own);
        is_of_path.then(|| format!("{above} > {name}"))
    }
}

/// The letters and digits of a name, followed by its hash.
fn changed(name: &str) -> Box<str> {
    let mut letters = plain_letters(name);
    letters.truncate(Slug::MAX_LENGTH - SUFFIX - 1);
    joined([letters.trim_end_matches('-'), &suffix(name)].into_iter()).into()
}

/// The letters and digits of a name, with one hyphen in place of other characters.
fn plain_letters(name: &str) -> String {
    /// Sources may have names of any length, but slugs need only the beginning.
    const READ: usize = 4 * Slug::MAX_LENGTH;
    let letters = in_letters(name, READ, |letter| letter.is_ascii_alphanumeric()).to_ascii_lowercase();
    joined(letters.split('-'))
}

/// The words that are not empty, with one hyphen between them.
fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

impl TryFrom<String> for Slug {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or(text)
    }
}

impl Serialize for Slug {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl PartialEq for Slug {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Slug {}

impl Hash for Slug {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for Slug {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Slug {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(name: &str) -> String {
        Slug::of(name).unwrap().to_string()
    }

    #[test]
    fn a_slug_becomes_a_title() {
        assert_eq!(Slug::parse("mens-shirts").unwrap().title(), "Mens Shirts");
        assert_eq!(["-", "--a"].map(|slug| Slug::parse(slug).unwrap().title()), ["-", "A"]);
    }

    #[test]
    fn invalid_slugs_are_rejected() {
        for text in ["", "Beauty", "a/b", "..", "a b", "caf\u{e9}", "%2e", &"a".repeat(65)] {
            assert_eq!(Slug::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_name_in_plain_letters_has_no_hash() {
        for name in ["Desk Lamps", "desk  lamps ", "DESK-LAMPS", "Desk - Lamps"] {
            assert_eq!(of(name), "desk-lamps", "{name}");
        }
        assert_eq!(Slug::of(" TVs & Hi-Fi ").unwrap().title(), "TVs & Hi-Fi");
        assert_eq!(Slug::of("lamps").unwrap().title(), "Lamps");
        for blank in ["", " ", "\u{a0}\n", " - "] {
            assert_eq!(Slug::of(blank), None, "{blank:?}");
        }
    }

    /// Addresses are made of these slugs, so they are the same in every version.
    #[test]
    fn any_other_name_is_transliterated_and_never_changes_again() {
        let names = [
            "\u{10c}te\u{10d}ky",
            "c\u{30c}TE\u{10c}KY",
            "\u{645}\u{635}\u{627}\u{628}\u{64a}\u{62d}",
            "Home & Kitchen",
        ];
        assert_eq!(names.map(of), ["ctecky-ja4qpk", "ctecky-ja4qpk", "msbyh-mly65x", "home-kitchen-g6zn62"]);
        assert_eq!(of("\u{2605}").len(), SUFFIX);
        assert!(of(&"\u{4e2d}\u{6587} ".repeat(9_000)).len() <= Slug::MAX_LENGTH);
        assert!(of(&"x".repeat(9_000)).len() == Slug::MAX_LENGTH);
    }

    proptest! {
        #[test]
        fn the_slug_of_any_name_is_one(name in "\\PC{0,80}|[a-z -]{0,80}|(?s:.{0,8})") {
            if let Some(slug) = Slug::of(&name) {
                prop_assert_eq!(Slug::parse(slug.as_str()), Some(slug.clone()));
                prop_assert_eq!(Slug::of(slug.as_str()), Some(slug.clone()));
                let json = serde_json::to_string(&slug).unwrap();
                prop_assert_eq!(serde_json::from_str::<Slug>(&json).unwrap(), slug);
            } else {
                prop_assert!(name.chars().all(|letter| letter.is_whitespace() || letter == '-'));
            }
        }

        #[test]
        fn different_names_have_different_slugs(names in prop::collection::hash_set("[a-c&/.\u{e9}\u{10d}]{1,6}", 2..40)) {
            let slugs: std::collections::HashSet<_> = names.iter().map(|name| of(name)).collect();
            prop_assert_eq!(slugs.len(), names.len());
        }
    }
}
