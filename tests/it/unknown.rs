//! What the catalogue does not tell is not claimed: in the data of pages, which show nothing else
//! (`client/pages/ProductPage.test.tsx`), and in structured data. In an outage no page says that there is nothing.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse as _;
use scraper::{Html, Selector};
use serde_json::{Value, json};
use vitrine::catalogue::sample::api;

use crate::common::days::get;
use crate::common::pages::{body, data, text, texts};
use crate::common::shops::{catalogue_of, shop_of};
use crate::common::{NoCatalogue, sample, start_shop};

/// No product has a valid stock or rating, and the last has no title.
fn products() -> Vec<Value> {
    let product = |id: Value, part: Value| {
        let mut product =
            json!({ "id": id, "title": format!("Product {id}"), "price": 5, "category": "tops" });
        product.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        product
    };
    vec![
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

/// The first thing in the structured data; null without any.
fn linked(document: &str) -> Value {
    let data = texts(document, r#"script[type="application/ld+json"]"#).concat();
    serde_json::from_str::<Value>(&data).unwrap_or_default()["@graph"][0].clone()
}

#[tokio::test]
async fn an_unknown_stock_or_rating_is_no_claim() {
    for most in [5_000, 0] {
        let shop = shop_of(products(), most).await;
        for id in UNKNOWN {
            let page = data(shop, &format!("/product/{id}")).await;
            let product = &page["content"]["product"];
            let known = ["id", "availability", "rating", "reviews"].map(|field| &product[field]);
            assert_eq!(known, [&json!(id.to_string()), &json!([]), &Value::Null, &Value::Null]);
            let linked = linked(&text(shop, &format!("/product/{id}")).await);
            let claims = [&linked["@type"], &linked["offers"]["availability"], &linked["aggregateRating"]];
            assert_eq!(claims, [&json!("Product"), &Value::Null, &Value::Null]);
        }
        // The feed is made from a version.
        assert!(most == 0 || text(shop, "/feed.xml").await.contains("/product/9007199254740992"));
        assert_eq!(data(shop, "/product/7").await["status"], 404, "an invisible title is none");
    }
}

#[tokio::test]
async fn a_page_of_an_outage_does_not_say_that_there_is_nothing() {
    let shop = start_shop(Arc::new(NoCatalogue)).await;
    for path in
        ["/products?rating=4", "/category/tops", "/search/red", "/product/1", "/categories", "/brands"]
    {
        let document = body(shop, path).await;
        let html = Html::parse_document(&document);
        let head = Selector::parse("title, meta").unwrap();
        let head: String = html.select(&head).map(|element| element.html()).collect();
        for claim in ["not found", "no products", "does not exist", "all 0", "0 products"] {
            assert!(!head.to_lowercase().contains(claim), "{path}: {claim} in {head}");
        }
        assert!(head.contains("We could not reach the catalogue just now."), "{path}: {head}");
        assert_eq!(linked(&document), Value::Null, "{path}");
    }
}

#[tokio::test]
async fn a_page_with_a_part_that_failed_is_kept_by_nobody() {
    let service =
        api::router(sample().raw().to_vec()).layer(from_fn(async |request: Request, next: Next| {
            let is_refused = request.uri().query().is_some_and(|query| query.contains("sortBy=rating"));
            if is_refused {
                StatusCode::INTERNAL_SERVER_ERROR.into_response()
            } else {
                next.run(request).await
            }
        }));
    let shop = start_shop(catalogue_of(service, 0).await).await;
    let home = get(shop, "/").await;
    assert!(home.text.contains("We couldn") && home.text.contains("Featured"), "{}", home.text);
    assert_eq!((home.status, home.caching()), (200, "no-store"));
}
