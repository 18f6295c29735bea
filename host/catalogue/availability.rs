//! Whether a product can be had.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// Whether a product can be had, as far as its source says it. Saved state keeps the form of former versions, which
/// knew only numbers in stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub enum Availability {
    /// With how many there are, if that is known. A stock of 0 is [`Self::SoldOut`].
    InStock(Option<NonZeroU32>),
    /// It can be ordered before it is first sold.
    PreOrder,
    /// It can be ordered and is sent when there are some again.
    BackOrder,
    SoldOut,
    #[default]
    Unknown,
}

impl Availability {
    /// How many units there are.
    pub fn of_stock(units: u32) -> Self {
        NonZeroU32::new(units).map_or(Self::SoldOut, |units| Self::InStock(Some(units)))
    }

    /// Reads schema.org's names (`https://schema.org/PreOrder`) and the usual spellings of feeds (`pre_order`,
    /// `in stock`), in whatever case.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        const LONGEST: usize = 60;
        if text.len() > LONGEST {
            return None;
        }
        let name = text.trim().rsplit('/').next()?;
        let letters = name.chars().filter(|character| !matches!(character, ' ' | '-' | '_'));
        let name: String = letters.map(|character| character.to_ascii_lowercase()).collect();
        Some(match name.as_str() {
            "instock" | "limitedavailability" | "onlineonly" => Self::InStock(None),
            "preorder" | "presale" => Self::PreOrder,
            "backorder" => Self::BackOrder,
            "outofstock" | "soldout" | "discontinued" => Self::SoldOut,
            _ => return None,
        })
    }

    /// What `stock` and a `stated` availability say together. The number alone tells how many there are, and that
    /// there are none to be had at once; other statements say more than any number.
    pub(crate) fn of(stock: Option<u32>, stated: Option<Self>) -> Self {
        match (stock, stated) {
            (Some(units), None | Some(Self::InStock(_) | Self::Unknown)) => Self::of_stock(units),
            (_, stated) => stated.unwrap_or_default(),
        }
    }

    /// What is not known may be there.
    pub fn is_sold_out(self) -> bool {
        self == Self::SoldOut
    }
}

/// The form in saved state: a number or null, as former versions wrote and read it, or the name of what they did not
/// know.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Saved {
    Stock(Option<u32>),
    Named(Named),
}

#[derive(Serialize, Deserialize)]
enum Named {
    InStock,
    PreOrder,
    BackOrder,
}

impl From<Saved> for Availability {
    fn from(saved: Saved) -> Self {
        match saved {
            Saved::Stock(units) => units.map_or(Self::Unknown, Self::of_stock),
            Saved::Named(Named::InStock) => Self::InStock(None),
            Saved::Named(Named::PreOrder) => Self::PreOrder,
            Saved::Named(Named::BackOrder) => Self::BackOrder,
        }
    }
}

impl From<Availability> for Saved {
    fn from(availability: Availability) -> Self {
        match availability {
            Availability::InStock(Some(units)) => Self::Stock(Some(units.get())),
            Availability::InStock(None) => Self::Named(Named::InStock),
            Availability::PreOrder => Self::Named(Named::PreOrder),
            Availability::BackOrder => Self::Named(Named::BackOrder),
            Availability::SoldOut => Self::Stock(Some(0)),
            Availability::Unknown => Self::Stock(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EACH: [(Availability, &str); 6] = [
        (Availability::InStock(NonZeroU32::new(12)), "12"),
        (Availability::InStock(None), r#""InStock""#),
        (Availability::PreOrder, r#""PreOrder""#),
        (Availability::BackOrder, r#""BackOrder""#),
        (Availability::SoldOut, "0"),
        (Availability::Unknown, "null"),
    ];

    #[test]
    fn saved_state_keeps_each_and_the_numbers_of_former_versions() {
        for (availability, saved) in EACH {
            assert_eq!(serde_json::to_string(&availability).unwrap(), saved);
            assert_eq!(serde_json::from_str::<Availability>(saved).unwrap(), availability);
        }
        for bad in ["-1", "1.5", "4294967296", r#""Gone""#, "{}", "true"] {
            assert!(serde_json::from_str::<Availability>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn usual_spellings_are_read() {
        for (text, availability) in [
            ("https://schema.org/PreOrder", Availability::PreOrder),
            ("http://schema.org/InStock", Availability::InStock(None)),
            ("preorder", Availability::PreOrder),
            (" back_order ", Availability::BackOrder),
            ("Back-Order", Availability::BackOrder),
            ("in stock", Availability::InStock(None)),
            ("out of stock", Availability::SoldOut),
        ] {
            assert_eq!(Availability::parse(text), Some(availability), "{text}");
        }
        for bad in ["", "/", "perhaps", "in stock?", "\u{131}nstock", &"in stock ".repeat(1_000)] {
            assert_eq!(Availability::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_number_says_how_many_there_are_and_a_statement_what_it_cannot() {
        use Availability::{BackOrder, InStock, PreOrder, SoldOut, Unknown};
        for (stock, stated, both) in [
            (Some(5), None, InStock(NonZeroU32::new(5))),
            (Some(5), Some(InStock(None)), InStock(NonZeroU32::new(5))),
            (Some(0), Some(InStock(None)), SoldOut),
            (Some(0), Some(PreOrder), PreOrder),
            (Some(5), Some(BackOrder), BackOrder),
            (Some(5), Some(SoldOut), SoldOut),
            (None, Some(InStock(None)), InStock(None)),
            (None, None, Unknown),
        ] {
            assert_eq!(Availability::of(stock, stated), both, "{stock:?} {stated:?}");
        }
    }
}
