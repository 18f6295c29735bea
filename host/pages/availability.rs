//! How pages say whether a product can be had.

use crate::catalogue::Availability;
use crate::contract::{AvailabilityLabel, AvailabilityTone};

/// Below this number a card says how many are left.
const FEW_ON_CARD: u32 = 10;
/// Up to this number the product page says that the stock is low.
const LOW: u32 = 5;

/// The label of a card; `None` if the availability is not known.
pub(super) fn on_card(availability: Availability) -> Option<AvailabilityLabel> {
    match availability {
        Availability::InStock(Some(units)) if units.get() < FEW_ON_CARD => {
            Some(label(format!("{units} left"), AvailabilityTone::Few))
        }
        // A stock of 0 is labelled like other low numbers.
        Availability::SoldOut => Some(label("0 left", AvailabilityTone::SoldOut)),
        other => common(other),
    }
}

/// The labels of the product page; empty if the availability is not known.
pub(super) fn on_page(availability: Availability) -> Vec<AvailabilityLabel> {
    let low = || label("Low Stock", AvailabilityTone::Few);
    match availability {
        Availability::InStock(Some(units)) if units.get() <= LOW => vec![low()],
        Availability::SoldOut => vec![low(), label("Sold out", AvailabilityTone::SoldOut)],
        other => common(other).into_iter().collect(),
    }
}

/// The label of a variant in the page's table; `None` if the availability is not known.
pub(super) fn in_table(availability: Availability) -> Option<AvailabilityLabel> {
    on_page(availability).pop()
}

/// The labels that cards and pages share.
fn common(availability: Availability) -> Option<AvailabilityLabel> {
    let text = match availability {
        Availability::InStock(_) => "In Stock",
        Availability::PreOrder => "Pre-order",
        Availability::BackOrder => "Back order",
        Availability::SoldOut | Availability::Unknown => return None,
    };
    Some(AvailabilityLabel { text: text.into(), tone: None })
}

fn label(text: impl Into<String>, tone: AvailabilityTone) -> AvailabilityLabel {
    AvailabilityLabel { text: text.into(), tone: Some(tone) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_labels_are_the_specified_ones() {
        let stock = Availability::of_stock;
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
            let on_card = on_card(availability).map_or_else(String::new, |label| label.text);
            let on_page: Vec<_> = on_page(availability).into_iter().map(|label| label.text).collect();
            assert_eq!((on_card.as_str(), on_page.join(", ").as_str()), (card, page), "{availability:?}");
        }
    }
}
