//! Google's rules hold for each item of the merchant data.

use std::collections::HashSet;

use proptest::prelude::*;
use roxmltree::{Document, Node};
use serde_json::json;

use super::generated::products;
use super::{lamp, read, written};
use crate::catalogue::{Availability, Gtin};
use crate::exports::{Format, LeftOut, is_in};
use crate::profile::{Currency, Money};

/// The texts of a field of an item.
fn all(item: Node, name: &str) -> Vec<String> {
    let fields = item.children().filter(|node| node.tag_name().name() == name);
    fields.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

fn one(item: Node, name: &str) -> Option<String> {
    let mut texts = all(item, name);
    assert!(texts.len() <= 1, "{name} comes twice");
    texts.pop()
}

/// <https://support.google.com/merchants/answer/7052112>
fn check_item(item: Node, currency: Currency) {
    let required = |name: &str, longest: usize| {
        let text = one(item, name).unwrap_or_default();
        assert!((1..=longest).contains(&text.chars().count()) && !text.trim().is_empty(), "{name}: {text:?}");
        text
    };
    let optional = |name: &str, longest: usize| {
        let text = one(item, name);
        assert!(
            text.as_ref().is_none_or(|text| (1..=longest).contains(&text.chars().count())),
            "{name}: {text:?}"
        );
        text
    };
    let is_address = |address: &String| {
        let url = url::Url::parse(address).unwrap();
        matches!(url.scheme(), "http" | "https") && url.as_str() == address && address.len() <= 2_000
    };
    let amount = |text: &str| {
        let (amount, code) = text.split_once(' ').unwrap();
        assert_eq!(code, currency.code());
        let decimals = amount.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        assert_eq!(decimals, currency.exponent(), "{text}");
        currency.nearest(amount.parse().unwrap()).unwrap()
    };
    let id = required("id", 50);
    assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
    required("title", 150);
    required("description", 5_000);
    assert!(is_address(&required("link", 2_000)) && is_address(&required("image_link", 2_000)));
    let more = all(item, "additional_image_link");
    assert!(more.len() <= 10 && more.iter().all(is_address), "{more:?}");
    let availability = required("availability", 20);
    assert!(
        ["in_stock", "out_of_stock", "preorder", "backorder"].contains(&&*availability),
        "{availability}"
    );
    let price = amount(&required("price", 40));
    assert!(price > Money::default());
    if let Some(sale_price) = optional("sale_price", 40) {
        assert!(amount(&sale_price) < price);
    }
    optional("brand", 70);
    let gtin = optional("gtin", 14);
    assert!(gtin.as_ref().is_none_or(|gtin| Gtin::parse(gtin).is_some()), "{gtin:?}");
    optional("mpn", 70);
    // If the catalogue knows no number, the maker may still have given one.
    assert_eq!(optional("identifier_exists", 3), None);
    optional("product_type", 750);
    assert_eq!(optional("item_group_id", 50).is_some(), optional("item_group_title", 150).is_some());
    for (name, longest) in [("color", 100), ("size", 100), ("material", 200), ("pattern", 100)] {
        optional(name, longest);
    }
}

#[test]
fn merchant_data_have_an_item_for_each_variant_of_known_availability() {
    let (lamp, euro) = lamp();
    let text = written(Format::Merchant, &lamp, euro);
    let document = Document::parse(&text).unwrap();
    let items: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("item")).collect();
    let field = |item: usize, name: &str| one(items[item], name).unwrap_or_default();
    assert_eq!(items.len(), 2, "{text}");
    for (name, first, second) in [
        ("title", "Oak Lamp - S", "Oak Lamp - M"),
        ("item_group_id", "lamp", "lamp"),
        ("item_group_title", "Oak Lamp", "Oak Lamp"),
        ("size", "S", "M"),
        (
            "link",
            "https://shop.example/product/lamp?variant=lamp-9eb7b779fa7bef1a",
            "https://shop.example/product/lamp?variant=lamp-aec573bf3302eb5c",
        ),
        ("image_link", "https://shop.example/images/lamp.webp", "https://shop.example/images/lamp.webp"),
        ("price", "49.90 EUR", "59.90 EUR"),
        ("sale_price", "39.90 EUR", ""),
        ("availability", "in_stock", "out_of_stock"),
        ("gtin", "", "96385074"),
        ("identifier_exists", "", ""),
        ("product_weight", "1.5 kg", "1.5 kg"),
    ] {
        assert_eq!((field(0, name), field(1, name)), (first.into(), second.into()), "{name}");
    }
    let again = read(text);
    let sizes: Vec<&str> = again[0].variants.iter().map(|variant| &*variant.options[0].value).collect();
    assert_eq!((again.len(), &*again[0].summary.title, sizes), (1, "Oak Lamp", vec!["S", "M"]));
    assert_eq!(again[0].variants[0].list_price, lamp[0].variants[0].list_price);
}

#[test]
fn texts_that_are_too_long_for_google_are_cut_and_numbers_left_out() {
    let long = |length: usize| "\u{e9}".repeat(length);
    let line = json!({
        "id": "k".repeat(60), "title": long(300), "description": long(6_000), "brand": long(100), "mpn": long(100), "price": 5,
        "stock": 1, "thumbnail": "/a.webp", "images": (0..20).map(|number| format!("/{number}.webp")).collect::<Vec<_>>(),
        "weight": 3_000,
    });
    let products = read(line.to_string());
    let text = written(Format::Merchant, &products, Currency::default());
    let document = Document::parse(&text).unwrap();
    let item = document.descendants().find(|node| node.has_tag_name("item")).unwrap();
    check_item(item, Currency::default());
    assert_eq!(all(item, "additional_image_link").len(), 10);
    assert_eq!((one(item, "mpn"), one(item, "product_weight")), (None, None));
    assert_eq!(one(item, "title").unwrap(), long(150));
}

#[test]
fn a_product_that_google_would_refuse_says_why() {
    for (fields, reason) in [
        (r#""price":5,"stock":1,"images":["/a.webp"]"#, None),
        (r#""price":5,"stock":0,"images":["/a.webp"]"#, None),
        (r#""price":5,"images":["/a.webp"]"#, Some(LeftOut::Availability)),
        (r#""price":"free","stock":1,"images":["/a.webp"]"#, Some(LeftOut::Price)),
        (r#""price":5,"stock":1"#, Some(LeftOut::Picture)),
    ] {
        let products = read(format!(r#"{{"id":1,"title":"Cup",{fields}}}"#));
        assert_eq!(is_in(&products[0]).err(), reason, "{fields}");
        let text = written(Format::Merchant, &products, Currency::default());
        assert_eq!(text.contains("<item>"), reason.is_none(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn google_s_rules_hold_for_each_item((products, currency) in products()) {
        let text = written(Format::Merchant, &products, currency);
        let document = Document::parse(&text).unwrap();
        let mut ids = HashSet::new();
        let items: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("item")).collect();
        for item in &items {
            check_item(*item, currency);
            prop_assert!(ids.insert(one(*item, "id").unwrap()), "an id twice in {text}");
        }
        let expected = products.iter().flat_map(|product| {
            let is_known = |availability: Availability, price: Money, own: Option<&String>| {
                availability != Availability::Unknown && price > Money::default() && (own.is_some() || !product.images.is_empty())
            };
            let variants = product.variants.iter();
            let variants = variants.map(move |own| is_known(own.availability, own.price, own.picture.as_ref()));
            let summary = &product.summary;
            let whole = is_known(summary.availability, summary.price, None);
            variants.chain(product.variants.is_empty().then_some(whole)).collect::<Vec<bool>>()
        });
        prop_assert_eq!(items.len(), expected.filter(|is_known| *is_known).count());
        let counted = products.iter().filter(|product| is_in(product).is_ok()).count();
        let page = |link: String| link.split('?').next().unwrap_or_default().to_owned();
        let links: HashSet<String> = items.iter().map(|item| page(one(*item, "link").unwrap())).collect();
        prop_assert_eq!(counted, links.len());
    }
}
