//! What a page of a large catalogue weighs. What it shows instead of everything is tested in
//! `browser/specialShops/large.spec.ts`.

use std::sync::Arc;

use vitrine::catalogue::{Availability, Category, Product, Sample, Slug, Summary};
use vitrine::document::{ImageSource, Site};
use vitrine::process::pressure::Pressure;
use vitrine::profile::{Currency, Money};
use vitrine::server;
use vitrine::shop::Shop;

use crate::common::pages::{body, data, text};
use crate::common::{PUBLIC_URL, client, real_renderer, serve, shop_settings, start_shop};

const CATEGORIES: u32 = 5_000;

fn slug(number: u32) -> Slug {
    Slug::parse(&format!("category-{number:04}")).unwrap()
}

/// A text as long as the catalogue's parser allows.
fn long(text: &str) -> String {
    text.chars().chain("\u{1f6d2}".chars().cycle()).take(300).collect()
}

/// A catalogue in which every product has a category and a brand of its own.
fn large(title: impl Fn(u32) -> String, brand: impl Fn(u32) -> String) -> Arc<Sample> {
    let category = |number| Category { slug: slug(number), name: format!("Category {number:04}") };
    let product = |number: u32| {
        let summary = Summary {
            id: (u64::from(number) + 1).into(),
            title: title(number),
            category: Some(slug(number)),
            brand: Some(brand(number)),
            price: Money::from_minor(1_000),
            availability: Availability::of_stock(5),
            ..Summary::default()
        };
        Product { summary, ..Product::default() }
    };
    let products: Vec<_> = (0..CATEGORIES).map(product).collect();
    Arc::new(Sample::of(&products, (0..CATEGORIES).map(category).collect(), Currency::default()))
}

fn large_catalogue() -> Arc<Sample> {
    large(|number| format!("Product {number:04}"), |number| format!("Brand {number:04}"))
}

/// The length of a document, in bytes, without the styles that it carries: they are the same in any catalogue.
fn without_styles(document: &str) -> usize {
    let styles = document.split("<style>").skip(1).filter_map(|rest| rest.split_once("</style>"));
    document.len() - styles.map(|(styles, _)| styles.len()).sum::<usize>()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_grows_with_the_catalogue() {
    let shop = start_shop(large_catalogue()).await;
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
async fn the_headers_of_a_page_take_less_than_8_kib() {
    // These image hosts take all the room that the settings allow.
    let host = |number: usize| format!("https://{number:02}.{}.example", "x".repeat(80)).parse().unwrap();
    let hosts: Vec<ImageSource> = (0..15).map(host).collect();
    assert_eq!(ImageSource::bytes_of(&hosts), ImageSource::MOST_BYTES);
    let site = Site::new(&PUBLIC_URL.parse().unwrap(), hosts);
    let shop =
        Shop::new(large_catalogue(), real_renderer(1).await, site, shop_settings(), Pressure::default())
            .unwrap();
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
