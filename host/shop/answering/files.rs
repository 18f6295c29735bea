//! The files for crawlers and browsers: sitemap, robots.txt, feed and others.

use std::sync::Arc;

use askama::Template;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::future::join_all;

use super::exports;
use super::missing_file::Missing;
use super::sitemap::sitemap;
use super::suggest;
use super::visit::{in_time, respond};
use crate::cache::Outcome;
use crate::catalogue::{Product, ProductOrder};
use crate::document::Agents;
use crate::document::markdown::escaped;
use crate::exports::{Exports, Format};
use crate::facets;
use crate::pages::address::{self, Preset};
use crate::pages::cards;
use crate::profile::Profile;
use crate::shop::Shop;
use crate::shop::making::answer::{Made, ONE_HOUR};
use crate::shop::making::key::{File, Form, Key};
use crate::texts;

/// Most products in the feed.
const FEED_PRODUCTS: usize = 30;

/// Longest short name of OpenSearch 1.1, in characters.
const LONGEST_SHORT_NAME: usize = 16;

/// The colour of the browser's bars, as in the document's template.
const BARS: &str = "#16231e";
const PLAIN: &str = "text/plain; charset=utf-8";
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const MANIFEST_TYPE: &str = "application/manifest+json";

/// Answers with a file. Files are made from the catalogue and cached like pages.
pub(in crate::shop) async fn answer(shop: &Arc<Shop>, file: File, request: &HeaderMap) -> Response {
    in_time(shop, async {
        let hit = shop.cached(&shop.in_cache(Key::File(file))).await?;
        Ok(respond(shop, &hit, request).await)
    })
    .await
}

/// A file's content type and text.
type Text = (&'static str, String);

/// Makes a file. `last` is its previous version.
pub(in crate::shop) async fn make(shop: &Shop, file: File, last: Option<Arc<Made>>) -> Outcome<Arc<Made>> {
    let made = match file {
        File::Sitemap => sitemap(shop, None, last).await,
        File::SitemapPart(number) => sitemap(shop, Some(number), last).await,
        File::Manifest => manifest(shop, last),
        File::Robots => Ok(short(robots(shop), last)),
        File::Feed => feed(shop).await.map(|text| short(text, last)),
        File::OpenSearch => opensearch(shop).map(|text| short(text, last)),
        File::Llms => llms(shop).await.map(|text| short((PLAIN, text), last)),
        File::Agents => llms(shop).await.map(|text| short((MARKDOWN, text), last)),
        File::Export(format) => exports::make(shop, format, last).await,
    };
    made.map_or_else(|missing| Outcome::Discard(missing.answer(&shop.throttle)), Outcome::Store)
}

/// A file that is short however large the catalogue is.
fn short((content_type, text): Text, last: Option<Arc<Made>>) -> Arc<Made> {
    Made::file(content_type, text, ONE_HOUR, None, last)
}

/// The exports that the shop offers. They need a copy of the catalogue.
fn offered(shop: &Shop) -> impl Iterator<Item = Format> {
    let are_offered = shop.settings.exports == Exports::On && shop.catalogue.version().is_some();
    Format::EVERY.into_iter().filter(move |_| are_offered)
}

/// The operator's robots.txt, or the default. Crawlers may read a listing with one filter, which says itself that it
/// may not be indexed. Combinations of filters multiply without end, so crawlers are kept from them: filters are the
/// first parameters of an address, so a filter after a `&` is a second one.
fn robots(shop: &Shop) -> Text {
    let text = shop.settings.robots.clone().unwrap_or_else(|| {
        let disallow = |parameter| format!("Disallow: /*&{parameter}=\n");
        format!(
            "User-agent: *\n{}Disallow: {}/\nDisallow: {}\n{}\nSitemap: {}\n",
            offered(shop).map(|format| format!("Allow: {}\n", format.path())).collect::<String>(),
            Form::Data.prefix(),
            suggest::PATH,
            facets::parameters().map(disallow).collect::<String>(),
            shop.site.absolute("/sitemap.xml"),
        )
    });
    (PLAIN, text)
}

#[derive(Template)]
#[template(path = "manifest.webmanifest", escape = "none", config = "host/askama.toml")]
struct ManifestTemplate {
    /// As JSON, with its quotes.
    name: String,
    /// As JSON, with its quotes.
    theme_colour: String,
    has_drawn_icon: bool,
}

/// The manifest of the installed shop. It stays the same for as long as the profile does.
fn manifest(shop: &Shop, last: Option<Arc<Made>>) -> Result<Arc<Made>, Missing> {
    if let Some(last) = last {
        return Ok(last);
    }
    let json = |text: &str| serde_json::Value::from(text).to_string();
    let profile = shop.profile();
    let theme_colour = match &profile.accent {
        Some(accent) => json(&accent.of_bars()[0]),
        None => json(BARS),
    };
    let template = ManifestTemplate {
        name: json(&profile.name),
        theme_colour,
        has_drawn_icon: profile.has_drawn_icon(),
    };
    let text = template.render()?;
    // An operator's file may be newer than the program.
    let is_of_the_build = **profile == Profile::default();
    Ok(match is_of_the_build {
        true => Made::embedded_file(MANIFEST_TYPE, text),
        false => Made::file(MANIFEST_TYPE, text, ONE_HOUR, None, None),
    })
}

struct FeedEntry {
    updated: String,
    address: String,
    title: String,
    summary: String,
}

#[derive(Template)]
#[template(path = "feed.xml", config = "host/askama.toml")]
struct FeedTemplate<'a> {
    name: &'a str,
    title: String,
    home: String,
    own: String,
    updated: String,
    entries: Vec<FeedEntry>,
}

/// The newest products with their own dates: the same in every replica, and after a restart.
async fn feed(shop: &Shop) -> Result<Text, Missing> {
    let stock = shop.catalogue.stock().await;
    let version = stock.version().ok_or(Missing::NoVersion)?;
    let newest = version.products().in_order(ProductOrder::Newest);
    // Lists do not have the dates.
    let answers =
        join_all(newest.keys().take(FEED_PRODUCTS).map(async |key| stock.product(&key).await)).await;
    // Products that could not be loaded are left out, unless that is all of them.
    if let Some(Err(error)) = answers.first()
        && !answers.iter().any(Result::is_ok)
    {
        return Err(error.clone().into());
    }
    let dated = answers.iter().flatten().flatten().filter_map(|product| Some((product, product.date()?)));
    let entry = |(product, date): (&Arc<Product>, i64)| FeedEntry {
        updated: timestamp(date),
        address: shop.site.absolute(&address::product(&product.summary.id)),
        title: product.summary.title.clone(),
        summary: product.summary.description.clone(),
    };
    let profile = shop.profile();
    let template = FeedTemplate {
        name: &profile.name,
        title: profile.texts.with(texts::Key::FeedTitle, &[&profile.name]),
        home: shop.site.absolute(address::HOME),
        own: shop.site.absolute("/feed.xml"),
        updated: timestamp(dated.clone().map(|(_, date)| date).max().unwrap_or_default()),
        entries: dated.map(entry).collect(),
    };
    Ok(("application/atom+xml", template.render()?))
}

/// RFC 3339, in UTC.
fn timestamp(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

#[derive(Template)]
#[template(path = "opensearch.xml", config = "host/askama.toml")]
struct OpenSearchTemplate<'a> {
    description: String,
    short_name: String,
    origin: &'a str,
}

fn opensearch(shop: &Shop) -> Result<Text, Missing> {
    let profile = shop.profile();
    let name = profile.name.as_str();
    let short_name = name.chars().take(LONGEST_SHORT_NAME).collect();
    let description = profile.texts.with(texts::Key::SearchShop, &[&name]);
    let template = OpenSearchTemplate { description, short_name, origin: shop.site.origin() };
    Ok(("application/opensearchdescription+xml", template.render()?))
}

/// The calls that assistants are answered, and pages as Markdown.
fn for_assistants(shop: &Shop) -> String {
    if shop.settings.agents == Agents::Off {
        return String::new();
    }
    let address = |path| shop.site.absolute(path);
    format!(
        "\n## For assistants\n\n\
         Products can be searched and looked up, and nothing can be ordered. Calls need no account.\n\n\
         - [Universal Commerce Protocol, release 2026-08-25]({})\n\
         - Search: `POST {}` with `{{\"query\":\"red lamp\"}}`\n\
         - Lookup: `POST {}` with `{{\"ids\":[\"1\"]}}`\n\
         - One product: `POST {}` with `{{\"id\":\"1\"}}`\n\
         - Model Context Protocol: `POST {}`, with the tools `search_catalog`, `lookup_catalog` and `get_product`\n\
         - Pages as Markdown: the address of a product, a category or a text with `.md` behind it, and\n  \
         [home]({}), [all products]({}), [categories]({})\n",
        address("/.well-known/ucp"),
        address("/ucp/catalog/search"),
        address("/ucp/catalog/lookup"),
        address("/ucp/catalog/product"),
        address("/ucp/mcp"),
        address("/index.md"),
        address("/products.md"),
        address("/categories.md"),
    )
}

/// What the shop tells programs of itself.
async fn llms(shop: &Shop) -> Result<String, Missing> {
    let profile = shop.profile();
    let stock = shop.catalogue.stock().await;
    let categories = stock.categories().await?;
    let link = |name: &str, path: &str| format!("- [{}]({})\n", escaped(name), shop.site.absolute(path));
    let named = shop.frame(stock.version()).profile;
    let cards::Menu { categories, total } =
        cards::menu(&categories, stock.sizes().map(|sizes| &**sizes), &named.navigation.categories);
    let mut categories: String =
        categories.iter().map(|category| link(&category.name, &address::category(&category.slug))).collect();
    if let Some(total) = total {
        categories += &link(&format!("All {total} categories"), address::CATEGORIES);
    }
    let features = stock.features();
    let about = |has_products: bool, link: String| if has_products { link } else { String::new() };
    Ok(format!(
        "# {}\n\n> A storefront for browsing products. Every page is whole HTML with JSON-LD.\n\n\
         ## Pages\n\n{}{}{}{}{}{}{}\n## Categories\n\n{categories}",
        escaped(&profile.name),
        link("All products", Preset::All.path()),
        about(features.brands, link("Brands", address::BRANDS)),
        link("Sitemap", "/sitemap.xml"),
        about(features.dates, link("Newest products (Atom)", "/feed.xml")),
        profile
            .pages
            .iter()
            .map(|page| link(&page.title, &address::text_page(&page.slug)))
            .collect::<String>(),
        offered(shop).map(|format| link(format.title(), format.path())).collect::<String>(),
        for_assistants(shop),
    ))
}
