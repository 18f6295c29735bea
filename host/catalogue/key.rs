//! The keys that name products in addresses.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::letters::{LONG_SUFFIX, SUFFIX, Spelling, in_letters, long_suffix, suffix};

/// Names one product of a catalogue: in its address, in saved answers and in tags. As text it has 1 to 100 of the
/// characters `A-Za-z0-9._~-`, so that it needs no encoding in an address. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProductKey(Form);

/// Each key has exactly one form: a text that can be read as a number is stored as that number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Form {
    Number(u64),
    Text(Arc<str>),
}

impl ProductKey {
    /// Longest key, in characters.
    const MAX_LENGTH: usize = 100;

    /// The key of a product that its source calls `name`. A name that is a key stays as it is. In any other name,
    /// characters that keys do not have are transliterated or become `-`, and a hash of 30 bits is appended, so that
    /// two names have different keys unless their hashes are equal.
    pub fn of(name: &str) -> Self {
        Self::parse(name).unwrap_or_else(|| Self::with_code(name, SUFFIX, &suffix(name)))
    }

    /// The key of a product whose key another product has: with 60 bits of the hash.
    pub(crate) fn with_long_code(name: &str) -> Self {
        Self::with_code(name, LONG_SUFFIX, &long_suffix(name))
    }

    /// The key of a product that its source calls `name` in this spelling and without a hash; `None` if the name is a key,
    /// or would become none or a number.
    pub(crate) fn without_code(name: &str, spelling: Spelling) -> Option<Self> {
        if Self::parse(name).is_some() {
            return None;
        }
        let is_kept = |letter| u8::try_from(letter).is_ok_and(is_allowed);
        let letters = in_letters(&spelling.spelled(name), 4 * Self::MAX_LENGTH, is_kept);
        let mut letters = letters.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        letters.truncate(Self::MAX_LENGTH);
        Self::parse(letters.trim_end_matches('-')).filter(|key| key.number().is_none())
    }

    fn with_code(name: &str, length: usize, code: &str) -> Self {
        let is_kept = |letter| u8::try_from(letter).is_ok_and(is_allowed);
        let letters = in_letters(name, Self::MAX_LENGTH - length - 1, is_kept);
        Self(Form::Text(format!("{letters}-{code}").into()))
    }

    /// The key that is written as `text`, if there is one. Digits with a leading zero are no key: they are another
    /// spelling of a number.
    pub fn parse(text: &str) -> Option<Self> {
        let is_key = (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(is_allowed);
        if !is_key || matches!(text, "." | "..") {
            return None;
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self(Form::Text(text.into())));
        }
        if text.starts_with('0') {
            return None;
        }
        // A number that does not fit 64 bits is stored as a text.
        Some(Self(text.parse().map_or_else(|_| Form::Text(text.into()), Form::Number)))
    }

    /// The number, if the key is one.
    pub fn number(&self) -> Option<u64> {
        match self.0 {
            Form::Number(number) => Some(number),
            Form::Text(_) => None,
        }
    }

    /// Approximate size in memory beside the key itself, in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.0 {
            Form::Number(_) => 0,
            Form::Text(text) => text.len(),
        }
    }
}

fn is_allowed(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._~-".contains(&byte)
}

/// The key of a numbered product. 0 names no product: it has no address.
impl From<u64> for ProductKey {
    fn from(number: u64) -> Self {
        Self(Form::Number(number))
    }
}

/// A key that names no product.
impl Default for ProductKey {
    fn default() -> Self {
        Self::from(0)
    }
}

impl fmt::Display for ProductKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Number(number) => number.fmt(formatter),
            Form::Text(text) => text.fmt(formatter),
        }
    }
}

/// A number is written as a number.
impl Serialize for ProductKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Number(number) => serializer.serialize_u64(*number),
            Form::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for ProductKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = ProductKey;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a product's number or key")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<ProductKey, E> {
        Ok(ProductKey::from(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ProductKey, E> {
        ProductKey::parse(text).ok_or_else(|| E::custom("not a product's key"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_that_is_safe_in_addresses_stays_as_it_is() {
        let longest = "x".repeat(100);
        for name in ["1", "9007199254740993", "99999999999999999999999", "SKU_1~a.b-C", "0a", &longest] {
            assert_eq!(ProductKey::of(name).to_string(), name);
        }
        assert_eq!(ProductKey::of("7"), ProductKey::from(7));
    }

    /// Addresses are made of these keys, so they are the same in every version.
    #[test]
    fn any_other_name_is_changed_and_never_changes_again() {
        assert_eq!(ProductKey::of("\u{10c}te\u{10d}ka 6").to_string(), "Ctecka-6-xhmurt");
        for (name, letters) in
            [("a/b", "a-b"), ("..", ".."), ("", ""), ("007", "007"), ("0", "0"), ("\u{301}", "")]
        {
            let key = ProductKey::of(name).to_string();
            let (kept, hash) = key.rsplit_once('-').unwrap();
            assert_eq!((kept, hash.len()), (letters, SUFFIX), "{name}");
        }
        let arabic = ProductKey::of("\u{645}\u{635}\u{628}\u{627}\u{62d}").to_string();
        assert!(arabic.starts_with("msb"), "{arabic}");
        assert_eq!(ProductKey::of(&"\u{1f6d2}".repeat(9_000)).to_string().len(), ProductKey::MAX_LENGTH);
    }

    #[test]
    fn a_long_code_begins_with_the_short_one() {
        assert_eq!(ProductKey::with_long_code("\u{10c}te\u{10d}ka 6").to_string(), "Ctecka-6-xhmurtm2pgcg");
        let long = ProductKey::with_long_code(&"\u{1f6d2}".repeat(9_000)).to_string();
        assert_eq!(ProductKey::parse(&long).unwrap().to_string(), long);
        assert_eq!(long.len(), ProductKey::MAX_LENGTH);
    }

    #[test]
    fn what_no_address_can_hold_is_no_key() {
        for text in ["", ".", "..", "0", "007", "a b", "a/b", "%41", "\u{e9}", "-5 ", &"x".repeat(101)] {
            assert_eq!(ProductKey::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_number_is_saved_as_one_and_either_form_is_read() {
        for (json, key) in [("7", ProductKey::from(7)), (r#""a-7""#, ProductKey::of("a-7"))] {
            assert_eq!(serde_json::to_string(&key).unwrap(), json);
            assert_eq!(serde_json::from_str::<ProductKey>(json).unwrap(), key);
        }
        assert_eq!(serde_json::from_str::<ProductKey>(r#""7""#).unwrap(), ProductKey::from(7));
        for json in ["-1", "1.5", "null", r#""a b""#, r#""..""#, "[]"] {
            assert!(serde_json::from_str::<ProductKey>(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn the_key_of_any_name_is_one_and_holds_for_every_use(name in "\\PC{0,120}|[0-9]{0,30}|(?s:.{0,8})") {
            let key = ProductKey::of(&name);
            let text = key.to_string();
            prop_assert_eq!(ProductKey::parse(&text), Some(key.clone()));
            prop_assert_eq!(ProductKey::of(&text), key.clone());
            let json = serde_json::to_string(&key).unwrap();
            prop_assert_eq!(serde_json::from_str::<ProductKey>(&json).unwrap(), key);
        }

        #[test]
        fn different_names_have_different_keys(names in prop::collection::hash_set("[a-c0 ./\u{e9}\u{10d}]{0,6}", 2..40)) {
            let keys: std::collections::HashSet<_> = names.iter().map(|name| ProductKey::of(name)).collect();
            prop_assert_eq!(keys.len(), names.len());
        }
    }
}
