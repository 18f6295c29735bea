//! The files for crawlers and browsers: sitemap, robots.txt, feed and others.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::Shop;
use super::answer::{Answer, FileAnswer, Made};
use super::key::{File, Form, Key};
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::catalogue::{self, CatalogueError, Categories, Listing, Order};
use crate::http::representation::Representation;
use crate::observe::ErrorChain;
use crate::observe::request_log::Timing;
use crate::pages::address::{self, Preset};
use crate::pages::cards;
use crate::pages::listing_query::FILTER_PARAMETERS;

/// Most URLs in one sitemap. The protocol (sitemaps.org) allows 50,000.
const SITEMAP_PART: usize = 10_000;
/// Number of products in the feed.
const FEED_PRODUCTS: usize = 30;

const ONE_HOUR: Duration = Duration::from_secs(3_600);
const PLAIN: &str = "text/plain; charset=utf-8";
const XML: &str = "application/xml";

/// Answers with a file. Files are made from the catalogue and cached like pages.
pub(super) async fn answer(shop: &Arc<Shop>, file: File, request: &HeaderMap) -> Response {
    let make = |shop: Arc<Shop>, last| async move { made(&shop, text(&shop, file).await, last) };
    in_time(async {
        let hit = shop.cached(Key::File(file), make).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

/// A file's content type and text, or why it could not be made.
type Text = Result<(&'static str, String), Missing>;

/// Why a file could not be made.
enum Missing {
    Catalogue(CatalogueError),
    Template(askama::Error),
    /// The sitemap has no part with this number.
    Part,
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

async fn text(shop: &Shop, file: File) -> Text {
    match file {
        File::Sitemap => sitemap(shop).await,
        File::SitemapPart(number) => sitemap_part(shop, number).await,
        File::Robots => Ok(robots(shop)),
        File::Feed => feed(shop).await,
        File::OpenSearch => opensearch(shop),
        File::Manifest => Ok((
            "application/manifest+json",
            include_str!("../document/templates/manifest.webmanifest").into(),
        )),
        File::Llms => llms(shop).await,
    }
}

fn made(shop: &Shop, text: Text, last: Option<Arc<Made>>) -> Outcome<Arc<Made>> {
    let failure =
        |status, text: &str| Outcome::Discard(Arc::new(Made::failure("file", status, PLAIN, text.into())));
    match text {
        Ok((content_type, text)) => Outcome::Store(match last {
            // Reused for its `Last-Modified` and its compressed variants.
            Some(last) if has_text(&last, &text) => last,
            _ => {
                let body = Representation::new(content_type, text);
                let answer = Answer::File(FileAnswer { body, fresh: ONE_HOUR });
                Arc::new(Made { answer, timing: Timing::of("file") })
            }
        }),
        Err(Missing::Part) => failure(StatusCode::NOT_FOUND, "There is no such part."),
        Err(Missing::Catalogue(error)) => {
            if shop.throttle.allows("file") {
                tracing::warn!(error = %ErrorChain(&error), "the catalogue did not answer");
            }
            failure(StatusCode::SERVICE_UNAVAILABLE, "The catalogue did not answer.")
        }
        Err(Missing::Template(error)) => {
            tracing::error!(error = %ErrorChain(&error), "a file could not be put together");
            failure(StatusCode::INTERNAL_SERVER_ERROR, "The file could not be put together.")
        }
    }
}

fn has_text(made: &Made, text: &str) -> bool {
    matches!(&made.answer, Answer::File(file) if file.body.is_of(text.as_bytes()))
}

/// One URL of the sitemap.
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

async fn sitemap(shop: &Shop) -> Text {
    let entries = sitemap_entries(shop).await?;
    if entries.len() <= SITEMAP_PART {
        return Ok((XML, SitemapTemplate { entries: &entries }.render()?));
    }
    let parts = 1..=entries.len().div_ceil(SITEMAP_PART);
    let parts = parts.map(|part| shop.site.absolute(&format!("/sitemap/{part}.xml"))).collect();
    Ok((XML, SitemapIndexTemplate { parts }.render()?))
}

async fn sitemap_part(shop: &Shop, number: usize) -> Text {
    let entries = sitemap_entries(shop).await?;
    let chunk = number.checked_sub(1).and_then(|index| entries.chunks(SITEMAP_PART).nth(index));
    let entries = chunk.ok_or(Missing::Part)?;
    Ok((XML, SitemapTemplate { entries }.render()?))
}

/// Every page that may be indexed, except pages 2 and up of listings: their products are all included.
async fn sitemap_entries(shop: &Shop) -> catalogue::Result<Vec<SitemapEntry>> {
    let (categories, products) =
        tokio::join!(shop.catalogue.ask(&Categories), shop.catalogue.ask(&Listing::All));
    let page = |path: &str| SitemapEntry { address: shop.site.absolute(path), image: None };
    let always = address::ALWAYS.into_iter().chain(Preset::EVERY.map(Preset::path));
    let mut entries: Vec<SitemapEntry> = always.map(page).collect();
    entries.extend(categories?.iter().map(|category| page(&address::category(&category.slug))));
    entries.extend(products?.products().map(|product| SitemapEntry {
        image: product.thumbnail.as_deref().map(|image| shop.site.absolute(image)),
        ..page(&address::product(product.id))
    }));
    Ok(entries)
}

fn robots(shop: &Shop) -> (&'static str, String) {
    let text = shop.settings.robots.clone().unwrap_or_else(|| {
        let disallow = |parameter| format!("Disallow: /*?{parameter}=\nDisallow: /*&{parameter}=\n");
        format!(
            "User-agent: *\nDisallow: {}/\n{}\nSitemap: {}\n",
            Form::Data.prefix(),
            FILTER_PARAMETERS.map(disallow).concat(),
            shop.site.absolute("/sitemap.xml"),
        )
    });
    (PLAIN, text)
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

async fn feed(shop: &Shop) -> Text {
    let all = shop.catalogue.ask(&Listing::All).await?;
    let newest = all.in_order(Order::Newest);
    let entry = |product: &catalogue::Summary| FeedEntry {
        address: shop.site.absolute(&address::product(product.id)),
        title: product.title.clone(),
        summary: product.description.clone(),
    };
    let template = FeedTemplate {
        home: shop.site.absolute(address::HOME),
        own: shop.site.absolute("/feed.xml"),
        updated: &shop.opened,
        entries: newest.products().take(FEED_PRODUCTS).map(entry).collect(),
    };
    Ok(("application/atom+xml", template.render()?))
}

#[derive(Template)]
#[template(path = "opensearch.xml", config = "host/askama.toml")]
struct OpenSearchTemplate<'a> {
    origin: &'a str,
}

fn opensearch(shop: &Shop) -> Text {
    let template = OpenSearchTemplate { origin: shop.site.origin() };
    Ok(("application/opensearchdescription+xml", template.render()?))
}

async fn llms(shop: &Shop) -> Text {
    let link = |name: &str, path: &str| format!("- [{}]({})\n", escaped(name), shop.site.absolute(path));
    let cards::Menu { categories, total } =
        cards::menu(&shop.catalogue.ask(&Categories).await?, shop.catalogue.category_sizes().as_deref());
    let mut categories: String =
        categories.iter().map(|category| link(&category.name, &address::category(&category.slug))).collect();
    if let Some(total) = total {
        categories += &link(&format!("All {total} categories"), address::CATEGORIES);
    }
    let text = format!(
        "# Vitrine\n\n> A storefront for browsing products. Every page is whole HTML with JSON-LD.\n\n\
         ## Pages\n\n{}{}{}{}\n## Categories\n\n{categories}",
        link("All products", Preset::All.path()),
        link("Brands", address::BRANDS),
        link("Sitemap", "/sitemap.xml"),
        link("Newest products (Atom)", "/feed.xml"),
    );
    Ok((PLAIN, text))
}

/// A text without a meaning in Markdown (CommonMark, section 2.4, and GitHub's extensions).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\`*_[]<>&~|".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_plain_text_in_markdown() {
        assert_eq!(escaped("Men's Shirts, 50% - new."), "Men's Shirts, 50% - new.");
        assert_eq!(
            escaped("](https://evil.example) <b>*x*</b> `y` &lt; ![i] \\"),
            r"\](https://evil.example) \<b\>\*x\*\</b\> \`y\` \&lt; !\[i\] \\"
        );
    }
}
