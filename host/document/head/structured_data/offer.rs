//! What a product or a variant costs, in the terms of schema.org.

use serde::Serialize;

use crate::catalogue::variant::offered;
use crate::catalogue::{Availability, Condition, Content, Measure, Product, Summary, Terms};
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
    #[serde(skip_serializing_if = "Option::is_none")]
    item_condition: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_specification: Option<UnitPrice>,
}

/// What a unit costs: the price of an amount, which is a part or a multiple of another one.
#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "UnitPriceSpecification", rename_all = "camelCase")]
struct UnitPrice {
    price: String,
    price_currency: String,
    reference_quantity: Quantity,
}

#[derive(Debug, Serialize)]
#[serde(tag = "@type", rename = "QuantitativeValue", rename_all = "camelCase")]
struct Quantity {
    value: String,
    unit_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_reference: Option<Box<Self>>,
}

fn quantity(measure: Measure, value_reference: Option<Box<Quantity>>) -> Quantity {
    Quantity { value: measure.amount(), unit_code: measure.code(), value_reference }
}

/// The offer of a product or variant with this price and availability.
pub(super) fn one(summary: &Summary, terms: Terms, currency: Currency, url: String) -> Offer {
    let unit_price = |content: Content| UnitPrice {
        price: currency.plain(summary.price),
        price_currency: currency.code().into(),
        reference_quantity: quantity(content.measure(), Some(Box::new(quantity(content.base(), None)))),
    };
    Offer {
        url,
        price: currency.plain(summary.price),
        price_currency: currency.code().into(),
        availability: schema_name(summary.availability),
        item_condition: terms.condition.map(condition_name),
        price_specification: terms.content.map(unit_price),
    }
}

/// The offers of a whole product.
pub(super) fn all(product: &Product, currency: Currency, url: String) -> Offers {
    let summary = &product.summary;
    match product.price_range() {
        None => Offers::One(one(summary, product.terms_of(None), currency, url)),
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

/// The condition's name in schema.org (`OfferItemCondition`).
fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::New => "https://schema.org/NewCondition",
        Condition::Refurbished => "https://schema.org/RefurbishedCondition",
        Condition::Used => "https://schema.org/UsedCondition",
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
