//! What the catalogue does not tell is not claimed: on pages, in structured data, in filters and files. In an outage no
//! page says that there is nothing.

use std::sync::Arc;

use scraper::{Html, Selector};
use serde_json::{Value, json};
use vitrine::catalogue::MirrorPolicy;

use crate::common::pages::{body, data, selected, text};
use crate::common::shops::shop_of;
use crate::common::{NoCatalogue, start_shop};

/// The first product has a stock and a rating of 0, the second has both above 0, no other has a valid one.
fn products() -> Vec<Value> {
    let product = |id: Value, part: Value| {
        let mut product =
            json!({ "id": id, "title": format!("Product {id}"), "price": 5, "category": "tops" });
        product.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        product
    };
    vec![
        product(json!(1), json!({ "stock": 0, "rating": 0, "reviews": [] })),
        product(json!(2), json!({ "stock": "12", "rating": "4.5", "price": "7.50" })),
        product(json!(3), json!({})),
        product(json!(4), json!({ "stock": null, "rating": null, "reviews": null })),
        product(json!(5), json!({ "stock": "plenty", "rating": "good", "discountPercentage": "much" })),
        product(
            json!(1_u64 << 53),
            json!({ "discountPercentage": "-0", "meta": { "updatedAt": "2025-04-30" } }),
        ),
        product(json!(7), json!({ "title": "\u{200b}\u{ad}\u{3164}" })),
    ]
}

const UNKNOWN: [u64; 4] = [3, 4, 5, 1 << 53];

/// The text of the main part that a visitor reads, and the product in the structured data.
fn read(document: &str) -> (String, Value) {
    let html = Html::parse_document(document);
    let all = |selector: &str| selected(&html, selector).concat();
    let linked = serde_json::from_str(&all(r#"script[type="application/ld+json"]"#)).unwrap_or(Value::Null);
    (all("main"), linked["@graph"][0].clone())
}

fn ids(page: &Value) -> Vec<u64> {
    page["content"]["products"]
        .as_array()
        .unwrap()
        .iter()
        .map(|card| card["id"].as_str().unwrap().parse::<u64>().unwrap())
        .collect()
}

#[tokio::test]
async fn an_unknown_stock_or_rating_is_no_claim() {
    for mirror in [MirrorPolicy::UpTo(5_000), MirrorPolicy::Never] {
        let shop = shop_of(products(), mirror).await;
        for id in UNKNOWN {
            let page = data(shop, &format!("/product/{id}")).await;
            let product = &page["content"]["product"];
            assert_eq!(
                (&product["id"], &product["availability"], &product["rating"], &product["reviews"]),
                (&json!(id.to_string()), &json!([]), &Value::Null, &Value::Null)
            );
            let document = text(shop, &format!("/product/{id}")).await;
            let (shown, linked) = read(&document);
            for claim in ["Stock", "Sold out", "0.0", "reviews", "SKU", "$-", "-$"] {
                let own = shown.split("More from").next().unwrap();
                assert!(!own.contains(claim), "{id}: {claim} in {own}");
            }
            assert_eq!(linked["@type"], "Product");
            assert_eq!(
                (&linked["offers"]["availability"], &linked["aggregateRating"]),
                (&Value::Null, &Value::Null)
            );
        }
        for (id, availability, label) in [(1, "OutOfStock", "Sold out"), (2, "InStock", "In Stock")] {
            let (shown, linked) = read(&text(shop, &format!("/product/{id}")).await);
            assert_eq!(linked["offers"]["availability"], format!("https://schema.org/{availability}"));
            assert!(shown.contains(label), "{shown}");
        }
        assert_eq!(data(shop, "/product/7").await["status"], 404, "an invisible title is none");
    }
}

#[tokio::test]
async fn filters_and_sorts_do_not_take_unknown_for_zero() {
    let shop = shop_of(products(), MirrorPolicy::UpTo(5_000)).await;
    let [three, four, five, last] = UNKNOWN;
    let listing = data(shop, "/products?stock=1").await;
    assert_eq!(ids(&listing), [2, three, four, five, last]);
    assert_eq!(listing["content"]["facets"]["stock"], 5);
    let rated = data(shop, "/products?rating=1").await;
    assert_eq!(ids(&rated), [2]);
    assert_eq!(rated["content"]["facets"]["rating"]["steps"][4]["count"], 1);
    for path in ["/products?sort=rating-desc", "/best-sellers"] {
        assert_eq!(ids(&data(shop, path).await), [2, 1, three, four, five, last], "{path}");
    }
    let (shown, _) = read(&text(shop, "/products").await);
    assert_eq!((shown.matches(" left").count(), shown.matches("In Stock").count()), (1, 1), "{shown}");
    assert_eq!(shown.matches("0.0").count(), 1, "{shown}");
    assert!(text(shop, "/feed.xml").await.contains("/product/9007199254740992"));
}

#[tokio::test]
async fn a_page_of_an_outage_does_not_say_that_there_is_nothing() {
    let shop = start_shop(Arc::new(NoCatalogue)).await;
    for path in [
        "/products",
        "/products?rating=4",
        "/sale",
        "/category/tops",
        "/search/red",
        "/product/1",
        "/categories",
        "/brands",
    ] {
        let document = body(shop, path).await;
        let html = Html::parse_document(&document);
        let head = Selector::parse("title, meta").unwrap();
        let head: String = html.select(&head).map(|element| element.html()).collect();
        for claim in ["not found", "no products", "does not exist", "All 0", "0 products"] {
            assert!(!head.to_lowercase().contains(&claim.to_lowercase()), "{path}: {claim} in {head}");
        }
        assert!(head.contains("We could not reach the catalogue just now."), "{path}: {head}");
        let (shown, linked) = read(&document);
        assert!(!shown.contains("0 products") && linked.is_null(), "{path}: {shown}");
        let places = ["Try again", "No products found", "Product not found"].map(|text| shown.find(text));
        if let [Some(again), ..] = places {
            assert!(places.into_iter().flatten().all(|place| place >= again), "{path}: {shown}");
        } else {
            panic!("{path}: {shown}");
        }
    }
}
