//! The offers of a product: one for each of its variants, or one for the whole product.

use crate::catalogue::{Availability, Gtin, OfferId, Product, Terms, Variant, VariantOption};
use crate::pages::address;
use crate::profile::Money;

/// One of the forms in which a product is sold.
#[derive(Clone, Copy)]
pub(crate) struct Offer<'a> {
    pub(crate) product: &'a Product,
    /// Empty for a product without variants.
    pub(crate) options: &'a [VariantOption],
    pub(crate) price: Money,
    pub(crate) list_price: Option<Money>,
    pub(crate) availability: Availability,
    pub(crate) sku: &'a str,
    pub(crate) gtin: Option<&'a Gtin>,
    /// The variant's own picture.
    pub(crate) picture: Option<&'a str>,
    /// The page where it is sold.
    pub(crate) link: Option<&'a str>,
    /// What stands beside its price.
    pub(crate) terms: Terms,
}

impl<'a> Offer<'a> {
    /// The offers of a product, in the order of its variants. There is at least one.
    pub(crate) fn all_of(product: &'a Product) -> impl Iterator<Item = Self> {
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
            link: product.link.as_deref(),
            terms: product.terms,
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
            link: variant.link.as_deref().or(product.link.as_deref()),
            terms: product.terms_of(Some(variant)),
        }
    }

    /// Whether it is one of several variants, or may become one.
    pub(crate) fn is_variant(&self) -> bool {
        !self.options.is_empty()
    }

    /// Its id, which stays the same whatever else the catalogue has.
    pub(crate) fn id(&self) -> OfferId {
        OfferId::of(&self.product.summary.id, self.options)
    }

    /// The address of its page.
    pub(super) fn address(&self) -> String {
        let key = &self.product.summary.id;
        if self.is_variant() { address::variant(key, &self.id()) } else { address::product(key) }
    }

    /// The pictures of the product's page.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &'a str> {
        let Product { images, summary, .. } = self.product;
        let first = summary.thumbnail.as_deref().filter(|_| images.is_empty());
        images.iter().map(String::as_str).chain(first)
    }
}
