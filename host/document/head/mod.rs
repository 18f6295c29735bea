//! The part of a document's head that depends on the page.

mod description;
mod structured_data;

use self::description::trim_at_word;
use self::structured_data::StructuredData;
use super::site::Site;
use crate::contract::{Page, PageJson};
use crate::pages::draft::Metadata;
use crate::profile::Profile;

/// A page's metadata for search engines and link previews.
#[derive(Debug)]
pub(crate) struct Head {
    pub description: String,
    /// Absolute canonical URL.
    pub canonical: String,
    /// The Open Graph type (`og:type`).
    pub kind: &'static str,
    /// Absolute URL of the image for link previews.
    pub image: String,
    pub structured_data: Option<PageJson>,
}

impl Head {
    /// Derives the head from `page` and from what the page says of itself to search engines.
    ///
    /// # Errors
    /// Fails when the structured data cannot be serialised, which no input can cause.
    pub(crate) fn new(
        page: &Page,
        metadata: &Metadata,
        site: &Site,
        profile: &Profile,
    ) -> Result<Self, serde_json::Error> {
        let product = metadata.product.as_deref();
        let structured_data = StructuredData::of(page, product, site, profile);
        Ok(Self {
            description: trim_at_word(&metadata.description),
            canonical: site.absolute(&page.canonical),
            kind: if product.is_some() { "product" } else { "website" },
            image: site.absolute(metadata.picture.as_deref().unwrap_or("/icons/512.png")),
            structured_data: structured_data.as_ref().map(PageJson::new).transpose()?,
        })
    }
}
