//! `/`

use futures_util::future::join_all;

use super::categories::category_card;
use super::queries::Queries;
use super::{Draft, cards};
use crate::catalogue::Section;
use crate::contract::{CategoryCard, Content, Home, Section as SectionContent};

/// How many categories the home page shows.
const CATEGORIES: usize = 6;

/// The page with the six categories of this drawing.
pub async fn draft(queries: &Queries<'_>, drawing: u64) -> Draft {
    let (categories, featured, best_sellers, new_arrivals) = tokio::join!(
        some_categories(queries, drawing),
        section(queries, Section::Featured),
        section(queries, Section::BestSellers),
        section(queries, Section::NewArrivals),
    );
    let failed = featured.failed && best_sellers.failed && new_arrivals.failed;
    let content = Content::Home(Home { categories, featured, best_sellers, new_arrivals });
    let draft = Draft::new("/", "Home", content);
    if failed { draft.unavailable() } else { draft }
}

/// Chosen here and inlined, so that server and browser show the same.
async fn some_categories(queries: &Queries<'_>, drawing: u64) -> Vec<CategoryCard> {
    let categories = queries.ask("categories", queries.catalogue.categories()).await;
    let Some(categories) = categories else { return Vec::new() };
    let chosen = fastrand::Rng::with_seed(drawing).choose_multiple(categories.iter(), CATEGORIES);
    join_all(chosen.into_iter().map(|category| category_card(queries, category))).await
}

async fn section(queries: &Queries<'_>, section: Section) -> SectionContent {
    match queries.ask("section", queries.catalogue.section(section)).await {
        Some(products) => SectionContent { products: cards::product_cards(products.iter()), failed: false },
        None => SectionContent { products: Vec::new(), failed: true },
    }
}
