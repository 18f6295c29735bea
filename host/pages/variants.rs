//! The variants of a product, as its page shows them.

use super::availability;
use crate::catalogue::Product;
use crate::catalogue::variant::{self, Variant};
use crate::contract::{ProductOption, ProductVariant};
use crate::profile::Profile;

/// The options, each with its values in one line.
pub(super) fn options(product: &Product) -> Vec<ProductOption> {
    let line =
        |(name, values): (&str, Vec<&str>)| ProductOption { name: name.into(), values: values.join(", ") };
    variant::options(&product.variants).into_iter().map(line).collect()
}

/// The rows of the table. A single variant needs none: it is the product.
pub(super) fn rows(profile: &Profile, product: &Product) -> Vec<ProductVariant> {
    if product.variants.len() < 2 {
        return Vec::new();
    }
    product.variants.iter().map(|variant| row(profile, variant)).collect()
}

fn row(profile: &Profile, variant: &Variant) -> ProductVariant {
    let values: Vec<&str> = variant.options.iter().map(|option| option.value.as_str()).collect();
    ProductVariant {
        name: values.join(" / "),
        price: profile.numbers.amount(variant.price),
        availability: availability::in_table(profile, variant.availability),
        sku: variant.sku.clone(),
    }
}
