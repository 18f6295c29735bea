//! How pages say whether a product can be had.

use crate::catalogue::Availability;
use crate::contract::{AvailabilityLabel, AvailabilityTone};
use crate::profile::Profile;
use crate::texts::{Key, Texts};

/// Below this number a card says how many are left.
const FEW_ON_CARD: u32 = 10;
/// Up to this number the product page says that the stock is low.
const LOW: u32 = 5;

/// The label of a card; `None` if the availability is not known.
pub(super) fn on_card(profile: &Profile, availability: Availability) -> Option<AvailabilityLabel> {
    let texts = &profile.texts;
    let left = |units: u32| texts.count(Key::LeftInStock, units as usize, &[]);
    match availability {
        Availability::InStock(Some(units)) if units.get() < FEW_ON_CARD => {
            Some(label(left(units.get()), AvailabilityTone::Few))
        }
        Availability::SoldOut if profile.is_own => Some(sold_out(texts)),
        // A stock of 0 is labelled like other low numbers.
        Availability::SoldOut => Some(label(left(0), AvailabilityTone::SoldOut)),
        other => common(texts, other),
    }
}

/// The labels of the product page; empty if the availability is not known.
pub(super) fn on_page(profile: &Profile, availability: Availability) -> Vec<AvailabilityLabel> {
    let texts = &profile.texts;
    let low = || label(texts.text(Key::LowStock), AvailabilityTone::Few);
    match availability {
        Availability::InStock(Some(units)) if units.get() <= LOW => vec![low()],
        Availability::SoldOut if profile.is_own => vec![sold_out(texts)],
        Availability::SoldOut => vec![low(), sold_out(texts)],
        other => common(texts, other).into_iter().collect(),
    }
}

/// The labels that cards and pages share.
fn common(texts: &Texts, availability: Availability) -> Option<AvailabilityLabel> {
    let key = match availability {
        Availability::InStock(_) => Key::InStock,
        Availability::PreOrder => Key::PreOrder,
        Availability::BackOrder => Key::BackOrder,
        Availability::SoldOut | Availability::Unknown => return None,
    };
    Some(AvailabilityLabel { text: texts.text(key).into(), tone: None })
}

pub(super) fn sold_out(texts: &Texts) -> AvailabilityLabel {
    label(texts.text(Key::SoldOut), AvailabilityTone::SoldOut)
}

fn label(text: impl Into<String>, tone: AvailabilityTone) -> AvailabilityLabel {
    AvailabilityLabel { text: text.into(), tone: Some(tone) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_are_the_specified_ones() {
        let (stock, profile) = (Availability::of_stock, Profile::default());
        for (availability, card, page) in [
            (stock(10), "In Stock", "In Stock"),
            (stock(9), "9 left", "In Stock"),
            (stock(6), "6 left", "In Stock"),
            (stock(5), "5 left", "Low Stock"),
            (stock(1), "1 left", "Low Stock"),
            (stock(0), "0 left", "Low Stock, Sold out"),
            (Availability::InStock(None), "In Stock", "In Stock"),
            (Availability::PreOrder, "Pre-order", "Pre-order"),
            (Availability::BackOrder, "Back order", "Back order"),
            (Availability::Unknown, "", ""),
        ] {
            let on_card = on_card(&profile, availability).map_or_else(String::new, |label| label.text);
            let on_page: Vec<_> =
                on_page(&profile, availability).into_iter().map(|label| label.text).collect();
            assert_eq!((on_card.as_str(), on_page.join(", ").as_str()), (card, page), "{availability:?}");
        }
    }

    #[test]
    fn a_shop_of_its_operator_s_products_says_of_what_is_sold_out_nothing_else() {
        let profile = Profile { is_own: true, ..Profile::default() };
        assert_eq!(on_card(&profile, Availability::SoldOut).unwrap().text, "Sold out");
        assert_eq!(on_page(&profile, Availability::SoldOut).len(), 1);
        assert_eq!(on_card(&profile, Availability::of_stock(3)).unwrap().text, "3 left");
    }
}
