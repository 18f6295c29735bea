//! Parses the variants of a product, in a field `variants` that extends the service's schema.

use serde::Deserialize;

use super::PictureAddress;
use super::entries::Entries;
use super::field::Field;
use super::number::Number;
use super::terms::terms;
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::variant::{MAX_OPTIONS, Variant, VariantOption};
use crate::profile::{Currency, Money};

/// The schema of a variant. A variant without a price has the product's.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct WireVariant<'a> {
    #[serde(borrow)]
    options: Field<Entries<'a, MAX_OPTIONS>>,
    price: Field<Number>,
    list_price: Field<Number>,
    stock: Field<Number>,
    availability: Field<String>,
    sku: Field<String>,
    gtin: Field<String>,
    image: Field<String>,
    /// Only files have it.
    link: Field<String>,
    condition: Field<String>,
    unit_pricing_measure: Field<String>,
    unit_pricing_base_measure: Field<String>,
    lowest_price: Field<Number>,
}

#[derive(Deserialize)]
struct WireOption {
    name: String,
    value: WireValue,
}

/// A value such as `"M"` or `42`.
#[derive(Deserialize)]
#[serde(untagged)]
enum WireValue {
    Text(String),
    Number(serde_json::Number),
}

/// The variant; `None` without valid options or with an invalid price.
pub(super) fn parse_variant(
    wire: WireVariant,
    product_price: Money,
    currency: Currency,
    picture: PictureAddress,
) -> Option<Variant> {
    let options = wire.options.given().filter(|options| options.further == 0)?;
    let options = options.first.into_iter().map(|entry| {
        let WireOption { name, value } = serde_json::from_str(entry.get()).ok()?;
        let value = match value {
            WireValue::Text(text) => text,
            WireValue::Number(number) => number.to_string(),
        };
        Some(VariantOption { name, value })
    });
    let stock = wire.stock.given().and_then(Number::stock).unwrap_or_default();
    let said = wire.availability.given().and_then(|word| Availability::named(&word, stock.units()));
    let variant = Variant {
        options: options.collect::<Option<_>>()?,
        price: match wire.price {
            Field::Missing => product_price,
            Field::Given(price) => price.price(currency)?,
            Field::Invalid => return None,
        },
        list_price: wire.list_price.given().and_then(|price| price.price(currency)),
        availability: said.unwrap_or(stock),
        sku: wire.sku.given().unwrap_or_default(),
        gtin: wire.gtin.given().and_then(|gtin| Gtin::parse(&gtin)),
        picture: wire.image.given().and_then(picture),
        link: wire.link.given(),
        terms: terms(
            wire.condition,
            [wire.unit_pricing_measure, wire.unit_pricing_base_measure],
            wire.lowest_price,
            currency,
        ),
    };
    variant.cleaned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::{Parsed, parse_product};
    use super::*;
    use crate::catalogue::model::Product;
    use crate::catalogue::variant::MAX_VARIANTS;

    /// In US dollars.
    fn parsed(body: &[u8]) -> Parsed<Product> {
        parse_product(body, Currency::default()).unwrap()
    }

    #[test]
    fn variants_are_read_and_broken_ones_are_named() {
        let body = br#"{"id":9,"title":"T","price":20,"discountPercentage":10,"variants":[
            {"options":[{"name":"Size","value":" M\u0000"}],"price":"12.50","listPrice":25,"stock":-0,"sku":"S","image":"/m.svg"},
            {"options":[{"name":"Size","value":"L"}],"listPrice":19,"stock":-3,"image":"javascript:x","gtin":"1"},
            {"options":[{"name":"Size","value":"M"}],"price":1}, {"options":[{"name":"Size","value":true}]},
            {"options":[]}, {"options":{}}, {}, 7, null, {"options":[{"name":"Size","value":"\u200b"}]},
            {"options":[{"name":"Size","value":"A"},{"name":"Size","value":"B"}]},
            {"options":[{"name":"Size","value":"B"}],"price":-1}, {"options":[{"name":"Size","value":"B"}],"price":[]},
            {"options":[{"name":"1","value":"1"},{"name":"2","value":"1"},{"name":"3","value":"1"},{"name":"4","value":"1"},
                        {"name":"5","value":"1"},{"name":"6","value":"1"},{"name":"7","value":"1"}]}]}"#;
        let parsed = parsed(body);
        let dropped: Vec<_> = parsed.dropped.kinds().collect();
        assert!(
            matches!(*dropped, [(kind, left_out)] if kind.to_string() == "invalid variant" && left_out.count == 12),
            "{dropped:?}"
        );
        let Product { summary, variants, .. } = parsed.value;
        let [medium, large] = &*variants else { panic!("{variants:?}") };
        assert_eq!((medium.options[0].value.as_str(), medium.sku.as_str()), ("M", "S"));
        assert_eq!((medium.availability, medium.picture.as_deref()), (Availability::SoldOut, Some("/m.svg")));
        assert_eq!((large.price.minor(), large.list_price, large.gtin.as_ref()), (20_00, None, None));
        assert_eq!((large.availability, large.picture.as_deref()), (Availability::Unknown, None));
        // The medium one is cheaper, but sold out.
        assert_eq!((summary.price.minor(), summary.discount_percentage), (20_00, 10.0));
        assert_eq!(summary.availability, Availability::Unknown);
        assert_eq!((medium.list_price.map(Money::minor), summary.list_price), (Some(25_00), None));
    }

    /// The price in cents, the list price above it and the stock of each variant.
    type Given = Vec<(u32, Option<u32>, u32)>;

    fn given() -> impl Strategy<Value = Given> {
        prop::collection::vec((0_u32..500, prop::option::of(1_u32..500), 0_u32..2), 0..6)
    }

    proptest! {
        /// Filters and sorts read this price, so that they agree with what is shown.
        #[test]
        fn a_product_costs_what_the_cheapest_variant_on_offer_costs(given in given(), own in 0_u32..500) {
            let decimal = |cents: u32| f64::from(cents) / 100.0;
            let variant = |(place, (price, above, stock)): (usize, &(u32, Option<u32>, u32))| json!({
                "options": [{ "name": "Size", "value": place.to_string() }],
                "price": decimal(*price), "listPrice": above.map(|above| decimal(price + above)), "stock": stock,
            });
            let variants: Vec<Value> = given.iter().enumerate().map(variant).collect();
            let body = json!({ "id": 1, "title": "T", "price": decimal(own), "variants": variants }).to_string();
            let product = parsed(body.as_bytes()).value;
            let has_stock = given.iter().any(|(_, _, stock)| *stock > 0);
            let offered = given.iter().filter(|(_, _, stock)| *stock > 0 || !has_stock);
            let cheapest = offered.clone().min_by_key(|(price, ..)| *price);
            let dearest = offered.map(|(price, ..)| *price).max();
            let (price, above) = cheapest.map_or((own, None), |(price, above, _)| (*price, *above));
            prop_assert_eq!(product.summary.price.minor(), u64::from(price));
            let list_price = above.filter(|_| price > 0).map(|above| u64::from(price + above));
            prop_assert_eq!(product.summary.list_price.map(Money::minor), list_price);
            let range = dearest.filter(|dearest| *dearest > price);
            prop_assert_eq!(
                product.price_range().map(|(low, high)| (low.minor(), high.minor())),
                range.map(|dearest| (u64::from(price), u64::from(dearest)))
            );
            // Saved state keeps all of it.
            prop_assert_eq!(product.clone().cleaned(), Some(product));
        }
    }

    #[test]
    fn a_product_is_sold_out_if_all_its_variants_are() {
        for (product, variants, availability) in [
            (r#""stock":20"#, [0, 0], Availability::SoldOut),
            (r#""stock":20"#, [0, 3], Availability::of_stock(20)),
            (r#""stock":0"#, [0, 3], Availability::InStock(None)),
            (r#""sku":"S""#, [0, 0], Availability::SoldOut),
            (r#""sku":"S""#, [0, 3], Availability::InStock(None)),
        ] {
            let variant = |stock| {
                format!(
                    r#"{{"options":[{{"name":"N","value":{stock}}},{{"name":"M","value":1}}],"stock":{stock}}}"#
                )
            };
            let other = r#"{"options":[{"name":"M","value":"1"},{"name":"N","value":"0"}],"stock":9}"#;
            let body = format!(
                r#"{{"id":9,"title":"T","price":20,{product},"variants":[{},{other},{}]}}"#,
                variant(variants[0]),
                variant(variants[1])
            );
            let product = parsed(body.as_bytes()).value;
            assert_eq!(product.summary.availability, availability, "{body}");
            // `other` has the options of the first variant in another order, so it is left out.
            assert!(product.variants.iter().all(|variant| variant.availability != Availability::of_stock(9)));
        }
    }

    #[test]
    fn a_discount_of_the_product_says_nothing_about_another_price() {
        let variant = r#"{"options":[{"name":"Size","value":42}],"price":12.5}"#;
        let body =
            format!(r#"{{"id":9,"title":"T","price":30,"discountPercentage":10,"variants":[{variant}]}}"#);
        let Product { summary, variants, .. } = parsed(body.as_bytes()).value;
        assert_eq!((summary.price.minor(), summary.discount_percentage), (12_50, 0.0));
        assert_eq!(variants[0].options[0].value, "42");
    }

    #[test]
    fn the_number_of_variants_is_limited() {
        let variant = |number| format!(r#"{{"options":[{{"name":"N","value":"{number}"}}]}}"#);
        let variants: Vec<String> = (0..3_000).map(variant).collect();
        let body = format!(r#"{{"id":9,"title":"T","price":20,"variants":[{}]}}"#, variants.join(","));
        let product = parsed(body.as_bytes()).value;
        assert_eq!(product.variants.len(), MAX_VARIANTS);
    }

    #[test]
    fn a_list_price_says_the_discount_if_it_is_above_the_price() {
        for (fields, list_price, discount) in [
            (r#""price":75,"listPrice":100"#, Some(10_000), 25.0),
            (r#""price":75,"listPrice":100,"discountPercentage":5"#, Some(10_000), 25.0),
            (r#""price":75,"listPrice":75,"discountPercentage":5"#, None, 5.0),
            (r#""price":75,"listPrice":"50""#, None, 0.0),
            (r#""price":75,"listPrice":1e30"#, None, 0.0),
            (r#""price":0,"listPrice":10"#, None, 0.0),
        ] {
            let body = format!(r#"{{"id":9,"title":"T",{fields}}}"#);
            let summary = parsed(body.as_bytes()).value.summary;
            let given = summary.list_price.map(|list_price| list_price.minor());
            assert_eq!((given, summary.discount_percentage), (list_price, discount), "{fields}");
        }
    }
}
