//! Ratings are optional: a source that does not know them has no part of a shop that would be about them.

use std::sync::Arc;

use axum::http::header;
use vitrine::catalogue::Sample;

use crate::common::days::get;
use crate::common::pages::text;
use crate::common::{changed, start_shop};

/// The sample's products without ratings, except for one product if `rates_one`.
fn unrated(knows_ratings: bool, rates_one: bool) -> Arc<Sample> {
    let source = changed(|product| {
        let is_rated = rates_one && product.summary.id.number() == Some(7);
        product.summary.rating = product.summary.rating.filter(|_| is_rated);
        product.reviews = None;
    });
    Arc::new(if knows_ratings { source } else { source.without_ratings() })
}

const BEST: &str = ">Best Sellers<";
const FILTER: &str = r#"name="rating""#;
const STARS: &str = r#"class="StarRating""#;

#[tokio::test(flavor = "multi_thread")]
async fn only_a_source_of_ratings_has_parts_about_them() {
    const OF_RATINGS: [&str; 5] = ["/best-sellers", FILTER, "Highest Rated", STARS, BEST];
    const PAGES: [&str; 8] =
        ["/", "/products", "/sale", "/brands", "/categories", "/product/1", "/sitemap.xml", "/llms.txt"];
    // Whether the source knows ratings, whether it rates one product, and what pages have then.
    for (knows_ratings, rates_one, pages) in [
        // An outage or odd data must not take a part of the specified shop away.
        (
            true,
            false,
            &[
                ("/", &[BEST, "/best-sellers"][..]),
                ("/products", &[FILTER, "Highest Rated"]),
                ("/best-sellers", &[]),
                ("/sitemap.xml", &["/best-sellers"]),
            ][..],
        ),
        // One rating is enough.
        (false, true, &[("/", &[BEST]), ("/products", &[FILTER, STARS]), ("/best-sellers", &[])]),
        (false, false, &[]),
    ] {
        let shop = start_shop(unrated(knows_ratings, rates_one)).await;
        let name = format!("knows ratings: {knows_ratings}, rates one: {rates_one}");
        for (path, parts) in pages {
            let body = text(shop, path).await;
            assert_eq!(parts.iter().find(|part| !body.contains(**part)), None, "{name}: {path}");
        }
        if knows_ratings || rates_one {
            continue;
        }
        for path in PAGES {
            let body = text(shop, path).await;
            assert_eq!(OF_RATINGS.iter().find(|part| body.contains(**part)), None, "{name}: {path}");
        }
        for path in ["/best-sellers", "/_data/best-sellers"] {
            assert_eq!(get(shop, path).await.status, 404, "{path}");
        }
        let listing = get(shop, "/products?rating=4&stock=1&sort=rating-desc").await;
        assert_eq!(listing.status, 307);
        assert_eq!(listing.headers[header::LOCATION], "/products?stock=1");
    }
}
