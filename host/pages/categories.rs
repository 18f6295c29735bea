//! `/categories`

use futures_util::future::join_all;
use url::form_urlencoded;

use super::Draft;
use super::address::{Address, Located};
use super::queries::Queries;
use super::query::{clean, encode};
use crate::catalogue::Category;
use crate::contract::{Categories, CategoryCard, Content};

pub fn locate(raw_query: &str) -> Located {
    let query = form_urlencoded::parse(raw_query.as_bytes())
        .find(|(name, _)| name == "q")
        .map(|(_, value)| clean(&value))
        .unwrap_or_default();
    Located::Page(Address::Categories { query })
}

pub fn path(query: &str) -> String {
    if query.is_empty() { "/categories".to_owned() } else { format!("/categories?q={}", encode(query)) }
}

pub async fn draft(queries: &Queries<'_>, query: &str) -> Draft {
    let found = queries.ask("categories", queries.catalogue.categories()).await;
    let failed = found.is_none();
    let cards = match found {
        Some(categories) => {
            join_all(categories.iter().map(|category| category_card(queries, category))).await
        }
        None => Vec::new(),
    };
    let content = Content::Categories(Categories { query: query.into(), categories: cards, failed });
    let draft = Draft { canonical: "/categories".into(), ..Draft::new(path(query), "Categories", content) };
    if failed { draft.unavailable() } else { draft }
}

/// A category's card; one without its preview shows a placeholder.
pub async fn category_card(queries: &Queries<'_>, category: &Category) -> CategoryCard {
    let preview = queries.ask("category preview", queries.catalogue.category_preview(&category.slug)).await;
    let preview = preview.unwrap_or_default();
    CategoryCard {
        slug: category.slug.to_string(),
        name: category.name.clone(),
        thumbnail: preview.thumbnail,
        count: preview.count,
    }
}
