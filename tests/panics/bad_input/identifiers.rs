//! Product numbers and category slugs that are not valid.

use super::case::{Case, escaped, mark};
use super::hostile::NUMBERS;

const SLUGS: [&str; 26] = [
    "beauty-",
    "-beauty",
    "beauty--",
    "be%61uty",
    "Beauty",
    "BEAUTY",
    "bEAUTY",
    "beaut\u{443}",
    "beauty\u{200d}",
    "beau\u{ad}ty",
    "beauty.json",
    "beauty'",
    "beauty\"",
    "beauty<",
    "beauty/..",
    "beauty\\",
    "beauty?limit=1",
    "beauty#",
    "beauty%",
    "beauty&skip=1",
    "beauty;limit=1",
    "categories",
    "search",
    "products",
    "null",
    "constructor",
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |target: String| cases.push(Case::get(format!("identifier: {target}"), target));
    for number in NUMBERS {
        let number = escaped(number);
        for place in ["/product/", "/_data/product/", "/category/", "/sitemap/", "/icons/", "/search/"] {
            add(format!("{place}{number}"));
        }
        add(format!("/sitemap/{number}.xml"));
        add(format!("/product/{number}/"));
        add(format!("/product/{number}?x=1"));
    }
    for slug in SLUGS {
        for place in ["/category/", "/_data/category/", "/products?category=", "/product/"] {
            add(format!("{place}{}", escaped(slug)));
            add(format!("{place}{}", escaped(format!("{slug}{}", mark()))));
        }
    }
    for length in [1, 63, 64, 65, 128] {
        for letter in ["a", "-", "0", "A", "\u{e9}"] {
            add(format!("/category/{}", escaped(letter.repeat(length))));
        }
    }
    for id in (190..200).chain([u32::MAX - 1, u32::MAX]) {
        add(format!("/product/{id}"));
        add(format!("/_data/product/{id}"));
    }
    cases
}
