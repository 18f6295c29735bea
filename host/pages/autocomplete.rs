//! What is offered while a search is typed: products, categories and brands.

use std::cmp::Reverse;

use super::address::Address;
use super::brands;
use super::cards;
use super::listing_query::ListingQuery;
use super::shortened::{NAME, shortened};
use crate::catalogue::ProductSet;
use crate::catalogue::columns::Column;
use crate::catalogue::search::Term;
use crate::contract::{Autocomplete, Named};
use crate::profile::NumberFormat;

/// Fewest characters of a folded text for which something is offered.
const SHORTEST: usize = 2;
/// Most products, categories and brands that are offered.
const PRODUCTS: usize = 4;
const CATEGORIES: usize = 3;
const BRANDS: usize = 2;

/// What is offered for a folded text. The products are the first ones of its search. This takes long, see
/// `process/compute.rs`.
pub(crate) fn autocomplete(numbers: &NumberFormat, text: &str, all: &ProductSet) -> Autocomplete {
    if text.chars().nth(SHORTEST - 1).is_none() {
        return Autocomplete::default();
    }
    let term = Term::beginning(text);
    Autocomplete {
        products: cards::product_cards(numbers, all.best_found(text, PRODUCTS)),
        categories: named(&term, all, Column::Category, CATEGORIES),
        brands: named(&term, all, Column::Brand, BRANDS),
    }
}

/// The names of a column in which a word begins with the text: whole words first, then those with the most products.
fn named(term: &Term, all: &ProductSet, column: Column, most: usize) -> Vec<Named> {
    let store = all.store();
    let labels = store.labels().of(column);
    let mut found: Vec<_> = (0..)
        .zip(labels)
        .filter_map(|(number, label)| {
            let occurrence = term.best_in(label.text.as_bytes())?;
            Some((occurrence.place(), Reverse(label.count), number))
        })
        .collect();
    if found.len() > most {
        found.select_nth_unstable(most);
        found.truncate(most);
    }
    found.sort_unstable();
    let named = |(_, Reverse(count), number)| {
        let name = store.title(column, number);
        let href = match column {
            Column::Category => {
                Address::Category(store.category(number).clone(), ListingQuery::default()).path()
            }
            Column::Brand => brands::href(&name),
        };
        Named { name: shortened(&name, NAME), count, href }
    };
    found.into_iter().map(named).collect()
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
        let Autocomplete { products, categories, brands } =
            autocomplete(&NumberFormat::default(), &crate::catalogue::search::fold(text), &all);
        let names = |named: Vec<Named>| named.into_iter().map(|named| named.href).collect();
        [products.into_iter().map(|card| card.id).collect(), names(categories), names(brands)]
    }

    #[test]
    fn the_best_products_categories_and_brands_are_offered() {
        let [products, categories, brands] = offered("Lamp");
        assert_eq!(products, ["4", "2", "5", "3"]);
        assert_eq!(categories, ["/category/lamps", "/category/tall-lamps"]);
        assert_eq!(brands, ["/products?brand=Lampyre%20%26%20Sons"]);
        assert_eq!(offered("hall")[2], ["/products?brand=Hallbryn"]);
        assert_eq!(offered("\u{41b}\u{430}")[2].len(), 1);
        assert_eq!(offered("CAFE")[0], ["6"]);
    }

    #[test]
    fn nothing_is_offered_for_one_letter_or_for_what_is_nowhere() {
        for text in ["", " ", "l", "\u{41b}", "xyzzy", "<script>", "' OR 1=1"] {
            assert_eq!(offered(text), [const { Vec::<String>::new() }; 3], "{text}");
        }
        // In the middle of a word a name is not what is meant.
        assert_eq!(offered("bryn")[2], Vec::<String>::new());
    }
}
