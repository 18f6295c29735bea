//! The part of a document's head that depends on the page. It is the same for every client.

use super::description::describe;
use super::structured_data::StructuredData;
use crate::catalogue::Product;
use crate::contract::{Content, Filters, ListingSource, Page};
use crate::page_json::PageJson;
use crate::site::Site;

/// What search engines and link previews read of a page.
#[derive(Debug)]
pub struct Head {
    pub description: String,
    /// Absolute address that stands for all spellings of this page.
    pub canonical: String,
    /// The value of `robots`, in the head and as a header where it forbids something.
    pub robots: &'static str,
    /// Open Graph's type.
    pub kind: &'static str,
    /// Absolute address of the picture for link previews.
    pub image: String,
    pub structured_data: Option<PageJson>,
}

const INDEX: &str = "index,follow,max-image-preview:large";
const NO_INDEX: &str = "noindex,follow";
const NO_INDEX_ERROR: &str = "noindex";

impl Head {
    /// Works the head out.
    ///
    /// # Errors
    /// Fails when the structured data is not representable as JSON, which no input can cause.
    pub fn new(page: &Page, product: Option<&Product>, site: &Site) -> Result<Self, serde_json::Error> {
        let structured_data = StructuredData::of(page, product, site);
        Ok(Self {
            description: describe(page),
            canonical: site.absolute(&page.canonical),
            robots: robots(page),
            kind: if product.is_some() { "product" } else { "website" },
            image: site.absolute(picture(page).unwrap_or("/icons/512.png")),
            structured_data: structured_data.as_ref().map(PageJson::new).transpose()?,
        })
    }

    /// Whether search engines may list the page.
    pub fn is_indexable(&self) -> bool {
        self.robots == INDEX
    }
}

fn robots(page: &Page) -> &'static str {
    if page.status != 200 {
        return NO_INDEX_ERROR;
    }
    let listed = match &page.content {
        Content::Listing(listing) => {
            let search = matches!(listing.source, ListingSource::Search { .. });
            !search && listing.filters == Filters::default() && listing.total > 0
        }
        Content::Categories(categories) => categories.query.is_empty(),
        Content::Error(_) => false,
        Content::Home(_) | Content::Brands(_) | Content::Product(_) => true,
    };
    if listed { INDEX } else { NO_INDEX }
}

fn picture(page: &Page) -> Option<&str> {
    match &page.content {
        Content::Product(content) => {
            let product = content.product.as_ref()?;
            product.images.first().or(product.thumbnail.as_ref()).map(String::as_str)
        }
        Content::Listing(listing) => listing.products.first()?.thumbnail.as_deref(),
        Content::Home(home) => home.featured.products.first()?.thumbnail.as_deref(),
        Content::Categories(_) | Content::Brands(_) | Content::Error(_) => None,
    }
}
