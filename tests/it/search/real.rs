//! What searches for the titles, names and tags of the real catalogue find.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{content, escaped, ids, ids_of_cards};
use crate::common::shops::{real_products, shop_of};

/// The least length of a word that is misspelled.
const MISSPELLED: usize = 5;
/// The least part of misspelled titles whose product is among the first three.
const LEAST_MEANT: f64 = 0.95;

#[tokio::test(flavor = "multi_thread")]
async fn a_brand_a_category_and_a_tag_find_all_of_their_products() {
    let Some(products) = real_products() else { return };
    let mut named: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for product in &products {
        let tags = product["tags"].as_array().into_iter().flatten();
        for name in
            [&product["brand"], &product["category"]].into_iter().chain(tags).filter_map(Value::as_str)
        {
            named.entry(name.to_owned()).or_default().insert(product["id"].as_u64().unwrap());
        }
    }
    let shop = shop_of(products, 5_000).await;
    assert!(named.len() > 150);
    for (name, own) in named {
        let found: BTreeSet<u64> =
            ids(shop, &format!("/search/{}", escaped(&name))).await.into_iter().collect();
        assert!(own.is_subset(&found), "{name} lacks {:?}", own.difference(&found));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_finds_its_product_first() {
    let Some(products) = real_products() else { return };
    let shop = shop_of(products.clone(), 5_000).await;
    for product in &products {
        let title = product["title"].as_str().unwrap();
        let found = content(shop, &format!("/search/{}", escaped(title))).await;
        // Some products have one title.
        assert_eq!(found["products"][0]["title"], title, "{title}");
    }
}

/// A word with one letter dropped, doubled or swapped with the next one.
fn misspelled(word: &str, at: usize) -> [String; 3] {
    let letters: Vec<char> = word.chars().collect();
    let at = at % (letters.len() - 1);
    let with = |parts: [&[char]; 3]| parts.concat().into_iter().collect();
    let (before, after) = letters.split_at(at);
    [
        with([before, &[], &after[1..]]),
        with([before, &after[..1], after]),
        with([before, &[after[1], after[0]], &after[2..]]),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misspelled_title_finds_its_product_among_the_first_three() {
    let Some(products) = real_products() else { return };
    let shop = shop_of(products.clone(), 5_000).await;
    let (mut count, mut missed) = (0, Vec::new());
    for product in &products {
        let (id, title) = (product["id"].as_u64().unwrap(), product["title"].as_str().unwrap());
        let words: Vec<&str> = title.split(' ').collect();
        let is_long =
            |word: &&str| word.chars().count() >= MISSPELLED && word.chars().all(char::is_alphabetic);
        for (place, word) in words.iter().enumerate().filter(|(_, word)| is_long(word)) {
            for wrong in misspelled(word, id as usize + place) {
                let mut words = words.clone();
                words[place] = &wrong;
                let text = words.join(" ");
                let listing = content(shop, &format!("/search/{}", escaped(&text))).await;
                count += 1;
                if !ids_of_cards(&listing).take(3).any(|found| found == id) {
                    missed.push(text);
                }
            }
        }
    }
    let part = 1.0 - missed.len() as f64 / f64::from(count);
    println!("{part:.3} of {count} misspelled titles; missed: {missed:#?}");
    assert!(count > 1_000 && part >= LEAST_MEANT, "{part}");
}
