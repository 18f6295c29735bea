//! Every availability in structured data and in the filter, through the real router and renderer. Which label a stock has
//! on cards and on its page is tested in `host/pages/availability.rs`.

use std::num::NonZeroU32;
use std::sync::Arc;

use vitrine::catalogue::Availability;

use crate::common::pages::{data, text};
use crate::common::{changed, start_shop};

/// Each availability with a label of its page, and schema.org's name for it.
const EACH: [(Availability, &str, &str); 6] = [
    (Availability::InStock(NonZeroU32::new(9)), ">In Stock<", "InStock"),
    (Availability::InStock(None), ">In Stock<", "InStock"),
    (Availability::PreOrder, ">Pre-order<", "PreOrder"),
    (Availability::BackOrder, ">Back order<", "BackOrder"),
    (Availability::SoldOut, ">Sold out<", "OutOfStock"),
    (Availability::Unknown, "", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn each_is_said_and_only_sold_out_ones_are_filtered_out() {
    let source = changed(|product| {
        let number = product.summary.id.number().unwrap_or_default();
        if let Some((availability, ..)) = EACH.get(number as usize - 1) {
            product.summary.availability = *availability;
            // Variants have an availability of their own.
            product.variants.clear();
        }
    });
    let shop = start_shop(Arc::new(source)).await;
    let in_stock = data(shop, "/products?stock=1").await["content"]["products"].as_array().unwrap().clone();
    for (number, (availability, label, name)) in (1..).zip(EACH) {
        let id = number.to_string();
        let is_listed = in_stock.iter().any(|card| card["id"] == *id);
        assert_eq!(is_listed, availability != Availability::SoldOut, "{availability:?}");
        let document = text(shop, &format!("/product/{number}")).await;
        assert!(document.contains(label), "{availability:?}");
        let linked = format!(r#""availability":"https://schema.org/{name}""#);
        assert_eq!(document.contains(&linked), !name.is_empty(), "{availability:?}");
    }
}
