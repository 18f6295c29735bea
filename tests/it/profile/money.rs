//! Shops with other money, through the real router and renderer.

use std::sync::Arc;

use scraper::Html;
use vitrine::catalogue::Sample;
use vitrine::profile::{Currency, NumberFormat, Profile};

use super::other_shop::{bare, start_as};
use crate::common::pages::{body, data, selected};
use crate::common::{PATHS, real_renderer};

/// What a visitor reads, and the structured data.
fn texts(document: &str) -> [String; 2] {
    let html = Html::parse_document(document);
    let is_read = |element: &str| !matches!(element, "script" | "style" | "template");
    let read = html.tree.nodes().filter_map(|node| {
        let parent = node.parent()?.value().as_element()?.name();
        node.value().as_text().filter(|_| is_read(parent)).map(|text| text.to_string())
    });
    [read.collect(), selected(&html, "script[type='application/ld+json']").concat()]
}

#[tokio::test]
async fn every_page_of_a_shop_with_other_money_is_in_that_money() {
    const FILTERED: &str = "/products?max=1000";
    for (language, code, price) in [
        ("de", "EUR", "1.299,99\u{a0}\u{20ac}"),
        ("ja", "JPY", "\u{ffe5}1,300"),
        ("en", "KWD", "KWD\u{a0}1,299.990"),
    ] {
        let currency = Currency::parse(code).unwrap();
        let numbers = Arc::new(NumberFormat::new(language, currency));
        assert_eq!(numbers.amount(currency.nearest(1_299.99).unwrap()), price);
        let sample = Arc::new(Sample::load_in(currency).unwrap());
        let profile = Profile { numbers: Arc::clone(&numbers), ..bare() };
        let shop = start_as(profile, Arc::clone(&sample) as _, real_renderer(1).await).await;
        for path in PATHS.into_iter().chain(["/sale", "/deals", "/offline", FILTERED]) {
            let [read, data] = texts(&body(shop, path).await);
            for text in [read, data, body(shop, &format!("/_data{path}")).await] {
                assert!(!text.contains('$') && !text.contains("USD"), "{code} {path}: {text}");
            }
        }
        for file in ["/feed.xml", "/llms.txt", "/merchant.xml", "/products.jsonl", "/products.csv"] {
            assert!(!body(shop, file).await.contains('$'), "{code} {file}");
        }
        let chosen = data(shop, FILTERED).await;
        assert_eq!(chosen["content"]["facets"]["max"]["chosen"]["text"], numbers.whole(1_000));
        for product in sample.products().iter().step_by(37) {
            let summary = &product.summary;
            let path = format!("/product/{}", summary.id);
            let [read, _] = texts(&body(shop, &path).await);
            assert!(read.contains(&numbers.amount(summary.price)), "{code} {path}");
        }
    }
}
