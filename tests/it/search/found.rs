//! How well searches find what people mean: `tests/cases/found.json` names the products that each should show first.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;
use vitrine::catalogue::Sample;

use super::{content, escaped, ids_of_cards};
use crate::common::shops::{real_products, shop_of};
use crate::common::{sample, start_shop};

/// The least part of the searches with an expected product among the first three.
const LEAST_FIRST_THREE: f64 = 0.97;
/// The least mean reciprocal rank of the best expected product.
const LEAST_RECIPROCAL_RANK: f64 = 0.9;

/// Products by a name that they keep: the number of the real ones, the article number of the sample's.
type Names = HashMap<String, u64>;

/// The outcome of some searches.
#[derive(Default)]
struct Outcome {
    count: usize,
    in_first_three: usize,
    reciprocal_ranks: f64,
    missed: Vec<String>,
}

impl Outcome {
    fn add(&mut self, kind: &str, search: &str, expected: &[u64], found: &[u64]) {
        self.count += 1;
        let place = found.iter().position(|id| expected.contains(id));
        self.reciprocal_ranks += place.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        self.in_first_three += usize::from(place.is_some_and(|place| place < 3));
        if place != Some(0) {
            let first = &found[..found.len().min(3)];
            self.missed.push(format!("{kind} {search:?}: {first:?}, place {place:?} of {expected:?}"));
        }
    }

    fn check(&self, what: &str) {
        let count = self.count as f64;
        let (first, rank) = (self.in_first_three as f64 / count, self.reciprocal_ranks / count);
        println!("{what}: {} searches, {first:.3} in the first three, {rank:.3} reciprocal rank", self.count);
        println!("{:#?}", self.missed);
        assert!(first >= LEAST_FIRST_THREE && rank >= LEAST_RECIPROCAL_RANK, "{what}: {first}, {rank}");
    }
}

async fn search_all(shop: std::net::SocketAddr, cases: &Value, names: &Names) -> Outcome {
    let mut outcome = Outcome::default();
    for (kind, cases) in cases.as_object().unwrap() {
        for case in cases.as_array().unwrap() {
            let search = case["search"].as_str().unwrap();
            let name = |name: &Value| names[name.as_str().unwrap_or(&name.to_string())];
            let expected: Vec<u64> = case["expected"].as_array().unwrap().iter().map(name).collect();
            assert!(!expected.is_empty(), "{search}");
            let listing = content(shop, &format!("/search/{}", escaped(search))).await;
            outcome.add(kind, search, &expected, &ids_of_cards(&listing).collect::<Vec<_>>());
        }
    }
    outcome
}

fn cases() -> Value {
    serde_json::from_str(include_str!("../../cases/found.json")).unwrap()
}

#[test]
fn a_third_of_the_searches_or_more_are_plurals_joined_words_mistakes_or_brands_with_a_kind() {
    let cases = cases();
    let count = |set: &str, kinds: &[&str]| -> usize {
        let all = cases[set].as_object().unwrap().iter();
        let of_kinds = all.filter(|(kind, _)| kinds.is_empty() || kinds.contains(&kind.as_str()));
        of_kinds.map(|(_, cases)| cases.as_array().unwrap().len()).sum()
    };
    let unlike = ["plural", "joined", "mistake", "kind"];
    assert_eq!(count("real", &[]) + count("sample", &[]), 150);
    assert!(count("real", &unlike) + count("sample", &unlike) >= 50);
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_of_the_sample_show_what_is_meant_first() {
    let sample: Arc<Sample> = sample();
    let name =
        |product: &Value| (product["sku"].as_str().unwrap().to_owned(), product["id"].as_u64().unwrap());
    let names = sample.raw().iter().map(name).collect();
    let shop = start_shop(sample.clone()).await;
    search_all(shop, &cases()["sample"], &names).await.check("sample");
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_of_the_real_catalogue_show_what_is_meant_first() {
    let Some(products) = real_products() else { return };
    let name = |product: &Value| (product["id"].to_string(), product["id"].as_u64().unwrap());
    let names = products.iter().map(name).collect();
    let shop = shop_of(products, 5_000).await;
    search_all(shop, &cases()["real"], &names).await.check("real");
}
