//! The filters of sizes and colours, in a shop whose products have variants and in one whose products have none.

use std::net::SocketAddr;

use scraper::Html;
use serde_json::{Value, json};

use crate::common::pages::{ask, attributes, data, selected, text};
use crate::common::shops::shop_of;

fn variant(size: &str, colour: &str, stock: u32) -> Value {
    json!({
        "options": [{ "name": "Größe", "value": size }, { "name": "Farbe", "value": colour }],
        "price": 20.0, "stock": stock,
    })
}

fn products(variants: bool) -> Vec<Value> {
    let product = |id: u32, of: Vec<Value>| {
        let of = if variants { of } else { Vec::new() };
        json!({
            "id": id, "title": format!("Product {id}"), "price": 20.0, "category": "shoes", "brand": "Halm",
            "stock": 20, "variants": of,
        })
    };
    vec![
        product(1, vec![variant("42", "Red", 2), variant("9", "Blue", 2), variant("XL", "Blue", 0)]),
        product(2, vec![variant("42", "Blue", 2), variant("38", "Red", 2)]),
        product(3, vec![variant("42", "red", 0), variant("S", "RED", 4)]),
        product(4, vec![variant("XS", "Red", 4), variant("42", "Red", 4)]),
        product(5, vec![]),
    ]
}

/// The values of a filter with their counts, as the page's data has them.
fn counts(page: &Value, parameter: &str) -> Vec<String> {
    let choices = page["content"]["facets"][parameter]["choices"].as_array().unwrap().iter();
    choices.map(|choice| format!("{} {}", choice["value"].as_str().unwrap(), choice["count"])).collect()
}

async fn titles(shop: SocketAddr, path: &str) -> Vec<String> {
    selected(&Html::parse_document(&text(shop, path).await), ".ProductCard-title")
}

#[tokio::test]
async fn a_listing_is_filtered_by_sizes_and_colours_that_are_for_sale() {
    let shop = shop_of(products(true), 5_000).await;
    let page = data(shop, "/products").await;
    assert_eq!(counts(&page, "size"), ["XS 1", "S 1", "9 1", "38 1", "42 3"], "none is sold out");
    assert_eq!(counts(&page, "color"), ["Red 4", "Blue 2"]);
    let document = Html::parse_document(&text(shop, "/products").await);
    let legends = selected(&document, "legend");
    assert!(["Size", "Colour"].iter().all(|own| legends.iter().any(|legend| legend == own)), "{legends:?}");
    assert_eq!(attributes(&document, "input[name=size]", "value"), ["XS", "S", "9", "38", "42"]);

    // One variant has both.
    let both = "/products?size=42&color=Red";
    assert_eq!(titles(shop, both).await, ["Product 1", "Product 4"]);
    let page = data(shop, both).await;
    assert_eq!(counts(&page, "size"), ["XS 1", "S 1", "9 0", "38 1", "42 2"]);
    assert_eq!(counts(&page, "color"), ["Red 2", "Blue 1"]);
    assert_eq!(titles(shop, "/products?size=38&size=9").await, ["Product 1", "Product 2"]);

    for (asked, leads) in [
        ("/products?color=Red&size=S", "/products?size=S&color=Red"),
        ("/products?size=xs&color=RED", "/products?size=XS&color=Red"),
        ("/products?size=XL", "/products"),
        ("/products?size=7&size=S", "/products?size=S"),
    ] {
        assert_eq!(leads_to(shop, asked).await, leads, "{asked}");
    }
}

/// Where a redirect leads.
async fn leads_to(shop: SocketAddr, path: &str) -> String {
    let answer = ask(shop, path, &[]).await;
    answer.headers().get("location").unwrap().to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_shop_without_variants_has_nothing_of_these_filters() {
    let shop = shop_of(products(false), 5_000).await;
    let facets = data(shop, "/products").await["content"]["facets"].clone();
    let groups: Vec<&String> = facets.as_object().unwrap().keys().collect();
    assert_eq!(groups, ["brand", "category", "max", "rating", "stock"]);
    let document = Html::parse_document(&text(shop, "/products").await);
    assert_eq!(attributes(&document, "input[name=size], input[name=color]", "value"), [""; 0]);
    let legends = selected(&document, "legend");
    assert!(!legends.iter().any(|legend| ["Size", "Colour"].contains(&&**legend)), "{legends:?}");
    assert_eq!(leads_to(shop, "/products?size=42&color=Red").await, "/products");
}
