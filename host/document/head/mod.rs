//! The part of a document's head that depends on the page.

mod structured_data;

use self::structured_data::StructuredData;
use super::site::Site;
use crate::contract::{Page, PageJson};
use crate::pages::draft::Metadata;
use crate::pictures;
use crate::profile::Profile;

/// Longest description, in characters: about what search results show.
const LONGEST_DESCRIPTION: usize = 155;

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
    /// Whether that image was made for previews, of a known size.
    pub has_preview: bool,
    pub structured_data: Option<PageJson>,
    /// The address of the page as Markdown, if it has that form.
    pub markdown: Option<String>,
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
        let picture = metadata.picture.as_ref();
        let preview = picture.and_then(|picture| pictures::preview(picture));
        let structured_data = StructuredData::of(page, (product, metadata.variant.as_ref()), site, profile);
        Ok(Self {
            description: shortened(&metadata.description),
            canonical: site.absolute(&page.canonical),
            kind: if product.is_some() { "product" } else { "website" },
            image: preview
                .as_ref()
                .or(picture)
                .map_or_else(|| site.absolute("/icons/512.png"), |picture| site.picture(picture)),
            has_preview: preview.is_some(),
            structured_data: structured_data.as_ref().map(PageJson::new).transpose()?,
            markdown: None,
        })
    }
}

/// Cuts after the last word that fits, and appends `...`.
fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONGEST_DESCRIPTION {
        return words;
    }
    let cut: String = words.chars().take(LONGEST_DESCRIPTION - 3).collect();
    let whole = cut.rfind(' ').map_or(cut.as_str(), |at| &cut[..at]);
    format!("{}...", whole.trim_end_matches([',', '.', ':', ';', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_ends_with_a_whole_word() {
        let trimmed = shortened(&"several words, ".repeat(40));
        assert!(trimmed.chars().count() <= LONGEST_DESCRIPTION && trimmed.ends_with("words..."), "{trimmed}");
        assert_eq!(shortened(&"x".repeat(400)).chars().count(), LONGEST_DESCRIPTION);
        assert_eq!(shortened("  short \n text "), "short text");
    }
}
