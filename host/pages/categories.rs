//! `/categories`

use futures_util::future::join_all;
use url::form_urlencoded;

use super::query::{clean, encode};
use super::{Answer, Draft, or_logged};
use crate::catalogue::{Catalogue, Category};
use crate::contract::{Categories, CategoryCard, Content};

pub async fn page(catalogue: &dyn Catalogue, raw_query: &str) -> Answer {
    let query = form_urlencoded::parse(raw_query.as_bytes())
        .find(|(name, _)| name == "q")
        .map(|(_, value)| clean(&value))
        .unwrap_or_default();
    let path =
        if query.is_empty() { "/categories".to_owned() } else { format!("/categories?q={}", encode(&query)) };
    let found = or_logged("categories", catalogue.categories().await);
    let failed = found.is_none();
    let cards = match found {
        Some(categories) => {
            join_all(categories.iter().map(|category| category_card(catalogue, category))).await
        }
        None => Vec::new(),
    };
    let content = Content::Categories(Categories { query, categories: cards, failed });
    let draft = Draft { canonical: "/categories".into(), ..Draft::new(path, "Categories", content) };
    Answer::Page(if failed { draft.unavailable() } else { draft })
}

/// A category's card; one without its preview shows a placeholder.
pub async fn category_card(catalogue: &dyn Catalogue, category: &Category) -> CategoryCard {
    let preview =
        or_logged("category preview", catalogue.category_preview(&category.slug).await).unwrap_or_default();
    CategoryCard {
        slug: category.slug.to_string(),
        name: category.name.clone(),
        thumbnail: preview.thumbnail,
        count: preview.count,
    }
}
