//! What is offered while a search is typed: products, categories and brands.

use std::cmp::Reverse;

use super::address::Address;
use super::brands;
use super::cards;
use super::listing_query::ListingQuery;
use super::shortened::{NAME, shortened};
use crate::catalogue::columns::Column;
use crate::catalogue::search::{Likeness, Query, Rules, fold};
use crate::catalogue::words::is_without_spaces;
use crate::catalogue::{Category, CategorySizes, ProductSet};
use crate::contract::{Autocomplete, Named, ProductCard};
use crate::process::compute::OffRuntime;
use crate::profile::Profile;

/// Fewest characters of a folded text for which something is offered; in scripts without spaces one is enough.
const SHORTEST: usize = 2;
/// Most products, categories and brands that are offered.
const PRODUCTS: usize = 4;
const CATEGORIES: usize = 3;
const BRANDS: usize = 2;
/// Most categories that are offered before anything is typed.
const LARGEST: usize = 5;
/// How many categories' and brands' names are looked at.
const NAMES: usize = 50_000;

/// Whether something may be offered for a folded text.
pub(crate) fn is_long_enough(text: &str) -> bool {
    text.is_empty() || text.chars().nth(SHORTEST - 1).is_some() || text.chars().any(is_without_spaces)
}

/// What is offered for a folded text: the first products of its search or, if that finds nothing, of the search that is
/// meant by it. For an empty text, the largest categories.
pub(crate) fn autocomplete(
    off: &OffRuntime,
    profile: &Profile,
    text: &str,
    all: &ProductSet,
    categories: &[Category],
    sizes: &CategorySizes,
) -> Autocomplete {
    let rules = &*profile.searches;
    if text.is_empty() {
        let categories = categories_of(categories, sizes, LARGEST, |_| Some((Likeness::Whole, false)));
        return Autocomplete { categories, ..Autocomplete::default() };
    }
    if !is_long_enough(text) {
        return Autocomplete::default();
    }
    let offered = |text: &str| {
        let query = Query::new(text, rules);
        let products: Vec<ProductCard> =
            cards::product_cards(profile, all.best_found(off, text, rules, PRODUCTS));
        let likeness = |category: &Category| likeness(&query, rules, &fold(&category.name));
        Autocomplete {
            products,
            categories: categories_of(categories, sizes, CATEGORIES, likeness),
            brands: brands_of(&query, rules, all),
        }
    };
    let found = offered(text);
    if !found.products.is_empty() {
        return found;
    }
    all.corrections(off, text, rules, 1).first().map_or(found, |meant| offered(meant))
}

/// How a folded name has the words of a search, and whether it is not the whole search.
fn likeness(query: &Query, rules: &Rules, name: &str) -> Option<(Likeness, bool)> {
    Some((query.likeness_in(name, rules)?, name != query.text()))
}

/// The best of the categories that have products and a likeness.
fn categories_of(
    categories: &[Category],
    sizes: &CategorySizes,
    most: usize,
    likeness: impl Fn(&Category) -> Option<(Likeness, bool)>,
) -> Vec<Named> {
    let size = |category: &Category| sizes.get(&category.slug).copied().filter(|&size| size > 0);
    let found = categories
        .iter()
        .take(NAMES)
        .filter_map(|category| Some((likeness(category)?, Reverse(size(category)?), category)));
    let category = |(_, Reverse(count), category): ((Likeness, bool), Reverse<u32>, &Category)| {
        let href = Address::Category(category.slug.clone(), ListingQuery::default()).path();
        Named { name: shortened(&category.name, NAME), count, href }
    };
    first(found, most, |(likeness, count, category)| (*likeness, *count, category.slug.clone()))
        .map(category)
        .collect()
}

/// The brands with words that begin with the text.
fn brands_of(query: &Query, rules: &Rules, all: &ProductSet) -> Vec<Named> {
    let store = all.store();
    let labels = (0..).zip(store.labels().of(Column::Brand)).take(NAMES);
    let found = labels.filter_map(|(number, label)| {
        Some((likeness(query, rules, &label.text)?, Reverse(label.count), number))
    });
    let brand = |(_, Reverse(count), number)| {
        let name = store.title(Column::Brand, number);
        Named { name: shortened(&name, NAME), count, href: brands::href(&name) }
    };
    first(found, BRANDS, |found| *found).map(brand).collect()
}

/// The first `most` by `key`: those with the words as they are typed, of them those with this name alone, then those with
/// the most products.
fn first<T, K: Ord>(
    found: impl Iterator<Item = T>,
    most: usize,
    key: impl Fn(&T) -> K,
) -> impl Iterator<Item = T> {
    let mut found: Vec<T> = found.collect();
    found.sort_by_cached_key(key);
    found.into_iter().take(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Slug, Summary};
    use crate::profile::Currency;

    fn offered(text: &str) -> [Vec<String>; 3] {
        let product = |(title, category, brand, id): (&str, &str, &str, u64)| Summary {
            id: id.into(),
            title: title.into(),
            category: Slug::parse(category),
            brand: Some(brand.into()),
            rating: Some((id % 5) as f64),
            ..Summary::default()
        };
        let products = [
            ("Clamp", "tools", "Lampyre & Sons", 1),
            ("Desk Lamp", "lamps", "Hallbryn", 2),
            ("Lampshade", "lamps", "Hallbryn", 3),
            ("Lamp, oak", "lamps", "Nord", 4),
            ("Floor Lamp", "tall-lamps", "Nord", 5),
            ("Caf\u{e9} Table", "tables", "\u{41b}\u{430}\u{43c}\u{43f}\u{430}", 6),
        ];
        let all = ProductSet::new(products.into_iter().map(product).collect(), Currency::default());
        let category =
            |(slug, name): (&str, &str)| Category { slug: Slug::parse(slug).unwrap(), name: name.into() };
        let categories = [
            ("tall-lamps", "Tall Lamps"),
            ("lamps", "Lamps"),
            ("tables", "D\u{e9}cor & more"),
            ("void", "Lamp oil"),
        ];
        let sizes = [("lamps", 3), ("tall-lamps", 1), ("tables", 1)]
            .map(|(slug, size)| (Slug::parse(slug).unwrap(), size));
        let Autocomplete { products, categories, brands } = autocomplete(
            &OffRuntime::of_own_thread(),
            &Profile::default(),
            &fold(text),
            &all,
            &categories.map(category),
            &sizes.into(),
        );
        let names = |named: Vec<Named>| named.into_iter().map(|named| named.href).collect();
        [products.into_iter().map(|card| card.id).collect(), names(categories), names(brands)]
    }

    #[test]
    fn the_best_products_categories_and_brands_are_offered() {
        let [products, categories, brands] = offered("Lamp");
        assert_eq!(products, ["4", "2", "5", "3"]);
        assert_eq!(categories, ["/category/lamps", "/category/tall-lamps"]);
        assert_eq!(brands, ["/products?brand=Lampyre%20%26%20Sons"]);
        assert_eq!(offered("decor")[1], ["/category/tables"], "by the name that the shop shows");
        assert_eq!(offered("hall")[2], ["/products?brand=Hallbryn"]);
        assert_eq!(offered("\u{41b}\u{430}")[2].len(), 1);
        assert_eq!(offered("CAFE")[0], ["6"]);
    }

    #[test]
    fn nothing_is_offered_for_one_letter_or_for_what_is_nowhere() {
        for text in ["l", "\u{41b}", "xyzzy", "<script>", "' OR 1=1"] {
            assert_eq!(offered(text), [const { Vec::<String>::new() }; 3], "{text}");
        }
        assert_eq!(offered(" ")[1], ["/category/lamps", "/category/tables", "/category/tall-lamps"]);
        assert_eq!(offered("lmap")[0], offered("lamp")[0], "what is meant");
        assert_eq!(offered("\u{767d}"), [const { Vec::<String>::new() }; 3]);
        // Only the beginning of a word finds a name.
        assert_eq!(offered("bryn")[2], Vec::<String>::new());
    }
}
