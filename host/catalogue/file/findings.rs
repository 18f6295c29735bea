//! What is notable about the products of a file, for an operator who checks it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::reading::Reading;
use crate::catalogue::model::{Product, Summary};
use crate::catalogue::slug::Slug;
use crate::profile::Money;

/// How many products are named for each finding.
const MOST_NAMES: usize = 5;
/// How many hosts are named.
const MOST_HOSTS: usize = 8;
/// A price is odd if it is this many times above or below the median of its category: a separator may be misplaced.
const ODD: u64 = 50;
/// Fewest prices of a category whose median says something.
const FEWEST: usize = 5;
/// Length to which titles are cut where they are shown, in characters.
const SHOWN: usize = 60;

/// What is notable about the products of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    pub categories: usize,
    pub brands: usize,
    pub without_category: Named,
    pub without_picture: Named,
    /// Products with a picture that is not sent by https: pages sent by https do not show it.
    pub plain_http: Named,
    /// Products with a picture that has a path on the shop's host, of which the shop itself has no file.
    pub on_this_host: Named,
    pub odd_prices: Named,
    /// The longest titles, with their lengths in characters.
    pub longest_titles: Vec<(usize, String)>,
    /// The hosts with the most pictures, each with their number.
    pub hosts: Vec<(String, usize)>,
}

/// Some products: how many, and the titles of the first ones.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    pub count: u64,
    pub titles: Vec<String>,
}

impl Named {
    fn add(&mut self, product: &Product) {
        self.count += 1;
        if self.titles.len() < MOST_NAMES {
            self.titles.push(shown(&product.summary.title));
        }
    }
}

impl Reading {
    /// The hosts of all pictures, each with its scheme, some of them several times.
    pub(crate) fn picture_hosts(&self) -> impl Iterator<Item = &str> {
        self.products().flat_map(pictures).filter_map(host)
    }

    /// What is notable about its products.
    pub(crate) fn findings(&self) -> Findings {
        let mut findings = Findings::default();
        let (mut categories, mut brands) = (HashMap::<&Slug, Vec<Money>>::new(), HashSet::new());
        for product in self.products() {
            let Summary { category, brand, price, .. } = &product.summary;
            brands.extend(brand.as_deref());
            match category {
                Some(category) => categories.entry(category).or_default().push(*price),
                None => findings.without_category.add(product),
            }
            let mut pictures = pictures(product).peekable();
            if pictures.peek().is_none() {
                findings.without_picture.add(product);
            }
            let (mut is_plain, mut is_here) = (false, false);
            for picture in pictures {
                is_plain |= picture.starts_with("http:");
                is_here |= picture.starts_with('/') && !picture.starts_with("/images/");
            }
            for (named, is_so) in
                [(&mut findings.plain_http, is_plain), (&mut findings.on_this_host, is_here)]
            {
                if is_so {
                    named.add(product);
                }
            }
        }
        (findings.categories, findings.brands) = (categories.len(), brands.len());
        let middles: HashMap<&Slug, u64> =
            categories.into_iter().filter_map(|(slug, prices)| Some((slug, middle(prices)?))).collect();
        for product in self.products() {
            let Summary { category, price, .. } = &product.summary;
            let middle = category.as_ref().and_then(|category| middles.get(category));
            let price = price.minor();
            if middle.is_some_and(|&middle| price / ODD >= middle.max(1) || middle / ODD >= price.max(1)) {
                findings.odd_prices.add(product);
            }
        }
        findings.longest_titles = longest(self.products());
        findings.hosts = hosts(self.picture_hosts());
        findings
    }
}

/// The addresses of all pictures of a product, some of them twice.
fn pictures(product: &Product) -> impl Iterator<Item = &str> {
    let own = product.images.iter().chain(&product.summary.thumbnail);
    own.chain(product.variants.iter().filter_map(|variant| variant.picture.as_ref())).map(String::as_str)
}

/// The part of an address with scheme and host; `None` for a path on the shop's own host.
fn host(address: &str) -> Option<&str> {
    address.contains("://").then(|| {
        let end = address.match_indices('/').nth(2).map_or(address.len(), |(end, _)| end);
        &address[..end]
    })
}

/// The median of a category's prices; `None` for fewer than [`FEWEST`].
fn middle(mut prices: Vec<Money>) -> Option<u64> {
    let middle = prices.len() / 2;
    (prices.len() >= FEWEST).then(|| prices.select_nth_unstable(middle).1.minor())
}

fn longest<'a>(products: impl Iterator<Item = &'a Product>) -> Vec<(usize, String)> {
    let mut longest: Vec<(usize, &str)> = Vec::new();
    for title in products.map(|product| &*product.summary.title) {
        let length = title.chars().count();
        let place = longest.partition_point(|(known, _)| *known >= length);
        if place < 3 {
            longest.insert(place, (length, title));
            longest.truncate(3);
        }
    }
    longest.into_iter().map(|(length, title)| (length, shown(title))).collect()
}

/// The most frequent hosts, with how often they occur.
fn hosts<'a>(all: impl Iterator<Item = &'a str>) -> Vec<(String, usize)> {
    let mut hosts = BTreeMap::<&str, usize>::new();
    for host in all {
        *hosts.entry(host).or_default() += 1;
    }
    let mut hosts: Vec<(String, usize)> =
        hosts.into_iter().map(|(host, count)| (host.to_owned(), count)).collect();
    hosts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    hosts.truncate(MOST_HOSTS);
    hosts
}

fn shown(title: &str) -> String {
    let end = title.char_indices().nth(SHOWN).map(|(end, _)| end);
    end.map_or_else(|| title.to_owned(), |end| format!("{}…", &title[..end]))
}
