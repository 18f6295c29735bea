//! The files that lead crawlers and browsers to the pages: sitemap, robots, feed, and friends.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get};

use crate::catalogue::{self, CatalogueError};
use crate::causes::Causes;
use crate::memory::Made;
use crate::pages::{Shop, View};

/// Most addresses in one sitemap. The protocol allows 50,000.
const SITEMAP_PART: usize = 10_000;
/// How many products the feed tells of.
const FEED_PRODUCTS: usize = 30;

const ONE_HOUR: Duration = Duration::from_secs(3_600);
const PLAIN: &str = "text/plain; charset=utf-8";
const XML: &str = "application/xml";

/// Pages that exist whatever the catalogue holds.
const PAGES: [&str; 8] =
    ["/", "/categories", "/brands", "/products", "/sale", "/new-arrivals", "/best-sellers", "/deals"];

pub fn routes() -> Router<Arc<Shop>> {
    Router::new()
        .route("/sitemap.xml", file(sitemap))
        .route("/sitemap/{part}", get(sitemap_part))
        .route("/robots.txt", file(robots))
        .route("/feed.xml", file(feed))
        .route("/opensearch.xml", file(opensearch))
        .route("/manifest.webmanifest", file(manifest))
        .route("/llms.txt", file(llms))
}

/// A file that is made from the catalogue, and remembered like a page.
fn file<F>(make: impl Fn(Arc<Shop>) -> F + Clone + Send + Sync + 'static) -> MethodRouter<Arc<Shop>>
where
    F: Future<Output = Text> + Send + 'static,
{
    get(async move |State(shop): State<Arc<Shop>>, uri: Uri, request: HeaderMap| {
        let key = uri.path().to_owned();
        answer(&shop, key, &request, make).await
    })
}

async fn answer<F>(
    shop: &Arc<Shop>,
    key: String,
    request: &HeaderMap,
    make: impl Fn(Arc<Shop>) -> F,
) -> Response
where
    F: Future<Output = Text> + Send + 'static,
{
    let made = shop.remembered(key, request, Shop::deadline(), |shop, last| {
        let text = make(Arc::clone(&shop));
        async move { view(&shop, text.await, last) }
    });
    match made.await {
        Ok((_, response)) => response,
        Err(error) => error.into_response(),
    }
}

/// A file's content type and text, or why there is none.
type Text = Result<(&'static str, String), Missing>;

enum Missing {
    Catalogue(CatalogueError),
    Template(askama::Error),
    Part,
}

fn view(shop: &Shop, text: Text, last: Option<Arc<View>>) -> Made<Arc<View>> {
    let failure = |status, text: &str| Made::Pass(Arc::new(View::failure(status, PLAIN, text.into())));
    match text {
        Ok((content_type, text)) => Made::Keep(match last {
            // Its date and its compressed variants stay true.
            Some(last) if last.has_text(&text) => last,
            _ => Arc::new(View::file(content_type, text, ONE_HOUR)),
        }),
        Err(Missing::Part) => failure(StatusCode::NOT_FOUND, "There is no such part."),
        Err(Missing::Catalogue(error)) => {
            if shop.seldom().is_time_for("file") {
                tracing::warn!(error = %Causes(&error), "the catalogue did not answer");
            }
            failure(StatusCode::SERVICE_UNAVAILABLE, "The catalogue did not answer.")
        }
        Err(Missing::Template(error)) => {
            tracing::error!(error = %Causes(&error), "a file could not be put together");
            failure(StatusCode::INTERNAL_SERVER_ERROR, "The file could not be put together.")
        }
    }
}

impl From<CatalogueError> for Missing {
    fn from(error: CatalogueError) -> Self {
        Self::Catalogue(error)
    }
}

impl From<askama::Error> for Missing {
    fn from(error: askama::Error) -> Self {
        Self::Template(error)
    }
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

async fn sitemap(shop: Arc<Shop>) -> Text {
    let entries = sitemap_entries(&shop).await?;
    if entries.len() <= SITEMAP_PART {
        return Ok((XML, SitemapTemplate { entries: &entries }.render()?));
    }
    let parts = 1..=entries.len().div_ceil(SITEMAP_PART);
    let parts = parts.map(|part| shop.site().absolute(&format!("/sitemap/{part}.xml"))).collect();
    Ok((XML, SitemapIndexTemplate { parts }.render()?))
}

async fn sitemap_part(
    State(shop): State<Arc<Shop>>,
    Path(name): Path<String>,
    request: HeaderMap,
) -> Response {
    let part = name.strip_suffix(".xml").and_then(|part| part.parse::<usize>().ok());
    // Only numbers become keys, so nobody can fill the memory with names.
    let key = format!("/sitemap/{}.xml", part.unwrap_or_default());
    answer(&shop, key, &request, |shop| async move {
        let entries = sitemap_entries(&shop).await?;
        let chunk = part.and_then(|part| entries.chunks(SITEMAP_PART).nth(part.checked_sub(1)?));
        let entries = chunk.ok_or(Missing::Part)?;
        Ok((XML, SitemapTemplate { entries }.render()?))
    })
    .await
}

/// Every page that may be indexed, but the further pages of listings, whose products are all here.
async fn sitemap_entries(shop: &Shop) -> catalogue::Result<Vec<SitemapEntry>> {
    let (categories, products) = tokio::join!(shop.catalogue().categories(), shop.catalogue().all_products());
    let page = |path: &str| SitemapEntry { address: shop.site().absolute(path), image: None };
    let mut entries: Vec<SitemapEntry> = PAGES.into_iter().map(page).collect();
    entries.extend(categories?.iter().map(|category| page(&format!("/category/{}", category.slug))));
    entries.extend(products?.products().iter().map(|product| SitemapEntry {
        image: product.thumbnail.as_deref().map(|image| shop.site().absolute(image)),
        ..page(&format!("/product/{}", product.id))
    }));
    Ok(entries)
}

async fn robots(shop: Arc<Shop>) -> Text {
    let text = match &shop.settings().robots {
        Some(own) => own.clone(),
        None => format!(
            "User-agent: *\nDisallow: /_data/\n{}\nSitemap: {}\n",
            ["q", "max", "rating", "category", "brand", "stock", "sort"]
                .map(|parameter| format!("Disallow: /*?{parameter}=\nDisallow: /*&{parameter}=\n"))
                .concat(),
            shop.site().absolute("/sitemap.xml"),
        ),
    };
    Ok((PLAIN, text))
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

async fn feed(shop: Arc<Shop>) -> Text {
    let shelf = shop.catalogue().all_products().await?;
    let newest = shelf.sorted_by(|left, right| right.id.cmp(&left.id)).first(FEED_PRODUCTS);
    let entries = newest
        .products()
        .iter()
        .map(|product| FeedEntry {
            address: shop.site().absolute(&format!("/product/{}", product.id)),
            title: product.title.clone(),
            summary: product.description.clone(),
        })
        .collect();
    let template = FeedTemplate {
        home: shop.site().absolute("/"),
        own: shop.site().absolute("/feed.xml"),
        updated: &shop.settings().started,
        entries,
    };
    Ok(("application/atom+xml", template.render()?))
}

#[derive(Template)]
#[template(path = "opensearch.xml", config = "host/askama.toml")]
struct OpenSearchTemplate<'a> {
    origin: &'a str,
}

async fn opensearch(shop: Arc<Shop>) -> Text {
    let template = OpenSearchTemplate { origin: shop.site().origin() };
    Ok(("application/opensearchdescription+xml", template.render()?))
}

async fn manifest(_: Arc<Shop>) -> Text {
    Ok(("application/manifest+json", include_str!("../templates/manifest.webmanifest").into()))
}

async fn llms(shop: Arc<Shop>) -> Text {
    let link = |name: &str, path: &str| format!("- [{name}]({})\n", shop.site().absolute(path));
    let categories = shop.catalogue().categories().await?;
    let categories: String = categories
        .iter()
        .map(|category| link(&category.name, &format!("/category/{}", category.slug)))
        .collect();
    let text = format!(
        "# Vitrine\n\n> A storefront for browsing products. Every page is whole HTML with JSON-LD.\n\n\
         ## Pages\n\n{}{}{}{}\n## Categories\n\n{categories}",
        link("All products", "/products"),
        link("Brands", "/brands"),
        link("Sitemap", "/sitemap.xml"),
        link("Newest products (Atom)", "/feed.xml"),
    );
    Ok((PLAIN, text))
}
