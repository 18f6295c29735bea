//! What a page of a large catalogue weighs, and what it shows instead of everything.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::header;
use serde_json::Value;
use vitrine::catalogue::{Availability, Category, Product, Sample, Slug, Summary};
use vitrine::document::{ImageSource, Site};
use vitrine::process::pressure::Pressure;
use vitrine::profile::{Currency, Money};
use vitrine::server;
use vitrine::shop::Shop;

use crate::common::pages::{body, text};
use crate::common::{NoCatalogue, PUBLIC_URL, client, real_renderer, serve, shop_settings, start_shop};

const CATEGORIES: u32 = 5_000;

fn slug(number: u32) -> Slug {
    Slug::parse(&format!("category-{number:04}")).unwrap()
}

/// A text as long as the catalogue's parser allows.
fn long(text: &str) -> String {
    text.chars().chain("\u{1f6d2}".chars().cycle()).take(300).collect()
}

/// A catalogue in which every product has a category and a brand of its own, but for a second product without a brand in
/// each of the last hundred categories.
fn large(title: impl Fn(u32) -> String, brand: impl Fn(u32) -> String) -> Arc<Sample> {
    let category = |number| Category { slug: slug(number), name: format!("Category {number:04}") };
    let product = |number: u32, brand| {
        let summary = Summary {
            id: (u64::from(number) + 1).into(),
            title: title(number),
            category: Some(slug(number % CATEGORIES)),
            brand,
            price: Money::from_minor(1_000),
            availability: Availability::of_stock(5),
            ..Summary::default()
        };
        Product { summary, ..Product::default() }
    };
    let first = (0..CATEGORIES).map(|number| product(number, Some(brand(number))));
    let second = (CATEGORIES - 100..CATEGORIES).map(|number| product(number + CATEGORIES, None));
    let products: Vec<_> = first.chain(second).collect();
    Arc::new(Sample::of(&products, (0..CATEGORIES).map(category).collect(), Currency::default()))
}

async fn large_shop() -> SocketAddr {
    let title = |number| format!("Product {number:04}");
    start_shop(large(title, |number| format!("Brand {number:04}"))).await
}

async fn data(shop: SocketAddr, path: &str) -> Value {
    serde_json::from_str(&text(shop, &format!("/_data{path}")).await).unwrap()
}

async fn location(shop: SocketAddr, path: &str) -> String {
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    assert_eq!(response.status(), 307, "{path}");
    response.headers()[header::LOCATION].to_str().unwrap().into()
}

/// The length of a document, in bytes, without the styles that it carries: they are the same in any catalogue.
fn without_styles(document: &str) -> usize {
    let styles = document.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>"));
    document.len() - styles.map_or(0, |(styles, _)| styles.len())
}

fn length(value: &Value) -> usize {
    value.as_array().unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_grows_with_the_catalogue() {
    let shop = large_shop().await;
    for (path, most) in [
        ("/", 130_000),
        ("/categories", 150_000),
        ("/categories?q=9&page=2", 150_000),
        ("/brands", 200_000),
        ("/products", 300_000),
        ("/search/product", 300_000),
        ("/products?facets=all", 700_000),
        ("/product/1", 80_000),
        ("/missing", 50_000),
        ("/llms.txt", 20_000),
    ] {
        let page = if path == "/missing" { body(shop, path).await } else { text(shop, path).await };
        assert!(page.contains("<main") || path == "/llms.txt", "{path} was not rendered");
        let weight = without_styles(&page);
        println!("{path} weighs {weight} bytes");
        assert!(weight < most, "{path} weighs {weight} bytes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_texts_make_no_listing_heavy() {
    let brand = |number: u32| long(&number.to_string()).chars().take(120).collect();
    let shop = start_shop(large(|number| long(&number.to_string()), brand)).await;
    let weight = without_styles(&text(shop, "/products").await);
    println!("a listing of the longest texts weighs {weight} bytes");
    // Each character takes four bytes in the markup and twelve in the JSON.
    assert!(weight < 900_000, "{weight} bytes");
    let page = data(shop, "/products").await;
    let title = page["content"]["products"][0]["title"].as_str().unwrap();
    assert!(title.ends_with('…') && title.chars().count() == 120, "{title}");
    let facet = &page["content"]["facets"]["brand"]["choices"][0];
    assert_eq!(facet["name"].as_str().unwrap().chars().count(), 60);
    assert_eq!(facet["value"].as_str().unwrap().chars().count(), 120, "the value is the whole name");
    let whole = data(shop, "/product/1").await;
    assert_eq!(whole["content"]["product"]["title"].as_str().unwrap().chars().count(), 300);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_menu_has_the_largest_categories_and_leads_to_all() {
    let shop = large_shop().await;
    let page = data(shop, "/products").await;
    let menu = page["categories"].as_array().unwrap();
    assert_eq!((menu.len(), &page["categoryTotal"]), (100, &CATEGORIES.into()));
    assert_eq!((&menu[0]["slug"], &menu[99]["slug"]), (&"category-4900".into(), &"category-4999".into()));
    let document = text(shop, "/products").await;
    let link = r#"<a class="CategoryMenu-link CategoryMenu-link--every" href="/categories""#;
    assert!(document.contains(link), "the menu leads to all categories");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_categories_are_divided_into_pages_and_filtered_over_all_names() {
    let shop = large_shop().await;
    let first = data(shop, "/categories").await;
    assert_eq!(length(&first["content"]["categories"]), 100);
    assert_eq!(first["content"]["pages"]["pageCount"], 50);
    let last = data(shop, "/categories?page=50").await;
    assert_eq!(last["content"]["categories"][99]["name"], "Category 4999");
    assert_eq!(last["canonical"], "/categories?page=50");
    for (path, leads_to) in [
        ("/categories?page=51", "/categories?page=50"),
        ("/categories?q=4999&page=2", "/categories?q=4999"),
        ("/_data/categories?page=99", "/_data/categories?page=50"),
    ] {
        assert_eq!(location(shop, path).await, leads_to);
    }
    let document = text(shop, "/categories?q=CATEGORY%204999").await;
    assert!(document.contains("Category 4999") && document.contains(r#"href="/category/category-4999""#));
    assert!(!document.contains(r#"class="Pagination""#), "one match needs no pages");
    assert!(
        text(shop, "/categories?q=9")
            .await
            .contains(r#"<a class="Pagination-page" href="/categories?q=9&amp;page=2""#)
    );
    assert!(text(shop, "/categories?q=boats").await.contains("No categories found matching"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_shows_some_choices_and_more_on_request() {
    let shop = large_shop().await;
    let facets = |page: &Value| page["content"]["facets"].clone();
    let some = facets(&data(shop, "/products").await);
    for group in ["brand", "category"] {
        assert_eq!(length(&some[group]["choices"]), 100, "{group}");
    }
    assert_eq!((&some["brand"]["hidden"], &some["category"]["hidden"]), (&4_900.into(), &4_900.into()));
    let document = text(shop, "/products?stock=1").await;
    assert!(document.contains(r#"href="/products?stock=1&amp;facets=all""#), "more are a link away");

    let selected = facets(&data(shop, "/products?brand=Brand%204999").await);
    let brands = selected["brand"]["choices"].as_array().unwrap();
    assert_eq!((brands.len(), &brands[100]["value"]), (101, &"Brand 4999".into()));

    let more = facets(&data(shop, "/products?facets=all").await);
    assert_eq!((length(&more["brand"]["choices"]), &more["brand"]["hidden"]), (500, &4_500.into()));
    let document = text(shop, "/products?facets=all").await;
    assert!(document.contains(r#"<input type="hidden" name="facets" value="all"/>"#), "the form keeps it");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_a_listing_does_not_have_are_left_out_of_its_address() {
    let shop = start_shop(crate::common::sample()).await;
    let invented: String = (0..50).map(|number| format!("brand=Invented%20{number}&")).collect();
    for (path, leads_to) in [
        ("/products?brand=Nobody", "/products"),
        (&format!("/products?{invented}stock=1"), "/products?stock=1"),
        ("/products?category=beauty&category=nowhere", "/products?category=beauty"),
        ("/category/beauty?brand=Nobody&page=9", "/category/beauty"),
        ("/_data/search/red?brand=Nobody", "/_data/search/red"),
        ("/products?facets=all", "/products"),
    ] {
        assert_eq!(location(shop, path).await, leads_to, "{path}");
    }
    // Another site's parameters are kept, and the page is the one without the values.
    let page = data(shop, "/products?brand=Nobody&utm_source=mail").await;
    assert_eq!(page["path"], "/products");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_catalogue_fails_every_value_stays() {
    let shop = start_shop(Arc::new(NoCatalogue)).await;
    for path in ["/products?category=nowhere&brand=Nobody", "/categories?q=x&page=7"] {
        let response = client().get(format!("http://{shop}/_data{path}")).send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
        let page: Value = response.json().await.unwrap();
        assert_eq!(page["path"], path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_headers_of_a_page_take_less_than_8_kib() {
    // These image hosts take all the room that the settings allow.
    let host = |number: usize| format!("https://{number:02}.{}.example", "x".repeat(80)).parse().unwrap();
    let hosts: Vec<ImageSource> = (0..15).map(host).collect();
    assert_eq!(ImageSource::bytes_of(&hosts), ImageSource::MOST_BYTES);
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), hosts);
    let title = |number| format!("Product {number:04}");
    let catalogue = large(title, |number| format!("Brand {number:04}"));
    let shop =
        Shop::new(catalogue, real_renderer(1).await, site, shop_settings(), Pressure::default()).unwrap();
    let shop = serve(server::app(shop).unwrap()).await;
    for path in ["/", "/categories", "/products?facets=all", "/product/1", "/_data/products", "/missing"] {
        let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        let lengths = response.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
        let tags = response.headers().get("cache-tag").map_or(0, |tags| tags.len());
        // A page has 64 tags at most; the longest slug has 64 characters.
        let most = lengths.sum::<usize>() - tags + 64 * ("category- ".len() + 64);
        assert!(most < 8 << 10, "{path}: {most} bytes");
    }
}
