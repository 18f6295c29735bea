//! What a source calls its products and categories: barcodes, part numbers, names without an address.

use std::net::SocketAddr;
use std::sync::Arc;

use scraper::Html;
use serde_json::{Value, json};
use vitrine::catalogue::{Category, Gtin, Product, ProductKey, Sample, Summary};
use vitrine::profile::{Currency, Money};

use crate::common::pages::{ask, attributes, data, text, texts};
use crate::common::{PUBLIC_URL, start_shop};
use crate::seo::crawled;

fn product(id: &str) -> Product {
    let summary = Summary {
        id: ProductKey::of(id),
        title: format!("Product {id}"),
        price: Money::from_minor(999),
        ..Summary::default()
    };
    Product { summary, minimum_order_quantity: 1, ..Product::default() }
}

/// A shop whose source knows no ratings.
async fn start_shop_of<const N: usize>(products: &[Product], categories: [&str; N]) -> SocketAddr {
    let categories = categories.map(|name| Category::named(name).unwrap());
    let source = Sample::of(products, categories.into(), Currency::default());
    start_shop(Arc::new(source.without_ratings())).await
}

/// The targets of the links of a page that a selector finds.
fn links(page: &str, selector: &str) -> Vec<String> {
    attributes(&Html::parse_document(page), selector, "href")
}

/// The things that the structured data of a page name, each of this type.
fn things(page: &str, kind: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(&texts(page, "script[type='application/ld+json']")[0]).unwrap();
    data["@graph"].as_array().unwrap().iter().filter(|thing| thing["@type"] == kind).cloned().collect()
}

/// Search engines know a property for each length of a barcode.
#[tokio::test(flavor = "multi_thread")]
async fn structured_data_name_barcode_and_part_number() {
    let gtins = ["96385074", "036000291452", "4006381333931", "10012345678902"];
    let named =
        gtins.map(|gtin| Product { gtin: Gtin::parse(gtin), mpn: Some("H/4 \"x\"".into()), ..product(gtin) });
    let shop = start_shop_of(&[&named[..], &[product("plain")]].concat(), []).await;
    for id in gtins.into_iter().chain(["plain"]) {
        let page = text(shop, &format!("/product/{}", product(id).summary.id)).await;
        let mut found = things(&page, "Product").remove(0);
        found.as_object_mut().unwrap().retain(|name, _| name == "mpn" || name.starts_with("gtin"));
        let barcode = format!("gtin{}", id.len());
        let expected = if id == "plain" { json!({}) } else { json!({ barcode: id, "mpn": "H/4 \"x\"" }) };
        assert_eq!(found, expected, "{id}");
    }
}

/// The names and addresses of the breadcrumbs in a page's structured data.
fn trail(page: &str) -> Vec<(String, String)> {
    let crumbs = things(page, "BreadcrumbList")[0]["itemListElement"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().replace(PUBLIC_URL, "");
    crumbs.iter().map(|crumb| (text(&crumb["name"]), text(&crumb["item"]))).collect()
}

const READERS: &str = "\u{10c}te\u{10d}ky";
const LAMPS: &str = "\u{645}\u{635}\u{627}\u{628}\u{64a}\u{62d}";

/// Two products of each category, and two that have none.
async fn shop_of_names() -> SocketAddr {
    let in_category = |id: &str, name: &str| {
        let mut product = product(id);
        product.summary.category = Category::named(name).map(|category| category.slug);
        product
    };
    let products = [
        in_category("r1", READERS),
        product("alone"),
        in_category("l1", LAMPS),
        in_category("r2", READERS),
        product("also-alone"),
        in_category("l2", LAMPS),
    ];
    start_shop_of(&products, [READERS, LAMPS]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn categories_whose_names_are_no_addresses_have_pages_under_their_names() {
    let shop = shop_of_names().await;
    for (name, own) in [(READERS, ["r1", "r2"]), (LAMPS, ["l1", "l2"])] {
        let path = format!("/category/{}", Category::named(name).unwrap().slug);
        let page = text(shop, &path).await;
        assert_eq!(texts(&page, "h1"), [name], "{path}");
        let home = ("Home".to_owned(), "/".to_owned());
        let parent = ("Categories".to_owned(), "/categories".to_owned());
        let here = (name.to_owned(), path.clone());
        assert_eq!(trail(&page), [home.clone(), parent, here.clone()]);
        let items = things(&page, "ItemList")[0]["itemListElement"].as_array().unwrap().clone();
        let urls: Vec<_> = items.iter().map(|item| item["url"].as_str().unwrap()).collect();
        assert_eq!(urls, own.map(|id| format!("{PUBLIC_URL}/product/{id}")));

        let product_path = format!("/product/{}", own[0]);
        let page = text(shop, &product_path).await;
        assert_eq!(trail(&page), [home, here, (format!("Product {}", own[0]), product_path)]);
        assert_eq!(links(&page, ".ProductPage-back"), [&*path]);
        assert!(links(&page, "main a").contains(&format!("/product/{}", own[1])));
        let filtered = data(shop, &path.replacen("/category/", "/products?category=", 1)).await;
        assert_eq!(filtered["content"]["total"], 2);
        assert!(text(shop, "/llms.txt").await.contains(&format!("[{name}]({PUBLIC_URL}{path})")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_without_a_category_stays_in_a_shop_whose_every_link_leads_to_a_page() {
    let shop = shop_of_names().await;
    let page = text(shop, "/product/alone").await;
    let crumbs = [("Home", "/"), ("Product alone", "/product/alone")];
    assert_eq!(trail(&page), crumbs.map(|(name, path)| (name.to_owned(), path.to_owned())));
    assert_eq!(links(&page, ".ProductPage-back"), ["/products"]);
    assert!(links(&page, "main a").iter().all(|link| !link.starts_with("/category/")));
    for page in ["/products", "/new-arrivals", "/search/alone", "/sitemap.xml"] {
        let body = text(shop, page).await;
        assert!(body.contains("/product/alone") && body.contains("/product/also-alone"), "{page}");
    }
    assert_eq!(ask(shop, "/category/", &[]).await.status(), 404);
    // No page is missing in the sitemap or without a link, and no link leads to nothing. Besides products and categories
    // there are home, categories, brands, all products, new arrivals.
    assert_eq!(crawled(shop).await.1, 6 + 2 + 5);
}
