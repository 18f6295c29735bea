//! What search engines see: a whole crawl, the structured data of every product, the files that
//! lead there, and the headers.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, header};
use proptest::prelude::*;
use scraper::{Html, Selector};
use serde_json::{Value, json};
use vitrine::catalogue::{MirrorPolicy, sample::api};

use crate::common::client::{LIMITS, service_at};
use crate::common::pages::{attribute, attributes, selected};
use crate::common::queries::Queries as _;
use crate::common::shops::{real_products, shop_of};
use crate::common::{PUBLIC_URL, client, real_renderer, sample, serve, start_shop, start_shop_with};

async fn fetch(shop: SocketAddr, path: &str) -> (u16, HeaderMap, String) {
    let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
    (response.status().as_u16(), response.headers().clone(), response.text().await.unwrap())
}

struct Document {
    title: String,
    canonical: String,
    robots: String,
    links: Vec<String>,
    structured_data: Vec<Value>,
    text: String,
}

fn parse(text: &str) -> Document {
    let html = Html::parse_document(text);
    Document {
        title: selected(&html, "title").concat(),
        canonical: attribute(&html, "link[rel=canonical]", "href"),
        robots: attribute(&html, "meta[name=robots]", "content"),
        links: attributes(&html, "a", "href"),
        structured_data: selected(&html, r#"script[type="application/ld+json"]"#)
            .iter()
            .map(|text| serde_json::from_str(text).unwrap())
            .collect(),
        text: selected(&html, "main").concat(),
    }
}

/// The addresses of a sitemap.
fn locations(xml: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(xml).unwrap();
    let loc = |node: &roxmltree::Node| {
        node.tag_name().name() == "loc"
            && node.tag_name().namespace() == Some("http://www.sitemaps.org/schemas/sitemap/0.9")
    };
    document.descendants().filter(loc).filter_map(|node| node.text()).map(str::to_owned).collect()
}

/// Follows every link from `/`, and compares what was found with the sitemap. Returns the number of addresses in the sitemap.
pub(crate) async fn crawl(shop: SocketAddr) -> usize {
    let mut queue = VecDeque::from(["/".to_owned()]);
    let mut pages: BTreeMap<String, Document> = BTreeMap::new();
    while let Some(path) = queue.pop_front() {
        if pages.contains_key(&path) {
            continue;
        }
        let (status, _, text) = fetch(shop, &path).await;
        assert_eq!(status, 200, "{path}");
        let document = parse(&text);
        // Filtered listings link to each other without end; their own links are not followed.
        let filtered = path.split_once('?').is_some_and(|(_, query)| !query.starts_with("page="));
        for link in document.links.iter().filter(|_| !filtered) {
            let link = link.split_once('#').map_or(link.as_str(), |(link, _)| link);
            if link.starts_with('/') && !link.starts_with("/sample-images/") {
                queue.push_back(link.to_owned());
            }
        }
        pages.insert(path, document);
    }

    let mut titles = BTreeSet::new();
    for (path, page) in &pages {
        let canonical =
            page.canonical.strip_prefix(PUBLIC_URL).unwrap_or_else(|| panic!("{path}: {}", page.canonical));
        let named = pages
            .get(canonical)
            .unwrap_or_else(|| panic!("{path} names {canonical}, which nothing links to"));
        assert_eq!(named.canonical, page.canonical, "{path}");
        if path.starts_with("/product/") {
            assert!(titles.insert(&page.title), "{} is the title of two products", page.title);
        }
    }
    let (_, _, sitemap) = fetch(shop, "/sitemap.xml").await;
    let listed: BTreeSet<String> = locations(&sitemap).into_iter().collect();
    for address in &listed {
        let path = address.strip_prefix(PUBLIC_URL).unwrap();
        let page = pages.get(path).unwrap_or_else(|| panic!("{path} is an orphan"));
        assert!(page.robots.starts_with("index,") && &page.canonical == address, "{path}");
    }
    let indexable =
        pages.iter().filter(|(path, page)| page.robots.starts_with("index,") && !path.contains("page="));
    for (path, page) in indexable {
        assert!(listed.contains(&page.canonical), "{path} is missing in the sitemap");
    }
    listed.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_sample_is_reachable_and_consistent() {
    assert!(crawl(start_shop(sample()).await).await > 180);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_real_catalogue_is_reachable_and_consistent() {
    let Some(products) = real_products() else { return };
    assert!(crawl(shop_of(products, MirrorPolicy::UpTo(5_000)).await).await > 180);
}

/// Checks the rules of Google's product snippets, and that the page shows everything that the data says.
fn validate_product(data: &Value, page: &Document, path: &str) {
    let product = &data["@graph"][0];
    assert_eq!(
        (&data["@context"], &product["@type"]),
        (&json!("https://schema.org"), &json!("Product")),
        "{path}"
    );
    let shows = |text: &str| {
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeeze(&page.text).contains(&squeeze(text)), "{path} does not show {text:?}");
    };
    let text =
        |value: &Value| value.as_str().unwrap_or_else(|| panic!("{path}: {value} is no text")).to_owned();
    shows(&text(&product["name"]));
    shows(&text(&product["description"]));
    shows(&text(&product["sku"]));
    if let Some(brand) = product.get("brand") {
        shows(&text(&brand["name"]));
    }
    assert!(
        product["image"].as_array().unwrap().iter().all(|image| text(image).starts_with("http")),
        "{path}"
    );
    let offer = &product["offers"];
    let shows_price = |price: &Value| {
        let price = text(price);
        let (whole, cents) = price.split_once('.').unwrap();
        let whole: u64 = whole.parse().unwrap();
        let grouped = if whole >= 1_000 {
            format!("{},{:03}", whole / 1_000, whole % 1_000)
        } else {
            whole.to_string()
        };
        shows(&format!("${grouped}.{cents}"));
    };
    // A range of variants' prices: the page says the lowest, and all in its table.
    if offer["@type"] == "AggregateOffer" {
        shows_price(&offer["lowPrice"]);
        shows_price(&offer["highPrice"]);
        assert!(offer["offerCount"].as_u64().unwrap() >= 2, "{path}");
        assert!(page.text.contains("From $"), "{path}");
    } else {
        shows_price(&offer["price"]);
    }
    assert_eq!(offer["priceCurrency"], "USD");
    assert_eq!(text(&offer["url"]), page.canonical);
    assert!(
        ["https://schema.org/InStock", "https://schema.org/OutOfStock"]
            .contains(&text(&offer["availability"]).as_str())
    );
    let reviews = product["review"].as_array().unwrap();
    let rating = &product["aggregateRating"];
    shows(&text(&rating["ratingValue"]));
    assert_eq!(rating["reviewCount"], reviews.len());
    for review in reviews {
        shows(&text(&review["author"]["name"]));
        shows(&text(&review["reviewBody"]));
        assert!((1..=5).contains(&review["reviewRating"]["ratingValue"].as_u64().unwrap()));
        assert_eq!(text(&review["datePublished"]).len(), 10);
    }
    for absent in ["hasMerchantReturnPolicy", "shippingDetails"] {
        assert!(offer.get(absent).is_none(), "{path} claims {absent}");
    }
    let trail = data["@graph"][1]["itemListElement"].as_array().unwrap();
    assert_eq!(trail.last().unwrap()["item"], json!(page.canonical), "{path}");
}

async fn validate_all_products(shop: SocketAddr, count: usize) {
    for id in 1..=count {
        let path = format!("/product/{id}");
        let (status, _, text) = fetch(shop, &path).await;
        assert_eq!(status, 200, "{path}");
        let page = parse(&text);
        assert_eq!(page.structured_data.len(), 1, "{path}");
        validate_product(&page.structured_data[0], &page, &path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_structured_data_of_every_sample_product_is_what_its_page_shows() {
    let sample = sample();
    validate_all_products(start_shop(sample.clone()).await, sample.products().len()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_structured_data_of_every_real_product_is_what_its_page_shows() {
    let Some(products) = real_products() else { return };
    let count = products.len();
    validate_all_products(shop_of(products, MirrorPolicy::UpTo(5_000)).await, count).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn home_and_listings_describe_themselves() {
    let shop = start_shop(sample()).await;
    let types = |document: &Document| -> Vec<String> {
        let graph =
            document.structured_data.iter().flat_map(|data| data["@graph"].as_array().unwrap().clone());
        graph.map(|thing| thing["@type"].as_str().unwrap().to_owned()).collect()
    };
    for (path, expected) in [
        ("/", vec!["Organization", "WebSite"]),
        ("/products", vec!["ItemList"]),
        ("/category/beauty", vec!["ItemList", "BreadcrumbList"]),
        ("/missing", vec![]),
        ("/product/0", vec![]),
    ] {
        assert_eq!(types(&parse(&fetch(shop, path).await.2)), expected, "{path}");
    }
}

/// The positions of a listing's products, among those of all its pages.
async fn positions(shop: SocketAddr, path: &str) -> Vec<u64> {
    let document = parse(&fetch(shop, path).await.2);
    let items = document.structured_data[0]["@graph"][0]["itemListElement"].as_array().unwrap().clone();
    items.iter().map(|item| item["position"].as_u64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_in_a_list_go_on_from_page_to_page() {
    let shop = start_shop(sample()).await;
    let first = positions(shop, "/products").await;
    let second = positions(shop, "/products?page=2").await;
    let whole: Vec<u64> = first.iter().chain(&second).copied().collect();
    assert_eq!(whole, (1..=whole.len() as u64).collect::<Vec<_>>());
    assert!(first.len() < whole.len(), "there is only one page");
}

#[tokio::test(flavor = "multi_thread")]
async fn filtered_missing_and_search_pages_are_not_indexed() {
    let shop = start_shop(sample()).await;
    for (path, robots, canonical) in [
        ("/products?sort=price-asc", "noindex,follow", "/products"),
        ("/products?page=2", "index,follow,max-image-preview:large", "/products?page=2"),
        ("/products?utm_source=mail", "index,follow,max-image-preview:large", "/products"),
        ("/search/red", "noindex,follow", "/search/red"),
        ("/categories?q=x", "noindex,follow", "/categories"),
        ("/product/1?ref=x", "index,follow,max-image-preview:large", "/product/1"),
        ("/product/0", "noindex", "/product/0"),
        ("/missing", "noindex", "/missing"),
    ] {
        let (_, headers, text) = fetch(shop, path).await;
        let document = parse(&text);
        assert_eq!(document.robots, robots, "{path}");
        assert_eq!(document.canonical, format!("{PUBLIC_URL}{canonical}"), "{path}");
        let tag = headers.get("x-robots-tag").map(|tag| tag.to_str().unwrap());
        assert_eq!(tag, robots.starts_with("noindex").then_some(robots), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sitemap_feed_and_other_files_for_crawlers_are_well_formed() {
    let shop = start_shop(sample()).await;
    for (path, content_type) in [
        ("/sitemap.xml", "application/xml"),
        ("/feed.xml", "application/atom+xml"),
        ("/opensearch.xml", "application/opensearchdescription+xml"),
    ] {
        let (status, headers, text) = fetch(shop, path).await;
        assert_eq!((status, headers[header::CONTENT_TYPE].to_str().unwrap()), (200, content_type));
        roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    assert_eq!(fetch(shop, "/sitemap/2.xml").await.0, 404);
    assert_eq!(fetch(shop, "/sitemap/0.xml").await.0, 404);
    let (_, _, robots) = fetch(shop, "/robots.txt").await;
    assert!(
        robots.contains(&format!("Sitemap: {PUBLIC_URL}/sitemap.xml"))
            && robots.contains("Disallow: /*&sort=")
    );
    let manifest: Value = serde_json::from_str(&fetch(shop, "/manifest.webmanifest").await.2).unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        assert_eq!(fetch(shop, icon["src"].as_str().unwrap()).await.0, 200, "{icon}");
    }
    for path in ["/favicon.ico", "/favicon.svg", "/icons/180.png", "/llms.txt"] {
        assert_eq!(fetch(shop, path).await.0, 200, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_security_headers() {
    let shop = start_shop(sample()).await;
    for path in [
        "/",
        "/missing",
        "/products/",
        "/_data/",
        "/assets/none.js",
        "/sitemap.xml",
        "/healthz",
        "/favicon.svg",
    ] {
        let (_, headers, _) = fetch(shop, path).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{path}");
        assert!(policy.contains("img-src 'self' https://cdn.example;"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("strict-transport-security", "max-age=31536000"),
        ] {
            assert_eq!(headers[name], value, "{path}");
        }
    }
}

/// Text that would break out of HTML, JSON or XML if it were not escaped.
fn hostile() -> impl Strategy<Value = String> {
    let fragments = prop::sample::select(vec![
        "</script>",
        "<script>alert(1)</script>",
        "\"",
        "'",
        ">",
        "<",
        "&",
        "&lt;",
        "]]>",
        "<!--",
        "-->",
        "</title>",
        "\" onload=\"x",
        "\u{2028}",
        "\u{ffff}",
        "\u{0}",
        "\u{202e}",
        "\u{1f6d2}",
        "{{",
        "%3C",
        "\\",
        "text",
    ]);
    prop::collection::vec(fragments, 1..8).prop_map(|parts| parts.concat())
}

#[test]
fn hostile_text_stays_text_in_html_json_and_xml() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    proptest!(ProptestConfig::with_cases(60), |(text in hostile())| {
        runtime.block_on(async {
            let titled = format!("T {text}");
            let product = json!({
                "id": 1, "title": titled, "description": text, "category": "tops", "brand": text, "price": 5.0,
                "sku": text, "tags": [text], "stock": 3, "rating": 4.0, "images": [], "thumbnail": text,
                "meta": { "updatedAt": "2026-02-01T00:00:00Z" },
                "reviews": [{ "rating": 4, "comment": text, "date": "2026-01-01T00:00:00Z", "reviewerName": text }],
            });
            let address = serve(api::router(vec![product])).await;
            let service = service_at(format!("http://{address}").parse().unwrap(), LIMITS);
            let title = service.product(1).await.unwrap().unwrap().summary.title.clone();
            let renderer = SHARED_RENDERER.get_or_init(|| real_renderer(1)).await.clone();
            let shop = start_shop_with(Arc::new(service), renderer).await;
            for path in ["/product/1", "/products", "/brands"] {
                let (status, _, html) = fetch(shop, path).await;
                assert_eq!(status, 200);
                let document = Html::parse_document(&html);
                let scripts = Selector::parse("script").unwrap();
                let kinds: Vec<_> = document.select(&scripts).map(|script| script.attr("type").unwrap_or("early")).collect();
                assert!(kinds.len() <= 4, "{kinds:?}");
                let handlers = Selector::parse("[onload], [onerror], [onclick]").unwrap();
                assert!(document.select(&handlers).next().is_none(), "{path}");
                for script in document.select(&scripts).filter(|script| script.attr("type").is_some_and(|kind| kind.contains("json"))) {
                    serde_json::from_str::<Value>(&script.text().collect::<String>()).unwrap();
                }
            }
            let page = parse(&fetch(shop, "/product/1").await.2);
            assert_eq!(page.title, format!("{title} | Vitrine"));
            assert_eq!(&page.structured_data[0]["@graph"][0]["name"], &json!(title));
            for path in ["/feed.xml", "/sitemap.xml"] {
                let (_, _, xml) = fetch(shop, path).await;
                let document = roxmltree::Document::parse(&xml).unwrap_or_else(|error| panic!("{path}: {error}\n{xml}"));
                if path == "/feed.xml" {
                    let shown = document.descendants().any(|node| node.text() == Some(title.as_str()));
                    assert!(shown, "{title:?} in {xml}");
                }
            }
        });
    });
}

/// One renderer for all cases; starting one each would be most of the test.
static SHARED_RENDERER: tokio::sync::OnceCell<vitrine::render::Renderer> = tokio::sync::OnceCell::const_new();
