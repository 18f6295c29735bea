//! The availability of products.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// The availability of a product, as far as its source states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Availability {
    /// With the number of units, if it is known. A stock of 0 is [`Self::SoldOut`].
    InStock(Option<NonZeroU32>),
    /// It can be ordered before it is first sold.
    PreOrder,
    /// It can be ordered and is sent when it is in stock again.
    BackOrder,
    SoldOut,
    #[default]
    Unknown,
}

impl Availability {
    /// The availability of a product with this many units in stock.
    pub fn of_stock(units: u32) -> Self {
        NonZeroU32::new(units).map_or(Self::SoldOut, |units| Self::InStock(Some(units)))
    }

    /// The availability that a word such as `in stock` names, for a product with this many units; `None` if it is not
    /// one of the words that shops use.
    pub(crate) fn named(word: &str, units: Option<u32>) -> Option<Self> {
        let word = word.trim().to_lowercase().replace([' ', '-'], "_");
        Some(match word.rsplit('/').next().unwrap_or_default() {
            "in_stock"
            | "instock"
            | "available"
            | "yes"
            | "true"
            | "1"
            | "limited_availability"
            | "limitedavailability" => {
                units.filter(|units| *units > 0).map_or(Self::InStock(None), Self::of_stock)
            }
            "out_of_stock" | "outofstock" | "sold_out" | "soldout" | "unavailable" | "discontinued"
            | "no" | "false" | "0" => Self::SoldOut,
            "preorder" | "pre_order" | "presale" => Self::PreOrder,
            "backorder" | "back_order" | "onbackorder" | "available_for_order" => Self::BackOrder,
            _ => return None,
        })
    }

    /// Its word in Google's product data, which [`Self::named`] reads; `None` if the availability is unknown.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Self::InStock(_) => Some("in_stock"),
            Self::PreOrder => Some("preorder"),
            Self::BackOrder => Some("backorder"),
            Self::SoldOut => Some("out_of_stock"),
            Self::Unknown => None,
        }
    }

    /// The number of units, if it is known.
    pub(crate) fn units(self) -> Option<u32> {
        match self {
            Self::InStock(units) => units.map(NonZeroU32::get),
            Self::SoldOut => Some(0),
            Self::PreOrder | Self::BackOrder | Self::Unknown => None,
        }
    }

    /// An unknown availability does not count as sold out.
    pub fn is_sold_out(self) -> bool {
        self == Self::SoldOut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: [(Availability, &str); 6] = [
        (Availability::InStock(NonZeroU32::new(12)), r#"{"InStock":12}"#),
        (Availability::InStock(None), r#"{"InStock":null}"#),
        (Availability::PreOrder, r#""PreOrder""#),
        (Availability::BackOrder, r#""BackOrder""#),
        (Availability::SoldOut, r#""SoldOut""#),
        (Availability::Unknown, r#""Unknown""#),
    ];

    #[test]
    fn its_word_and_its_units_say_it_again() {
        for (availability, _) in EACH {
            let word = availability.word().unwrap_or_default();
            let read = Availability::named(word, availability.units());
            assert_eq!(read.unwrap_or_default(), availability);
        }
        assert_eq!(Availability::named("In Stock", Some(0)), Some(Availability::InStock(None)));
        assert_eq!(
            Availability::named("https://schema.org/OutOfStock", Some(3)),
            Some(Availability::SoldOut)
        );
        assert_eq!(Availability::named("perhaps", Some(3)), None);
    }

    #[test]
    fn saved_state_keeps_each() {
        for (availability, saved) in EACH {
            assert_eq!(serde_json::to_string(&availability).unwrap(), saved);
            assert_eq!(serde_json::from_str::<Availability>(saved).unwrap(), availability);
        }
        for units in ["-1", "0", "1.5", "4294967296", "{}", "true"] {
            let bad = format!(r#"{{"InStock":{units}}}"#);
            assert!(serde_json::from_str::<Availability>(&bad).is_err(), "{bad}");
        }
        for bad in ["12", "null", r#""Gone""#, r#""InStock""#, "{}", "true"] {
            assert!(serde_json::from_str::<Availability>(bad).is_err(), "{bad}");
        }
    }
}
