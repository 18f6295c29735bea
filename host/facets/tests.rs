//! Tests filtering and counting against a brute-force implementation.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;

use super::apply::{Filtered, apply};
use super::query;
use super::selection::Failed;
use super::table::{Facet, Kind, TABLE};
use crate::catalogue::columns::{Column, Flag};
use crate::catalogue::search::fold;
use crate::catalogue::{
    Availability, OptionKind, Product, ProductOrder, ProductSet, Slug, Summary, Terms, Variant,
    VariantOption, any_products, sort_naturally,
};
use crate::contract::{self, FilterValue, Filters, PriceFacets, RatingFacets, Sort};
use crate::profile::{Currency, NumberFormat};

/// A part of the products in an order, as listings show it.
#[derive(Clone, Debug)]
enum View {
    Ordered(ProductOrder),
    Deals(usize),
    Search(String),
}

fn view() -> impl Strategy<Value = View> {
    let order = vec![
        ProductOrder::Own,
        ProductOrder::DeepestDiscounts,
        ProductOrder::Newest,
        ProductOrder::BestRated,
    ];
    prop_oneof![
        prop::sample::select(order).prop_map(View::Ordered),
        (0_usize..20).prop_map(View::Deals),
        // Longer words have other forms, which the search's own tests try.
        "[a-cw-z]?".prop_map(View::Search),
    ]
}

/// The set of a view, which shares everything with `all`.
fn set(all: &ProductSet, view: &View) -> ProductSet {
    match view {
        View::Ordered(order) => all.in_order(*order),
        View::Deals(count) => all.in_order(ProductOrder::DeepestDiscounts).first(*count),
        View::Search(text) => all.containing(text, &Arc::default()),
    }
}

/// Reference implementation of [`set`]: copies and sorts the products.
fn listed(all: &[Summary], view: &View) -> Vec<Summary> {
    let mut products = all.to_vec();
    match view {
        View::Ordered(ProductOrder::Own) => {}
        View::Ordered(ProductOrder::Newest) => products.sort_by_key(|product| Reverse(product.id.clone())),
        View::Ordered(ProductOrder::BestRated) => {
            products.sort_by(|left, right| rating(right).total_cmp(&rating(left)));
        }
        View::Ordered(ProductOrder::DeepestDiscounts) | View::Deals(_) => {
            products.retain(|product| product.discount_percentage.round() >= 1.0);
            products.sort_by(|left, right| right.discount_percentage.total_cmp(&left.discount_percentage));
            let (sold_out, left): (Vec<_>, Vec<_>) =
                products.into_iter().partition(|product| product.availability.is_sold_out());
            products = [left, sold_out].concat();
        }
        View::Search(text) => {
            products.retain(|product| has_somewhere(product, text));
        }
    }
    if let View::Deals(count) = view {
        products.truncate(*count);
    }
    products
}

fn contains(product: &Summary, text: &str) -> bool {
    [&product.title, &product.description].iter().any(|field| fold(field).contains(&fold(text)))
}

/// Whether a letter is in a text or name of a product.
fn has_somewhere(product: &Summary, letter: &str) -> bool {
    let Summary { title, description, brand, category, .. } = product;
    let texts =
        [Some(title.clone()), Some(description.clone()), brand.clone(), category.as_ref().map(Slug::title)];
    texts.into_iter().flatten().chain(tags(product)).any(|text| fold(&text).contains(letter))
}

/// Some variants, in several spellings. No value has a letter of the searches.
fn variants() -> impl Strategy<Value = Vec<Variant>> {
    let option = |names: &'static [&str], values: &'static [&str]| {
        let option = (prop::sample::select(names), prop::sample::select(values));
        prop::option::of(
            option.prop_map(|(name, value)| VariantOption { name: name.into(), value: value.into() }),
        )
    };
    let variant = (
        option(&["Size", "Größe (EU)"], &["M", "m", "S", "42", "7,5", "L"]),
        option(&["Colour", "色"], &["Red", "RED", "Pink", "Mint"]),
        option(&["Fit"], &["Slim", "M"]),
        0_u32..3,
    );
    let variant = variant.prop_map(|(size, colour, other, stock)| Variant {
        options: [other, colour, size].into_iter().flatten().collect(),
        price: crate::profile::Money::from_minor(100),
        list_price: None,
        availability: Availability::of_stock(stock),
        sku: String::new(),
        gtin: None,
        picture: None,
        link: None,
        terms: Terms::default(),
    });
    prop::collection::vec(variant, 0..4)
}

/// The variants of each product, by its number.
type Variants = [Vec<Variant>];

/// The variants of a product that are for sale.
fn for_sale<'a>(product: &Summary, variants: &'a Variants) -> impl Iterator<Item = &'a Variant> {
    let own = &variants[product.id.number().unwrap() as usize];
    own.iter().filter(|variant| !variant.availability.is_sold_out())
}

/// The folded value that a variant has of an option.
fn value_of(variant: &Variant, option: OptionKind) -> Option<String> {
    let own = variant.options.iter().find(|own| OptionKind::of(&own.name) == Some(option));
    own.map(|own| fold(&own.value))
}

/// Whether a variant has one of the chosen values of each option.
fn has_options(filters: &Filters, variant: &Variant) -> bool {
    TABLE.iter().all(|facet| match facet.kind {
        Kind::Option(option) => {
            let mut chosen = filters.names(facet.parameter).iter().map(|value| fold(value));
            !filters.is_set(facet.parameter) || chosen.any(|value| Some(value) == value_of(variant, option))
        }
        _ => true,
    })
}

/// Filters that set any rows of the table.
fn filters() -> impl Strategy<Value = Filters> {
    let value = |facet: &Facet| match facet.kind {
        Kind::Text => "[a-cA]{1,2}".prop_map(FilterValue::Text).boxed(),
        Kind::From => (1_u32..26).prop_map(FilterValue::Number).boxed(),
        Kind::Highest => (0_u32..26).prop_map(FilterValue::Number).boxed(),
        Kind::Lowest => (1_u32..=5).prop_map(FilterValue::Number).boxed(),
        Kind::Choice(_) => {
            let names = if facet.slugs { "[p-s]" } else { "[w-zY\u{fd}]" };
            prop::collection::vec(names, 1..3).prop_map(FilterValue::Names).boxed()
        }
        Kind::Option(OptionKind::Size) => {
            prop::collection::vec("[SsMmL]|42", 1..3).prop_map(FilterValue::Names).boxed()
        }
        Kind::Option(_) => prop::collection::vec("[Rr]ed|Pink", 1..3).prop_map(FilterValue::Names).boxed(),
        Kind::Flag(_) => Just(FilterValue::Set).boxed(),
        Kind::Tag => "[w-zW-Z]".prop_map(FilterValue::Text).boxed(),
    };
    let rows: Vec<_> = TABLE
        .iter()
        .map(|facet| {
            let set = prop_oneof![2 => Just(None), 1 => value(facet).prop_map(Some)];
            set.prop_map(|set| set.map(|set| (facet.parameter, set)))
        })
        .collect();
    let sort =
        prop::option::of(prop::sample::select(vec![Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc]));
    (rows, sort).prop_map(|(rows, sort)| {
        let mut filters = Filters::default();
        filters.sort = sort;
        rows.into_iter().flatten().for_each(|(parameter, set)| filters.set(parameter, set));
        filters
    })
}

/// Reference implementation of the filters by flags.
fn has(flag: Flag, product: &Summary) -> bool {
    match flag {
        Flag::InStock => !product.availability.is_sold_out(),
    }
}

/// The name of a product in a column.
fn name(column: Column, product: &Summary) -> Option<String> {
    column.name_of(product).map(str::to_owned)
}

/// A product's rating. An unknown rating is below every other one.
fn rating(product: &Summary) -> f64 {
    product.rating.unwrap_or(f64::NEG_INFINITY)
}

/// The tags that the generated products are given.
fn tags(product: &Summary) -> Vec<String> {
    product.brand.iter().cloned().collect()
}

/// Reference implementation of the filters.
fn admits(filters: &Filters, product: &Summary, variants: &Variants) -> bool {
    TABLE.iter().all(|Facet { parameter, kind, .. }| {
        let (text, number) = (filters.text(parameter), filters.number(parameter).map(f64::from));
        let is_set = filters.is_set(parameter);
        match *kind {
            Kind::Text => contains(product, text),
            Kind::From => filters
                .number(parameter)
                .is_none_or(|least| product.price >= Currency::default().whole(least)),
            Kind::Highest => {
                filters.number(parameter).is_none_or(|most| product.price <= Currency::default().whole(most))
            }
            Kind::Lowest => number.is_none_or(|least| rating(product) >= least),
            Kind::Choice(column) => {
                let name = name(column, product);
                !is_set || name.is_some_and(|name| filters.names(parameter).contains(&name))
            }
            Kind::Flag(flag) => !is_set || has(flag, product),
            Kind::Option(_) => {
                !is_set || for_sale(product, variants).any(|variant| has_options(filters, variant))
            }
            Kind::Tag => !is_set || tags(product).iter().any(|tag| fold(tag) == fold(text)),
        }
    })
}

fn compare(sort: Sort, left: &Summary, right: &Summary) -> Ordering {
    match sort {
        Sort::PriceAsc => left.price.cmp(&right.price),
        Sort::PriceDesc => right.price.cmp(&left.price),
        Sort::RatingDesc => rating(right).total_cmp(&rating(left)),
    }
}

/// The values of facets, with whether they are selected.
fn values(facets: &[contract::Choice]) -> Vec<(String, bool)> {
    facets.iter().map(|facet| (facet.value.clone(), facet.selected)).collect()
}

/// The names that occur, each with whether it is among the `chosen`. They are in alphabetical order, regardless of case
/// and accents.
fn occurring(names: impl Iterator<Item = Option<String>>, chosen: &[String]) -> Vec<(String, bool)> {
    let names: BTreeSet<_> = names.flatten().map(|name| (fold(&name), name)).collect();
    names.into_iter().map(|(_, name)| name).map(|name| (name.clone(), chosen.contains(&name))).collect()
}

proptest! {
    #[test]
    fn results_equal_those_of_a_brute_force_search(
        all in any_products(),
        view in view(),
        filters in filters(),
        variants in prop::collection::vec(variants(), 41),
    ) {
        let products = listed(&all, &view);
        let tagged = all.into_iter().map(|summary| Product {
            tags: tags(&summary),
            variants: variants[summary.id.number().unwrap() as usize].clone(),
            summary,
            ..Product::default()
        });
        let set = set(&ProductSet::of(tagged, Currency::default()), &view);
        let Filtered { matches, facets, .. } = apply(&set, &filters, &NumberFormat::default());

        let mut expected: Vec<&Summary> =
            products.iter().filter(|product| admits(&filters, product, &variants)).collect();
        if let Some(sort) = filters.sort {
            expected.sort_by(|left, right| compare(sort, left, right));
        }
        let found = matches.iter().map(|&position| set.store().product(position).unwrap().summary);
        let (mut found, mut expected): (Vec<_>, Vec<_>) = (found.collect(), expected.into_iter().cloned().collect());
        // The order of search results is tested with the ranks of searches.
        if let (View::Search(_), None) = (&view, filters.sort) {
            found.sort_by_key(|product| product.id.clone());
            expected.sort_by_key(|product| product.id.clone());
        }
        prop_assert_eq!(found, expected);

        for &Facet { parameter, kind, .. } in &TABLE {
            // Each group is counted with every filter except its own.
            let mut without = filters.clone();
            without.remove(parameter);
            let count = |also: &dyn Fn(&Summary) -> bool| -> u32 {
                products.iter().filter(|product| admits(&without, product, &variants) && also(product)).count() as u32
            };
            match kind {
                Kind::Text | Kind::Tag => {}
                Kind::From => {
                    let chosen = facets.lowest_price(parameter).map(|chosen| chosen.value);
                    prop_assert_eq!(chosen, filters.number(parameter));
                }
                Kind::Highest => {
                    let PriceFacets { ceiling, stops, chosen } = facets.prices(parameter).unwrap();
                    let highest = products.iter().map(|product| product.price.minor()).max().unwrap_or(0);
                    prop_assert_eq!(u64::from(*ceiling), highest.div_ceil(100));
                    prop_assert_eq!(stops.last().map(|stop| stop.value), Some(*ceiling));
                    prop_assert_eq!(chosen.as_ref().map(|chosen| chosen.value), filters.number(parameter));
                }
                Kind::Lowest => {
                    let RatingFacets { steps, any } = facets.ratings(parameter).unwrap();
                    prop_assert_eq!(*any, count(&|_| true));
                    for step in steps {
                        prop_assert_eq!(step.count, count(&|product| rating(product) >= f64::from(step.stars)));
                    }
                }
                Kind::Choice(column) => {
                    let choices = facets.choices(parameter);
                    let names = products.iter().map(|product| name(column, product));
                    prop_assert_eq!(values(choices), occurring(names, filters.names(parameter)));
                    for choice in choices {
                        let is_chosen = |product: &Summary| name(column, product).as_ref() == Some(&choice.value);
                        prop_assert_eq!(choice.count, count(&is_chosen));
                    }
                }
                Kind::Option(option) => {
                    let choices = facets.choices(parameter);
                    let mut found: Vec<&str> = choices.iter().map(|choice| &*choice.value).collect();
                    let order = found.clone();
                    sort_naturally(&mut found, |value| value);
                    prop_assert_eq!(&found, &order);
                    let found: BTreeSet<String> = found.into_iter().map(fold).collect();
                    let of_product = |product| for_sale(product, &variants).filter_map(|own| value_of(own, option));
                    prop_assert_eq!(found, products.iter().flat_map(of_product).collect());
                    for choice in choices {
                        let value = FilterValue::Names(vec![choice.value.clone()]);
                        let chosen = without.clone().with(parameter, value);
                        let expected = products.iter().filter(|product| admits(&chosen, product, &variants));
                        prop_assert_eq!(choice.count, expected.count() as u32, "{}", choice.value);
                        let is_selected = filters.names(parameter).iter().any(|name| fold(name) == fold(&choice.value));
                        prop_assert_eq!(choice.selected, is_selected);
                    }
                }
                Kind::Flag(flag) => prop_assert_eq!(facets.flag(parameter), count(&|product| has(flag, product))),
            }
        }
    }

    #[test]
    fn every_row_is_read_back_as_it_is_written(filters in filters()) {
        let mut pairs = Vec::new();
        query::write(&filters, |parameter, value| pairs.push((parameter.to_owned(), value.to_owned())));
        let places = pairs.iter().map(|(name, _)| query::parameters().position(|known| known == name));
        prop_assert!(places.is_sorted());
        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        prop_assert_eq!(query::read(pairs), filters);
    }
}

#[test]
fn parameters_differ_and_fit_the_mask() {
    let parameters: BTreeSet<_> = query::parameters().chain(["page"]).collect();
    assert_eq!(parameters.len(), TABLE.len() + 3);
    // The options have one more.
    assert!(TABLE.len() < Failed::BITS as usize);
}
