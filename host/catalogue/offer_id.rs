//! The ids of what a shop offers: of its products and of their variants. Google's product data and the addresses of variants
//! have them.

use super::key::ProductKey;
use super::variant::{Variant, VariantOption};

/// Longest id in Google's product data, in characters.
const LONGEST: usize = 50;
/// Length of the hash in an id, in characters: 64 bits.
const HASH: usize = 16;

/// The id of a product, or of its variant: at most 50 characters of `A-Za-z0-9._~-`, which no address has to encode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OfferId(Box<str>);

impl OfferId {
    /// The id of a product, or of its variant with these options. A product's id is its key, unless that is too long. The
    /// id of a variant depends only on the product's key and the variant's options, in any order.
    pub(crate) fn of(key: &ProductKey, options: &[VariantOption]) -> Self {
        let key = key.to_string();
        if options.is_empty() && key.len() <= LONGEST {
            return Self(key.into());
        }
        let mut options: Vec<&VariantOption> = options.iter().collect();
        options.sort();
        let texts = options.iter().flat_map(|option| [&option.name, &option.value]).chain([&key]);
        let mut hash = blake3::Hasher::new();
        for text in texts {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        let hash = hash.finalize().to_hex();
        // Keys are ASCII.
        Self(format!("{:.*}-{:.HASH$}", LONGEST - HASH - 1, key, hash.as_str()).into())
    }

    /// The id with this text; `None` if no variant can have it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (key, hash) = text.rsplit_once('-')?;
        let is_hash = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || b"._~-".contains(&byte);
        let is_valid = !key.is_empty()
            && key.bytes().all(is_key)
            && hash.len() == HASH
            && hash.bytes().all(is_hash)
            && text.len() <= LONGEST;
        is_valid.then(|| Self(text.into()))
    }

    /// The variant of a product that has this id.
    pub(crate) fn find<'a>(&self, key: &ProductKey, variants: &'a [Variant]) -> Option<&'a Variant> {
        variants.iter().find(|variant| Self::of(key, &variant.options) == *self)
    }

    /// The beginning of the key in the id of a variant, and whether the key may be longer.
    pub(crate) fn beginning_of_key(&self) -> (&str, bool) {
        let key = self.0.rsplit_once('-').map_or(&*self.0, |(key, _)| key);
        (key, key.len() == LONGEST - HASH - 1)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<OfferId> for String {
    fn from(OfferId(text): OfferId) -> Self {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: &str) -> VariantOption {
        VariantOption { name: name.into(), value: value.into() }
    }

    fn id(key: &str, options: &[VariantOption]) -> String {
        OfferId::of(&ProductKey::of(key), options).into()
    }

    #[test]
    fn an_id_is_the_key_unless_that_is_too_long_and_never_changes() {
        assert_eq!((id("7", &[]), id("lamp", &[])), ("7".into(), "lamp".into()));
        assert_eq!(id(&"x".repeat(50), &[]), "x".repeat(50));
        let long = id(&"x".repeat(51), &[]);
        assert_eq!((long.len(), &long[..34]), (50, &*format!("{}-", "x".repeat(33))));
        assert_ne!(long, id(&"x".repeat(52), &[]));
        // Google knows items by these ids, in every version.
        assert_eq!(long, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-4db0eee7b22de681");
        let [size, colour] = [option("Size", "M"), option("Colour", "Red")];
        let both = id("lamp", &[size.clone(), colour.clone()]);
        assert_eq!(both, id("lamp", &[colour, size.clone()]), "in any order");
        assert_eq!(both, "lamp-96bc1d9c52a18886");
        for other in
            [id("lamp", &[size]), id("lamp", &[option("SizeM", "")]), id("lamp-", &[option("Size", "M")])]
        {
            assert_ne!(other, both);
        }
    }

    #[test]
    fn only_the_ids_of_variants_are_parsed() {
        for key in ["7", "lamp", &"x".repeat(100)] {
            let id = id(key, &[option("Size", "M")]);
            assert_eq!(OfferId::parse(&id).map(String::from), Some(id));
        }
        for text in [
            "",
            "7",
            "lamp",
            "lamp-4db0eee7b22de68",
            "-4db0eee7b22de681",
            "a/b-4db0eee7b22de681",
            "a-4DB0eee7b22de681",
        ] {
            assert_eq!(OfferId::parse(text), None, "{text}");
        }
        assert_eq!(OfferId::parse(&format!("{}-4db0eee7b22de681", "x".repeat(34))), None);
    }
}
