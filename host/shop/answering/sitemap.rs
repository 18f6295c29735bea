//! The sitemap. It grows with the catalogue, so it is divided, and computed once for each version of the catalogue.

use std::sync::Arc;

use askama::Template;

use super::missing_file::Missing;
use crate::catalogue::{Category, ProductSet, Version};
use crate::document::Site;
use crate::pages::address::{self, Preset};
use crate::pages::listing::is_empty;
use crate::process::compute::OffRuntime;
use crate::shop::Shop;
use crate::shop::making::answer::{Made, ONE_HOUR};

/// The largest number of URLs in one sitemap. The protocol (sitemaps.org) allows 50,000.
const SITEMAP_PART: usize = 10_000;
/// More parts than any catalogue has.
const MOST_PARTS: usize = 1_000;
const XML: &str = "application/xml";

/// The kind of page at a URL of the sitemap.
enum Listed<'a> {
    Path(String),
    Category(&'a Category),
    Product(u32),
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

/// The sitemap, or one of its parts. Work that grows with the catalogue is done once for each of its versions, and not
/// on a thread of the runtime. A part that does not exist is refused before that.
pub(in crate::shop) async fn sitemap(
    shop: &Shop,
    part: Option<usize>,
    last: Option<Arc<Made>>,
) -> Result<Arc<Made>, Missing> {
    if part.is_some_and(|number| !(1..=MOST_PARTS).contains(&number)) {
        return Err(Missing::Part);
    }
    let stock = shop.catalogue.stock().await;
    // Crawlers would take a sitemap without products for the whole of it.
    let version = Arc::clone(stock.version().ok_or(Missing::NoVersion)?);
    let (categories, products) = (Arc::clone(version.categories()), Arc::clone(version.products()));
    let texts = shop.profile().pages.iter().map(|page| address::text_page(&page.slug)).collect();
    let paths = always(&version, texts);
    let parts = (paths.len() + categories.len() + products.len()).div_ceil(SITEMAP_PART);
    let skipped = match part {
        Some(number) if (1..=parts).contains(&number) => (number - 1) * SITEMAP_PART,
        Some(_) => return Err(Missing::Part),
        None if parts == 1 => 0,
        None => {
            let parts = (1..=parts).map(|part| shop.site.absolute(&format!("/sitemap/{part}.xml")));
            return Ok(Made::file(
                XML,
                SitemapIndexTemplate { parts: parts.collect() }.render()?,
                ONE_HOUR,
                None,
                last,
            ));
        }
    };
    if let Some(last) = last.as_ref().filter(|last| last.is_made_from(&version)) {
        return Ok(Arc::clone(last));
    }
    let (site, bytes) = (shop.site.clone(), products.bytes_read());
    let work = move |off: &OffRuntime| {
        let entries = sitemap_entries(off, &site, paths, &categories, &products, skipped);
        let text = SitemapTemplate { entries: &entries }.render()?;
        Ok(Made::file(XML, text, ONE_HOUR, Some(&version), last))
    };
    shop.pool.run_reading(bytes, work).await.unwrap_or(Err(Missing::Busy))
}

/// Pages that are neither categories nor products, with the operator's `texts`. Those that the shop does not link to and presets without products are left out.
fn always(version: &Version, texts: Vec<String>) -> Vec<String> {
    let has_products = |preset: &Preset| !is_empty(*preset, version.products());
    let presets = Preset::EVERY.into_iter().filter(has_products).map(Preset::path);
    let is_linked = |path: &&str| address::is_linked(path, version.features());
    address::ALWAYS.into_iter().chain(presets).filter(is_linked).map(str::to_owned).chain(texts).collect()
}

/// One part, after the `skipped` entries of earlier parts. The parts name every page that may be indexed, except pages
/// 2 and up of listings: their products are all included.
fn sitemap_entries(
    _: &OffRuntime,
    site: &Site,
    paths: Vec<String>,
    categories: &[Category],
    products: &ProductSet,
    skipped: usize,
) -> Vec<SitemapEntry> {
    let page = |path: &str| SitemapEntry { address: site.absolute(path), image: None };
    // Addresses are made for this part alone.
    let entries = paths
        .into_iter()
        .map(Listed::Path)
        .chain(categories.iter().map(Listed::Category))
        .chain(products.positions().iter().copied().map(Listed::Product));
    let entry = |listed| match listed {
        Listed::Path(path) => page(&path),
        Listed::Category(category) => page(&address::category(&category.slug)),
        Listed::Product(position) => {
            let product = products.summary(position);
            SitemapEntry {
                image: product.thumbnail.as_deref().map(|image| site.absolute(image)),
                ..page(&address::product(&product.id))
            }
        }
    };
    entries.skip(skipped).take(SITEMAP_PART).map(entry).collect()
}
