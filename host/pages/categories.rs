//! `/categories`

use futures_util::future::join_all;

use super::address::Address;
use super::draft::{Draft, Metadata};
use super::pages_of::page_of;
use super::questions::Questions;
use super::tint;
use crate::catalogue::Category;
use crate::catalogue::search::fold;
use crate::contract::{Categories, CategoryCard, Content, Pages};
use crate::process::compute::assert_off_runtime;
use crate::texts::Key;

/// Most categories on one page. Up to this number the browser has them all and filters them by itself.
const PAGE_SIZE: usize = 100;

pub(crate) async fn draft(questions: &Questions<'_>, query: &str, page: u32) -> Draft {
    let found = questions.categories().await;
    let total = found.as_ref().map_or(0, |all| all.len());
    let shown = match found {
        Some(all) if all.len() > PAGE_SIZE => {
            let query = query.to_owned();
            // That many are never short work.
            questions.compute(usize::MAX, move || shown(&all, &query, page)).await
        }
        few => few.map(|all| shown(&all, query, page)),
    };
    let failed = shown.is_none();
    let Shown { categories, pages } = shown.unwrap_or_default();
    let cards = join_all(categories.iter().map(|category| category_card(questions, category))).await;
    let names: Vec<&str> = cards.iter().map(|card| card.name.as_str()).collect();
    let texts = questions.texts();
    let names = names.join(texts.text(Key::ListSeparator));
    let description = match pages {
        _ if failed => texts.text(Key::CouldNotReach).into(),
        None => texts.count(Key::AboutCategories, total, &[&names]),
        Some(_) => texts.count(Key::AboutSomeCategories, total, &[&names]),
    };
    let is_indexable = query.is_empty() && questions.stock.features().categories;
    let metadata = Metadata { is_indexable, ..Metadata::new(description) };
    let content = Content::Categories(Categories { query: query.into(), categories: cards, pages, failed });
    // Without an answer it is not known which pages there are.
    let page = if failed { page } else { pages.map_or(1, |pages| pages.page) };
    let address = Address::Categories { query: query.into(), page };
    let canonical = if query.is_empty() {
        address.clone()
    } else {
        Address::Categories { query: String::new(), page: 1 }
    };
    let draft = Draft { canonical, ..Draft::new(address, texts.text(Key::Categories), content, metadata) };
    if failed { draft.unavailable() } else { draft }
}

/// The categories that a page shows.
#[derive(Default)]
struct Shown {
    categories: Vec<Category>,
    /// `None` if these are all categories.
    pages: Option<Pages>,
}

/// All categories if they are few. Otherwise the given page of those whose name contains `query`, both folded.
fn shown(all: &[Category], query: &str, page: u32) -> Shown {
    if all.len() <= PAGE_SIZE {
        return Shown { categories: all.to_vec(), pages: None };
    }
    assert_off_runtime();
    let query = fold(query);
    let matches = |category: &&Category| fold(&category.name).contains(&query);
    let matching: Vec<&Category> = all.iter().filter(matches).collect();
    let (categories, pages) = page_of(&matching, PAGE_SIZE, page);
    Shown { categories: categories.iter().copied().cloned().collect(), pages: Some(pages) }
}

/// A category's card. If the preview fails, the page shows a placeholder.
pub(super) async fn category_card(questions: &Questions<'_>, category: &Category) -> CategoryCard {
    let preview = questions.preview(&category.slug).await;
    CategoryCard {
        slug: category.slug.to_string(),
        name: category.name.clone(),
        thumbnail: preview.thumbnail,
        count: preview.count,
        tint: tint::of_category(category.slug.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::cards::tests::categories;

    #[test]
    fn few_categories_are_shown_whatever_the_filter() {
        let all = categories(PAGE_SIZE);
        let Shown { categories, pages } = shown(&all, "nothing", 7);
        assert_eq!((categories.len(), pages), (PAGE_SIZE, None));
    }

    #[test]
    fn many_categories_are_filtered_and_divided_into_pages() {
        let all = categories(1_000);
        for (query, page, total, page_count, shown_page, first, count) in [
            ("", 1, 1_000, 10, 1, "C 0", 100),
            ("", 10, 1_000, 10, 10, "C 900", 100),
            ("", u32::MAX, 1_000, 10, 10, "C 900", 100),
            ("c 9", 2, 111, 2, 2, "C 989", 11),
            ("C 99", 1, 11, 1, 1, "C 99", 11),
        ] {
            let Shown { categories, pages } = shown(&all, query, page);
            assert_eq!(pages, Some(Pages { total, page: shown_page, page_count }), "{query} {page}");
            assert_eq!((categories[0].name.as_str(), categories.len()), (first, count), "{query} {page}");
        }
        let Shown { categories, pages } = shown(&all, "boats", 3);
        assert!(categories.is_empty());
        assert_eq!(pages, Some(Pages { total: 0, page: 1, page_count: 1 }));
    }
}
