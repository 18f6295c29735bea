//! What each call answers.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use vitrine::catalogue::{Availability, Product, ProductKey, Variant, VariantOption};
use vitrine::profile::Money;

use super::{JSON, call, codes, post};
use crate::common::pages::data;
use crate::common::{sample, start_shop};

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_and_ranks_as_the_search_page_does() {
    let shop = start_shop(sample()).await;
    for (query, path) in [
        ("red", "red"),
        ("lipstick", "lipstick"),
        ("mens shirt", "mens%20shirt"),
        ("lipstik", "lipstik"),
        ("perfume under 100", "perfume?max=100"),
        ("no such thing", "no%20such%20thing"),
    ] {
        let found = call(shop, "search", &json!({ "query": query, "pagination": { "limit": 48 } })).await;
        let page = data(shop, &format!("/search/{path}")).await;
        let listing = &page["content"];
        assert_eq!(texts(&found["products"], "id"), texts(&listing["products"], "id"), "{query}");
        assert_eq!(found["pagination"]["total_count"], listing["total"], "{query}");
    }
    let all = call(shop, "search", &json!({ "filters": { "categories": ["beauty"] } })).await;
    let page = data(shop, "/category/beauty").await;
    let ids = texts(&page["content"]["products"], "id");
    assert_eq!(texts(&all["products"], "id"), ids[..ids.len().min(10)]);
    let by_name = call(shop, "search", &json!({ "filters": { "categories": ["Beauty"] } })).await;
    assert_eq!(by_name["products"], all["products"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_price_filter_counts_in_the_shop_s_currency_alone() {
    let shop = start_shop(sample()).await;
    let within = json!({ "price": { "min": 1000, "max": 2000 } });
    let request = |currency: &str| json!({ "filters": within, "context": { "currency": currency } });
    let found = call(shop, "search", &request("USD")).await;
    let products = found["products"].as_array().unwrap();
    assert!(!products.is_empty() && codes(&found).is_empty());
    for product in products {
        let price = product["variants"][0]["price"]["amount"].as_u64().unwrap();
        assert!((1000..=2000).contains(&price), "{product}");
    }
    let ignored = call(shop, "search", &request("EUR")).await;
    assert_eq!(codes(&ignored), ["price_filter_ignored"]);
    assert_eq!(ignored["messages"][0]["type"], "warning");
    let without = call(shop, "search", &json!({ "filters": within })).await;
    assert_eq!(without["pagination"]["total_count"], ignored["pagination"]["total_count"]);
    let unknown = call(shop, "search", &json!({ "filters": { "colour": "red" } })).await;
    assert_eq!(codes(&unknown), ["filter_ignored"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_leads_through_all_results_of_its_request_alone() {
    let shop = start_shop(sample()).await;
    let whole = call(shop, "search", &json!({ "query": "a", "pagination": { "limit": 50 } })).await;
    let first = call(shop, "search", &json!({ "query": "a", "pagination": { "limit": 7 } })).await;
    let cursor = &first["pagination"]["cursor"];
    let second = json!({ "query": "a", "pagination": { "limit": 7, "cursor": cursor } });
    let second = call(shop, "search", &second).await;
    let ids = [texts(&first["products"], "id"), texts(&second["products"], "id")].concat();
    assert_eq!(ids, texts(&whole["products"], "id")[..14]);
    let other = json!({ "query": "b", "pagination": { "cursor": cursor } });
    let refused = post(shop, "/ucp/catalog/search", &[JSON], other.to_string()).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (400, &json!("invalid_request")));
    // In another catalogue it goes on, and says so.
    let mut products = sample().products();
    products[0].summary.title += " II";
    let changed = start_shop(Arc::new(sample().with_products(&products))).await;
    let further = json!({ "query": "a", "pagination": { "cursor": cursor } });
    assert_eq!(codes(&call(changed, "search", &further).await), ["catalog_changed"]);
}

/// A shirt in two sizes and two colours, of which three variants exist, and one is sold out.
fn shirt() -> Product {
    let variant = |size: &str, colour: &str, price: u64, stock: u32| Variant {
        options: [("Size", size), ("Colour", colour)]
            .map(|(name, value)| VariantOption { name: name.into(), value: value.into() })
            .into(),
        price: Money::from_minor(price),
        list_price: None,
        availability: Availability::of_stock(stock),
        sku: format!("shirt-{size}-{colour}"),
        gtin: None,
        link: None,
        terms: Default::default(),
        picture: None,
    };
    let mut shirt = sample().products().remove(0);
    shirt.summary.id = ProductKey::parse("shirt").unwrap();
    shirt.summary.title = "A shirt\u{202e}\u{e0041}".into();
    shirt.summary.price = Money::from_minor(1_000);
    shirt.sku = "shirt".into();
    shirt.variants =
        vec![variant("M", "Red", 1_200, 3), variant("M", "Blue", 1_000, 2), variant("L", "Red", 1_500, 0)];
    shirt
}

async fn shop_with_shirt() -> SocketAddr {
    let mut products = sample().products();
    products[0] = shirt();
    start_shop(Arc::new(sample().with_products(&products))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_follows_what_is_selected() {
    let shop = shop_with_shirt().await;
    let ask = async |selected: &[(&str, &str)], preferences: &[&str]| {
        let selected: Vec<Value> =
            selected.iter().map(|(name, label)| json!({ "name": name, "label": label })).collect();
        let request = json!({ "id": "shirt", "selected": selected, "preferences": preferences });
        call(shop, "product", &request).await["product"].clone()
    };
    let labels = |product: &Value| texts(&product["selected"], "label").join(" ");
    let usual = ask(&[], &[]).await;
    assert_eq!((usual["title"].as_str(), labels(&usual).as_str()), (Some("A shirt"), "M Blue"));
    assert_eq!(usual["variants"].as_array().unwrap().len(), 3);
    let red = ask(&[("colour", "red")], &[]).await;
    assert_eq!((labels(&red).as_str(), &red["variants"][0]["title"]), ("Red", &json!("M / Red")));
    let sizes = &red["options"][0]["values"];
    assert_eq!(
        *sizes,
        json!([
            { "label": "M", "available": true, "exists": true },
            { "label": "L", "available": false, "exists": true },
        ])
    );
    let wanted = [("Size", "L"), ("Colour", "Blue")];
    assert_eq!(labels(&ask(&wanted, &["Colour", "Size"]).await), "Blue");
    assert_eq!(labels(&ask(&wanted, &["Size", "Colour"]).await), "L");
    let large = ask(&wanted, &["Size", "Colour"]).await;
    assert_eq!(
        large["options"][1]["values"][1],
        json!({ "label": "Blue", "available": false, "exists": false })
    );
    assert_eq!(labels(&ask(&[("Size", "XXL"), ("Colour", "Red")], &["Size"]).await), "Red");
    let id = large["variants"][0]["id"].as_str().unwrap();
    let request = json!({ "id": id, "selected": [{ "name": "Colour", "label": "Blue" }] });
    let named = call(shop, "product", &request).await["product"].clone();
    assert_eq!((&named["variants"][0]["id"], labels(&named).as_str()), (&json!(id), "L Red"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lookup_finds_products_by_whatever_they_are_called() {
    let shop = shop_with_shirt().await;
    let shirt = call(shop, "product", &json!({ "id": "shirt" })).await["product"].clone();
    let variants = texts(&shirt["variants"], "id");
    let ids =
        json!(["shirt", variants[2], "https://shop.example/product/2?x=1#y", "SHIRT-M-RED", "nothing", "2"]);
    let found = call(shop, "lookup", &json!({ "ids": ids })).await;
    assert_eq!(codes(&found), ["not_found"]);
    assert!(found["messages"][0]["content"].as_str().unwrap().contains("nothing"));
    assert_eq!(texts(&found["products"], "id"), ["shirt", "2"]);
    let mut inputs = Vec::new();
    for variant in found["products"][0]["variants"].as_array().unwrap() {
        for input in variant["inputs"].as_array().unwrap() {
            let texts = [&variant["title"], &input["id"], &input["match"]];
            inputs.push(texts.map(|text| text.as_str().unwrap()));
        }
    }
    inputs.sort_unstable();
    let mut expected = [
        ["M / Blue", "shirt", "featured"],
        ["L / Red", variants[2], "exact"],
        ["M / Red", "SHIRT-M-RED", "exact"],
    ];
    expected.sort_unstable();
    assert_eq!(inputs, expected);
    assert_eq!(found["products"][1]["variants"][0]["inputs"].as_array().unwrap().len(), 2);
}
