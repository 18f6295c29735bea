//! The storefront over HTTP: every address's status, title and content.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{Method, StatusCode, header};
use reqwest::Response;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::common::client::{LIMITS, service_at};
use crate::common::{NoCatalogue, PATHS, client, renderer_of, sample, serve, start_shop, start_shop_with};

async fn get(shop: SocketAddr, path: &str) -> Response {
    client().get(format!("http://{shop}{path}")).send().await.unwrap()
}

async fn html(shop: SocketAddr, path: &str) -> (StatusCode, String) {
    let response = get(shop, path).await;
    (response.status(), response.text().await.unwrap())
}

fn title(html: &str) -> &str {
    let start = html.find("<title>").unwrap() + "<title>".len();
    &html[start..start + html[start..].find("</title>").unwrap()]
}

/// The markup inside the root element.
fn markup(html: &str) -> &str {
    let start = html.find(r#"<div id="root">"#).unwrap();
    &html[start..html.find(r#"<script type="application/json""#).unwrap()]
}

/// The paths of the URL table, as it is generated for the client.
fn url_table() -> Vec<&'static str> {
    let rows = include_str!("../../client/routes.gen.ts").lines();
    rows.filter_map(|row| row.trim().strip_prefix('"')?.strip_suffix("\",")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_row_of_the_url_table_is_a_page() {
    let shop = start_shop(sample()).await;
    let mut pages = 0;
    // A path with a parameter needs a value, and the search form only leads elsewhere.
    for path in url_table().into_iter().filter(|path| !path.contains(':') && *path != "/search") {
        pages += 1;
        let (status, body) = html(shop, path).await;
        assert_eq!(status, 200, "{path}");
        assert!(path == "/" || title(&body).ends_with(" | Vitrine"), "{path}: {}", title(&body));
        let markup = markup(&body);
        assert!(markup.contains("<h1") && markup.contains("<main"), "{path} has no heading");
        let data: Value = get(shop, &format!("/_data{path}")).await.json().await.unwrap();
        assert_eq!((&data["path"], &data["status"]), (&path.into(), &200.into()), "{path}");
        let description = body.split_once(r#"<meta name="description" content=""#).unwrap().1;
        assert!(!description.starts_with('"'), "{path} has no description");
    }
    assert!(pages >= 8, "only {pages} pages were found");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_has_its_status_title_and_products() {
    let catalogue = sample();
    let shop = start_shop(catalogue.clone()).await;
    let products = catalogue.products();
    let first = &products[0].summary.title;
    for (path, status, expected_title, content) in [
        ("/", 200, "Home", "up to 50% off"),
        ("/categories", 200, "Categories | Vitrine", "Womens Watches"),
        ("/brands", 200, "Brands | Vitrine", "Brands"),
        ("/products", 200, "All Products | Vitrine", first),
        ("/sale", 200, "Sale | Vitrine", "% off"),
        ("/new-arrivals", 200, "New Arrivals | Vitrine", "href=\"/product/"),
        ("/best-sellers", 200, "Best Sellers | Vitrine", "href=\"/product/"),
        ("/deals", 200, "Deals | Vitrine", "% off"),
        ("/category/beauty", 200, "Beauty | Vitrine", first),
        ("/search/lipstick", 200, "Search Results for &#34;lipstick&#34; | Vitrine", first),
        ("/product/1", 200, &format!("{first} | Vitrine"), first),
        ("/search/zzzz", 200, "Search Results for &#34;zzzz&#34; | Vitrine", "No products found"),
        ("/category/nothing-here", 404, "Nothing Here | Vitrine", "No products found"),
        (
            "/product/99999",
            404,
            "Product not found | Vitrine",
            "The product you are looking for does not exist.",
        ),
        ("/product/abc", 404, "Product not found | Vitrine", "Product not found"),
        ("/missing/", 404, "Not Found | Vitrine", "Not Found"),
        ("/_databases", 404, "Not Found | Vitrine", "Not Found"),
        ("/missing", 404, "Not Found | Vitrine", "Sorry, an unexpected error has occurred."),
        ("/category/bad%2Fslug", 404, "Not Found | Vitrine", "Not Found"),
        ("/search/%FF", 404, "Not Found | Vitrine", "Not Found"),
    ] {
        let (answered, body) = html(shop, path).await;
        assert_eq!(answered, status, "{path}");
        assert_eq!(title(&body), expected_title, "{path}");
        assert!(markup(&body).to_lowercase().contains(&content.to_lowercase()), "{path} lacks {content}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_address_has_one_spelling() {
    let shop = start_shop(sample()).await;
    for (path, status, location) in [
        ("/category/Beauty", 308, "/category/beauty"),
        ("/category/BEAUTY?sort=price-asc", 308, "/category/beauty?sort=price-asc"),
        ("/product/007", 308, "/product/7"),
        ("/products/", 308, "/products"),
        ("/products/?page=2", 308, "/products?page=2"),
        ("/search/%20..%20?sort=price-asc", 308, "/products?q=..&sort=price-asc"),
        ("/_data/products/", 308, "/_data/products"),
        ("/search/%20red%20", 308, "/search/red"),
        ("/search?q=a%2Fb+50%25", 303, "/search/a%2Fb%2050%25"),
        ("/search?q=%20%20", 303, "/products"),
        ("/search?q=..", 303, "/products?q=.."),
        ("/products?q=&max=&sort=price-asc&stock=1", 308, "/products?stock=1&sort=price-asc"),
        ("/category/beauty?category=tops", 308, "/category/beauty"),
        ("/products?page=9999", 307, "/products?page=4"),
        ("/_data/category/Beauty", 308, "/_data/category/beauty"),
        ("/_data/search?q=x", 303, "/_data/search/x"),
        ("/category/BEAUTY/?sort=price-asc&q=", 308, "/category/beauty?sort=price-asc"),
        ("/search/%20red%20/?page=2&utm=x&stock=1", 308, "/search/red?stock=1&page=2&utm=x"),
        ("/_data/product/007/?ref=x", 308, "/_data/product/7?ref=x"),
        ("/search/?q=red", 303, "/search/red"),
        ("/search?utm_source=mail&q=a%26b&gclid=1%2B2", 303, "/search/a%26b?utm_source=mail&gclid=1%2B2"),
        ("/search/?utm_source=mail&q=", 303, "/products?utm_source=mail"),
        ("/search?q=..&fbclid=x", 303, "/products?q=..&fbclid=x"),
        ("/_data/search?q=x&utm_source=mail", 303, "/_data/search/x?utm_source=mail"),
        ("/products?tag=no+such+tag&stock=1", 307, "/products?stock=1"),
    ] {
        let response = get(shop, path).await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.headers()[header::LOCATION], location, "{path}");
    }
}

/// The status line and the location of a request whose target no client library would send.
async fn raw_location(shop: SocketAddr, target: &str) -> (String, Option<String>) {
    let mut stream = tokio::net::TcpStream::connect(shop).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let location = answer.lines().find_map(|line| line.strip_prefix("location: ")).map(str::to_owned);
    (answer.lines().next().unwrap_or_default().to_owned(), location)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slash_after_a_dot_leads_to_no_other_folder() {
    let shop = start_shop(sample()).await;
    for target in
        ["/product/../", "/product/%2E%2E/", "/_data/product/./", "/category/../", "/product/a%20b/"]
    {
        let (status, location) = raw_location(shop, target).await;
        assert_eq!((status.as_str(), location), ("HTTP/1.1 404 Not Found", None), "{target}");
    }
    assert_eq!(raw_location(shop, "/search/%2E%2E/").await.1.as_deref(), Some("/products?q=.."));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_data_is_the_inlined_data_with_the_page_s_status() {
    let shop = start_shop(sample()).await;
    for path in PATHS.into_iter().chain(["/product/0", "/category/none"]) {
        let data = get(shop, &format!("/_data{path}")).await;
        assert_eq!(data.headers()[header::CONTENT_TYPE], "application/json");
        let status = data.status();
        let text = data.text().await.unwrap();
        let page: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(page["status"], status.as_u16(), "{path}");
        let (document_status, document) = html(shop, path).await;
        assert_eq!(document_status, status, "{path}");
        // The home page's categories are drawn anew for every answer.
        if path != "/" {
            assert!(document.contains(&format!(r#"id="page-data">{text}</script>"#)), "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_work_from_the_address_alone() {
    let shop = start_shop(sample()).await;
    let page: Value =
        get(shop, "/_data/products?utm=x&sort=price-asc&max=20&stock=1&rating=4").await.json().await.unwrap();
    assert_eq!(page["path"], "/products?max=20&rating=4&stock=1&sort=price-asc");
    let products = page["content"]["products"].as_array().unwrap();
    assert!(!products.is_empty());
    for product in products {
        assert!(
            product["rating"]["value"].as_f64().unwrap() >= 4.0
                && product["availability"]["text"].as_str().unwrap() != "0 left"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_get_and_head_are_answered() {
    let shop = start_shop(sample()).await;
    let head = client().head(format!("http://{shop}/product/1")).send().await.unwrap();
    assert_eq!(head.status(), 200);
    assert_eq!(head.text().await.unwrap(), "");
    for path in ["/", "/products", "/assets/x.js", "/healthz", "/missing", "/_data/missing", "/category/%FF"]
    {
        for method in [Method::POST, Method::PUT, Method::OPTIONS] {
            let name = format!("{method} {path}");
            let response = client().request(method, format!("http://{shop}{path}")).send().await.unwrap();
            assert_eq!(response.status(), 405, "{name}");
            assert_eq!(response.headers()[header::ALLOW], "GET,HEAD", "{name}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_fails_costs_only_the_markup() {
    let renderer = renderer_of(
        "globalThis.renderPage = (json) => {
           const page = JSON.parse(json);
           if (page.title === 'Not Found') return 'warm';
           throw new Error('broken component');
         };",
    )
    .await;
    let shop = start_shop_with(sample(), renderer).await;
    let response = get(shop, "/product/1").await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    let body = response.text().await.unwrap();
    assert!(body.contains(r#"<div id="root"></div>"#), "the shell's root is empty");
    assert!(body.contains(r#"id="page-data">{"path":"/product/1","canonical":"/product/1","status":200"#));
    assert!(!body.contains("broken component"), "the cause stays in the log");
    assert_eq!(get(shop, "/product/0").await.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_page_needs_no_engine() {
    let renderer = renderer_of("let cold = true; globalThis.renderPage = () => { if (cold) { cold = false; return 'warm'; } throw 1; };").await;
    let shop = start_shop_with(sample(), renderer).await;
    let (status, body) = html(shop, "/missing").await;
    assert_eq!(status, 404);
    assert!(body.contains("Sorry, an unexpected error has occurred.") && body.contains("Not Found"));
    assert!(!body.contains("page-data"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_fails_is_a_503_with_the_specified_texts() {
    let shop = start_shop(Arc::new(NoCatalogue)).await;
    for (path, text) in [
        ("/", "Oops! Something went wrong"),
        ("/categories", "went wrong"),
        ("/brands", "went wrong"),
        ("/products", "No products found"),
        ("/category/beauty", "No products found"),
        ("/search/x", "No products found"),
        ("/product/1", "Product not found"),
    ] {
        let response = get(shop, path).await;
        assert_eq!(response.status(), 503, "{path}");
        assert!(response.headers().contains_key(header::RETRY_AFTER), "{path}");
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store", "{path}");
        assert!(response.text().await.unwrap().contains(text), "{path}");
        assert_eq!(get(shop, &format!("/_data{path}")).await.status(), 503, "{path}");
    }
    assert_eq!(get(shop, "/missing").await.status(), 404);
    assert_eq!(get(shop, "/healthz").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_carries_a_reviewer_s_address() {
    let sample = sample();
    let mut raw = sample.raw()[0].clone();
    raw["reviews"][0]["reviewerEmail"] = "someone@mail.example".into();
    raw["meta"] = serde_json::json!({ "barcode": "5784719087687" });
    let address = serve(vitrine::catalogue::sample::api::router(vec![raw])).await;
    let service = service_at(format!("http://{address}").parse().unwrap(), LIMITS);
    let shop = start_shop(Arc::new(service)).await;
    let (status, body) = html(shop, "/product/1").await;
    assert_eq!(status, 200);
    assert!(!body.contains("mail.example") && !body.contains("5784719087687"));
}

#[tokio::test(flavor = "multi_thread")]
async fn assets_are_hashed_compressed_and_cached_for_ever() {
    let shop = start_shop(sample()).await;
    let (_, body) = html(shop, "/").await;
    let from = body.find("/assets/entry-").unwrap();
    let asset = &body[from..from + body[from..].find('"').unwrap()];
    let url = format!("http://{shop}{asset}");
    for encoding in ["br", "gzip", "identity"] {
        let response = client().get(&url).header(header::ACCEPT_ENCODING, encoding).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let headers = response.headers().clone();
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert_eq!(headers[header::VARY], "accept-encoding");
        let named = headers.get(header::CONTENT_ENCODING).map_or("identity", |name| name.to_str().unwrap());
        assert_eq!(named, encoding);
        let again = client()
            .get(&url)
            .header(header::ACCEPT_ENCODING, encoding)
            .header(header::IF_NONE_MATCH, &headers[header::ETAG])
            .send()
            .await
            .unwrap();
        assert_eq!(again.status(), 304);
        assert_eq!(again.headers()[header::ETAG], headers[header::ETAG]);
    }
    assert_eq!(get(shop, "/assets/entry-none.js").await.status(), 404);
    assert_eq!(
        get(shop, "/sample-images/lipstick-rose-1.svg").await.headers()[header::CONTENT_TYPE],
        "image/svg+xml"
    );
    assert_eq!(get(shop, "/sample-images/..%2F..%2Fx-rose-1.svg").await.status(), 404);
}
