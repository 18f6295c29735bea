//! `/`

use futures_util::future::join_all;

use super::address::Address;
use super::banner_picture;
use super::cards;
use super::categories::category_card;
use super::draft::{Draft, Metadata};
use super::questions::Questions;
use crate::catalogue;
use crate::contract::{CategoryCard, Content, Home, Section};
use crate::profile::{Banner, Profile};
use crate::texts::Key;

/// How many categories the home page shows.
const CATEGORIES: usize = 6;

/// The page with the categories chosen by `seed`.
pub(crate) async fn draft(questions: &Questions<'_>, seed: u64) -> Draft {
    let (categories, featured, best_sellers, new_arrivals) = tokio::join!(
        some_categories(questions, seed),
        featured(questions),
        best_sellers(questions),
        new_arrivals(questions),
    );
    let Profile { banner, figures, story, description, texts, .. } = &**questions.profile;
    let sections = [Some(&featured), best_sellers.as_ref(), new_arrivals.as_ref()];
    let failed = sections.into_iter().flatten().all(|section| section.failed);
    let picture = featured.products.first().and_then(|product| product.thumbnail.clone());
    let metadata = Metadata { picture, ..Metadata::new(description) };
    let (figures, story) = (figures.clone(), story.clone());
    let banner = match banner {
        Some(banner) => {
            let sections = [new_arrivals.as_ref(), best_sellers.as_ref(), Some(&featured)];
            let picture = banner_picture::of_links(questions, banner, sections).await;
            Some(Banner { picture, ..banner.clone() })
        }
        None => None,
    };
    let home = Home { banner, figures, story, categories, featured, best_sellers, new_arrivals };
    let draft =
        Draft::new(Address::Home { seed }, texts.text(Key::Home), Content::Home(Box::new(home)), metadata);
    if failed { draft.unavailable() } else { draft }
}

/// A random choice of categories. It is made here, so that server and browser show the same.
async fn some_categories(questions: &Questions<'_>, seed: u64) -> Vec<CategoryCard> {
    let Some(categories) = questions.categories().await else { return Vec::new() };
    let chosen = fastrand::Rng::with_seed(seed).choose_multiple(categories.iter(), CATEGORIES);
    join_all(chosen.into_iter().map(|category| category_card(questions, category))).await
}

/// The featured products, which leave out the first ones of the catalogue unless it has no others.
async fn featured(questions: &Questions<'_>) -> Section {
    let featured = section(questions, catalogue::Section::Featured).await;
    if !featured.products.is_empty() || featured.failed {
        return featured;
    }
    section(questions, catalogue::Section::First).await
}

/// The best rated products; `None` where no product has a rating.
async fn best_sellers(questions: &Questions<'_>) -> Option<Section> {
    match questions.stock.has_ratings() {
        true => Some(section(questions, catalogue::Section::BestSellers).await),
        false => None,
    }
}

/// The newest products; `None` where nothing says when they were added.
async fn new_arrivals(questions: &Questions<'_>) -> Option<Section> {
    match questions.stock.features().dates {
        true => Some(section(questions, catalogue::Section::NewArrivals).await),
        false => None,
    }
}

async fn section(questions: &Questions<'_>, section: catalogue::Section) -> Section {
    match questions.section(section).await {
        Some(products) => {
            Section { products: cards::product_cards(questions.profile, &*products), failed: false }
        }
        None => Section { products: Vec::new(), failed: true },
    }
}
