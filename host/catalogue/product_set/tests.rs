//! Tests of a set against a list of its products.

use proptest::prelude::*;

use super::*;
use crate::catalogue::Availability;

fn product() -> impl Strategy<Value = Summary> {
    (
        "[a-cB]{1,4}( [a-c]{1,3})?",
        "[a-c]{0,6}",
        prop::option::of("[x-zY\u{fd}]"),
        prop::option::of("[p-r]"),
        0_u32..50,
        0_u32..4,
        prop::option::of(0_u32..=50),
        prop::option::of(0_u32..3),
    )
        .prop_map(|(title, description, brand, category, price, discount, rating, stock)| Summary {
            title,
            description,
            category: category.and_then(|slug| Slug::parse(&slug)),
            brand,
            price: Money::from_minor(u64::from(price) * 50),
            discount_percentage: f64::from(discount) / 2.0,
            rating: rating.map(|rating| f64::from(rating) / 10.0),
            availability: stock.map_or(Availability::Unknown, Availability::of_stock),
            ..Summary::default()
        })
}

/// Products with distinct ids, in any order.
pub(crate) fn products() -> impl Strategy<Value = Vec<Summary>> {
    let ids =
        (0_u64..40).prop_map(|count| (1..=count).map(ProductKey::from).collect::<Vec<_>>()).prop_shuffle();
    ids.prop_flat_map(|ids| (prop::collection::vec(product(), ids.len()), Just(ids))).prop_map(
        |(mut products, ids)| {
            products.iter_mut().zip(ids).for_each(|(product, id)| product.id = id);
            products
        },
    )
}

proptest! {
    #[test]
    fn the_set_of_a_category_equals_one_of_its_products_alone(all in products()) {
        let by_category = ProductSet::new(all.clone(), Currency::default()).by_category();
        for slug in ["p", "q", "r"].map(|slug| Slug::parse(slug).unwrap()) {
            let own = all.iter().filter(|product| product.category.as_ref() == Some(&slug));
            let alone = ProductSet::new(own.cloned().collect(), Currency::default());
            let set = by_category.get(&slug).cloned().unwrap_or_default();
            prop_assert_eq!(&set, &alone);
            prop_assert_eq!(set.price_ceiling(), alone.price_ceiling());
            prop_assert_eq!(set.lowest_price(), alone.lowest_price());
            prop_assert_eq!(set.deepest_discount(), alone.deepest_discount());
            if !alone.is_empty() {
                prop_assert_eq!(set.price_stops(), alone.price_stops());
            }
            for sort in [Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc] {
                let sorted = |set: &ProductSet| -> Vec<ProductKey> {
                    let sorted = set.sort(Some(sort), set.positions().to_vec());
                    sorted.into_iter().map(|position| set.store().key(position)).collect()
                };
                prop_assert_eq!(sorted(&set), sorted(&alone));
            }
        }
    }

    #[test]
    fn the_others_follow_a_product_and_then_precede_it(all in products(), order in prop::sample::select(vec![ProductOrder::Own, ProductOrder::Newest, ProductOrder::DeepestDiscounts])) {
        let set = ProductSet::new(all.clone(), Currency::default()).in_order(order);
        let listed: Vec<ProductKey> = set.keys().collect();
        for product in &all {
            let place = listed.iter().position(|key| *key == product.id);
            let mut expected = listed.clone();
            if let Some(place) = place {
                expected.rotate_left(place);
                expected.remove(0);
            }
            prop_assert_eq!(set.others(&product.id).map(|other| other.id).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn an_earlier_namesake_has_the_same_title_and_a_lower_number(all in products()) {
        let set = ProductSet::new(all.clone(), Currency::default());
        for own in &all {
            let has = all.iter().any(|other| other.title == own.title && other.id < own.id);
            prop_assert_eq!(set.has_earlier_namesake(&own.title, &own.id), has);
        }
        prop_assert!(!set.has_earlier_namesake("no such title", &1_000.into()));
    }

    #[test]
    fn where_products_are_named_by_texts_an_earlier_namesake_is_listed_before(mut all in products(), any_number: bool) {
        for (place, product) in all.iter_mut().enumerate().skip(usize::from(any_number)) {
            product.id = ProductKey::of(&format!("k{}", 1_000 - place));
        }
        let set = ProductSet::new(all.clone(), Currency::default());
        for (place, own) in all.iter().enumerate().filter(|_| all.len() > 1) {
            let has = all[..place].iter().any(|other| other.title == own.title);
            prop_assert_eq!(set.has_earlier_namesake(&own.title, &own.id), has);
        }
    }
}

#[test]
fn the_best_results_of_a_search_are_first() {
    let product = |id: u64, title: &str, description: &str, sku: &str, rating: f64| Product {
        summary: Summary {
            id: id.into(),
            title: title.into(),
            description: description.into(),
            category: Slug::parse(if id == 5 { "phone-cases" } else { "oddities" }),
            brand: Some(if id == 6 { "Phone & Sons".into() } else { "Hallbryn".into() }),
            rating: Some(rating),
            ..Summary::default()
        },
        tags: vec![if id == 8 { "Gadget".into() } else { "thing".into() }],
        sku: sku.into(),
        ..Product::default()
    };
    let products = [
        product(1, "Tote bag", "Room for a phone.", "TO-1", 5.0),
        product(2, "Telephones", "Two of them.", "TE-2", 5.0),
        product(3, "Phones", "Two of them.", "PH-3", 5.0),
        product(4, "Red phone", "It rings.", "PH-4", 3.0),
        product(5, "Sleeve", "Fits a phone.", "SL-5", 1.0),
        product(6, "Cable", "Of a phone.", "CA-6", 1.0),
        product(7, "Blue phone", "It rings.", "PH-7", 4.0),
        product(8, "Lamp ph 4", "Warm light.", "LA-8", 2.0),
    ];
    let all = ProductSet::of(products.iter(), Currency::default());
    for (search, expected) in [
        ("phone", &[7, 4, 3, 2, 5, 6, 1][..]),
        // An article number comes before a title.
        ("ph-4", &[4, 8]),
        // Nothing has these words in this order.
        ("phone, red", &[4]),
        ("gadget lamp", &[8]),
        ("rings phone blue", &[7]),
        ("phone xyzzy", &[]),
        ("ring phone", &[7, 4]),
        // Three letters are only looked for at the beginning of a word.
        ("hon lamp", &[]),
        ("", &[1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        let found: Vec<u64> = all
            .containing(search, &std::sync::Arc::default())
            .keys()
            .filter_map(|key| key.number())
            .collect();
        assert_eq!(found, expected, "{search}");
    }
}
