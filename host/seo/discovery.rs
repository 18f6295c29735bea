//! The files that lead crawlers and browsers to the pages: sitemap, robots, feed, and friends.

use std::error::Error;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::catalogue;
use crate::error::AppError;
use crate::pages::Shop;

/// Most addresses in one sitemap. The protocol allows 50,000.
const SITEMAP_PART: usize = 10_000;
/// How many products the feed tells of.
const FEED_PRODUCTS: usize = 30;

const ONE_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// Pages that exist whatever the catalogue holds.
const PAGES: [&str; 8] =
    ["/", "/categories", "/brands", "/products", "/sale", "/new-arrivals", "/best-sellers", "/deals"];

pub fn routes() -> Router<Arc<Shop>> {
    Router::new()
        .route("/sitemap.xml", get(sitemap))
        .route("/sitemap/{part}", get(sitemap_part))
        .route("/robots.txt", get(robots))
        .route("/feed.xml", get(feed))
        .route("/opensearch.xml", get(opensearch))
        .route("/manifest.webmanifest", get(manifest))
        .route("/llms.txt", get(llms))
}

/// One address of the sitemap.
struct SitemapEntry {
    address: String,
    image: Option<String>,
}

#[derive(Template)]
#[template(path = "sitemap.xml", config = "host/askama.toml")]
struct SitemapTemplate<'a> {
    entries: &'a [SitemapEntry],
}

#[derive(Template)]
#[template(path = "sitemap-index.xml", config = "host/askama.toml")]
struct SitemapIndexTemplate {
    parts: Vec<String>,
}

async fn sitemap(State(shop): State<Arc<Shop>>) -> Response {
    let Ok(entries) = sitemap_entries(&shop).await.inspect_err(log_failure) else { return unavailable() };
    if entries.len() <= SITEMAP_PART {
        return xml(&SitemapTemplate { entries: &entries }, "application/xml");
    }
    let parts = 1..=entries.len().div_ceil(SITEMAP_PART);
    let parts = parts.map(|part| shop.site.absolute(&format!("/sitemap/{part}.xml"))).collect();
    xml(&SitemapIndexTemplate { parts }, "application/xml")
}

async fn sitemap_part(State(shop): State<Arc<Shop>>, Path(name): Path<String>) -> Response {
    let part = name.strip_suffix(".xml").and_then(|part| part.parse::<usize>().ok());
    let Ok(entries) = sitemap_entries(&shop).await.inspect_err(log_failure) else { return unavailable() };
    let chunk = part.and_then(|part| entries.chunks(SITEMAP_PART).nth(part.checked_sub(1)?));
    match chunk {
        Some(entries) => xml(&SitemapTemplate { entries }, "application/xml"),
        None => (StatusCode::NOT_FOUND, "There is no such part.").into_response(),
    }
}

/// Every page that may be indexed, but the further pages of listings, whose products are all here.
async fn sitemap_entries(shop: &Shop) -> catalogue::Result<Vec<SitemapEntry>> {
    let (categories, products) = tokio::join!(shop.catalogue.categories(), shop.catalogue.all_products());
    let page = |path: &str| SitemapEntry { address: shop.site.absolute(path), image: None };
    let mut entries: Vec<SitemapEntry> = PAGES.into_iter().map(page).collect();
    entries.extend(categories?.iter().map(|category| page(&format!("/category/{}", category.slug))));
    entries.extend(products?.products().iter().map(|product| SitemapEntry {
        image: product.thumbnail.as_deref().map(|image| shop.site.absolute(image)),
        ..page(&format!("/product/{}", product.id))
    }));
    Ok(entries)
}

async fn robots(State(shop): State<Arc<Shop>>) -> Response {
    let text = match &shop.robots {
        Some(own) => own.clone(),
        None => format!(
            "User-agent: *\nDisallow: /_data/\n{}\nSitemap: {}\n",
            ["q", "max", "rating", "category", "brand", "stock", "sort"]
                .map(|parameter| format!("Disallow: /*?{parameter}=\nDisallow: /*&{parameter}=\n"))
                .concat(),
            shop.site.absolute("/sitemap.xml"),
        ),
    };
    file("text/plain; charset=utf-8", text)
}

struct FeedEntry {
    address: String,
    title: String,
    summary: String,
}

#[derive(Template)]
#[template(path = "feed.xml", config = "host/askama.toml")]
struct FeedTemplate<'a> {
    home: String,
    own: String,
    updated: &'a str,
    entries: Vec<FeedEntry>,
}

async fn feed(State(shop): State<Arc<Shop>>) -> Response {
    let Ok(shelf) = shop.catalogue.all_products().await.inspect_err(log_failure) else {
        return unavailable();
    };
    let newest = shelf.sorted_by(|left, right| right.id.cmp(&left.id)).first(FEED_PRODUCTS);
    let entries = newest
        .products()
        .iter()
        .map(|product| FeedEntry {
            address: shop.site.absolute(&format!("/product/{}", product.id)),
            title: product.title.clone(),
            summary: product.description.clone(),
        })
        .collect();
    let template = FeedTemplate {
        home: shop.site.absolute("/"),
        own: shop.site.absolute("/feed.xml"),
        updated: &shop.started,
        entries,
    };
    xml(&template, "application/atom+xml")
}

#[derive(Template)]
#[template(path = "opensearch.xml", config = "host/askama.toml")]
struct OpenSearchTemplate<'a> {
    origin: &'a str,
}

async fn opensearch(State(shop): State<Arc<Shop>>) -> Response {
    xml(&OpenSearchTemplate { origin: shop.site.origin() }, "application/opensearchdescription+xml")
}

async fn manifest() -> Response {
    file("application/manifest+json", include_str!("../templates/manifest.webmanifest").into())
}

async fn llms(State(shop): State<Arc<Shop>>) -> Response {
    let link = |name: &str, path: &str| format!("- [{name}]({})\n", shop.site.absolute(path));
    let categories = match shop.catalogue.categories().await.inspect_err(log_failure) {
        Ok(categories) => categories
            .iter()
            .map(|category| link(&category.name, &format!("/category/{}", category.slug)))
            .collect::<String>(),
        Err(_) => String::new(),
    };
    let text = format!(
        "# Vitrine\n\n> A storefront for browsing products. Every page is whole HTML with JSON-LD.\n\n\
         ## Pages\n\n{}{}{}{}\n## Categories\n\n{categories}",
        link("All products", "/products"),
        link("Brands", "/brands"),
        link("Sitemap", "/sitemap.xml"),
        link("Newest products (Atom)", "/feed.xml"),
    );
    file("text/plain; charset=utf-8", text)
}

fn xml(template: &impl Template, content_type: &'static str) -> Response {
    match template.render() {
        Ok(text) => file(content_type, text),
        Err(error) => AppError::Document(error).into_response(),
    }
}

fn file(content_type: &'static str, text: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(content_type)), (header::CACHE_CONTROL, ONE_HOUR)];
    (headers, text).into_response()
}

fn unavailable() -> Response {
    let headers = [(header::RETRY_AFTER, "10"), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::SERVICE_UNAVAILABLE, headers, "The catalogue did not answer.").into_response()
}

fn log_failure(error: &catalogue::CatalogueError) {
    tracing::warn!(error = error as &dyn Error, "the catalogue did not answer");
}
