//! `/categories`

use futures_util::future::join_all;

use super::address::Address;
use super::draft::{Draft, Metadata};
use super::questions::Questions;
use crate::catalogue::{self, Category, Preview};
use crate::contract::{Categories, CategoryCard, Content};

pub(crate) async fn draft(questions: &Questions<'_>, query: &str) -> Draft {
    let found = questions.ask(catalogue::Categories).await;
    let failed = found.is_none();
    let cards = match found {
        Some(categories) => {
            join_all(categories.iter().map(|category| category_card(questions, category))).await
        }
        None => Vec::new(),
    };
    let names: Vec<&str> = cards.iter().map(|card| card.name.as_str()).collect();
    let description = format!("All {} categories of the shop: {}.", names.len(), names.join(", "));
    let metadata = Metadata { is_indexable: query.is_empty(), ..Metadata::new(description) };
    let content = Content::Categories(Categories { query: query.into(), categories: cards, failed });
    let draft = Draft {
        canonical: Address::Categories { query: String::new() },
        ..Draft::new(Address::Categories { query: query.into() }, "Categories", content, metadata)
    };
    if failed { draft.unavailable() } else { draft }
}

/// A category's card. If the preview fails, the page shows a placeholder.
pub(super) async fn category_card(questions: &Questions<'_>, category: &Category) -> CategoryCard {
    let preview = questions.ask(Preview(category.slug.clone())).await.unwrap_or_default();
    CategoryCard {
        slug: category.slug.to_string(),
        name: category.name.clone(),
        thumbnail: preview.thumbnail,
        count: preview.count,
    }
}
