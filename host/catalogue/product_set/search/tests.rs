//! Tests of what searches find, and in which order.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::catalogue::search::fold;
use crate::catalogue::{Availability, Gtin, Product, ProductSet, Slug, Summary, Variant, VariantOption};
use crate::profile::Currency;

/// Words of several scripts that contain, begin and end with each other.
const WORDS: [&str; 18] = [
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
    "the",
    "and",
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

fn set_of(products: &[Product]) -> ProductSet {
    let mut products = products.to_vec();
    (1_u64..).zip(&mut products).for_each(|(id, product)| product.summary.id = id.into());
    ProductSet::of(products.iter(), Currency::default())
}

fn found_with(text: &str, set: &ProductSet, rules: &Rules, most: usize) -> Vec<u32> {
    best_found(&Query::new(text, rules), rules, set.store(), most)
}

fn found(text: &str, set: &ProductSet) -> Vec<u32> {
    found_with(text, set, &Rules::default(), usize::MAX)
}

fn sorted(found: Vec<u32>) -> BTreeSet<u32> {
    found.into_iter().collect()
}

proptest! {
    #[test]
    fn what_the_text_filter_finds_is_found(
        products in proptest::collection::vec(product(), 1..20),
        texts in proptest::collection::vec(text(), 1..6),
        (part, length) in (0..30_usize, 1..12_usize),
    ) {
        let set = set_of(&products);
        // Parts of texts begin and end within words.
        let parts = products.iter().map(|product| {
            let text = fold(&product.summary.title);
            text.chars().skip(part % text.chars().count().max(1)).take(length).collect::<String>()
        });
        let texts = texts.into_iter().chain(parts).map(|text| fold(&text));
        for text in texts.filter(|text| !text.is_empty()) {
            let found = sorted(found(&text, &set));
            for (position, product) in (0..).zip(&products) {
                let Summary { title, description, .. } = &product.summary;
                let is_part = [title, description].iter().any(|own| fold(own).contains(&text));
                prop_assert!(!is_part || found.contains(&position), "{:?} in {:?}, {:?}", text, title, description);
            }
        }
    }

    #[test]
    fn another_product_hides_none(
        products in proptest::collection::vec(product(), 1..12),
        more in product(),
        text in text(),
    ) {
        let text = fold(&text);
        prop_assume!(!text.is_empty());
        let before = sorted(found(&text, &set_of(&products)));
        let all: Vec<Product> = products.into_iter().chain([more]).collect();
        prop_assert!(before.is_subset(&sorted(found(&text, &set_of(&all)))), "{:?}", text);
    }

    /// Words that are one word elsewhere, or a part of a text as they are written, have an order.
    #[test]
    fn the_order_of_words_changes_no_set(
        titles in proptest::collection::vec("(lamp|velvet|harbours|oaken)( (lamps|clamp|harbour|cups)){0,2}", 1..8),
        words in proptest::collection::vec(proptest::sample::select(&["lamp", "velvets", "harbour", "cups", "oak"][..]), 1..4),
    ) {
        let product = |title: String| {
            Product { summary: Summary { title, ..Summary::default() }, ..Product::default() }
        };
        let set = set_of(&titles.into_iter().map(product).collect::<Vec<_>>());
        let reversed: Vec<&str> = words.iter().rev().copied().collect();
        prop_assert_eq!(
            sorted(found(&words.join(" "), &set)),
            sorted(found(&reversed.join(" "), &set)),
        );
    }

    #[test]
    fn the_first_products_are_those_of_the_whole_result(
        products in proptest::collection::vec(product(), 0..40),
        text in text(),
        most in 1..5_usize,
    ) {
        let text = fold(&text);
        prop_assume!(!text.is_empty());
        let set = set_of(&products);
        let all = found(&text, &set);
        let first = found_with(&text, &set, &Rules::default(), most);
        prop_assert_eq!(first, &all[..most.min(all.len())], "{:?}", text);
    }
}

fn titled(titles: &[&str]) -> ProductSet {
    let product = |title: &&str| {
        let summary = Summary { title: (*title).into(), ..Summary::default() };
        Product { summary, ..Product::default() }
    };
    set_of(&titles.iter().map(product).collect::<Vec<_>>())
}

#[test]
fn words_meet_in_other_numbers_joined_and_split() {
    let set = titled(&[
        "Red Lipstick",
        "iPhone 13 Pro",
        "Ice Cream, 50 ml",
        "Icecream maker",
        "T-Shirt",
        "Tshirt, blue",
        "Women\u{2019}s Watch",
        "Salt & Pepper",
        "Running Shoes",
        "M\u{f6}bel",
        "Moebel",
        "Berry 50ml",
    ]);
    for (text, expected) in [
        ("lipsticks", &[0][..]),
        ("iphone13", &[1]),
        ("i phone 13", &[1]),
        ("iphone13pro", &[1]),
        ("icecream", &[2, 3]),
        ("ice cream", &[2, 3]),
        ("ice-creams", &[2, 3]),
        ("50ml", &[2, 11]),
        ("50 ml", &[2, 11]),
        ("tshirts", &[4, 5]),
        ("t shirt", &[4, 5]),
        ("womens watches", &[6]),
        ("woman", &[6]),
        ("salt and pepper", &[7]),
        ("pepper + salt", &[7]),
        ("the running shoes", &[8]),
        ("shoe for running", &[8]),
        ("moebel", &[9, 10]),
        ("m\u{f6}bel", &[9, 10]),
        ("berries", &[11]),
        ("creamice", &[]),
    ] {
        assert_eq!(sorted(found(text, &set)), expected.iter().copied().collect(), "{text}");
    }
}

#[test]
fn titles_come_before_names_and_names_before_descriptions() {
    let product = |title: &str, brand: &str, tag: &str, description: &str| Product {
        summary: Summary {
            title: title.into(),
            brand: Some(brand.into()),
            description: description.into(),
            ..Summary::default()
        },
        tags: vec![tag.into()],
        ..Product::default()
    };
    let products = [
        product("Handle", "Nord", "kitchen", "For a pan."),
        product("Pan handle", "Nord", "kitchen", ""),
        product("Frying pan", "Nord", "kitchen", ""),
        product("Pan", "Nord", "kitchen", ""),
        product("Lid", "Pan", "kitchen", ""),
        product("Wok", "Nord", "pan", ""),
        product("Panorama", "Nord", "kitchen", ""),
        product("Deep frying pans", "Nord", "kitchen", ""),
        product("Japan", "Nord", "kitchen", ""),
    ];
    assert_eq!(found("pan", &set_of(&products)), [3, 1, 2, 7, 6, 8, 4, 5, 0]);
    let set =
        titled(&["Case for iPhone 15", "Apple iPhone 15", "iPhone 15 Pro", "iPhone 15", "15 iPhone cases"]);
    assert_eq!(found("iphone 15", &set), [3, 2, 0, 1, 4]);
}

#[test]
fn article_numbers_are_found_without_separators_by_their_beginning_and_exact_ones_first() {
    let product = |title: &str, sku: &str, gtin: &str| Product {
        summary: Summary { title: title.into(), ..Summary::default() },
        sku: sku.into(),
        gtin: Gtin::parse(gtin),
        ..Product::default()
    };
    let set = set_of(&[
        product("AB 12 C 3", "XY-1", ""),
        product("Cup", "AB-12-C", ""),
        product("Mug", "AB-12-C-3", "0036000291452"),
    ]);
    for (text, expected) in [
        ("ab-12-c-3", &[2, 0][..]),
        ("AB12C", &[1, 0, 2]),
        ("ab12", &[0, 1, 2]),
        ("ab1", &[]),
        ("mug ab12c3", &[2]),
        ("ab 12 mug", &[2]),
        ("036000291452", &[2]),
        ("36000291452", &[2]),
        ("0000360002", &[2]),
    ] {
        assert_eq!(found(text, &set), expected, "{text}");
    }
}

#[test]
fn options_of_variants_are_found() {
    let option = |value: &str| VariantOption { name: "Colour".into(), value: value.into() };
    let variant = |value: &str| Variant {
        options: vec![option(value)],
        price: crate::profile::Money::default(),
        list_price: None,
        availability: Availability::Unknown,
        sku: String::new(),
        gtin: None,
        picture: None,
        link: None,
        terms: crate::catalogue::Terms::default(),
    };
    let shirt = Product {
        summary: Summary { title: "Shirt".into(), ..Summary::default() },
        variants: vec![variant("Sea Green"), variant("Rust")],
        ..Product::default()
    };
    let set = set_of(&[shirt]);
    assert_eq!(found("green shirts", &set), [0]);
    assert_eq!(found("seagreen", &set), [0]);
    assert_eq!(found("blue shirt", &set), [0_u32; 0]);
}

#[test]
fn synonyms_are_found_too_one_way() {
    let others = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let synonyms = BTreeMap::from([("sneaker".to_owned(), others(&["trainer", "gym shoe"]))]);
    let rules = Rules::new("en", &synonyms).unwrap();
    let set = titled(&["Red Trainers", "Shoes for the gym", "Sneakers, red", "Dance shoe"]);
    let found = |text| found_with(text, &set, &rules, usize::MAX);
    assert_eq!(sorted(found("sneakers")), BTreeSet::from([0, 1, 2]));
    assert_eq!(found("sneakers")[0], 2, "as written first");
    assert_eq!(sorted(found("red sneaker")), BTreeSet::from([0, 2]));
    assert_eq!(found("trainer"), [0]);
}

#[test]
fn a_search_that_finds_nothing_is_corrected() {
    let set = titled(&[
        "Red Lipstick",
        "Green Lamp",
        "Running Shoes",
        "Headphones",
        "iPhone 13",
        "A 3",
        "The Theatre",
    ]);
    let corrected =
        |text: &str| corrections(&Query::new(text, &Rules::default()), &Rules::default(), set.store(), 1);
    for (text, expected) in [
        ("lipstik", "lipstick"),
        ("Red Lipstik", "red lipstick"),
        ("gren lapm", "green lamp"),
        ("lip stik", "lipstick"),
        ("runingshoes", "running shoes"),
        ("the runing shose", "the running shoes"),
        ("headfones", "headphones"),
        ("iphnoe 13", "iphone 13"),
        ("reen lamp", "green lamp"),
        ("rgeen lamp", "green lamp"),
    ] {
        assert_eq!(corrected(text), [expected], "{text}");
    }
    // Neither a single letter, a number alone nor a small word is offered.
    for text in ["b", "14", "xyzzy", "thee", "red xyzzy", "", &"ab ".repeat(60), &"x".repeat(300)] {
        assert_eq!(corrected(text), [""; 0], "{text}");
    }
}

#[test]
fn german_japanese_and_arabic_words_meet() {
    let rules = |language| Rules::new(language, &BTreeMap::new()).unwrap();
    for (language, title, texts) in [
        (
            "de",
            "Gr\u{fc}ne Lampe f\u{fc}r die K\u{fc}che",
            &["lampen", "gruene lampe", "k\u{fc}chen lampe", "lampe und k\u{fc}che"][..],
        ),
        (
            "ja",
            "\u{767d}\u{3044}\u{30b7}\u{30e3}\u{30c4}",
            &["\u{3057}\u{3083}\u{3064}", "\u{ff7c}\u{ff6c}\u{ff82}", "\u{767d}\u{3044}"],
        ),
        ("ja", "ガラスの赤い卓上ランプ", &["赤いランプ", "らんぷ 赤い", "卓上のランプ", "赤のランプ"]),
        ("zh", "红色的小台灯", &["红色台灯", "台灯", "小台灯"]),
        (
            "ar",
            "\u{642}\u{645}\u{64a}\u{635} \u{623}\u{628}\u{64a}\u{636} \u{665}\u{660}",
            &[
                "\u{642}\u{645}\u{6cc}\u{635}",
                "\u{627}\u{628}\u{64a}\u{636} 50",
                "\u{627}\u{644}\u{642}\u{645}\u{64a}\u{635}",
            ],
        ),
    ] {
        let (set, rules) = (titled(&[title]), rules(language));
        for text in texts {
            assert_eq!(found_with(text, &set, &rules, usize::MAX), [0], "{text} in {title}");
        }
    }
}

#[test]
fn an_index_that_several_threads_make_is_whole() {
    /// Enough for two threads.
    const COUNT: u32 = 21_000;
    let titles: Vec<String> = (0..COUNT).map(|number| format!("Thing w{} x{number}", number % 7)).collect();
    let set = titled(&titles.iter().map(String::as_str).collect::<Vec<_>>());
    for word in 0..7 {
        let expected = (0..COUNT).filter(|number| number % 7 == word);
        assert!(sorted(found(&format!("w{word} thing"), &set)).into_iter().eq(expected), "w{word}");
    }
    assert_eq!(found("x14321", &set), [14321]);
    assert_eq!(found("thing", &set).len(), COUNT as usize);
}
