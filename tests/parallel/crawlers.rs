//! The files that crawlers read: dates in the feed and of what is embedded, what the sitemap leaves out, and what
//! robots.txt allows.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, UNIX_EPOCH};

use axum::Json;
use axum::routing::get;
use serde_json::{Value, json};
use vitrine::catalogue::{MirrorPolicy, sample::api};

use crate::common::pages::text;
use crate::common::program::{PATIENT, Program};
use crate::common::shops::catalogue_of;
use crate::common::{client, sample, start_shop};

fn product(id: u32, category: &str, more: Value) -> Value {
    let mut product = json!({
        "id": id, "title": format!("Mug {id}"), "description": "A mug.", "category": category, "price": 5.0,
        "stock": 3, "rating": 4.0, "images": [], "sku": format!("M-{id}"),
    });
    product.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    product
}

/// A shop over a service with these products, whose list of categories has one more.
async fn shop_of(products: &[Value], policy: MirrorPolicy) -> SocketAddr {
    let named = |slug: &str| json!({ "slug": slug, "name": slug, "url": "https://service.example" });
    let slugs: BTreeSet<&str> =
        products.iter().map(|product| product["category"].as_str().unwrap()).chain(["vacant"]).collect();
    let categories: Vec<Value> = slugs.into_iter().map(named).collect();
    let service = axum::Router::new()
        .route("/products/categories", get(async move || Json(categories)))
        .fallback_service(api::router(products.to_vec()));
    let catalogue = catalogue_of(service, policy).await;
    catalogue.warm_up().await;
    start_shop(catalogue).await
}

const POLICIES: [MirrorPolicy; 2] = [MirrorPolicy::UpTo(100), MirrorPolicy::Never];

/// Each entry's link and date, and the date of the feed.
fn dates(feed: &str) -> (Vec<(String, String)>, String) {
    let document = roxmltree::Document::parse(feed).unwrap();
    let child = |node: roxmltree::Node, name: &str| {
        let child = node.children().find(|child| child.tag_name().name() == name);
        child.and_then(|child| child.text()).unwrap_or_default().to_owned()
    };
    let entries = document.descendants().filter(|node| node.tag_name().name() == "entry");
    let entries = entries.map(|entry| {
        let id = child(entry, "id");
        (id[id.rfind('/').unwrap() + 1..].to_owned(), child(entry, "updated"))
    });
    (entries.collect(), child(document.root_element(), "updated"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_feed_has_the_products_own_dates_and_no_page_has_them() {
    let review = |date: &str| json!({ "rating": 4, "comment": "Fine.", "date": date, "reviewerName": "Ada" });
    let products = [
        product(
            1,
            "mugs",
            json!({ "meta": { "createdAt": "2021-01-01T00:00:00Z", "updatedAt": "2022-02-03T04:05:06.700+02:00" } }),
        ),
        product(2, "mugs", json!({ "meta": { "createdAt": "2021-05-06T07:08:09Z", "updatedAt": 7 } })),
        product(
            3,
            "mugs",
            json!({ "reviews": [review("2024-04-04T00:00:00Z"), review("2025-05-05T00:00:00Z")], "meta": { "updatedAt": "1970-01-01T00:00:00Z" } }),
        ),
        product(4, "mugs", json!({ "reviews": [], "meta": null })),
        product(
            5,
            "mugs",
            json!({ "meta": { "updatedAt": "yesterday", "createdAt": "+275760-09-13T00:00:00Z" } }),
        ),
    ];
    for policy in POLICIES {
        let shop = shop_of(&products, policy).await;
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
        assert_eq!(feed, text(shop_of(&products, policy).await, "/feed.xml").await, "as of another replica");
    }
    let undated = text(shop_of(&products[3..4], MirrorPolicy::Never).await, "/feed.xml").await;
    assert!(dates(&undated).0.is_empty(), "{undated}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_embedded_has_the_date_of_the_build() {
    let shop = start_shop(sample()).await;
    let built = UNIX_EPOCH + Duration::from_secs(env!("VITRINE_BUILD_DATE").parse().unwrap());
    let document = text(shop, "/").await;
    let script = document.split("/assets/entry-").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    for path in [
        "/favicon.svg",
        "/favicon.ico",
        "/icons/192.png",
        "/manifest.webmanifest",
        "/sample-images/lipstick-rose-1.svg",
        "/service-worker.js",
        "/speculation-rules.json",
        &format!("/assets/entry-{script}"),
    ] {
        let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let modified = response.headers()["last-modified"].to_str().unwrap();
        assert_eq!(modified, httpdate::fmt_http_date(built), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_s_files_are_older_than_the_program() {
    let program = Program::quiet(&PATIENT);
    let response = client().get(format!("http://{}/favicon.svg", program.address)).send().await.unwrap();
    let modified = httpdate::parse_http_date(response.headers()["last-modified"].to_str().unwrap()).unwrap();
    let compiled = std::fs::metadata(env!("CARGO_BIN_EXE_vitrine")).unwrap().modified().unwrap();
    assert!(modified > UNIX_EPOCH && modified <= compiled, "{modified:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn listings_and_categories_without_products_are_in_no_file_and_no_menu() {
    let plain = [product(1, "mugs", json!({})), product(2, "plates", json!({ "discountPercentage": 0.2 }))];
    let reduced = [product(1, "mugs", json!({ "discountPercentage": 20.0 }))];
    for policy in POLICIES {
        let shop = shop_of(&plain, policy).await;
        let sitemap = text(shop, "/sitemap.xml").await;
        for (path, is_listed) in [
            ("/sale<", false),
            ("/deals<", false),
            ("/category/vacant<", false),
            ("/category/mugs<", true),
            ("/products<", true),
            ("/new-arrivals<", true),
            ("/best-sellers<", true),
        ] {
            assert_eq!(sitemap.contains(path), is_listed, "{policy:?} {path}");
        }
        for path in ["/", "/categories", "/llms.txt", "/_data/products", "/_data/"] {
            assert!(!text(shop, path).await.contains("vacant"), "{policy:?} {path}");
        }
        let response = client().get(format!("http://{shop}/category/vacant")).send().await.unwrap();
        assert_eq!(response.status(), 404, "{policy:?}");
        let with_sale = text(shop_of(&reduced, policy).await, "/sitemap.xml").await;
        assert!(with_sale.contains("/sale<") && with_sale.contains("/deals<"), "{policy:?}");
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
async fn crawlers_read_what_says_noindex_and_stay_out_of_combinations() {
    let shop = start_shop(sample()).await;
    let robots = text(shop, "/robots.txt").await;
    for read in [
        "/",
        "/products?sort=price-asc",
        "/products?sort=price-asc&page=2",
        "/products?brand=Halm",
        "/category/beauty?stock=1&page=3",
        "/products?q=mug",
        "/search/red",
        "/search/red?sort=price-asc",
        "/products?utm_source=mail&utm_medium=letter",
        "/categories?q=x",
    ] {
        assert!(allows(&robots, read), "{read} is forbidden by\n{robots}");
    }
    for endless in [
        "/products?stock=1&sort=price-asc",
        "/products?brand=Halm&brand=Kiln",
        "/category/beauty?rating=4&max=20&page=2",
        "/search/red?q=a&stock=1",
        "/_data/products",
    ] {
        assert!(!allows(&robots, endless), "{endless} is allowed by\n{robots}");
    }
}
