//! Products as files have them, with hostile texts.

use bytes::Bytes;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::catalogue::file::is_nothing;
use crate::catalogue::{Product, products_of};
use crate::profile::Currency;

/// Texts that have a meaning in one of the forms, and others.
fn text() -> impl Strategy<Value = String> {
    let special = [
        "<b>Bold</b> &amp; co",
        "=1+1",
        "'=x",
        "''-1",
        "-5",
        "@home  now",
        "a\\nb",
        "]]>",
        "a | b, c; d: e",
        "\u{0}\u{1}x\u{fffe}",
        "&lt;",
        "5\" x > y",
        "\u{301}\u{1f6d2}",
        "line\r\n\tother",
        "<!-- x",
        "&",
        "http://a.example,b",
    ];
    prop_oneof![
        4 => "[ -~]{1,30}",
        2 => "\\PC{1,20}",
        1 => "[a-z ]{1,40}",
        3 => prop::sample::select(special.to_vec()).prop_map(str::to_owned),
    ]
}

fn picture() -> impl Strategy<Value = String> {
    let pictures = [
        "https://cdn.example/a.webp",
        "https://cdn.example/w_1,h_2/b.webp?x=1&y=2",
        "http://cdn.example/c%20d.webp",
        "/images/e.webp",
        "/sample-images/f.svg",
    ];
    prop::sample::select(pictures.to_vec()).prop_map(str::to_owned)
}

/// What a product or a variant says of the stock.
fn stock() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({}),
        json!({ "stock": 0 }),
        json!({ "stock": 7 }),
        json!({ "stock": u32::MAX }),
        json!({ "availability": "in stock" }),
        json!({ "availability": "preorder" }),
        json!({ "availability": "backorder", "stock": 0 }),
    ])
}

fn barcode() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(prop::sample::select(vec![
        "96385074",
        "036000291452",
        "4006381333931",
        "10012345678902",
        "7",
    ]))
}

fn with(mut object: Value, more: Value) -> Value {
    let (Value::Object(own), Value::Object(more)) = (&mut object, more) else { panic!("no objects") };
    own.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
    object
}

/// What stands beside a price.
fn terms() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({}),
        json!({ "condition": "used" }),
        json!({ "condition": "refurbished", "lowestPrice": 7.5 }),
        json!({ "unitPricingMeasure": "750 ml", "unitPricingBaseMeasure": "1 l", "lowestPrice": 1000 }),
        json!({ "unitPricingMeasure": "1.5 kg", "condition": "new" }),
        json!({ "unitPricingMeasure": "x", "condition": "good" }),
    ])
}

/// What is said of the use of a product.
fn uses() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({}),
        json!({ "energyEfficiencyClass": "C", "minimumAge": 18 }),
        json!({ "energyEfficiencyClass": "A+", "minEnergyEfficiencyClass": "A+++", "maxEnergyEfficiencyClass": "D" }),
    ])
}

fn variants() -> impl Strategy<Value = Vec<Value>> {
    let names = prop::sample::subsequence(vec!["Size", "Color", "Shade; x", "A: b"], 1..=3);
    let variant = (
        text(),
        0_u32..9_000,
        prop::option::of(1_u32..9_000),
        stock(),
        terms(),
        barcode(),
        prop::option::of(picture()),
    );
    (names, prop::collection::vec(variant, 0..4)).prop_map(|(names, variants)| {
        let variant = |(number, (value, price, above, stock, terms, gtin, image)): (usize, (String, u32, Option<u32>, Value, Value, _, _))| {
            let option = |name: &&str| json!({ "name": name, "value": format!("{value} {number}") });
            let options: Vec<Value> = names.iter().map(option).collect();
            let list_price = above.map(|above| f64::from(price + above) / 100.0);
            let own = json!({
                "options": options, "price": f64::from(price) / 100.0, "listPrice": list_price, "sku": value, "gtin": gtin,
                "image": image,
            });
            with(with(own, stock), terms)
        };
        variants.into_iter().enumerate().map(variant).collect()
    })
}

fn review() -> impl Strategy<Value = Value> {
    (text(), 1_u8..=5, text()).prop_map(|(name, rating, comment)| {
        json!({ "reviewerName": name, "rating": rating, "date": "2025-03-01T10:00:00.000+02:00", "comment": comment })
    })
}

/// A product as files have it.
fn product() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        (1_u64..1 << 40).prop_map(Value::from),
        "[A-Za-z0-9._~-]{1,100}".prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    let key = key.prop_filter("no key", |key| key.as_str().is_none_or(|key| !is_nothing(key.trim())));
    let price = prop_oneof![
        1 => Just(json!("free")),
        9 => (1_u32..9_000_000).prop_map(|cents| json!(f64::from(cents) / 100.0)),
    ];
    let category = prop_oneof![text(), "[a-z-]{1,20}".boxed()];
    let names = (key, text(), prop::option::of(text()), prop::option::of(category), prop::option::of(text()));
    let money =
        (price, prop::option::of(0_u32..9_000_000), 0.0..100.0_f64, prop::option::of(0.0..5.0_f64), stock());
    let numbers = (
        prop::option::of(text()),
        prop::option::of(text()),
        barcode(),
        prop::option::of(0.005..3_000.0_f64),
        prop::option::of((0.01..9.0_f64, 0.01..9.0_f64, 0.01..9.0_f64)),
        0_u32..40,
        prop::option::of(1_i64..4_000_000_000),
    );
    let more = (
        prop::collection::vec(text(), 0..4),
        prop::collection::vec(picture(), 0..4),
        prop::option::of(picture()),
        prop::option::of(prop::collection::vec(review(), 0..3)),
        variants(),
        any::<bool>(),
        (text(), text(), text()),
        (terms(), uses()),
    );
    (names, money, numbers, more).prop_map(
        |(
            (id, title, description, category, brand),
            (price, list, discount, rating, stock),
            (sku, mpn, barcode, weight, dimensions, quantity, changed),
            (tags, images, thumbnail, reviews, variants, is_linked, (warranty, shipping, returns), (terms, uses)),
        )| {
            let dimensions = dimensions.map(|(width, height, depth)| json!({ "width": width, "height": height, "depth": depth }));
            let changed = changed.map(|seconds| jiff::Timestamp::from_second(seconds).unwrap().to_string());
            let own = json!({
                "id": id, "title": title, "description": description, "category": category, "brand": brand, "price": price,
                "listPrice": list.map(|cents| f64::from(cents) / 100.0), "discountPercentage": discount, "rating": rating,
                "sku": sku, "mpn": mpn, "meta": { "barcode": barcode, "updatedAt": changed }, "weight": weight,
                "dimensions": dimensions, "minimumOrderQuantity": quantity, "tags": tags, "images": images,
                "thumbnail": thumbnail, "reviews": reviews, "variants": variants, "warrantyInformation": warranty,
                "shippingInformation": shipping, "returnPolicy": returns,
                "link": is_linked.then_some("https://market.example/a?b=c&d#e"),
            });
            with(with(with(own, stock), terms), uses)
        },
    )
}

/// The products of a file in one of several currencies.
pub(super) fn products() -> impl Strategy<Value = (Vec<Product>, Currency)> {
    let currency = prop::sample::select(vec!["USD", "JPY", "KWD"]);
    (prop::collection::vec(product(), 1..4), currency).prop_filter_map(
        "nothing to sell",
        |(products, code)| {
            let lines: Vec<String> = products
                .into_iter()
                .map(|product| with(product, json!({ "currency": code })).to_string())
                .collect();
            let read = products_of(Bytes::from(lines.join("\n")), 0).ok()?;
            Some((read.into_iter().map(|product| *product).collect(), Currency::parse(code)?))
        },
    )
}
