//! What a product or a variant costs, in the terms of schema.org.

use serde::Serialize;

use crate::catalogue::variant::offered;
use crate::catalogue::{Availability, Product, Summary};
use crate::profile::Currency;

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Offers {
    One(Offer),
    /// The variants on offer, if their prices differ.
    Several(AggregateOffer),
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
pub(super) struct AggregateOffer {
    url: String,
    low_price: String,
    high_price: String,
    offer_count: usize,
    price_currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
pub(super) struct Offer {
    url: String,
    price: String,
    price_currency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    availability: Option<&'static str>,
}

/// The offer of a product or variant with this price and availability.
pub(super) fn one(summary: &Summary, currency: Currency, url: String) -> Offer {
    Offer {
        url,
        price: currency.plain(summary.price),
        price_currency: currency.code().into(),
        availability: schema_name(summary.availability),
    }
}

/// The offers of a whole product.
pub(super) fn all(product: &Product, currency: Currency, url: String) -> Offers {
    let summary = &product.summary;
    match product.price_range() {
        None => Offers::One(one(summary, currency, url)),
        Some((lowest, highest)) => Offers::Several(AggregateOffer {
            url,
            low_price: currency.plain(lowest),
            high_price: currency.plain(highest),
            offer_count: offered(&product.variants).count(),
            price_currency: currency.code().into(),
            availability: schema_name(summary.availability),
        }),
    }
}

/// The availability's name in schema.org (`ItemAvailability`).
fn schema_name(availability: Availability) -> Option<&'static str> {
    match availability {
        Availability::InStock(_) => Some("https://schema.org/InStock"),
        Availability::PreOrder => Some("https://schema.org/PreOrder"),
        Availability::BackOrder => Some("https://schema.org/BackOrder"),
        Availability::SoldOut => Some("https://schema.org/OutOfStock"),
        Availability::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Money;

    #[test]
    fn an_offer_has_the_price_that_shoppers_pay_and_not_the_struck_one() {
        let summary = Summary {
            price: Money::from_minor(1_250),
            list_price: Some(Money::from_minor(2_000)),
            ..Summary::default()
        };
        let product = Product { summary, ..Product::default() };
        let offers = all(&product, Currency::default(), "https://shop.example/product/1".into());
        let offer = serde_json::to_value(&offers).unwrap();
        assert_eq!((&offer["price"], &offer["priceCurrency"]), (&"12.50".into(), &"USD".into()));
    }
}
