//! The files that crawlers read: dates in the feed and of what is embedded, what the sitemap leaves out, and what
//! robots.txt allows.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, UNIX_EPOCH};

use axum::Json;
use axum::routing::get;
use serde_json::{Value, json};
use vitrine::catalogue::sample::api;

use crate::common::days;
use crate::common::pages::text;
use crate::common::shops::catalogue_of;
use crate::common::{PUBLIC_URL, sample, start_shop};

fn product(id: u32, category: &str, more: Value) -> Value {
    let mut product = json!({
        "id": id, "title": format!("Mug {id}"), "description": "A mug.", "category": category, "price": 5.0,
        "stock": 3, "rating": 4.0, "images": [], "sku": format!("M-{id}"),
    });
    product.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    product
}

/// A shop over a service with these products, whose list of categories has one more.
async fn shop_of(products: &[Value]) -> SocketAddr {
    let named = |slug: &str| json!({ "slug": slug, "name": slug, "url": "https://service.example" });
    let slugs: BTreeSet<&str> =
        products.iter().map(|product| product["category"].as_str().unwrap()).chain(["vacant"]).collect();
    let categories: Vec<Value> = slugs.into_iter().map(named).collect();
    let service = axum::Router::new()
        .route("/products/categories", get(async move || Json(categories)))
        .fallback_service(api::router(products.to_vec()));
    let catalogue = catalogue_of(service, 100).await;
    days::until_read(&catalogue).await;
    start_shop(catalogue).await
}

/// Each entry's link and date, and the date of the feed.
fn dates(feed: &str) -> (Vec<(String, String)>, String) {
    let document = roxmltree::Document::parse(feed).unwrap();
    let child = |node: roxmltree::Node, name: &str| {
        let child = node.children().find(|child| child.tag_name().name() == name);
        child.and_then(|child| child.text()).unwrap_or_default().to_owned()
    };
    let entries = document.descendants().filter(|node| node.tag_name().name() == "entry");
    let number = |id: String| id.rsplit('/').next().unwrap_or_default().to_owned();
    let entries = entries.map(|entry| (number(child(entry, "id")), child(entry, "updated")));
    (entries.collect(), child(document.root_element(), "updated"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_has_the_products_own_dates_and_no_page_has_them() {
    let review = |date: &str| json!({ "rating": 4, "comment": "Fine.", "date": date, "reviewerName": "Ada" });
    let reviews = [review("2024-04-04T00:00:00Z"), review("2025-05-05T00:00:00Z")];
    let meta = |created: &str, updated: Value| json!({ "createdAt": created, "updatedAt": updated });
    let dated = [
        json!({ "meta": meta("2021-01-01T00:00:00Z", json!("2022-02-03T04:05:06.700+02:00")) }),
        json!({ "meta": meta("2021-05-06T07:08:09Z", json!(7)) }),
        json!({ "reviews": reviews, "meta": { "updatedAt": "1970-01-01T00:00:00Z" } }),
        json!({ "reviews": [], "meta": null }),
        json!({ "meta": meta("+275760-09-13T00:00:00Z", json!("yesterday")) }),
    ];
    let products: Vec<Value> = (1..).zip(dated).map(|(id, more)| product(id, "mugs", more)).collect();
    let shop = shop_of(&products).await;
    let feed = text(shop, "/feed.xml").await;
    let (entries, updated) = dates(&feed);
    let entries: Vec<_> = entries.iter().map(|(id, date)| (id.as_str(), date.as_str())).collect();
    let expected =
        [("3", "2025-05-05T00:00:00Z"), ("2", "2021-05-06T07:08:09Z"), ("1", "2022-02-03T02:05:06Z")];
    assert_eq!((entries.as_slice(), updated.as_str()), (&expected[..], "2025-05-05T00:00:00Z"));
    for path in ["/product/1", "/_data/product/1", "/product/2", "/products", "/_data/products"] {
        let page = text(shop, path).await;
        for date in ["2021-01", "2022-02", "2021-05", "1643853906", "1620284889"] {
            assert!(!page.contains(date), "{path} has {date}");
        }
    }
    let undated = text(shop_of(&products[3..4]).await, "/feed.xml").await;
    assert!(dates(&undated).0.is_empty(), "{undated}");
}

#[tokio::test(flavor = "multi_thread")]
async fn listings_and_categories_without_products_are_in_no_file_and_no_menu() {
    let plain = [product(1, "mugs", json!({})), product(2, "plates", json!({ "discountPercentage": 0.2 }))];
    let reduced = [product(1, "mugs", json!({ "discountPercentage": 20.0 }))];
    for (products, has_sale) in [(&plain[..], false), (&reduced[..], true)] {
        let shop = shop_of(products).await;
        let sitemap = text(shop, "/sitemap.xml").await;
        for (path, is_listed) in [
            ("/sale<", has_sale),
            ("/deals<", has_sale),
            ("/category/vacant<", false),
            ("/category/mugs<", true),
            ("/products<", true),
            ("/new-arrivals<", true),
            ("/best-sellers<", true),
        ] {
            assert_eq!(sitemap.contains(path), is_listed, "{path}");
        }
        for path in ["/", "/categories", "/llms.txt", "/_data/products", "/_data/"] {
            assert!(!text(shop, path).await.contains("vacant"), "{path}");
        }
        assert_eq!(days::get(shop, "/category/vacant").await.status, 404, "{has_sale}");
    }
}

/// Whether no rule forbids a path (RFC 9309): `*` in a rule is any text.
fn allows(robots: &str, path: &str) -> bool {
    let forbids = |rule: &str| {
        let mut parts = rule.split('*');
        let rest = path.strip_prefix(parts.next().unwrap_or_default());
        let after = |rest: &'_ str, part: &str| rest.find(part).map(|at| at + part.len());
        rest.is_some_and(|mut rest| {
            parts.all(|part| after(rest, part).map(|end| rest = &rest[end..]).is_some())
        })
    };
    !robots.lines().filter_map(|line| line.strip_prefix("Disallow: ")).any(forbids)
}

#[tokio::test(flavor = "multi_thread")]
async fn crawlers_read_what_says_noindex_and_files_with_the_date_of_the_build_but_no_combinations() {
    let shop = start_shop(sample()).await;
    let robots = text(shop, "/robots.txt").await;
    assert!(robots.contains(&format!("Sitemap: {PUBLIC_URL}/sitemap.xml")), "{robots}");
    for (path, is_allowed) in [
        ("/", true),
        ("/products?sort=price-asc&page=2", true),
        ("/category/beauty?stock=1&page=3", true),
        ("/products?q=mug", true),
        ("/search/red?sort=price-asc", true),
        ("/products?utm_source=mail&utm_medium=letter", true),
        ("/products?stock=1&sort=price-asc", false),
        ("/products?brand=Halm&brand=Kiln", false),
        ("/category/beauty?rating=4&max=20&page=2", false),
        ("/search/red?q=a&stock=1", false),
        ("/_data/products", false),
    ] {
        assert_eq!(allows(&robots, path), is_allowed, "{path} by\n{robots}");
    }

    let built = UNIX_EPOCH + Duration::from_secs(env!("VITRINE_BUILD_DATE").parse().unwrap());
    let compiled = std::fs::metadata(env!("CARGO_BIN_EXE_vitrine")).unwrap().modified().unwrap();
    assert!(built > UNIX_EPOCH && built <= compiled, "{built:?}, but {compiled:?}");
    let document = text(shop, "/").await;
    let script = document.split("/assets/entry-").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let script = format!("/assets/entry-{script}");
    let manifest: Value = serde_json::from_str(&text(shop, "/manifest.webmanifest").await).unwrap();
    let icons = manifest["icons"].as_array().unwrap().iter().map(|icon| icon["src"].as_str().unwrap());
    assert!(icons.len() > 1, "{manifest}");
    for path in icons.chain([
        "/favicon.svg",
        "/manifest.webmanifest",
        "/sample-images/lipstick-rose-1.svg",
        "/service-worker.js",
        "/speculation-rules.json",
        &script,
    ]) {
        let answer = days::get(shop, path).await;
        assert_eq!(answer.status, 200, "{path}");
        let modified = answer.headers["last-modified"].to_str().unwrap();
        assert_eq!(modified, httpdate::fmt_http_date(built), "{path}");
    }
}
