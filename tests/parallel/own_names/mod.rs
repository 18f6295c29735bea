//! What a source calls its products and categories: barcodes, part numbers, names without an address.

mod source;

use std::net::SocketAddr;
use std::sync::Arc;

use scraper::{Html, Selector};
use serde_json::{Value, json};
use vitrine::catalogue::{Gtin, Product, Summary};
use vitrine::profile::Money;

use self::source::Source;
use crate::common::{client, start_shop};

fn product(id: &str) -> Product {
    let summary = Summary {
        id: vitrine::catalogue::ProductKey::of(id),
        title: format!("Product {id}"),
        price: Money::from_minor(999),
        ..Summary::default()
    };
    Product { summary, minimum_order_quantity: 1, ..Product::default() }
}

/// The status and the body of an answer.
async fn get(shop: SocketAddr, path: &str) -> (u16, String) {
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

/// The things that the structured data of a page name, each of this type.
fn things(page: &str, kind: &str) -> Vec<Value> {
    let selector = Selector::parse("script[type='application/ld+json']").unwrap();
    let html = Html::parse_document(page);
    let text = html.select(&selector).next().unwrap().text().collect::<String>();
    let data: Value = serde_json::from_str(&text).unwrap();
    data["@graph"].as_array().unwrap().iter().filter(|thing| thing["@type"] == kind).cloned().collect()
}

/// Search engines know a property for each length of a barcode.
#[tokio::test(flavor = "multi_thread")]
async fn structured_data_name_barcode_and_part_number() {
    let gtins = ["96385074", "036000291452", "4006381333931", "10012345678902"];
    let mut products: Vec<Product> = gtins
        .iter()
        .map(|gtin| Product { gtin: Gtin::parse(gtin), mpn: Some("H/4 \"x\"".into()), ..product(gtin) })
        .collect();
    products.push(product("plain"));
    let shop = start_shop(Arc::new(Source { categories: Vec::new(), products })).await;
    for gtin in gtins {
        let (status, page) = get(shop, &format!("/product/{}", product(gtin).summary.id)).await;
        assert_eq!(status, 200, "{gtin}");
        let thing = &things(&page, "Product")[0];
        let named = thing.as_object().unwrap().iter().filter(|(name, _)| name.starts_with("gtin"));
        let named: Vec<_> = named.map(|(name, value)| (name.clone(), value.clone())).collect();
        assert_eq!(named, [(format!("gtin{}", gtin.len()), json!(gtin))]);
        assert_eq!(thing["mpn"], "H/4 \"x\"");
    }
    let thing = &things(&get(shop, "/product/plain").await.1, "Product")[0];
    assert!(thing.as_object().unwrap().keys().all(|name| name != "mpn" && !name.starts_with("gtin")));
}
