//! Products with variants, through the service's form, the real router and renderer.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::common::PUBLIC_URL;
use crate::common::pages::{data, text, texts};
use crate::common::shops::shop_of;

fn variant(size: &str, price: f64, stock: u32) -> Value {
    json!({
        "options": [{ "name": "Size", "value": size }, { "name": "Colour", "value": "Blue" }],
        "price": price, "stock": stock, "sku": format!("SKU-{size}"),
    })
}

fn products() -> Vec<Value> {
    let product = |id: u32, price: f64, variants: Vec<Value>| {
        json!({
            "id": id, "title": format!("Product {id}"), "price": price, "category": "tops", "stock": 20,
            "variants": variants,
        })
    };
    vec![
        product(1, 30.0, vec![variant("S", 40.0, 7), variant("M", 12.0, 0), variant("<b>L", 25.5, 2)]),
        product(2, 20.0, vec![variant("S", 20.0, 7), variant("M", 20.0, 1)]),
        product(3, 10.0, vec![variant("S", 15.0, 7)]),
        product(4, 9.0, Vec::new()),
        product(5, 26.0, Vec::new()),
        product(6, 60.0, Vec::new()),
    ]
}

/// The id and the price of each card, and whether that is the lowest of several.
async fn listed(shop: SocketAddr, path: &str) -> Vec<Value> {
    let page = data(shop, path).await;
    let cards = page["content"]["products"].as_array().unwrap().iter();
    cards.map(|card| json!([card["id"], card["price"]["current"], card["price"]["from"] == true])).collect()
}

#[tokio::test]
async fn a_page_shows_options_and_a_table_without_a_choice_and_names_the_range_of_prices() {
    let offers = |document: &str| {
        let linked = &texts(document, r#"script[type="application/ld+json"]"#)[0];
        serde_json::from_str::<Value>(linked).unwrap()["@graph"][0]["offers"].clone()
    };
    let range = json!({
        "@type": "AggregateOffer", "url": format!("{PUBLIC_URL}/product/1"), "priceCurrency": "USD",
        "lowPrice": "25.50", "highPrice": "40.00", "offerCount": 2,
        "availability": "https://schema.org/InStock",
    });
    for most in [5_000, 0] {
        let shop = shop_of(products(), most).await;
        let document = text(shop, "/product/1").await;
        assert_eq!(texts(&document, ".ProductVariants-name"), ["Size", "Colour"]);
        assert_eq!(texts(&document, ".ProductVariants-values"), ["S, M, <b>L", "Blue"]);
        assert_eq!(texts(&document, ".ProductSummary .Price"), ["From $25.50"]);
        assert_eq!(
            texts(&document, "details > .ProductVariants-table tbody tr"),
            [
                "S / BlueSKU-SIn Stock$40.00",
                "M / BlueSKU-MSold out$12.00",
                "<b>L / BlueSKU-<b>LLow Stock$25.50"
            ]
        );
        assert_eq!(offers(&document), range);
        // Equal prices are no range, and one variant needs no table.
        let equal = text(shop, "/product/2").await;
        assert_eq!(texts(&equal, ".ProductSummary .Price"), ["$20.00"]);
        assert_eq!(texts(&equal, ".ProductVariants-table tbody tr").len(), 2);
        let offer = offers(&equal);
        assert_eq!((&offer["@type"], &offer["price"]), (&json!("Offer"), &json!("20.00")));
        let single = text(shop, "/product/3").await;
        assert_eq!(texts(&single, ".ProductSummary .Price"), ["$15.00"]);
        assert_eq!(texts(&single, ".ProductVariants-values"), ["S", "Blue"]);
        assert!(texts(&single, ".ProductVariants-table").is_empty());
    }
}

#[tokio::test]
async fn filters_and_sorts_use_the_price_that_is_shown() {
    let shop = shop_of(products(), 5_000).await;
    let sorted = listed(shop, "/products?sort=price-asc").await;
    let expected = [
        ("4", "$9.00", false),
        ("3", "$15.00", false),
        ("2", "$20.00", false),
        ("1", "$25.50", true),
        ("5", "$26.00", false),
        ("6", "$60.00", false),
    ];
    assert_eq!(sorted, expected.map(|card| json!(card)));
    assert_eq!(listed(shop, "/products?max=25&sort=price-asc").await, sorted[..3]);
    assert_eq!(listed(shop, "/products?max=26&sort=price-asc").await, sorted[..5]);
}
