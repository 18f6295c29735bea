//! What a page shows, as tags by which it is purged: here, and in caches in front of the shop.

use axum::http::HeaderValue;

use crate::catalogue::Outdated;
use crate::contract::{Content, ListingSource};
use crate::facets;
use crate::pages::address::Address;

/// Most tags of a page.
const MOST: usize = 64;

/// The tags of a page, and the value of `Cache-Tag`: `page-` and its kind, `product-` and the key of each
/// product that it shows, `category-` and the slug of each category.
#[derive(Debug)]
pub(crate) struct Tags {
    header: HeaderValue,
    /// Whether every product of the page has its tag.
    has_every_product: bool,
    /// Whether every category of its products has its tag.
    has_every_category: bool,
}

impl Tags {
    pub(in crate::shop) fn new(content: &Content, address: &Address) -> Self {
        let mut tags = vec![format!("page-{}", content.kind())];
        match address {
            Address::Product(key) | Address::Variant(key, _) => tags.push(product(key)),
            Address::Category(slug, _) => tags.push(category(slug.as_str())),
            _ => {}
        }
        let (categories, products) = content.cards();
        match content {
            Content::Listing(listing) => {
                if let ListingSource::Category { slug } = &listing.source {
                    tags.push(category(slug));
                }
            }
            Content::Product(page) => {
                if let Some(detail) = &page.product {
                    tags.push(product(&detail.id));
                    tags.extend(detail.category.iter().map(|own| category(&own.slug)));
                }
            }
            _ => {}
        }
        tags.extend(categories.iter().map(|card| category(&card.slug)));
        tags.extend(products.map(|card| product(&card.id)));
        let has_every_category = match content {
            // A card does not say its product's category, and the counts of brands depend on every product.
            Content::Home(_) | Content::Brands(_) => false,
            Content::Listing(listing) => {
                let groups = listing.facets.choices(facets::CATEGORY);
                tags.extend(groups.iter().map(|group| category(&group.value)));
                listing.facets.hidden(facets::CATEGORY) == 0 && listing.suggestions.is_none()
            }
            _ => true,
        };
        let mut distinct: Vec<String> = Vec::new();
        tags.retain(|tag| {
            distinct.len() <= MOST && !distinct.contains(tag) && {
                distinct.push(tag.clone());
                true
            }
        });
        let is_whole = tags.len() <= MOST;
        tags.truncate(MOST);
        // Keys and slugs always make a valid value.
        let header = HeaderValue::try_from(tags.join(" ")).unwrap_or(HeaderValue::from_static(""));
        Self {
            header,
            has_every_product: is_whole && !matches!(content, Content::Brands(_)),
            has_every_category: is_whole && has_every_category,
        }
    }

    /// The value of `Cache-Tag`.
    pub(in crate::shop) fn header(&self) -> HeaderValue {
        self.header.clone()
    }

    /// Approximate size in memory, in bytes.
    pub(in crate::shop) fn size(&self) -> usize {
        self.header.len()
    }

    /// Whether the page may show what is outdated.
    pub(in crate::shop) fn concerns(&self, outdated: &Outdated) -> bool {
        let has =
            |tag: String| self.header.as_bytes().split(|byte| *byte == b' ').any(|own| own == tag.as_bytes());
        match outdated {
            Outdated::Everything => true,
            Outdated::Product(key) => !self.has_every_product || has(product(key)),
            Outdated::Category(slug) => !self.has_every_category || has(category(slug.as_str())),
        }
    }
}

fn product(key: impl std::fmt::Display) -> String {
    format!("product-{key}")
}

fn category(slug: &str) -> String {
    format!("category-{slug}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Slug;
    use crate::contract::{Categories, CategoryCard, ErrorContent};

    fn categories(number: usize) -> Content {
        let card = |index: usize| CategoryCard {
            slug: format!("c{index}"),
            name: String::new(),
            thumbnail: None,
            count: None,
            tint: 0,
        };
        let categories = (0..number).map(card).collect();
        Content::Categories(Categories { query: String::new(), categories, pages: None, failed: false })
    }

    fn tags(content: &Content) -> Tags {
        Tags::new(content, &Address::Categories { query: String::new(), page: 1 })
    }

    #[test]
    fn a_page_is_tagged_with_what_it_shows() {
        let tags = tags(&categories(2));
        assert_eq!(tags.header(), "page-categories category-c0 category-c1");
        let category = |slug| Outdated::Category(Slug::parse(slug).unwrap());
        assert!(tags.concerns(&category("c1")) && !tags.concerns(&category("c")));
        assert!(!tags.concerns(&Outdated::Product(1.into())));
        assert!(tags.concerns(&Outdated::Everything));
    }

    #[test]
    fn the_number_of_tags_is_bounded_and_what_is_left_out_is_concerned_by_everything() {
        let tags = tags(&categories(1_000));
        assert_eq!(tags.header().to_str().unwrap().split(' ').count(), MOST);
        assert!(tags.concerns(&Outdated::Product(1.into())));
    }

    #[test]
    fn a_page_without_a_product_is_tagged_with_the_one_that_was_asked_for() {
        let missing = Content::Error(ErrorContent { message: "Not Found".into() });
        let tags = Tags::new(&missing, &Address::Product(7.into()));
        assert_eq!(tags.header(), "page-error product-7");
    }
}
