//! Parses the variants of a product, in a field `variants` that extends the service's schema.

use std::collections::HashSet;

use serde::Deserialize;

use super::clean::{self, MAX_LABEL, PictureAddress, address, some_text, text};
use super::entries::Entries;
use super::field::Field;
use super::number::Number;
use crate::catalogue::availability::Availability;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::model::Summary;
use crate::catalogue::variant::{MAX_OPTIONS, Variant, VariantOption, cheapest};
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
    let stock = wire.stock.given().and_then(|units| clean::stock(units.value())).unwrap_or_default();
    let said = wire.availability.given().and_then(|word| Availability::named(&word, stock.units()));
    clean_variant(Variant {
        options: options.collect::<Option<_>>()?,
        price: match wire.price {
            Field::Missing => product_price,
            Field::Given(price) => clean::price(price.value(), currency)?,
            Field::Invalid => return None,
        },
        list_price: wire.list_price.given().and_then(|price| clean::price(price.value(), currency)),
        availability: said.unwrap_or(stock),
        sku: wire.sku.given().unwrap_or_default(),
        gtin: wire.gtin.given().and_then(|gtin| Gtin::parse(&gtin)),
        picture: wire.image.given().and_then(picture),
    })
}

/// A variant that was read or saved, cleaned; `None` if it is not valid.
pub(crate) fn clean_variant(variant: Variant) -> Option<Variant> {
    let Variant { options, price, list_price, availability, sku, gtin, picture } = variant;
    let mut names = HashSet::new();
    let options = options.into_iter().map(|VariantOption { name, value }| {
        let name = some_text(&name, MAX_LABEL).filter(|name| names.insert(name.clone()))?;
        Some(VariantOption { name, value: some_text(&value, MAX_LABEL)? })
    });
    let options: Vec<_> = options.collect::<Option<_>>()?;
    if !(1..=MAX_OPTIONS).contains(&options.len()) || price > Money::MAX_PRICE {
        return None;
    }
    Some(Variant {
        options,
        price,
        list_price: list_price.filter(|list_price| *list_price > price && *list_price <= Money::MAX_PRICE),
        availability,
        sku: text(&sku, MAX_LABEL),
        gtin,
        picture: picture.and_then(address),
    })
}

/// A filter that rejects a variant with the same options as an earlier one, in whatever order.
pub(crate) fn first_of_its_options() -> impl FnMut(&Variant) -> bool {
    let mut seen = HashSet::new();
    move |variant| {
        let mut options = variant.options.clone();
        options.sort();
        seen.insert(options)
    }
}

/// The product's summary with the price of the cheapest variant on offer. It is sold out if and only if all variants
/// are, and a variant's availability stands for one that the product does not say.
pub(super) fn priced(summary: Summary, variants: &[Variant]) -> Summary {
    let Some(Variant { price, list_price, availability, .. }) = cheapest(variants) else { return summary };
    // The product's list price and discount say nothing about another price.
    let (own, discount_percentage) = match *price == summary.price {
        true => (summary.list_price, summary.discount_percentage),
        false => (None, 0.0),
    };
    let availability = match (availability, summary.availability) {
        (Availability::SoldOut, _) => Availability::SoldOut,
        // One variant's number is not the product's.
        (Availability::InStock(_), Availability::SoldOut | Availability::Unknown) => {
            Availability::InStock(None)
        }
        (other, Availability::SoldOut | Availability::Unknown) => *other,
        (_, own) => own,
    };
    let summary = Summary { price: *price, list_price: None, discount_percentage, availability, ..summary };
    with_list_price(summary, list_price.or(own))
}

/// The summary with a list price, from which the discount is computed. A list price that is not above the price is left
/// out.
pub(super) fn with_list_price(summary: Summary, list_price: Option<Money>) -> Summary {
    let (price, zero) = (summary.price, Money::default());
    let is_above =
        |list_price: &Money| price > zero && *list_price > price && *list_price <= Money::MAX_PRICE;
    let Some(list_price) = list_price.filter(is_above) else { return summary };
    let discount_percentage = 100.0 * (1.0 - price.minor() as f64 / list_price.minor() as f64);
    Summary { list_price: Some(list_price), discount_percentage, ..summary }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::{Parsed, clean_product, parse_product};
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
            prop_assert_eq!(clean_product(product.clone()), Some(product));
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
        let variants: Vec<String> = (0..2_000).map(variant).collect();
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
