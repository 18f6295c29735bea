//! Addresses that an operator names, in any spelling. Finds the canonical address, or the most similar one.

use percent_encoding::percent_decode_str;

use super::answering::routes::{FILES, PAGES, path_of_file};
use super::making::key::{File, Form};
use crate::pages::address::Address;
use crate::pages::percent_encode::encode;
use crate::pages::resolve::Resolved;

/// The routes of embedded files, and of pictures. These have addresses too, but no remembered answers.
const EMBEDDED: [&str; 10] = [
    "/assets/{name}",
    "/icons/{name}",
    "/sample-images/{name}",
    "/images/{name}",
    "/logo/{name}",
    "/favicon.svg",
    "/favicon.ico",
    "/service-worker.js",
    "/speculation-rules.json",
    "/healthz",
];
/// The largest number of redirects in a row.
const MOST_REDIRECTS: usize = 3;
/// How many characters of a misspelled name are compared with the right ones.
const COMPARED: usize = 40;

/// What an address names.
pub(super) enum Target {
    Page(Address),
    /// The path of a file.
    File(String),
}

/// The canonical path and query of a page or file, without the prefix of the data form; `None` if no route matches.
pub(super) fn canonical(address: &str) -> Option<String> {
    target(address).map(|target| match target {
        Target::Page(page) => page.path(),
        Target::File(path) => path,
    })
}

/// The page or file at an address, in any spelling; `None` if no route matches.
pub(super) fn target(address: &str) -> Option<Target> {
    let mut address = address.to_owned();
    for _ in 0..MOST_REDIRECTS {
        let (path, query) = address.split_once('?').unwrap_or((&address, ""));
        let path =
            path.strip_prefix(Form::Data.prefix()).filter(|rest| rest.starts_with('/')).unwrap_or(path);
        let path = if path.len() > 1 { path.strip_suffix('/').unwrap_or(path) } else { path };
        let Some((text, resolve)) =
            PAGES.iter().find_map(|(pattern, resolve)| Some((parameter(pattern, path)?, resolve)))
        else {
            return file(path).map(Target::File);
        };
        let text = percent_decode_str(text).decode_utf8().ok()?;
        match resolve(&text, query)? {
            Resolved::Page(page) => return Some(Target::Page(page)),
            Resolved::Moved(to) | Resolved::SeeOther(to) => address = to,
        }
    }
    None
}

/// The path of a file, if it is one.
fn file(path: &str) -> Option<String> {
    let part = || path.strip_prefix("/sitemap/")?.strip_suffix(".xml")?.parse().ok().filter(|part| *part > 0);
    if let Some(part) = part() {
        return Some(path_of_file(File::SitemapPart(part)));
    }
    let patterns = FILES.iter().map(|(path, _)| *path).chain(EMBEDDED);
    patterns.into_iter().find_map(|pattern| parameter(pattern, path)).map(|_| path.to_owned())
}

/// The text in place of a pattern's parameter, which is the last segment. Empty if the pattern has no parameter.
fn parameter<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    match pattern.split_once('{') {
        None => (pattern == path).then_some(""),
        Some((prefix, _)) => path.strip_prefix(prefix).filter(|text| !text.is_empty() && !text.contains('/')),
    }
}

/// The address whose spelling is most similar to this one, which no route matches.
pub(super) fn nearest(address: &str) -> String {
    let path = address.split('?').next().unwrap_or_default();
    let path = path.strip_prefix(Form::Data.prefix()).unwrap_or(path).trim_matches('/');
    let (name, text) = path.split_once('/').unwrap_or((path, ""));
    let name: String = name.chars().take(COMPARED).flat_map(char::to_lowercase).collect();
    let text = text.split('/').next().unwrap_or_default();
    let slug = text.to_ascii_lowercase().replace(|character: char| !character.is_ascii_alphanumeric(), "-");
    let patterns = PAGES.iter().map(|(pattern, _)| *pattern).chain(FILES.iter().map(|(path, _)| *path));
    let candidates = patterns.flat_map(|pattern| {
        let distance = strsim::damerau_levenshtein(&name, pattern.split('/').nth(1).unwrap_or_default());
        let is_other_shape = pattern.contains('{') == text.is_empty();
        let spelled = [encode(text).to_string(), slug.clone()].map(|text| match pattern.split_once('{') {
            Some((prefix, _)) => format!("{prefix}{text}"),
            None => pattern.to_owned(),
        });
        spelled.map(|address| (is_other_shape, distance, address))
    });
    let candidates = candidates.filter(|(_, _, address)| canonical(address).is_some());
    let nearest = candidates.min_by_key(|(is_other_shape, distance, _)| (*is_other_shape, *distance));
    nearest.map_or_else(|| "/".into(), |(_, _, address)| address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_one_canonical_address() {
        for (address, expected) in [
            ("/", "/"),
            ("/_data/", "/"),
            ("/product/5", "/product/5"),
            ("/_data/product/5", "/product/5"),
            ("/product/005/?utm_source=mail", "/product/5"),
            ("/category/Beauty?page=2", "/category/beauty?page=2"),
            ("/search/red%20mug", "/search/red%20mug"),
            ("/search/red mug", "/search/red%20mug"),
            ("/search/%72ed%20mug", "/search/red%20mug"),
            ("/search?q=red+mug", "/search/red%20mug"),
            ("/products?sort=price-asc&stock=1", "/products?stock=1&sort=price-asc"),
            ("/products?q=red+mug", "/products?q=red%20mug"),
            ("/sitemap/02.xml", "/sitemap/2.xml"),
            ("/feed.xml?x", "/feed.xml"),
            ("/favicon.svg", "/favicon.svg"),
            ("/assets/none.js", "/assets/none.js"),
            ("/product/abc", "/product/abc"),
        ] {
            assert_eq!(canonical(address).as_deref(), Some(expected), "{address}");
        }
        for unknown in
            ["/missing", "/category/a%2Fb", "/product", "/product/5/6", "/sitemap/0.xml", "/search/%ff"]
        {
            assert_eq!(canonical(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn an_unknown_address_has_a_nearest_one() {
        for (address, expected) in [
            ("/prodct/5", "/product/5"),
            ("/_data/produkt/5", "/product/5"),
            ("/Products", "/products"),
            ("/category/Mens Shirts", "/category/mens-shirts"),
            ("/categorie/beauty", "/category/beauty"),
            ("/sitemaps.xml", "/sitemap.xml"),
            ("/product/5/reviews", "/product/5"),
        ] {
            assert_eq!(nearest(address), expected, "{address}");
        }
        let long = format!("/{}", "x/%".repeat(5_000));
        assert!(canonical(&nearest(&long)).is_some());
    }
}
