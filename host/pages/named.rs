//! The categories and brands that a search names although no product has its words.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::address::Address;
use super::brands;
use super::listing_query::ListingQuery;
use super::shortened::{NAME, shortened};
use crate::catalogue::search::{Rules, fold, words_of};
use crate::catalogue::{Category, CategorySizes, ProductSet, Slug};
use crate::contract::Named;

/// Most categories and brands that are named.
const MOST: usize = 3;
/// How many names of each kind are looked at.
const NAMES: usize = 50_000;
/// How many words of the search and of a name are looked at.
const WORDS: usize = 8;

/// How well a name fits a search, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It has the same words.
    Same,
    /// The search has all words of the name, and others.
    InSearch,
    /// The name has all words of the search, and others.
    InName,
}

/// The categories and brands that a search names, the best match first, and the slugs of these categories.
pub(super) fn named(
    text: &str,
    all: &ProductSet,
    rules: &Rules,
    categories: &[Category],
    sizes: &CategorySizes,
) -> (Vec<Named>, HashSet<Slug>) {
    let text = fold(text);
    let asked: Vec<&str> = telling_words(&text);
    let fit = |name: &str| fit(rules, &asked, &telling_words(&fold(name)));
    let mut found: Vec<(Fit, Reverse<u32>, Named, Option<&Slug>)> = Vec::new();
    for category in categories.iter().take(NAMES) {
        let count = sizes.get(&category.slug).copied().unwrap_or_default();
        if count > 0
            && let Some(fit) = fit(&category.name)
        {
            let href = Address::Category(category.slug.clone(), ListingQuery::default()).path();
            let name = shortened(&category.name, NAME);
            found.push((fit, Reverse(count), Named { name, count, href }, Some(&category.slug)));
        }
    }
    for (brand, count) in brands::counted(all).take(NAMES) {
        if let Some(fit) = fit(brand) {
            let named = Named { name: shortened(brand, NAME), count, href: brands::href(brand) };
            found.push((fit, Reverse(count), named, None));
        }
    }
    found.sort_by(|(fit, count, named, _), (other_fit, other_count, other, _)| {
        (fit, count, &named.name).cmp(&(other_fit, other_count, &other.name))
    });
    found.truncate(MOST);
    let slugs = found.iter().filter_map(|(.., slug)| (*slug).cloned()).collect();
    (found.into_iter().map(|(_, _, named, _)| named).collect(), slugs)
}

/// The words of a folded text; a single letter, such as the one after an apostrophe, tells nothing.
fn telling_words(text: &str) -> Vec<&str> {
    words_of(text).filter(|word| word.chars().nth(1).is_some()).take(WORDS).collect()
}

fn fit(rules: &Rules, asked: &[&str], name: &[&str]) -> Option<Fit> {
    if asked.is_empty() || name.is_empty() {
        return None;
    }
    let has = |words: &[&str], word: &&str| words.iter().any(|other| rules.is_form(word, other));
    let is_in_search = name.iter().all(|word| has(asked, word));
    let is_in_name = asked.iter().all(|word| has(name, word));
    match (is_in_search, is_in_name) {
        (true, true) => Some(Fit::Same),
        (true, false) => Some(Fit::InSearch),
        (false, true) => Some(Fit::InName),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Summary;

    fn names(text: &str) -> Vec<(String, u32, String)> {
        let product = |(brand, id): (&str, u64)| Summary {
            id: id.into(),
            title: "Kettle".into(),
            brand: Some(brand.into()),
            ..Summary::default()
        };
        let brands = ["Hallbryn", "Hallbryn", "Caf\u{e9} Nord", "Nord & Sons"];
        let all = ProductSet::new(
            brands.into_iter().zip(1..).map(product).collect(),
            crate::profile::Currency::default(),
        );
        let category = |slug, name: &str| Category { slug: Slug::parse(slug).unwrap(), name: name.into() };
        let categories = [
            category("laptops", "Laptops"),
            category("mens-shirts", "Mens Shirts"),
            category("batteries", "Batteries"),
            category("void", "Void"),
        ];
        let sizes = ["laptops", "mens-shirts", "batteries"].map(|slug| (Slug::parse(slug).unwrap(), 5));
        let (named, slugs) = named(text, &all, &Rules::default(), &categories, &sizes.into());
        let of_categories = named.iter().filter(|named| named.href.starts_with("/category/")).count();
        assert_eq!(slugs.len(), of_categories, "{text}");
        named.into_iter().map(|Named { name, count, href }| (name, count, href)).collect()
    }

    #[test]
    fn a_search_names_categories_and_brands_in_either_number() {
        let laptops = ("Laptops".to_owned(), 5, "/category/laptops".to_owned());
        for text in ["laptops", "LAPTOP", "gaming laptops"] {
            assert_eq!(names(text), std::slice::from_ref(&laptops), "{text}");
        }
        let shirts = ("Mens Shirts".to_owned(), 5, "/category/mens-shirts".to_owned());
        for text in ["men\u{2019}s shirt", "shirts"] {
            assert_eq!(names(text), std::slice::from_ref(&shirts), "{text}");
        }
        assert_eq!(names("battery").len(), 1);
        let hallbryn = ("Hallbryn".to_owned(), 2, "/products?brand=Hallbryn".to_owned());
        assert_eq!(names("hallbryn"), [hallbryn]);
        let by_fit: Vec<String> = names("cafe nord").into_iter().map(|(name, ..)| name).collect();
        assert_eq!(by_fit, ["Caf\u{e9} Nord"]);
        assert_eq!(names("nord").len(), 2);
    }

    #[test]
    fn what_a_search_does_not_name_is_left_out() {
        for text in ["", "s", "lap", "laptopz", "void", "xyzzy", "'", "<b>"] {
            assert_eq!(names(text), [], "{text}");
        }
    }
}
