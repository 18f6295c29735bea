//! Every availability on cards, pages, in structured data and in the filter, through the real router and renderer.

use std::num::NonZeroU32;
use std::sync::Arc;

use serde_json::{Value, json};
use vitrine::catalogue::Availability;

use crate::common::pages::{data, text};
use crate::common::{changed, start_shop};

/// Each availability with its label on cards, its labels on the page, and schema.org's name for it.
fn each() -> [(Availability, &'static str, &'static [&'static str], &'static str); 8] {
    let units = |units| Availability::InStock(NonZeroU32::new(units));
    [
        (units(10), "In Stock", &["In Stock"], "InStock"),
        (units(9), "9 left", &["In Stock"], "InStock"),
        (units(5), "5 left", &["Low Stock"], "InStock"),
        (Availability::InStock(None), "In Stock", &["In Stock"], "InStock"),
        (Availability::PreOrder, "Pre-order", &["Pre-order"], "PreOrder"),
        (Availability::BackOrder, "Back order", &["Back order"], "BackOrder"),
        (Availability::SoldOut, "0 left", &["Low Stock", "Sold out"], "OutOfStock"),
        (Availability::Unknown, "", &[], ""),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_is_said_and_only_sold_out_ones_are_filtered_out() {
    let source = changed(|product| {
        let number = product.summary.id.number().unwrap_or_default();
        if let Some((availability, ..)) = each().get(number as usize - 1) {
            product.summary.availability = *availability;
        }
    });
    let shop = start_shop(Arc::new(source)).await;
    let cards = async |path: &str| {
        let page = data(shop, path).await;
        page["content"]["products"].as_array().unwrap().clone()
    };
    let all = cards("/products").await;
    let in_stock = cards("/products?stock=1").await;
    for (number, (availability, on_card, on_page, name)) in (1..).zip(each()) {
        let id = json!(number.to_string());
        let is_card = |card: &&Value| card["id"] == id;
        let card = all.iter().find(is_card).unwrap();
        assert_eq!(card["availability"]["text"].as_str().unwrap_or_default(), on_card, "{availability:?}");
        assert_eq!(
            in_stock.iter().any(|card| is_card(&card)),
            availability != Availability::SoldOut,
            "{availability:?}"
        );
        let page = data(shop, &format!("/product/{number}")).await;
        let labels = page["content"]["product"]["availability"].as_array().unwrap();
        let labels: Vec<_> = labels.iter().map(|label| label["text"].as_str().unwrap()).collect();
        assert_eq!(labels, on_page, "{availability:?}");
        let document = text(shop, &format!("/product/{number}")).await;
        for label in on_page {
            assert!(document.contains(&format!(">{label}<")), "{availability:?}");
        }
        let linked = format!(r#""availability":{}"#, json!(format!("https://schema.org/{name}")));
        assert_eq!(document.contains(&linked), !name.is_empty(), "{availability:?}");
    }
}
