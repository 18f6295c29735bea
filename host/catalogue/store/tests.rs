//! Tests that a store returns the products that were pushed.

use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;
use crate::catalogue::gtin::Gtin;
use crate::catalogue::model::{Dimensions, Review, ReviewDate};
use crate::catalogue::search::fold;
use crate::catalogue::variant::{Variant, VariantOption};
use crate::catalogue::{Availability, any_products};
use crate::catalogue::{Condition, Content, EnergyClass, Terms};
use crate::contract::Sort;
use crate::profile::card_discount;

/// Texts with letters of every kind, and what separates texts elsewhere.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,12}", "[a-z ]{0,80}", Just("\n\0\u{fdfa}e\u{301}\u{1f1e9}\u{1f1ea}".to_owned())]
}

fn price() -> impl Strategy<Value = Money> {
    prop_oneof![0..5_000_u64, Just(Money::MAX_PRICE.minor())].prop_map(Money::from_minor)
}

fn availability() -> impl Strategy<Value = Availability> {
    prop_oneof![
        any::<u32>().prop_map(Availability::of_stock),
        prop::sample::select(vec![
            Availability::Unknown,
            Availability::PreOrder,
            Availability::BackOrder,
            Availability::InStock(None),
            Availability::InStock(NonZeroU32::new(3)),
        ]),
    ]
}

fn gtin() -> impl Strategy<Value = Option<Gtin>> {
    prop::sample::select(vec!["96385074", "4006381333931", ""]).prop_map(Gtin::parse)
}

fn picture() -> impl Strategy<Value = String> {
    prop_oneof![text(), "https://images\\.example/[ab]{1,3}/[ab\u{e9}\u{ea}]{0,3}\\.webp"]
}

fn terms() -> Terms {
    Terms { condition: Some(Condition::Used), content: Content::parse("0.5 kg", "100 g"), lowest: None }
}

fn variant() -> impl Strategy<Value = Variant> {
    let colour = prop::sample::select(vec!["red", "Blue", "#0a0b0c", "sea"])
        .prop_map(|value| VariantOption { name: "Colour".into(), value: value.into() });
    let size = prop::sample::select(vec!["M", "m ", "-2", "2", "XL"])
        .prop_map(|value| VariantOption { name: "Taglia".into(), value: value.into() });
    let option =
        prop_oneof![(text(), text()).prop_map(|(name, value)| VariantOption { name, value }), colour, size];
    (
        prop::collection::vec(option, 1..3),
        price(),
        prop::option::of(price()),
        availability(),
        text(),
        gtin(),
        prop::option::of(picture()),
        prop::option::of(picture()),
    )
        .prop_map(|(options, price, list_price, availability, sku, gtin, picture, link)| Variant {
            options,
            price,
            list_price,
            availability,
            sku,
            gtin,
            picture,
            link,
            terms: Terms { lowest: Some(price), ..terms() },
        })
}

fn review() -> impl Strategy<Value = Review> {
    let date = prop::sample::select(vec!["2025-04-30T23:59:59.999Z", "2024-02-29"]);
    (text(), 1_u8..=5, date, text()).prop_map(|(reviewer_name, rating, date, comment)| Review {
        reviewer_name,
        rating,
        date: ReviewDate::parse(date).unwrap(),
        comment,
    })
}

fn category() -> impl Strategy<Value = Option<Slug>> {
    let name = prop::sample::select(vec!["tops", "Tops", "Hüte & Schals", "hüte  & schals", "a-b", " "]);
    name.prop_map(Slug::of)
}

fn summary() -> impl Strategy<Value = Summary> {
    let number = || prop_oneof![0.0..100.0_f64, (0_u32..500).prop_map(|number| f64::from(number) / 100.0)];
    (
        text(),
        text(),
        category(),
        prop::option::of(prop_oneof!["[ab\u{e4}A]{1,2}", text()]),
        (price(), prop::option::of(price())),
        number(),
        prop::option::of(number().prop_map(|number| number.min(5.0))),
        availability(),
        prop::option::of(picture()),
    )
        .prop_map(
            |(title, description, category, brand, prices, discount, rating, availability, thumbnail)| {
                Summary {
                    id: ProductKey::default(),
                    title,
                    description,
                    category,
                    brand,
                    price: prices.0,
                    list_price: prices.1,
                    discount_percentage: discount,
                    rating,
                    availability,
                    thumbnail,
                    second: None,
                    is_from: false,
                    colours: Vec::new(),
                    content: None,
                }
            },
        )
}

fn product() -> impl Strategy<Value = Product> {
    let measures = (
        prop::option::of(0.0..1e6_f64),
        prop::option::of((0.0..1e3_f64, 0.5..9.5_f64).prop_map(|(width, height)| Dimensions {
            width,
            height,
            depth: 0.25,
        })),
        any::<u32>(),
        prop::option::of(any::<i64>()),
    );
    let texts = (text(), text(), text(), text(), prop::option::of(text()), gtin(), prop::option::of(text()));
    let lists = (
        prop::collection::vec(text(), 0..4),
        prop::collection::vec(picture(), 0..4),
        prop::option::of(prop::collection::vec(review(), 0..3)),
        prop::collection::vec(variant(), 0..4),
    );
    (summary(), measures, texts, lists).prop_map(|(summary, measures, texts, lists)| Product {
        summary,
        tags: lists.0,
        sku: texts.0,
        gtin: texts.5,
        mpn: texts.4,
        weight: measures.0,
        dimensions: measures.1,
        warranty: texts.1,
        shipping: texts.2,
        returns: texts.3,
        minimum_order_quantity: measures.2,
        images: lists.1,
        link: texts.6,
        reviews: lists.2,
        changed: measures.3,
        terms: terms(),
        energy: EnergyClass::parse("C", "", ""),
        minimum_age: Some(18),
        variants: lists.3,
    })
}

/// Products with distinct keys in any order, most of them numbers.
pub(super) fn products() -> impl Strategy<Value = Vec<Product>> {
    let key = prop_oneof![4 => (1_u64..500).prop_map(ProductKey::from), 1 => "[a-z0-9._~-]{1,4}".prop_map(|name| ProductKey::of(&name))];
    let keys = prop::collection::hash_set(key, 0..70).prop_map(|keys| keys.into_iter().collect::<Vec<_>>());
    keys.prop_flat_map(|keys| (prop::collection::vec(product(), keys.len()), Just(keys))).prop_map(
        |(mut products, keys)| {
            products.iter_mut().zip(keys).for_each(|(product, key)| product.summary.id = key);
            products
        },
    )
}

pub(super) fn store(products: &[Product]) -> Store {
    let mut builder = Builder::new(Currency::default());
    products.iter().for_each(|product| builder.push(product).unwrap());
    builder.finish()
}

/// The product as lists show it.
fn listed(product: &Product, all: &[Product]) -> Summary {
    let summary = product.summary.clone();
    let second = product.images.get(1).filter(|second| summary.thumbnail.as_ref() != Some(second)).cloned();
    // Equal slugs may be made from names in several spellings, of which lists know the first.
    let category = all.iter().find_map(|first| {
        first.summary.category.clone().filter(|own| summary.category.as_ref() == Some(own))
    });
    Summary {
        second,
        category,
        is_from: product.price_range().is_some(),
        colours: product.colours(),
        content: product.terms_of(None).content,
        description: String::new(),
        ..summary
    }
}

/// The values of the combinations that a product is for sale in.
pub(super) fn sold_as(store: &Store, position: u32) -> Vec<[Option<String>; FILTERED]> {
    let for_sale = store.for_sale();
    let value = |place, number| {
        let is_known = (number as usize) < for_sale.number_of_values(place);
        is_known.then(|| for_sale.spelling(place, number).to_owned())
    };
    let combinations = for_sale.set(for_sale.set_of(position)).iter();
    let combinations = combinations.map(|&number| for_sale.combinations()[number as usize]);
    combinations.map(|own| std::array::from_fn(|place| value(place, own[place]))).collect()
}

fn title(category: &Option<Slug>) -> Option<String> {
    category.as_ref().map(Slug::title)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_store_has_the_products_that_were_pushed(all in products()) {
        let store = store(&all);
        prop_assert_eq!(store.len(), all.len());
        for (position, product) in (0..).zip(&all) {
            let (read, summary) = (store.product(position).unwrap(), store.summary(position));
            prop_assert_eq!(&read, product);
            // Equal categories may have other names.
            prop_assert_eq!(title(&read.summary.category), title(&product.summary.category));
            let listed = listed(product, &all);
            prop_assert_eq!(title(&summary.category), title(&listed.category));
            prop_assert_eq!(summary, listed);
            let own = &product.summary;
            prop_assert_eq!(store.key(position), own.id.clone());
            prop_assert_eq!(store.position(&own.id), Some(position));
            prop_assert_eq!(store.price(position), own.price);
            prop_assert_eq!(store.rating(position), own.rating.unwrap_or(-1.0));
            let discount = card_discount(own.price, own.discount_percentage, own.list_price, Currency::default());
            prop_assert_eq!(store.discount(position), discount);
            prop_assert_eq!(store.has(Flag::InStock, position), !own.availability.is_sold_out());
            for column in Column::EVERY {
                let name = store.names(column).get(store.name(column, position) as usize);
                prop_assert_eq!(name.map(String::as_str), column.name_of(own));
            }
            let (title, description) = store.title_and_description(position);
            prop_assert_eq!(title, fold(&own.title));
            prop_assert_eq!(description, fold(&own.description));
            let own_numbers = [Some(&*product.sku), product.gtin.as_ref().map(Gtin::as_str), product.mpn.as_deref()];
            let of_variants = product.variants.iter().map(|variant| Some(&*variant.sku));
            for number in own_numbers.into_iter().chain(of_variants).flatten().map(fold).filter(|number| !number.is_empty()) {
                prop_assert!(store.numbers(position).any(|line| line == number));
            }
            for tag in &product.tags {
                let carried = store.tags().number(tag).map(|number| store.tags().is_carried_by(position, number));
                prop_assert!(carried != Some(false));
            }
        }
        let read: Vec<Product> = store.products().map(Result::unwrap).collect();
        prop_assert_eq!(read, all);
        for absent in ["600", "zzzzz", "-.-.-"] {
            prop_assert_eq!(store.position(&ProductKey::of(absent)), None);
        }
    }

    #[test]
    fn names_have_numbers_in_alphabetical_order(all in any_products()) {
        let all: Vec<Product> = all.into_iter().map(|summary| Product { summary, ..Product::default() }).collect();
        let store = store(&all);
        for column in Column::EVERY {
            let names = store.names(column);
            let folded: Vec<_> = names.iter().map(|name| (fold(name), name)).collect();
            prop_assert!(folded.is_sorted_by(|one, next| one < next));
            for (number, name) in (0..).zip(names) {
                prop_assert_eq!(store.number(column, name), Some(number));
                let first = all.iter().find(|product| column.name_of(&product.summary) == Some(name)).unwrap();
                let title = match column {
                    Column::Category => first.summary.category.as_ref().unwrap().title(),
                    Column::Brand => name.clone(),
                };
                prop_assert_eq!(store.title(column, number), title);
            }
            prop_assert_eq!(store.number(column, "none"), None);
        }
        for (number, name) in (0..).zip(store.names(Column::Category)) {
            prop_assert_eq!(store.category(number).as_str(), name);
        }
    }

    #[test]
    fn few_positions_are_sorted_like_many(all in any_products(), chosen in prop::collection::vec(any::<bool>(), 40)) {
        // Next to many others, these are few.
        let few = all.len();
        let others = (0..20 * few).map(|_| Summary { price: Money::from_minor(7), ..Summary::default() });
        let all: Vec<Product> =
            all.into_iter().chain(others).map(|summary| Product { summary, ..Product::default() }).collect();
        let store = store(&all);
        let orders = ProductOrders::new(&store);
        for order in [ProductOrder::Own, ProductOrder::Newest, ProductOrder::BestRated, ProductOrder::DeepestDiscounts] {
            let is_chosen = |position: &u32| chosen.get(*position as usize).copied().unwrap_or(false);
            let positions = &orders.part(order).positions;
            let some: Vec<u32> = positions.iter().copied().filter(is_chosen).collect();
            for by in [Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc] {
                let among_all = orders.sort(order, by, positions.to_vec(), &store);
                let expected: Vec<u32> = among_all.into_iter().filter(is_chosen).collect();
                prop_assert_eq!(orders.sort(order, by, some.clone(), &store), expected);
            }
        }
    }
}

#[test]
fn products_with_the_longest_fields_are_kept_and_longer_ones_left_out() {
    let long = |length: usize| "\u{1d11e}".repeat(length / 4);
    let text = long(1 << 20);
    let of = |title: &str, key: u64| Product {
        summary: Summary { id: key.into(), title: title.into(), ..Summary::default() },
        tags: vec![text.clone(); 3],
        images: vec![text.clone(), text.clone()],
        ..Product::default()
    };
    let mut builder = Builder::new(Currency::default());
    builder.push(&of(&text, 1)).unwrap();
    builder.push(&of(&long(5 << 20), 2)).unwrap_err();
    builder.push(&of("", 3)).unwrap();
    let store = builder.finish();
    let kept: Vec<Product> = store.products().map(Result::unwrap).collect();
    assert_eq!(kept, [of(&text, 1), of("", 3)]);
    assert_eq!(store.position(&2.into()), None);
}
