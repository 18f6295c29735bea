//! What a product is called in addresses.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Names one product of a catalogue: in its address, in saved answers and in tags. As text it has 1 to 100 of the
/// characters `A-Za-z0-9._~-`, so that no address has to encode it. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProductKey(Form);

/// Each key has one form: a text that could be a number is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Form {
    Number(u64),
    Text(Arc<str>),
}

impl ProductKey {
    /// Longest key, in characters.
    const MAX_LENGTH: usize = 100;

    /// The key that is written as `text`, if there is one. Digits with a leading zero are no key: they are another
    /// spelling of a number.
    pub fn parse(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte);
        let is_key = (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(allowed);
        if !is_key || matches!(text, "." | "..") {
            return None;
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(Self(Form::Text(text.into())));
        }
        if text.starts_with('0') {
            return None;
        }
        // A number that is too large for any calculation is only a text.
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

/// The key of a numbered product. 0 names none: it has no address.
impl From<u64> for ProductKey {
    fn from(number: u64) -> Self {
        Self(Form::Number(number))
    }
}

impl PartialEq<u64> for ProductKey {
    fn eq(&self, number: &u64) -> bool {
        self.number() == Some(*number)
    }
}

/// Names no product.
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

/// A number is written as one, as by versions that knew numbers alone.
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
