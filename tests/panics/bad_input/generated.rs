//! Addresses of the shop from a seeded generator: with values that exist, with odd ones and without any, in
//! spellings that a redirect has to put right, several of them at once.

use std::collections::HashSet;

use fastrand::Rng;

use super::case::{Case, escaped, shown};
use super::hostile::{ENCODED, NUMBERS, payloads, unicode};

const CASES: usize = 10_000;
/// The same cases in every run.
const SEED: u64 = 20_260_731;
/// Longer texts would only repeat what the cases of `queries.rs` try.
const LONGEST_TEXT: usize = 300;

const FIXED: [&str; 14] = [
    "/",
    "/categories",
    "/brands",
    "/products",
    "/sale",
    "/new-arrivals",
    "/best-sellers",
    "/deals",
    "/search",
    "/sitemap.xml",
    "/feed.xml",
    "/robots.txt",
    "/llms.txt",
    "/healthz",
];
const LISTINGS: [&str; 5] = ["/products", "/sale", "/new-arrivals", "/best-sellers", "/deals"];
const SLUGS: [&str; 6] =
    ["beauty", "groceries", "mens-shirts", "mobile-accessories", "tops", "no-such-thing"];
const BRANDS: [&str; 5] = ["Corvane", "Linden & Tide", "Maison Orla", "corvane", "No Such Brand"];
const WORDS: [&str; 8] = ["red", "mug", "phone", "oak lamp", "RED", " red ", ".", ".."];
const SORTS: [&str; 5] = ["price-asc", "price-desc", "rating-desc", "", "newest"];
const UNKNOWN: [&str; 4] = ["utm_source", "x", "__proto__", "q[]"];

pub(crate) fn cases() -> Vec<Case> {
    let mut generator = Generator::new();
    let mut seen = HashSet::new();
    let mut cases = Vec::with_capacity(CASES);
    while cases.len() < CASES {
        let target = generator.target();
        if seen.insert(target.clone()) {
            cases.push(Case::get(format!("generated: {}: {}", cases.len(), shown(&target)), target));
        }
    }
    cases
}

struct Generator {
    random: Rng,
    /// Hostile texts and numbers, percent-encoded.
    odd_texts: Vec<String>,
}

impl Generator {
    fn new() -> Self {
        // Their marks are cut off: a mark that is encoded twice could not be told from another request's.
        let without_mark = |text: String| text.split("zq").next().unwrap_or_default().to_owned();
        let texts =
            payloads().into_iter().chain(unicode().into_iter().map(|(_, text)| text)).map(without_mark);
        let numbers = NUMBERS.map(str::to_owned);
        let mut odd_texts: Vec<String> = texts
            .chain(numbers)
            .filter(|text| text.len() <= LONGEST_TEXT)
            .map(|text| escaped(text.as_bytes()))
            .collect();
        odd_texts.extend(ENCODED.map(str::to_owned));
        Self { random: Rng::with_seed(SEED), odd_texts }
    }

    fn target(&mut self) -> String {
        let path = self.path();
        let form = if self.one_in(5) { "/_data" } else { "" };
        let mut target = format!("{form}{path}");
        for _ in 0..self.random.usize(..3) {
            target = self.respelled(&target);
        }
        if self.random.bool() {
            let query = self.query();
            target = format!("{target}?{query}");
        }
        target
    }

    fn path(&mut self) -> String {
        match self.random.u32(..10) {
            0 | 1 => self.one_of(&FIXED).into(),
            2 | 3 => self.one_of(&LISTINGS).into(),
            4 | 5 => format!("/category/{}", self.value("category")),
            6 | 7 => format!("/search/{}", self.value("q")),
            8 => format!("/product/{}", self.value("max")),
            _ => format!("/{}", self.odd_text()),
        }
    }

    fn query(&mut self) -> String {
        const KNOWN: [&str; 9] =
            ["q", "max", "rating", "category", "brand", "stock", "sort", "facets", "page"];
        let count = self.random.usize(..6);
        let parameters = (0..count).map(|_| {
            let name = if self.one_in(8) { self.one_of(&UNKNOWN) } else { self.one_of(&KNOWN) };
            let value = self.value(name);
            match self.random.u32(..12) {
                0 => name.to_owned(),
                1 => format!("{name}="),
                2 => format!("%{:02x}{}={value}", name.as_bytes()[0], &name[1..]),
                3 => format!("{name}={value}&{name}={value}"),
                _ => format!("{name}={value}"),
            }
        });
        let parameters: Vec<String> = parameters.collect();
        parameters.join(if self.one_in(10) { "&&" } else { "&" })
    }

    /// A value of a parameter or of a part of a path, percent-encoded; one in four is an odd text instead.
    fn value(&mut self, name: &str) -> String {
        if self.one_in(4) {
            return self.odd_text();
        }
        match name {
            "q" => escaped(self.one_of(&WORDS)),
            "max" => self.random.u32(..1_500).to_string(),
            "rating" => self.random.u32(..7).to_string(),
            "category" => self.one_of(&SLUGS).into(),
            "brand" => escaped(self.one_of(&BRANDS)),
            "stock" => self.random.u32(..2).to_string(),
            "sort" => self.one_of(&SORTS).into(),
            "page" => self.random.u32(..12).to_string(),
            _ => escaped(self.one_of(&WORDS)),
        }
    }

    /// The path in another spelling, or almost the same path.
    fn respelled(&mut self, path: &str) -> String {
        let at = path.rfind('/').unwrap_or_default();
        let (folder, name) = path.split_at(at);
        match self.random.u32(..10) {
            0 => format!("{path}/"),
            1 => format!("{path}//"),
            2 => path.to_uppercase(),
            3 => format!("{folder}/{}", name[1..].to_uppercase()),
            4 => format!("{folder}/{}", every_byte_escaped(&name[1..])),
            5 => format!("{folder}/{name}"),
            6 => format!("{folder}/.{name}"),
            7 => format!("{folder}/x/..{name}"),
            8 => format!("{folder}/%20{}%20", &name[1..]),
            _ => format!("{folder}/00{}", &name[1..]),
        }
    }

    fn odd_text(&mut self) -> String {
        let place = self.random.usize(..self.odd_texts.len());
        self.odd_texts[place].clone()
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.usize(..list.len())]
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.random.u32(..many) == 0
    }
}

/// Escapes every byte. A text with escapes stays as it is, so that it decodes to the same text.
fn every_byte_escaped(text: &str) -> String {
    if text.contains('%') {
        return text.to_owned();
    }
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}
