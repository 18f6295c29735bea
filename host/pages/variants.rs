//! The variants of a product, as its page lets shoppers choose one. Each choice is an address.

use std::collections::HashMap;

use super::availability;
use crate::catalogue::variant::{self, Variant, VariantOption};
use crate::catalogue::{Colour, OfferId, OptionKind, Product, ProductKey, sort_naturally};
use crate::contract::{AvailabilityLabel, OptionValue, ProductOption};
use crate::profile::Profile;
use crate::texts::Key;

/// Most values of an option that are shown side by side.
const SIDE_BY_SIDE: usize = 30;

/// The options with their values. A single variant leaves nothing to choose: it is the product.
pub(super) fn options(profile: &Profile, product: &Product, chosen: Option<&Variant>) -> Vec<ProductOption> {
    let variants = &product.variants;
    let leads = if variants.len() < 2 { HashMap::new() } else { leads(variants, chosen) };
    let option = |(name, mut values): (&str, Vec<&str>)| {
        sort_naturally(&mut values, |value| value);
        let is_colour = OptionKind::of(name) == Some(OptionKind::Colour);
        let has_choice = values.len() > 1;
        let is_long = values.len() > SIDE_BY_SIDE;
        let value = |value: &str| {
            let own = VariantOption { name: name.into(), value: value.into() };
            let lead = leads.get(&own).filter(|_| has_choice);
            OptionValue {
                name: value.into(),
                variant: lead.map(|lead| id(&product.summary.id, lead.variant)),
                is_chosen: has_choice && chosen.is_some_and(|chosen| chosen.options.contains(&own)),
                note: lead.and_then(|lead| note(profile, lead)),
                colour: Colour::named(value).filter(|_| is_colour).map(|colour| colour.to_string()),
            }
        };
        ProductOption { name: name.into(), values: values.into_iter().map(value).collect(), is_long }
    };
    variant::options(variants).into_iter().map(option).collect()
}

fn id(key: &ProductKey, variant: &Variant) -> String {
    OfferId::of(key, &variant.options).into()
}

/// The values of a variant, such as `M / Blue`.
pub(super) fn name(variant: &Variant) -> String {
    let values: Vec<&str> = variant.options.iter().map(|option| option.value.as_str()).collect();
    values.join(" / ")
}

/// The pictures of a product. That of the chosen variant comes first.
pub(super) fn images(product: &Product, chosen: Option<&Variant>) -> Vec<String> {
    let own = chosen.and_then(|chosen| chosen.picture.as_ref());
    let others = product.images.iter().filter(|image| own != Some(image));
    own.into_iter().chain(others).cloned().collect()
}

/// Where a value leads.
#[derive(Clone, Copy)]
struct Lead<'a> {
    variant: &'a Variant,
    /// How many of the other options are as they are chosen.
    kept: usize,
    /// Whether all of them are.
    is_exact: bool,
}

/// The variant that each value leads to: of those with this value, the one that has most of the other options as they are
/// chosen; of several, one that is not sold out, and then the first.
fn leads<'a>(variants: &'a [Variant], chosen: Option<&'a Variant>) -> HashMap<&'a VariantOption, Lead<'a>> {
    let mut leads: HashMap<&VariantOption, Lead> = HashMap::new();
    let chosen: &[VariantOption] = chosen.map_or(&[], |chosen| &chosen.options);
    let rank = |lead: &Lead| (lead.kept, !lead.variant.availability.is_sold_out());
    for variant in variants {
        let all = variant.options.iter().filter(|option| chosen.contains(option)).count();
        for option in &variant.options {
            let kept = all - usize::from(chosen.contains(option));
            let others = chosen.iter().filter(|other| other.name != option.name).count();
            let lead = Lead { variant, kept, is_exact: kept == others };
            let best = leads.entry(option).or_insert(lead);
            if rank(&lead) > rank(best) {
                *best = lead;
            }
        }
    }
    leads
}

/// Why a value cannot be had beside the other chosen ones.
fn note(profile: &Profile, lead: &Lead) -> Option<AvailabilityLabel> {
    if !lead.is_exact {
        return Some(AvailabilityLabel {
            text: profile.texts.text(Key::NotInCombination).into(),
            tone: None,
        });
    }
    lead.variant.availability.is_sold_out().then(|| availability::sold_out(&profile.texts))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::Availability;
    use crate::profile::Money;

    fn variant(options: &[(&str, &str)], stock: u32) -> Variant {
        let option = |&(name, value): &(&str, &str)| VariantOption { name: name.into(), value: value.into() };
        Variant {
            options: options.iter().map(option).collect(),
            price: Money::from_minor(100),
            list_price: None,
            availability: Availability::of_stock(stock),
            sku: String::new(),
            gtin: None,
            picture: None,
            link: None,
            terms: crate::catalogue::Terms::default(),
        }
    }

    fn product(variants: Vec<Variant>) -> Product {
        Product { variants, ..Product::default() }
    }

    /// What each value shows: its name, where it leads, and its note.
    fn shown(product: &Product, chosen: Option<usize>) -> Vec<String> {
        let chosen = chosen.map(|at| &product.variants[at]);
        let options = options(&Profile::default(), product, chosen);
        let values = options.into_iter().flat_map(|option| option.values);
        let place = |id: String| {
            let id = OfferId::parse(&id).unwrap();
            let found = id.find(&product.summary.id, &product.variants).unwrap();
            product.variants.iter().position(|own| own == found).unwrap()
        };
        let text = |value: OptionValue| {
            let lead = value.variant.map(place).map_or("-".into(), |place| place.to_string());
            let note = value.note.map(|note| format!(" ({})", note.text)).unwrap_or_default();
            format!("{}{}>{lead}{note}", if value.is_chosen { "*" } else { "" }, value.name)
        };
        values.map(text).collect()
    }

    #[test]
    fn a_value_leads_to_the_variant_that_keeps_the_other_choices() {
        let shirts = product(vec![
            variant(&[("Size", "S"), ("Colour", "Red")], 0),
            variant(&[("Size", "S"), ("Colour", "Blue")], 3),
            variant(&[("Size", "M"), ("Colour", "Red")], 3),
            variant(&[("Size", "M"), ("Colour", "Blue")], 0),
            variant(&[("Size", "L"), ("Colour", "Blue")], 0),
        ]);
        // Without a choice, one that is not sold out comes first.
        assert_eq!(shown(&shirts, None), ["S>1", "M>2", "L>4 (Sold out)", "Red>2", "Blue>1"]);
        let none = "not in this combination";
        assert_eq!(
            shown(&shirts, Some(2)),
            ["S>0 (Sold out)", "*M>2", &*format!("L>4 ({none})"), "*Red>2", "Blue>3 (Sold out)"]
        );
    }

    #[test]
    fn what_all_variants_have_in_common_is_no_choice() {
        let one = product(vec![variant(&[("Size", "S"), ("Colour", "#FF0000")], 1)]);
        assert_eq!(shown(&one, None), ["S>-", "#FF0000>-"]);
        let two = product(vec![
            variant(&[("Size", "S"), ("Colour", "red")], 1),
            variant(&[("Size", "M"), ("Colour", "red")], 1),
        ]);
        assert_eq!(shown(&two, Some(0)), ["*S>0", "M>1", "red>-"]);
        let colours = |product: &Product| -> Vec<Option<String>> {
            let options = options(&Profile::default(), product, None);
            options.into_iter().flat_map(|option| option.values).map(|value| value.colour).collect()
        };
        assert_eq!(colours(&one), [None, Some("#ff0000".into())]);
        assert_eq!(colours(&two), [None, None, Some("#c62828".into())], "a size is no colour");
    }

    #[test]
    fn the_picture_of_the_chosen_variant_comes_first() {
        let own = Variant { picture: Some("/b.webp".into()), ..variant(&[("Size", "S")], 1) };
        let images = ["/a.webp", "/b.webp"].map(String::from).to_vec();
        let product = Product { images, ..product(vec![own]) };
        assert_eq!(super::images(&product, None), ["/a.webp", "/b.webp"]);
        assert_eq!(super::images(&product, product.variants.first()), ["/b.webp", "/a.webp"]);
        let other = Variant { picture: Some("/c.webp".into()), ..variant(&[("Size", "S")], 1) };
        assert_eq!(super::images(&product, Some(&other)), ["/c.webp", "/a.webp", "/b.webp"]);
    }

    proptest! {
        #[test]
        fn the_address_of_a_variant_stays_whatever_the_order_of_the_file(
            values in prop::collection::hash_set(("[A-C]", "[a-c]"), 1..8), turn in 0_usize..8,
        ) {
            let variants: Vec<Variant> =
                values.iter().map(|(size, colour)| variant(&[("Size", size), ("Colour", colour)], 1)).collect();
            let mut others = variants.clone();
            others.rotate_left(turn % variants.len());
            others.iter_mut().for_each(|other| other.options.reverse());
            let key = ProductKey::of("shirt");
            for own in &variants {
                let id = OfferId::of(&key, &own.options);
                prop_assert_eq!(id.find(&key, &variants), Some(own));
                let found = id.find(&key, &others).map(|other| other.options.iter().rev().cloned().collect());
                prop_assert_eq!(found, Some(own.options.clone()));
            }
        }
    }
}
