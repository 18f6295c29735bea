//! Ratings are optional: a source that does not know them has no part of a shop that would be about them.

use std::sync::Arc;

use axum::http::header;
use vitrine::catalogue::{Catalogue, Sample};
use vitrine::server;
use vitrine::shop::{ShopSettings, make_ahead};

use crate::common::until::until;
use crate::common::{changed, client, real_renderer, sample, serve, shop_settings, shop_under, start_shop};

/// The sample's products without ratings, except for one product if `rates_one`.
fn unrated(knows_ratings: bool, rates_one: bool) -> Arc<Sample> {
    let source = changed(|product| {
        let is_rated = rates_one && product.summary.id.number() == Some(7);
        product.summary.rating = product.summary.rating.filter(|_| is_rated);
        product.reviews = None;
    });
    Arc::new(if knows_ratings { source } else { source.without_ratings() })
}

/// The answers of a shop to these paths: status, target of the redirect, body.
async fn answers<const N: usize>(
    knows_ratings: bool,
    rates_one: bool,
    paths: [&str; N],
) -> [(u16, String, String); N] {
    let shop = start_shop(unrated(knows_ratings, rates_one)).await;
    let mut answers = Vec::new();
    for path in paths {
        let response = client().get(format!("http://{shop}{path}")).send().await.unwrap();
        let leads_to = response.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        answers.push((
            response.status().as_u16(),
            leads_to.unwrap_or_default(),
            response.text().await.unwrap(),
        ));
    }
    answers.try_into().unwrap()
}

const PAGES: [&str; 8] =
    ["/", "/products", "/sale", "/brands", "/categories", "/product/1", "/sitemap.xml", "/llms.txt"];

/// What stands in a page only where there are ratings.
const OF_RATINGS: [&str; 4] = ["/best-sellers", r#"name="rating""#, "Highest Rated", r#"class="StarRating""#];

#[tokio::test(flavor = "multi_thread")]
async fn without_ratings_nothing_is_about_them() {
    for (path, (status, _, body)) in PAGES.into_iter().zip(answers(false, false, PAGES).await) {
        assert_eq!(status, 200, "{path}");
        for part in OF_RATINGS {
            assert!(!body.contains(part), "{path} has {part}");
        }
        assert!(!body.contains(">Best Sellers<"), "{path}");
    }
    let paths = ["/best-sellers", "/_data/best-sellers", "/products?rating=4&stock=1&sort=rating-desc"];
    let [page, data, listing] = answers(false, false, paths).await;
    assert_eq!((page.0, data.0), (404, 404));
    assert_eq!((listing.0, &*listing.1), (307, "/products?stock=1"));
}

/// An outage or odd data must not take a part of the specified shop away.
#[tokio::test(flavor = "multi_thread")]
async fn a_source_of_ratings_keeps_its_parts_without_any() {
    let [home, products, best, sitemap] =
        answers(true, false, ["/", "/products", "/best-sellers", "/sitemap.xml"]).await;
    assert!(home.2.contains(">Best Sellers<") && home.2.contains("/best-sellers"));
    assert!(products.2.contains(r#"name="rating""#) && products.2.contains("Highest Rated"));
    assert_eq!(best.0, 200);
    assert!(sitemap.2.contains("/best-sellers"));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_rating_is_enough() {
    let [home, products, best] = answers(false, true, ["/", "/products", "/best-sellers"]).await;
    assert!(home.2.contains(">Best Sellers<"));
    assert!(products.2.contains(r#"name="rating""#) && products.2.contains(r#"class="StarRating""#));
    assert_eq!(best.0, 200);
}

/// Products come last, so that a page too many would take the place of one of them.
#[tokio::test(flavor = "multi_thread")]
async fn best_sellers_are_not_made_ahead_where_there_are_none() {
    let renderer = real_renderer(1).await;
    let settings = ShopSettings { page_memory: 256 << 20, ..shop_settings() };
    let shop = Arc::new(shop_under(unrated(false, false), renderer.clone(), settings));
    let (products, categories) = (sample().products().len(), sample().category_sizes().unwrap().len());
    // Home's eight choices, four presets, all categories, all brands, and each category and product.
    let known = (8 + 4 + 1 + 1 + categories + products) as u64;
    let ahead = tokio::spawn(make_ahead(Arc::clone(&shop)));
    until("every known page", async || renderer.counters().ahead.get() == known).await;
    let address = serve(server::app(shop).unwrap()).await;
    let last = format!("http://{address}/product/{products}");
    assert_eq!(client().get(last).send().await.unwrap().status(), 200);
    assert_eq!(renderer.counters().rendered.get(), known, "no visitor waits for a render");
    ahead.abort();
}
