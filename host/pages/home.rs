//! `/`

use futures_util::future::join_all;

use super::categories::category_card;
use super::{Answer, Draft, cards, or_logged};
use crate::catalogue::{Catalogue, Section};
use crate::contract::{CategoryCard, Content, Home, Section as SectionContent};

/// How many categories the home page shows.
const CATEGORIES: usize = 6;

pub async fn page(catalogue: &dyn Catalogue) -> Answer {
    let (categories, featured, best_sellers, new_arrivals) = tokio::join!(
        some_categories(catalogue),
        section(catalogue, Section::Featured),
        section(catalogue, Section::BestSellers),
        section(catalogue, Section::NewArrivals),
    );
    let failed = featured.failed && best_sellers.failed && new_arrivals.failed;
    let content = Content::Home(Home { categories, featured, best_sellers, new_arrivals });
    let draft = Draft::new("/", "Home", content);
    Answer::Page(if failed { draft.unavailable() } else { draft })
}

/// Chosen here, once per page, so that server and browser show the same.
async fn some_categories(catalogue: &dyn Catalogue) -> Vec<CategoryCard> {
    let Some(categories) = or_logged("categories", catalogue.categories().await) else { return Vec::new() };
    let chosen = fastrand::choose_multiple(categories.iter(), CATEGORIES);
    join_all(chosen.into_iter().map(|category| category_card(catalogue, category))).await
}

async fn section(catalogue: &dyn Catalogue, section: Section) -> SectionContent {
    match or_logged("section", catalogue.section(section).await) {
        Some(products) => SectionContent { products: cards::product_cards(products.iter()), failed: false },
        None => SectionContent { products: Vec::new(), failed: true },
    }
}
