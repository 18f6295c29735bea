//! How well searches find what is meant, beside tantivy: the searches of `tests/cases/found.json` over the sample and,
//! where it lies beside the project, over the real service's data.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::Value;
use vitrine::catalogue::{Product, ProductSet, Rules, Sample, products_of};
use vitrine::process::OffRuntime;
use vitrine::profile::Currency;

use crate::ranked::Ranked;

/// How many results of a search are looked at.
const SEEN: usize = 24;

/// Prints the figures of both sets of products.
pub(crate) fn measure() -> Result<()> {
    let cases: Value = serde_json::from_str(include_str!("../../tests/cases/found.json"))?;
    let sample = Sample::load()?.products();
    compare("sample", &cases["sample"], &sample, |product| product.sku.clone())?;
    let real = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/catalogue/products.json"));
    if !real.exists() {
        println!("\nthe real service's data does not lie beside the project");
        return Ok(());
    }
    let products =
        products_of(std::fs::read(real)?, 0)?.into_iter().map(|product| *product).collect::<Vec<_>>();
    compare("real data", &cases["real"], &products, |product| product.summary.id.to_string())
}

/// The figures of one set of products, which the cases name as `name` does.
fn compare(what: &str, cases: &Value, products: &[Product], name: impl Fn(&Product) -> String) -> Result<()> {
    println!("\n{what}, {} products", products.len());
    let names: HashMap<String, String> =
        products.iter().map(|product| (product.summary.id.to_string(), name(product))).collect();
    let all = ProductSet::of(products.iter(), Currency::default());
    let peer = Ranked::new(products)?;
    let (rules, off): (Arc<Rules>, _) = (Arc::default(), OffRuntime::of_own_thread());
    let found = |text: &str| -> Vec<String> {
        let best = |text: &str| {
            all.best_found(&off, text, &rules, SEEN).map(|found| found.id.to_string()).collect::<Vec<_>>()
        };
        let found = best(text);
        // An empty page shows the results of the best correction.
        match all.corrections(&off, text, &rules, 1).first().filter(|_| found.is_empty()) {
            Some(corrected) => best(corrected),
            None => found,
        }
    };
    println!("{}", outcome("storefront", cases, &names, |text| Ok(found(text)))?);
    println!("{}", outcome("tantivy", cases, &names, |text| peer.best(text, SEEN))?);
    Ok(())
}

/// The part of the searches with a meant product among the first three, and the mean reciprocal rank of the first one.
fn outcome(
    who: &str,
    cases: &Value,
    names: &HashMap<String, String>,
    search: impl Fn(&str) -> Result<Vec<String>>,
) -> Result<String> {
    let (mut count, mut in_first_three, mut ranks) = (0_u32, 0_u32, 0.0);
    let kinds = cases.as_object().context("the cases have no kinds")?.values();
    for case in kinds.flat_map(|cases| cases.as_array().into_iter().flatten()) {
        let text = case["search"].as_str().context("a case has no search")?;
        let expected = case["expected"].as_array().context("a case expects nothing")?;
        let is_expected = |id: &String| {
            names.get(id).is_some_and(|name| {
                expected.iter().any(|expected| {
                    expected.as_str().map_or(expected.to_string() == *name, |text| text == name)
                })
            })
        };
        let place = search(text)?.iter().position(is_expected);
        count += 1;
        in_first_three += u32::from(place.is_some_and(|place| place < 3));
        ranks += place.map_or(0.0, |place| 1.0 / (place + 1) as f64);
    }
    let (first, rank) = (f64::from(in_first_three) / f64::from(count), ranks / f64::from(count));
    Ok(format!(
        "{who:<12} {count} searches, {:.1} % in the first three, reciprocal rank {rank:.3}",
        first * 100.0
    ))
}
