//! Every answer is what the protocol's schemas say, and says what pages say.

use std::net::SocketAddr;
use std::path::Path;

use scraper::Html;
use serde_json::{Value, json};

use super::schema::Schemas;
use super::{call, codes};
use crate::common::pages::{ask, selected, text};
use crate::common::shops::{real_products, shop_of};
use crate::common::{sample, start_shop};

const SCHEMAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/ucp");

const SEARCH: &str = "shopping/catalog_search.json#/$defs/search_response";
const LOOKUP: &str = "shopping/catalog_lookup.json#/$defs/lookup_response";
const PRODUCT: &str = "shopping/catalog_lookup.json#/$defs/get_product_response";
const ERROR: &str = "common/types/error_response.json";
const PROFILE: &str = "ucp.json#/$defs/business_schema";

/// The protocol's schemas, where they lie beside the project.
fn schemas() -> Option<Schemas> {
    if !Path::new(SCHEMAS).exists() {
        eprintln!("SKIPPED: the protocol's schemas do not lie beside the project, in {SCHEMAS}");
        return None;
    }
    Some(Schemas::below(Path::new(SCHEMAS)))
}

fn check(schemas: &Schemas, schema: &str, answer: &Value) {
    let errors = schemas.errors(&format!("https://ucp.dev/schemas/{schema}"), answer);
    assert!(errors.is_empty(), "{errors:#?} in {answer:#}");
}

/// The amount of a price that is written with two decimals.
fn minor(price: &Value) -> u64 {
    price.as_str().unwrap().replace('.', "").parse().unwrap()
}

/// The lowest and the highest price of the variants that are not sold out, or else of all.
fn range_on_offer(variants: &[Value]) -> (u64, u64) {
    let is_on_offer = |variant: &&Value| variant["offers"]["availability"] != "https://schema.org/OutOfStock";
    let price = |variant: &Value| minor(&variant["offers"]["price"]);
    let mut prices: Vec<u64> = variants.iter().filter(is_on_offer).map(price).collect();
    if prices.is_empty() {
        prices = variants.iter().map(price).collect();
    }
    (*prices.iter().min().unwrap(), *prices.iter().max().unwrap())
}

/// What structured data of a product's page says, compared with the answer.
fn compare(page: &str, product: &Value) {
    let html = Html::parse_document(page);
    let data: Value =
        serde_json::from_str(&selected(&html, "script[type='application/ld+json']")[0]).unwrap();
    let is_product = |thing: &&Value| ["Product", "ProductGroup"].iter().any(|kind| thing["@type"] == *kind);
    let said = data["@graph"].as_array().unwrap().iter().find(is_product).unwrap();
    let id = &product["id"];
    assert_eq!(said["name"], product["title"], "{id}");
    if said["description"].is_string() {
        assert_eq!(said["description"], product["description"]["plain"], "{id}");
    }
    let own = product["url"].as_str().unwrap();
    let variants = said["hasVariant"].as_array().map(Vec::as_slice).unwrap_or_default();
    for variant in variants {
        let url = variant["offers"]["url"].as_str().unwrap();
        assert!(url.strip_prefix(own).is_some_and(|rest| rest.starts_with("?variant=")), "{url} of {id}");
    }
    let offers = variants.first().map_or(&said["offers"], |variant| &variant["offers"]);
    assert!(!variants.is_empty() || offers["url"] == product["url"], "{id}");
    let (lowest, highest) = match offers["price"] {
        Value::Null => (minor(&offers["lowPrice"]), minor(&offers["highPrice"])),
        ref price if variants.is_empty() => (minor(price), minor(price)),
        _ => range_on_offer(variants),
    };
    let range = &product["price_range"];
    assert_eq!((&range["min"]["amount"], &range["max"]["amount"]), (&json!(lowest), &json!(highest)), "{id}");
    assert_eq!(offers["priceCurrency"], range["min"]["currency"], "{id}");
    let variant = &product["variants"][0];
    assert_eq!(variant["price"]["amount"], lowest, "{id}");
    if product["options"].is_null() {
        assert_eq!(said["sku"], variant["sku"], "{id}");
        let names = [
            ("in_stock", "InStock"),
            ("preorder", "PreOrder"),
            ("backorder", "BackOrder"),
            ("out_of_stock", "OutOfStock"),
        ];
        let status = variant["availability"]["status"].as_str();
        let name = status.map(|status| names.iter().find(|(own, _)| *own == status).unwrap().1);
        let said = offers["availability"].as_str().and_then(|name| name.rsplit('/').next());
        assert_eq!(name, said, "{id}");
    }
    if let Some(rating) = said["aggregateRating"]["ratingValue"].as_str() {
        assert_eq!(product["rating"]["value"], rating.parse::<f64>().unwrap(), "{id}");
        assert_eq!(product["rating"]["count"], said["aggregateRating"]["reviewCount"], "{id}");
    }
    let pictures = said["image"].as_array().map(Vec::as_slice).unwrap_or_default();
    let media = product["media"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (picture, media) in pictures.iter().zip(media) {
        assert_eq!(*picture, media["url"], "{id}");
    }
    assert!(pictures.is_empty() || media.len() == pictures.len().min(10), "{id}");
}

/// All products, by the pages of cursors.
async fn all_products(shop: SocketAddr, schemas: &Schemas) -> Vec<Value> {
    let mut request = json!({ "filters": { "price": { "min": 0 } }, "context": { "currency": "USD" }, "pagination": { "limit": 50 } });
    let mut products = Vec::new();
    loop {
        let answer = call(shop, "search", &request).await;
        check(schemas, SEARCH, &answer);
        products.extend(answer["products"].as_array().unwrap().iter().cloned());
        let page = &answer["pagination"];
        if page["has_next_page"] == false {
            assert_eq!(page["total_count"], products.len());
            return products;
        }
        request["pagination"]["cursor"] = page["cursor"].clone();
    }
}

/// The answers of a whole shop.
async fn check_shop(shop: SocketAddr, schemas: &Schemas) {
    let profile: Value = ask(shop, "/.well-known/ucp", &[]).await.json().await.unwrap();
    check(schemas, PROFILE, &profile["ucp"]);
    let products = all_products(shop, schemas).await;
    assert!(products.len() > 100, "{}", products.len());
    for product in &products {
        let answer = call(shop, "product", &json!({ "id": product["id"] })).await;
        check(schemas, PRODUCT, &answer);
        let whole = &answer["product"];
        for same in ["id", "title", "url", "price_range", "categories", "rating"] {
            assert_eq!(product[same], whole[same], "{same}");
        }
        compare(&text(shop, &format!("/product/{}", product["id"].as_str().unwrap())).await, whole);
    }
    for some in products.chunks(50) {
        let ids: Vec<&Value> = some.iter().map(|product| &product["id"]).collect();
        let answer = call(shop, "lookup", &json!({ "ids": ids })).await;
        check(schemas, LOOKUP, &answer);
        assert_eq!(answer["products"].as_array().unwrap().len(), some.len());
    }
    let titles = products.iter().map(|product| product["title"].as_str().unwrap());
    let words: Vec<&str> = titles.flat_map(str::split_whitespace).collect();
    for (at, word) in words.iter().cycle().take(500).enumerate() {
        let query =
            if at % 3 == 0 { (*word).to_owned() } else { format!("{word} {}", words[at * 7 % words.len()]) };
        let answer = call(shop, "search", &json!({ "query": query })).await;
        check(schemas, SEARCH, &answer);
        assert!(answer.to_string().len() < 24 << 10, "{query}");
    }
    for (name, request) in [
        ("search", json!({ "query": "qqqq zzzz" })),
        ("search", json!({ "filters": { "colour": "red", "categories": ["nowhere"] } })),
        ("search", json!({ "query": "a", "filters": { "price": { "max": 5 } } })),
        ("lookup", json!({ "ids": ["none", ""] })),
    ] {
        let schema = if name == "search" { SEARCH } else { LOOKUP };
        check(schemas, schema, &call(shop, name, &request).await);
    }
    let missing = call(shop, "product", &json!({ "id": "none" })).await;
    check(schemas, ERROR, &missing);
    assert_eq!((&missing["ucp"]["status"], codes(&missing)), (&json!("error"), vec!["not_found"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_answers_of_the_sample_are_what_the_schemas_say_and_what_pages_say() {
    let Some(schemas) = schemas() else { return };
    check_shop(start_shop(sample()).await, &schemas).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_answers_for_real_products_are_what_the_schemas_say_and_what_pages_say() {
    let (Some(schemas), Some(products)) = (schemas(), real_products()) else { return };
    check_shop(shop_of(products, 10_000).await, &schemas).await;
}
