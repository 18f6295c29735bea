//! The variants of a product, such as its sizes and colours.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::availability::Availability;
use super::colour::Colour;
use super::gtin::{self, Gtin};
use super::model::Terms;
use super::option_kind::OptionKind;
use crate::profile::Money;

/// The largest number of variants of one product.
pub(crate) const MAX_VARIANTS: usize = 2_048;
/// The largest number of options of one variant.
pub(crate) const MAX_OPTIONS: usize = 6;

/// One of the forms in which a product is sold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// Its options, such as `Size` with `M`: at least one, each name once.
    pub options: Vec<VariantOption>,
    pub price: Money,
    /// The price without a discount, if it is above the price.
    pub list_price: Option<Money>,
    pub availability: Availability,
    pub sku: String,
    #[serde(deserialize_with = "gtin::valid")]
    pub gtin: Option<Gtin>,
    /// An `http(s)` URL or a path on this host.
    pub picture: Option<String>,
    /// The page where it is sold, if that is not the product's: an `http(s)` URL. Only files have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(default)]
    pub terms: Terms,
}

/// A name and a value, such as `Size` and `M`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VariantOption {
    pub name: String,
    pub value: String,
}

impl Variant {
    /// Approximate size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let option =
            |option: &VariantOption| size_of::<VariantOption>() + option.name.len() + option.value.len();
        let texts = [
            Some(self.sku.as_str()),
            self.gtin.as_ref().map(Gtin::as_str),
            self.picture.as_deref(),
            self.link.as_deref(),
        ];
        size_of::<Self>()
            + self.options.iter().map(option).sum::<usize>()
            + texts.into_iter().flatten().map(str::len).sum::<usize>()
    }
}

/// The variants on offer: those that are not sold out, or all if all are.
pub(crate) fn offered(variants: &[Variant]) -> impl Iterator<Item = &Variant> + Clone {
    let all = variants.iter().all(|variant| variant.availability.is_sold_out());
    variants.iter().filter(move |variant| all || !variant.availability.is_sold_out())
}

/// The cheapest variant on offer, whose price is the product's; the first of equally cheap ones.
pub(crate) fn cheapest(variants: &[Variant]) -> Option<&Variant> {
    offered(variants).min_by_key(|variant| variant.price)
}

/// The lowest and the highest price on offer, if they differ.
pub(crate) fn price_range(variants: &[Variant]) -> Option<(Money, Money)> {
    let prices = offered(variants).map(|variant| variant.price);
    let (lowest, highest) = (prices.clone().min()?, prices.max()?);
    (lowest < highest).then_some((lowest, highest))
}

/// The names of the first options with their distinct values, all in the source's order.
pub(crate) fn options(variants: &[Variant]) -> Vec<(&str, Vec<&str>)> {
    let mut options: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places = HashMap::new();
    let mut seen = HashSet::new();
    for option in variants.iter().flat_map(|variant| &variant.options) {
        let place = *places.entry(option.name.as_str()).or_insert_with(|| {
            options.push((&option.name, Vec::new()));
            options.len() - 1
        });
        if seen.insert(option) {
            options[place].1.push(&option.value);
        }
    }
    // Each variant may have names of its own, and each name is a line of the page.
    options.truncate(MAX_OPTIONS);
    options
}

/// The colours of the variants on offer, each once, in the source's order: at most `most`.
pub(crate) fn colours(variants: &[Variant], most: usize) -> Vec<Colour> {
    let mut colours = Vec::new();
    let options = offered(variants).flat_map(|variant| &variant.options);
    for option in options.filter(|option| OptionKind::of(&option.name) == Some(OptionKind::Colour)) {
        if colours.len() == most {
            break;
        }
        colours.extend(Colour::named(&option.value).filter(|colour| !colours.contains(colour)));
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(cents: u64, options: &[(&str, &str)]) -> Variant {
        let option = |&(name, value): &(&str, &str)| VariantOption { name: name.into(), value: value.into() };
        let options = options.iter().map(option).collect();
        let (price, availability) = (Money::from_minor(cents), Availability::Unknown);
        Variant {
            options,
            price,
            list_price: None,
            availability,
            sku: String::new(),
            gtin: None,
            picture: None,
            link: None,
            terms: Terms::default(),
        }
    }

    #[test]
    fn options_are_listed_with_their_distinct_values_in_the_source_s_order() {
        let variants = [
            variant(200, &[("Size", "M"), ("Colour", "Blue")]),
            variant(100, &[("Size", "S"), ("Colour", "Blue")]),
            variant(100, &[("Colour", "M"), ("Size", "M")]),
        ];
        assert_eq!(options(&variants), [("Size", vec!["M", "S"]), ("Colour", vec!["Blue", "M"])]);
        assert_eq!(cheapest(&variants), Some(&variants[1]));
        assert_eq!(price_range(&variants), Some((Money::from_minor(100), Money::from_minor(200))));
        assert_eq!(price_range(&variants[1..]), None, "one price");
        assert_eq!((price_range(&[]), cheapest(&[]), options(&[])), (None, None, vec![]));
    }
}
