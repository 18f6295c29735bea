//! The files for crawlers and browsers: sitemap, robots.txt, feed and others.

use std::sync::Arc;

use askama::Template;
use axum::http::HeaderMap;
use axum::response::Response;

use super::Shop;
use super::answer::Made;
use super::key::{File, Form, Key};
use super::missing_file::Missing;
use super::sitemap::sitemap;
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::catalogue::{Categories, Listing, Order, Summary};
use crate::pages::address::{self, Preset};
use crate::pages::cards;
use crate::pages::listing_query::FILTER_PARAMETERS;

/// Number of products in the feed.
const FEED_PRODUCTS: usize = 30;

const PLAIN: &str = "text/plain; charset=utf-8";

/// Answers with a file. Files are made from the catalogue and cached like pages.
pub(super) async fn answer(shop: &Arc<Shop>, file: File, request: &HeaderMap) -> Response {
    let make = |shop: Arc<Shop>, last| async move { make(&shop, file, last).await };
    in_time(async {
        let hit = shop.cached(Key::File(file), make).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

/// A file's content type and text, or why it could not be made.
type Text = Result<(&'static str, String), Missing>;

/// Makes a file. `last` is what was made the last time.
pub(super) async fn make(shop: &Shop, file: File, last: Option<Arc<Made>>) -> Outcome<Arc<Made>> {
    let made = match file {
        File::Sitemap => sitemap(shop, None, last).await,
        File::SitemapPart(number) => sitemap(shop, Some(number), last).await,
        _ => text(shop, file).await.map(|(kind, text)| Made::file(kind, text, None, last)),
    };
    made.map_or_else(|missing| Outcome::Discard(missing.answer(&shop.throttle)), Outcome::Store)
}

/// The text of a file that does not grow with the catalogue.
async fn text(shop: &Shop, file: File) -> Text {
    match file {
        File::Sitemap | File::SitemapPart(_) => Err(Missing::Part),
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
    let entry = |product: &Summary| FeedEntry {
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
