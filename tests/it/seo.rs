//! What search engines see: a whole crawl, the structured data of every product, and the head of every kind of page.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use scraper::Html;
use serde_json::{Value, json};

use vitrine::profile::{Currency, NumberFormat};

use crate::common::days::get;
use crate::common::pages::{attribute, attributes, selected, text};
use crate::common::shops::{real_products, shop_of};
use crate::common::{PUBLIC_URL, sample, start_shop};

pub(crate) struct Document {
    title: String,
    canonical: String,
    robots: String,
    links: Vec<String>,
    structured_data: Vec<Value>,
    text: String,
    /// The prices that shoppers pay, of the page's product and then of those beside it.
    prices: Vec<String>,
}

fn parse(text: &str) -> Document {
    let html = Html::parse_document(text);
    let structured_data = selected(&html, r#"script[type="application/ld+json"]"#);
    Document {
        title: selected(&html, "title").concat(),
        canonical: attribute(&html, "link[rel=canonical]", "href"),
        robots: attribute(&html, "meta[name=robots]", "content"),
        links: attributes(&html, "a", "href"),
        structured_data: structured_data.iter().map(|text| serde_json::from_str(text).unwrap()).collect(),
        text: selected(&html, "main").concat(),
        prices: selected(&html, "main .Price-current"),
    }
}

/// The addresses of a sitemap.
fn locations(xml: &str) -> BTreeSet<String> {
    let document = roxmltree::Document::parse(xml).unwrap();
    let loc = ("http://www.sitemaps.org/schemas/sitemap/0.9", "loc");
    let locations = document.descendants().filter(|node| node.has_tag_name(loc));
    locations.filter_map(|node| node.text()).map(str::to_owned).collect()
}

/// Follows every link from `/`, and compares what was found with the sitemap. Returns the pages, and the number of
/// addresses in the sitemap.
pub(crate) async fn crawled(shop: SocketAddr) -> (BTreeMap<String, Document>, usize) {
    let mut queue = VecDeque::from(["/".to_owned()]);
    let mut pages: BTreeMap<String, Document> = BTreeMap::new();
    while let Some(path) = queue.pop_front() {
        if pages.contains_key(&path) {
            continue;
        }
        let document = parse(&text(shop, &path).await);
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

    let listed = locations(&text(shop, "/sitemap.xml").await);
    let mut titles = BTreeSet::new();
    for (path, page) in &pages {
        let canonical = page.canonical.strip_prefix(PUBLIC_URL);
        let canonical = canonical.unwrap_or_else(|| panic!("{path}: {}", page.canonical));
        let named = pages.get(canonical);
        let named = named.unwrap_or_else(|| panic!("{path} names {canonical}, which nothing links to"));
        assert_eq!(named.canonical, page.canonical, "{path}");
        if path.starts_with("/product/") {
            assert!(titles.insert(&page.title), "{} is the title of two products", page.title);
        }
        if page.robots.starts_with("index,") && !path.contains("page=") {
            assert!(listed.contains(&page.canonical), "{path} is missing in the sitemap");
        }
    }
    for address in &listed {
        let path = address.strip_prefix(PUBLIC_URL).unwrap();
        let page = pages.get(path).unwrap_or_else(|| panic!("{path} is an orphan"));
        assert!(page.robots.starts_with("index,") && &page.canonical == address, "{path}");
    }
    let count = listed.len();
    (pages, count)
}

/// Every page of a shop with these products can be reached, and each product's data say what its page shows.
async fn check_all_pages(shop: SocketAddr, products: usize) {
    let (pages, listed) = crawled(shop).await;
    assert!(listed > 180, "{listed}");
    for id in 1..=products {
        let path = format!("/product/{id}");
        let [data] = &pages[&path].structured_data[..] else { panic!("{path} has not one graph") };
        validate_product(data, &pages[&path], &path);
    }
}

/// Checks the rules of Google's product snippets, and that the page shows everything that the data says.
fn validate_product(data: &Value, page: &Document, path: &str) {
    let product = &data["@graph"][0];
    assert_eq!(data["@context"], "https://schema.org");
    let variants = product["hasVariant"].as_array();
    assert_eq!(product["@type"], if variants.is_some() { "ProductGroup" } else { "Product" }, "{path}");
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page_text = squeeze(&page.text);
    let text =
        |value: &Value| value.as_str().unwrap_or_else(|| panic!("{path}: {value} is no text")).to_owned();
    let shows = |value: &Value| {
        assert!(page_text.contains(&squeeze(&text(value))), "{path} does not show {value}");
    };
    ["name", "description"].iter().for_each(|field| shows(&product[field]));
    if variants.is_none() {
        shows(&product["sku"]);
    }
    if let Some(brand) = product.get("brand") {
        shows(&brand["name"]);
    }
    let images = product["image"].as_array().unwrap();
    assert!(images.iter().all(|image| text(image).starts_with("http")), "{path}");
    let cheapest = |variants: &Vec<Value>| -> Value {
        let offers = variants.iter().map(|variant| &variant["offers"]);
        let on_offer = offers.filter(|offer| !text(&offer["availability"]).ends_with("OutOfStock"));
        let price = |offer: &&Value| (100.0 * text(&offer["price"]).parse::<f64>().unwrap()) as u64;
        on_offer.min_by_key(price).unwrap().clone()
    };
    let offer = &variants.map_or_else(|| product["offers"].clone(), cheapest);
    let amount = |price: &Value| {
        let price = Currency::default().nearest(text(price).parse().unwrap()).unwrap();
        NumberFormat::default().amount(price)
    };
    // A page of a product with variants says the price of the cheapest.
    assert!(page.prices[0].contains(&amount(&offer["price"])), "{path}: {} of {offer}", page.prices[0]);
    let url = text(&offer["url"]);
    let own = if variants.is_some() { url.split("?variant=").next().unwrap() } else { &url };
    assert_eq!((&offer["priceCurrency"], own), (&json!("USD"), &*page.canonical));
    let availability = text(&offer["availability"]);
    assert!(matches!(&*availability, "https://schema.org/InStock" | "https://schema.org/OutOfStock"));
    let reviews = product["review"].as_array().unwrap();
    let rating = &product["aggregateRating"];
    shows(&rating["ratingValue"]);
    assert_eq!(rating["reviewCount"], reviews.len());
    for review in reviews {
        shows(&review["author"]["name"]);
        shows(&review["reviewBody"]);
        assert!((1..=5).contains(&review["reviewRating"]["ratingValue"].as_u64().unwrap()));
        assert_eq!(text(&review["datePublished"]).len(), 10);
    }
    for absent in ["hasMerchantReturnPolicy", "shippingDetails"] {
        assert!(offer.get(absent).is_none(), "{path} claims {absent}");
    }
    let trail = data["@graph"][1]["itemListElement"].as_array().unwrap();
    assert_eq!(trail.last().unwrap()["item"], json!(page.canonical), "{path}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_sample_is_reachable_and_says_what_it_is() {
    let sample = sample();
    let shop = start_shop(sample.clone()).await;
    check_all_pages(shop, sample.products().len()).await;
    check_heads(shop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_real_catalogue_is_reachable_and_says_what_it_is() {
    let Some(products) = real_products() else { return };
    let count = products.len();
    check_all_pages(shop_of(products, 5_000).await, count).await;
}

const INDEX: &str = "index,follow,max-image-preview:large";
const FOLLOW: &str = "noindex,follow";

/// Filtered, missing and search pages are not indexed. Home, listings and products say of which types they are.
async fn check_heads(shop: SocketAddr) {
    for (path, robots, canonical, types) in [
        ("/", INDEX, "/", &["Organization", "WebSite"][..]),
        ("/products", INDEX, "/products", &["ItemList"]),
        ("/products?page=2", INDEX, "/products?page=2", &["ItemList"]),
        ("/products?sort=price-asc", FOLLOW, "/products", &["ItemList"]),
        ("/products?utm_source=mail", INDEX, "/products", &["ItemList"]),
        ("/category/beauty", INDEX, "/category/beauty", &["ItemList", "BreadcrumbList"]),
        ("/search/red", FOLLOW, "/search/red", &["ItemList"]),
        ("/categories?q=x", FOLLOW, "/categories", &[]),
        ("/product/1?ref=x", INDEX, "/product/1", &["Product", "BreadcrumbList"]),
        ("/product/0", "noindex", "/product/0", &[]),
        ("/missing", "noindex", "/missing", &[]),
    ] {
        let answer = get(shop, path).await;
        let document = parse(&answer.text);
        assert_eq!(document.robots, robots, "{path}");
        assert_eq!(document.canonical, format!("{PUBLIC_URL}{canonical}"), "{path}");
        let tag = answer.headers.get("x-robots-tag").map(|tag| tag.to_str().unwrap());
        assert_eq!(tag, robots.starts_with("noindex").then_some(robots), "{path}");
        let graphs = document.structured_data.iter().flat_map(|data| data["@graph"].as_array().unwrap());
        assert_eq!(graphs.map(|thing| &thing["@type"]).collect::<Vec<_>>(), types, "{path}");
    }
    // Positions in a list go on from page to page.
    let second = text(shop, "/products?page=2").await;
    assert!(second.contains("\"position\":49,") && !second.contains("\"position\":1,"), "{second}");
}
