//! The offers of a product: one for each of its variants, or one for the whole product.

use crate::catalogue::{Availability, Gtin, Product, ProductKey, Variant, VariantOption};
use crate::profile::Money;

/// Longest id in Google's product data, in characters.
const LONGEST_ID: usize = 50;
/// Length of the hash in an id, in characters: 64 bits.
const HASH: usize = 16;

/// One of the forms in which a product is sold.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    pub(super) product: &'a Product,
    /// Empty for a product without variants.
    pub(super) options: &'a [VariantOption],
    pub(super) price: Money,
    pub(super) list_price: Option<Money>,
    pub(super) availability: Availability,
    pub(super) sku: &'a str,
    pub(super) gtin: Option<&'a Gtin>,
    /// The variant's own picture.
    pub(super) picture: Option<&'a str>,
}

impl<'a> Offer<'a> {
    /// The offers of a product, in the order of its variants. There is at least one.
    pub(super) fn all_of(product: &'a Product) -> impl Iterator<Item = Self> {
        let whole = product.variants.is_empty().then(|| Self::whole(product));
        whole.into_iter().chain(product.variants.iter().map(|variant| Self::of(product, variant)))
    }

    fn whole(product: &'a Product) -> Self {
        let summary = &product.summary;
        Self {
            product,
            options: &[],
            price: summary.price,
            list_price: summary.list_price,
            availability: summary.availability,
            sku: &product.sku,
            gtin: product.gtin.as_ref(),
            picture: None,
        }
    }

    fn of(product: &'a Product, variant: &'a Variant) -> Self {
        Self {
            product,
            options: &variant.options,
            price: variant.price,
            list_price: variant.list_price,
            availability: variant.availability,
            sku: &variant.sku,
            gtin: variant.gtin.as_ref(),
            picture: variant.picture.as_deref(),
        }
    }

    /// Whether it is one of several variants, or may become one.
    pub(super) fn is_variant(&self) -> bool {
        !self.options.is_empty()
    }

    /// Its id: at most 50 characters of `A-Za-z0-9._~-`. It stays the same whatever else the catalogue has: the id of a
    /// variant depends only on the product's key and the variant's options, in any order.
    pub(super) fn id(&self) -> String {
        id(&self.product.summary.id, self.options)
    }

    /// The pictures of the product's page.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &'a str> {
        let Product { images, summary, .. } = self.product;
        let first = summary.thumbnail.as_deref().filter(|_| images.is_empty());
        images.iter().map(String::as_str).chain(first)
    }
}

/// The id of a product, or of its variant with these options. A product's id is its key, unless that is too long.
pub(super) fn id(key: &ProductKey, options: &[VariantOption]) -> String {
    let key = key.to_string();
    if options.is_empty() && key.len() <= LONGEST_ID {
        return key;
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
    format!("{:.*}-{:.HASH$}", LONGEST_ID - HASH - 1, key, hash.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: &str) -> VariantOption {
        VariantOption { name: name.into(), value: value.into() }
    }

    #[test]
    fn an_id_is_the_key_unless_that_is_too_long_and_never_changes() {
        let id = |key: &str, options: &[VariantOption]| super::id(&ProductKey::of(key), options);
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
}
