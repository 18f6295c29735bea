//! Filters, counts and sorts the products of every listing.
//!
//! One pass over the products suffices: each facet group is counted with every filter except its own,
//! so a product that fails exactly one group still counts for that group's facets. The pass reads and
//! returns positions; no product is copied, and nothing is sorted.

use memchr::memmem;

use super::price_caps::PriceCaps;
use crate::catalogue::ProductSet;
use crate::catalogue::product_index::{NONE, ProductIndex};
use crate::catalogue::search::fold;
use crate::contract::{Facet, Facets, Filters, RatingFacet};
use crate::profile::{Money, NumberFormat};

/// The choices of the rating filter, best first; each means "and up".
const RATING_STEPS: [u8; 5] = [5, 4, 3, 2, 1];

/// The result of filtering a product set.
#[derive(Debug)]
pub struct Filtered {
    /// Positions of the matching products in the set's index, in display order.
    pub matches: Vec<u32>,
    pub facets: Facets,
    /// How many of the matches round prices would leave.
    pub caps: PriceCaps,
}

/// Applies `filters` to `products`, and counts the facets. `numbers` writes their prices.
pub fn apply(products: &ProductSet, filters: &Filters, numbers: &NumberFormat) -> Filtered {
    let needle = fold(&filters.query);
    let index = products.index();
    let selection = Selection::new(index, filters, &needle);
    let mut counts = Counts::of(index);
    let mut matches = Vec::new();
    let mut caps = PriceCaps::below(products.price_stops(), index.currency());
    for &position in products.positions() {
        let Some(failed) = selection.failed(index, position) else { continue };
        counts.add(index, position, failed);
        if failed == 0 {
            matches.push(position);
            caps.add(index.facts(position).price);
        }
    }
    if let Some(sort) = filters.sort {
        matches = in_order(products.sorted(sort), &matches, index.len());
    }
    Filtered { matches, facets: counts.into_facets(products, filters, &selection, numbers), caps }
}

/// The positions that are in `chosen`, in the order of `sorted`. Every position is less than `length`.
fn in_order(sorted: &[u32], chosen: &[u32], length: usize) -> Vec<u32> {
    let mut is_chosen = vec![false; length];
    for &position in chosen {
        is_chosen[position as usize] = true;
    }
    sorted.iter().copied().filter(|&position| is_chosen[position as usize]).collect()
}

/// The filter groups, as bits of a mask.
mod group {
    pub(super) const TEXT: u8 = 1;
    pub(super) const PRICE: u8 = 1 << 1;
    pub(super) const RATING: u8 = 1 << 2;
    pub(super) const CATEGORY: u8 = 1 << 3;
    pub(super) const BRAND: u8 = 1 << 4;
    pub(super) const STOCK: u8 = 1 << 5;
    pub(super) const TAG: u8 = 1 << 6;
}

/// The filters, prepared for one pass over a product set.
struct Selection<'a> {
    text: Option<memmem::Finder<'a>>,
    max_price: Option<Money>,
    min_rating: Option<f64>,
    in_stock: bool,
    /// The number of the tag; [`NONE`] if no product carries it.
    tag: Option<u32>,
    brands: Choice,
    categories: Choice,
}

impl<'a> Selection<'a> {
    /// `needle` is the folded search text.
    fn new(index: &ProductIndex, filters: &Filters, needle: &'a str) -> Self {
        Self {
            text: (!needle.is_empty()).then(|| memmem::Finder::new(needle)),
            max_price: filters.max_price.map(|max| index.currency().whole(max)),
            min_rating: filters.min_rating.map(f64::from),
            in_stock: filters.in_stock,
            tag: (!filters.tag.is_empty()).then(|| index.tags().number(&filters.tag).unwrap_or(NONE)),
            brands: Choice::new(index.brands().len(), &filters.brands, |brand| index.brand_number(brand)),
            categories: Choice::new(index.categories().len(), &filters.categories, |slug| {
                index.category_number(slug)
            }),
        }
    }

    /// The group that rejects the product at `position`, as a mask; 0 if none does. `None` if two or more
    /// do, because such a product does not count for any facet.
    fn failed(&self, index: &ProductIndex, position: u32) -> Option<u8> {
        let facts = index.facts(position);
        let fails = |group: u8, when: bool| if when { group } else { 0 };
        let mut failed = fails(group::PRICE, self.max_price.is_some_and(|max| facts.price > max))
            | fails(group::RATING, self.min_rating.is_some_and(|min| facts.rating < min))
            | fails(group::CATEGORY, !self.categories.admits(facts.category))
            | fails(group::BRAND, !self.brands.admits(facts.brand))
            | fails(group::STOCK, self.in_stock && !facts.is_in_stock)
            | fails(group::TAG, self.tag.is_some_and(|tag| !index.tags().is_carried_by(position, tag)));
        if failed.count_ones() > 1 {
            return None;
        }
        // The text search is the slowest, so it comes last.
        if let Some(text) = &self.text {
            failed |= fails(group::TEXT, text.find(index.text(position)).is_none());
        }
        Some(failed)
    }
}

/// The number of products of each facet.
struct Counts {
    ratings: [u32; RATING_STEPS.len()],
    any_rating: u32,
    brands: Vec<u32>,
    categories: Vec<u32>,
    in_stock: u32,
}

impl Counts {
    fn of(index: &ProductIndex) -> Self {
        Self {
            ratings: [0; RATING_STEPS.len()],
            any_rating: 0,
            brands: vec![0; index.brands().len()],
            categories: vec![0; index.categories().len()],
            in_stock: 0,
        }
    }

    /// Counts a product. `failed` is the mask of the group that rejects it: the product then counts only
    /// for that group's facets.
    fn add(&mut self, index: &ProductIndex, position: u32, failed: u8) {
        let facts = index.facts(position);
        let counts_for = |group: u8| failed & !group == 0;
        if counts_for(group::RATING) {
            self.any_rating += 1;
            for (count, step) in self.ratings.iter_mut().zip(RATING_STEPS) {
                *count += u32::from(facts.rating >= f64::from(step));
            }
        }
        let (brand, category) = (facts.brand as usize, facts.category as usize);
        if let Some(count) = self.brands.get_mut(brand).filter(|_| counts_for(group::BRAND)) {
            *count += 1;
        }
        if let Some(count) = self.categories.get_mut(category).filter(|_| counts_for(group::CATEGORY)) {
            *count += 1;
        }
        if counts_for(group::STOCK) {
            self.in_stock += u32::from(facts.is_in_stock);
        }
    }

    fn into_facets(
        self,
        products: &ProductSet,
        filters: &Filters,
        selection: &Selection<'_>,
        numbers: &NumberFormat,
    ) -> Facets {
        let rating =
            |(stars, count)| RatingFacet { stars, count, selected: filters.min_rating == Some(stars) };
        let index = products.index();
        let category = |number: u32| {
            let slug = &index.categories()[number as usize];
            (slug.as_str().into(), slug.title())
        };
        let brand = |number: u32| {
            let brand = &index.brands()[number as usize];
            (brand.clone(), brand.clone())
        };
        Facets {
            price_ceiling: products.price_ceiling(),
            price_stops: products.price_stops().to_vec(),
            price_format: {
                let [before, separator, after] = numbers.price_format();
                crate::contract::PriceFormat { before, separator, after }
            },
            ratings: RATING_STEPS.into_iter().zip(self.ratings).map(rating).collect(),
            any_rating: self.any_rating,
            categories: selection.categories.facets(products.categories(), &self.categories, category),
            brands: selection.brands.facets(products.brands(), &self.brands, brand),
            in_stock: self.in_stock,
            ..Facets::default()
        }
    }
}

/// Which names of an index are selected by a filter.
struct Choice {
    /// By the number of the name.
    selected: Vec<bool>,
    /// Without a selection the filter admits everything; a selection of unknown names admits nothing.
    everything: bool,
}

impl Choice {
    /// `number` is the number of a name among `names`.
    fn new(names: usize, chosen: &[String], number: impl Fn(&str) -> Option<u32>) -> Self {
        let mut selected = vec![false; names];
        for number in chosen.iter().filter_map(|chosen| number(chosen)) {
            selected[number as usize] = true;
        }
        Self { selected, everything: chosen.is_empty() }
    }

    fn admits(&self, number: u32) -> bool {
        self.everything || self.selected.get(number as usize).copied().unwrap_or(false)
    }

    /// One facet for each of these numbers of names.
    fn facets(&self, numbers: &[u32], counts: &[u32], label: impl Fn(u32) -> (String, String)) -> Vec<Facet> {
        let facet = |&number: &u32| {
            let (value, name) = label(number);
            let (count, selected) = (counts[number as usize], self.selected[number as usize]);
            Facet { value, name, count, selected }
        };
        numbers.iter().map(facet).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::{Ordering, Reverse};
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::catalogue::{Order, Summary, any_products};
    use crate::contract::Sort;
    use crate::profile::Currency;

    /// A part of the products in an order, as listings show it.
    #[derive(Clone, Debug)]
    enum View {
        Order(Order),
        Deals(usize),
        Search(String),
    }

    fn view() -> impl Strategy<Value = View> {
        let order = vec![Order::Own, Order::DeepestDiscounts, Order::Newest, Order::BestRated];
        prop_oneof![
            prop::sample::select(order).prop_map(View::Order),
            (0_usize..20).prop_map(View::Deals),
            "[a-c]{0,3}".prop_map(View::Search),
        ]
    }

    /// The set of a view, which shares everything with `all`.
    fn set(all: &ProductSet, view: &View) -> ProductSet {
        match view {
            View::Order(order) => all.in_order(*order),
            View::Deals(count) => all.in_order(Order::DeepestDiscounts).first(*count),
            View::Search(text) => all.containing(text),
        }
    }

    /// Reference implementation of [`set`]: copies and sorts the products.
    fn listed(all: &[Summary], view: &View) -> Vec<Summary> {
        let mut products = all.to_vec();
        match view {
            View::Order(Order::Own) => {}
            View::Order(Order::Newest) => products.sort_by_key(|product| Reverse(product.id)),
            View::Order(Order::BestRated) => {
                products.sort_by(|left, right| rating(right).total_cmp(&rating(left)));
            }
            View::Order(Order::DeepestDiscounts) | View::Deals(_) => {
                products.retain(|product| product.discount_percentage.round() >= 1.0);
                products
                    .sort_by(|left, right| right.discount_percentage.total_cmp(&left.discount_percentage));
                let (sold_out, left): (Vec<_>, Vec<_>) =
                    products.into_iter().partition(|product| product.availability.is_sold_out());
                products = [left, sold_out].concat();
            }
            View::Search(text) => products.retain(|product| contains(product, text)),
        }
        if let View::Deals(count) = view {
            products.truncate(*count);
        }
        products
    }

    fn contains(product: &Summary, text: &str) -> bool {
        [&product.title, &product.description].iter().any(|field| fold(field).contains(&fold(text)))
    }

    fn filters() -> impl Strategy<Value = Filters> {
        (
            "[a-cA]{0,2}",
            prop::option::of(0_u32..26),
            prop::option::of(1_u8..=5),
            prop::collection::vec("[p-s]", 0..3),
            prop::collection::vec("[w-zY\u{fd}]", 0..3),
            prop_oneof![4 => Just(String::new()), 1 => "[w-zW-Z]"],
            any::<bool>(),
            prop::option::of(prop::sample::select(vec![Sort::PriceAsc, Sort::PriceDesc, Sort::RatingDesc])),
        )
            .prop_map(|(query, max_price, min_rating, categories, brands, tag, in_stock, sort)| {
                Filters {
                    query,
                    max_price,
                    min_rating,
                    categories,
                    brands,
                    tag,
                    in_stock,
                    sort,
                    all_facets: false,
                }
            })
    }

    /// An unknown rating is below every other one.
    fn rating(product: &Summary) -> f64 {
        product.rating.unwrap_or(f64::NEG_INFINITY)
    }

    fn category(product: &Summary) -> Option<String> {
        product.category.as_ref().map(ToString::to_string)
    }

    /// The tags that the generated products are given.
    fn tags(product: &Summary) -> Vec<String> {
        product.brand.iter().cloned().collect()
    }

    /// Reference implementation of the filters.
    fn admits(filters: &Filters, product: &Summary) -> bool {
        contains(product, &filters.query)
            && filters.max_price.is_none_or(|max| product.price <= Currency::default().whole(max))
            && filters.min_rating.is_none_or(|min| rating(product) >= f64::from(min))
            && (filters.categories.is_empty()
                || category(product).is_some_and(|slug| filters.categories.contains(&slug)))
            && (filters.brands.is_empty()
                || product.brand.as_ref().is_some_and(|brand| filters.brands.contains(brand)))
            && (filters.tag.is_empty() || tags(product).iter().any(|tag| fold(tag) == fold(&filters.tag)))
            && (!filters.in_stock || !product.availability.is_sold_out())
    }

    fn compare(sort: Sort, left: &Summary, right: &Summary) -> Ordering {
        match sort {
            Sort::PriceAsc => left.price.cmp(&right.price),
            Sort::PriceDesc => right.price.cmp(&left.price),
            Sort::RatingDesc => rating(right).total_cmp(&rating(left)),
        }
    }

    /// The values of facets, with whether they are selected.
    fn values(facets: &[Facet]) -> Vec<(String, bool)> {
        facets.iter().map(|facet| (facet.value.clone(), facet.selected)).collect()
    }

    /// The names that occur, and whether they are among the `chosen`. They are in alphabetical order, whatever their
    /// case and accents.
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
        ) {
            let products = listed(&all, &view);
            let of_products: Vec<_> = all.iter().map(tags).collect();
            let set = set(&ProductSet::tagged(all, Currency::default(), of_products.iter().map(Vec::as_slice)), &view);
            let Filtered { matches, facets, .. } = apply(&set, &filters, &NumberFormat::default());

            let mut expected: Vec<&Summary> =
                products.iter().filter(|product| admits(&filters, product)).collect();
            if let Some(sort) = filters.sort {
                expected.sort_by(|left, right| compare(sort, left, right));
            }
            let found: Vec<&Summary> = matches.iter().map(|&position| set.index().product(position)).collect();
            prop_assert_eq!(found, expected);

            let count = |changed: &Filters, also: &dyn Fn(&Summary) -> bool| -> u32 {
                products.iter().filter(|product| admits(changed, product) && also(product)).count() as u32
            };
            for facet in &facets.ratings {
                let without = Filters { min_rating: None, ..filters.clone() };
                prop_assert_eq!(facet.count, count(&without, &|product| rating(product) >= f64::from(facet.stars)));
                prop_assert_eq!(facet.selected, filters.min_rating == Some(facet.stars));
            }
            let without = Filters { min_rating: None, ..filters.clone() };
            prop_assert_eq!(facets.any_rating, count(&without, &|_| true));
            let categories = occurring(products.iter().map(category), &filters.categories);
            prop_assert_eq!(values(&facets.categories), categories);
            for facet in &facets.categories {
                let without = Filters { categories: vec![], ..filters.clone() };
                prop_assert_eq!(facet.count, count(&without, &|product| category(product).as_ref() == Some(&facet.value)));
            }
            let brands = occurring(products.iter().map(|product| product.brand.clone()), &filters.brands);
            prop_assert_eq!(values(&facets.brands), brands);
            for facet in &facets.brands {
                let without = Filters { brands: vec![], ..filters.clone() };
                prop_assert_eq!(facet.count, count(&without, &|product| product.brand.as_ref() == Some(&facet.value)));
            }
            let without = Filters { in_stock: false, ..filters.clone() };
            prop_assert_eq!(facets.in_stock, count(&without, &|product| !product.availability.is_sold_out()));
            let highest = products.iter().map(|product| product.price.minor()).max().unwrap_or(0);
            prop_assert_eq!(u64::from(facets.price_ceiling), highest.div_ceil(100));
            prop_assert_eq!(facets.price_stops.last(), Some(&facets.price_ceiling));
        }
    }
}
