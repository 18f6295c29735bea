//! The part of a document's head that depends on the page. It is the same for every client.

use super::description::describe;
use super::structured_data::StructuredData;
use crate::catalogue::Product;
use crate::contract::{Content, Page};
use crate::page_json::PageJson;
use crate::site::Site;

/// What search engines and link previews read of a page.
#[derive(Debug)]
pub struct Head {
    pub description: String,
    /// Absolute address that stands for all spellings of this page.
    pub canonical: String,
    /// Open Graph's type.
    pub kind: &'static str,
    /// Absolute address of the picture for link previews.
    pub image: String,
    pub structured_data: Option<PageJson>,
}

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
            kind: if product.is_some() { "product" } else { "website" },
            image: site.absolute(picture(page).unwrap_or("/icons/512.png")),
            structured_data: structured_data.as_ref().map(PageJson::new).transpose()?,
        })
    }
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
