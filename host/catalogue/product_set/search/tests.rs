//! Tests that searches with an index find the same products, in the same order, as searches through all texts.

use proptest::prelude::*;

use super::*;
use crate::catalogue::{Availability, Product, ProductSet, Slug, Summary};
use crate::profile::Currency;

/// Words of several scripts that contain, begin and end with each other.
const WORDS: [&str; 16] = [
    "lamp",
    "clamp",
    "lamps",
    "la",
    "s10",
    "red",
    "\u{767d}\u{8272}",
    "\u{8272}",
    "lamp\u{8272}",
    "az\u{259}ri",
    "\u{259}",
    "l'eau",
    "eau",
    "2",
    "\u{3001}",
    "donaudampfschiff",
];

fn text() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(&WORDS[..]);
    let gap = proptest::sample::select(&[" ", " ", ", ", "", "-"][..]);
    proptest::collection::vec((word, gap), 0..6)
        .prop_map(|words| words.into_iter().flat_map(|(word, gap)| [word, gap]).collect())
}

fn product() -> impl Strategy<Value = Product> {
    let names = (
        proptest::option::of(text()),
        proptest::option::of(0..3_u8),
        proptest::collection::vec(text(), 0..2),
    );
    let numbers = ((text(), proptest::option::of(text())), proptest::option::of(0..4_u8), any::<bool>());
    (text(), text(), names, numbers).prop_map(
        |(title, description, (brand, category, tags), ((sku, mpn), rating, is_sold))| Product {
            summary: Summary {
                title,
                description,
                brand,
                category: category.and_then(|number| Slug::parse(&format!("red-lamp-{number}"))),
                rating: rating.map(f64::from),
                availability: Availability::of_stock(u32::from(!is_sold)),
                ..Summary::default()
            },
            tags,
            sku,
            mpn,
            ..Product::default()
        },
    )
}

proptest! {
    #[test]
    fn an_index_finds_the_same(
        mut products in proptest::collection::vec(product(), 0..40),
        texts in proptest::collection::vec(text(), 1..8),
        most in 1..5_usize,
    ) {
        (1_u64..).zip(&mut products).for_each(|(id, product)| product.summary.id = id.into());
        let set = || ProductSet::of(products.iter(), Currency::default());
        let (scanned, indexed) = (set(), set());
        indexed.index_words_now();
        prop_assert!(scanned.store().word_index().is_none() && indexed.store().word_index().is_some());
        for text in texts.iter().map(|text| fold(text)).filter(|text| !text.is_empty()) {
            let expected = best_found(&text, scanned.store(), usize::MAX);
            prop_assert_eq!(&best_found(&text, indexed.store(), usize::MAX), &expected, "{:?}", &text);
            let first = &expected[..most.min(expected.len())];
            for set in [&scanned, &indexed] {
                prop_assert_eq!(&best_found(&text, set.store(), most), first, "{:?}", &text);
            }
        }
    }
}

#[test]
fn an_index_that_is_not_wanted_any_more_is_not_made() {
    let set = ProductSet::new(vec![Summary::default()], Currency::default());
    set.store().index_words(|| false);
    assert!(set.store().word_index().is_none());
}
