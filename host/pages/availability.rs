//! How pages say whether a product can be had.

use crate::catalogue::Availability;
use crate::contract::{AvailabilityLabel, AvailabilityTone};
use crate::texts::{Key, Texts};

/// Below this number a card says how many are left.
const FEW_ON_CARD: u32 = 10;
/// Up to this number the product page says that the stock is low.
const LOW: u32 = 5;

/// The label of a card; `None` if the availability is not known.
pub(super) fn on_card(texts: &Texts, availability: Availability) -> Option<AvailabilityLabel> {
    let left = |units: u32| texts.count(Key::LeftInStock, units as usize, &[]);
    match availability {
        Availability::InStock(Some(units)) if units.get() < FEW_ON_CARD => {
            Some(label(left(units.get()), AvailabilityTone::Few))
        }
        // A stock of 0 is labelled like other low numbers.
        Availability::SoldOut => Some(label(left(0), AvailabilityTone::SoldOut)),
        other => common(texts, other),
    }
}

/// The labels of the product page; empty if the availability is not known.
pub(super) fn on_page(texts: &Texts, availability: Availability) -> Vec<AvailabilityLabel> {
    let low = || label(texts.text(Key::LowStock), AvailabilityTone::Few);
    match availability {
        Availability::InStock(Some(units)) if units.get() <= LOW => vec![low()],
        Availability::SoldOut => vec![low(), label(texts.text(Key::SoldOut), AvailabilityTone::SoldOut)],
        other => common(texts, other).into_iter().collect(),
    }
}

/// The label of a variant in the page's table; `None` if the availability is not known.
pub(super) fn in_table(texts: &Texts, availability: Availability) -> Option<AvailabilityLabel> {
    on_page(texts, availability).pop()
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

fn label(text: impl Into<String>, tone: AvailabilityTone) -> AvailabilityLabel {
    AvailabilityLabel { text: text.into(), tone: Some(tone) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_are_the_specified_ones() {
        let (stock, texts) = (Availability::of_stock, Texts::default());
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
            let on_card = on_card(&texts, availability).map_or_else(String::new, |label| label.text);
            let on_page: Vec<_> = on_page(&texts, availability).into_iter().map(|label| label.text).collect();
            assert_eq!((on_card.as_str(), on_page.join(", ").as_str()), (card, page), "{availability:?}");
        }
    }
}
