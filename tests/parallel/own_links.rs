//! Links to where the products of a file are sold.

use std::fs;

use serde_json::{Value, json};

use crate::common::days::get;
use crate::common::pages::data;
use crate::common::program::Program;

const TABLE: &str = "id,title,price,link\n\
    lamp,Oak Lamp,5,https://www.market.example/lamp?a=1&b=2\n\
    cup,Cup,5,/product/lamp\n\
    bowl,Bowl,5,javascript:alert(1)\n\
    tray,Tray,5,\n";

const JSON: &str = r#"[
    { "id": "lamp", "title": "Oak Lamp", "price": 5, "link": "https://www.market.example/lamp?a=1&b=2" },
    { "id": "cup", "title": "Cup", "price": 5, "link": "/product/lamp" },
    { "id": "bowl", "title": "Bowl", "price": 5, "link": 7 },
    { "id": "tray", "title": "Tray", "price": 5 }
]"#;

async fn link(shop: &Program, key: &str) -> Value {
    data(shop.address, &format!("/product/{key}")).await["content"]["product"]["link"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_a_product_leads_to_where_it_is_sold() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("products.csv", TABLE), ("products.json", JSON)] {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let shop = Program::of_file(&file, &[]);
        let expected = json!({ "href": "https://www.market.example/lamp?a=1&b=2", "host": "market.example" });
        assert_eq!(link(&shop, "lamp").await, expected, "{name}");
        for without in ["cup", "bowl", "tray"] {
            assert_eq!(link(&shop, without).await, Value::Null, "{name}: {without}");
        }
        let html = get(shop.address, "/product/lamp").await.text;
        let href = r#"href="https://www.market.example/lamp?a=1&amp;b=2" rel="noopener external""#;
        assert!(html.contains(href) && html.contains("View at <bdi>market.example</bdi>"), "{html}");
        assert!(!get(shop.address, "/products").await.text.contains("market.example"), "cards have no link");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_may_show_no_links() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    fs::write(&file, TABLE).unwrap();
    let shop = Program::of_file(&file, &["--buy", "none"]);
    assert_eq!(link(&shop, "lamp").await, Value::Null);
    assert!(!get(shop.address, "/product/lamp").await.text.contains("market.example"));
}
