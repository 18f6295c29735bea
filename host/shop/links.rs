//! The links of the shop's file, and the categories that it names, looked up in a version of the catalogue: pages show only
//! those that lead somewhere.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::Shop;
use super::named_address::{Target, target};
use crate::catalogue::columns::Column;
use crate::catalogue::{Slug, Version};
use crate::contract;
use crate::facets;
use crate::observe::Bounded;
use crate::pages::address::{Address, is_linked};
use crate::pages::listing_query::ListingQuery;
use crate::profile::{NamedCategory, Profile};

/// Why a link of the shop's file leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NoTarget {
    Page,
    Text,
    Category,
    Product,
    /// The page would be empty.
    Products,
    /// No product has the brand, category or tag of its query.
    Filter,
}

impl fmt::Display for NoTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Page => "the shop has no such page",
            Self::Text => "no link of the shop's file has a `page` of this name",
            Self::Category => "there is no such category with products",
            Self::Product => "there is no such product",
            Self::Products => "no product has what this page is about",
            Self::Filter => "no product has the brand, category or tag that it names",
        })
    }
}

/// A link or a category of the shop's file that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeadLink {
    /// The key of the shop's file that it is in.
    pub(crate) key: &'static str,
    /// What visitors would read; empty for a category.
    pub(crate) text: String,
    /// What the file says.
    pub(crate) to: String,
    pub(crate) reason: NoTarget,
}

/// Some lines of the table of moved addresses.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) count: usize,
    /// The first ones.
    first: Vec<String>,
}

impl Lines {
    fn add(&mut self, line: String) {
        /// How many are named.
        const NAMED: usize = 3;
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(line);
        }
    }

    /// The first ones in words.
    pub(crate) fn named(&self) -> String {
        let more = if self.count > self.first.len() { ", …" } else { "" };
        self.first.join(", ") + more
    }
}

/// Lines of the table of moved addresses that are of no use.
#[derive(Debug, Default)]
pub(crate) struct DeadRedirects {
    /// They lead to a page that the shop does not have.
    pub(crate) nowhere: Lines,
    /// The shop has a page at the address that has moved.
    pub(crate) unused: Lines,
}

/// What pages show of the profile with one version of the catalogue.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) profile: Arc<Profile>,
    pub(crate) shop: Arc<contract::Shop>,
}

/// The latest frame. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Frames(Arc<Mutex<Option<Latest>>>);

struct Latest {
    version: Weak<Version>,
    dead: Vec<DeadLink>,
    categories: Vec<NamedCategory>,
    frame: Frame,
}

impl Shop {
    /// What pages show of the profile with a version of the catalogue, or before there is one. The log names each link that
    /// leads nowhere once, until it leads somewhere.
    pub(crate) fn frame(&self, version: Option<&Arc<Version>>) -> Frame {
        let profile = self.profile();
        let whole = || Frame { profile: Arc::clone(profile), shop: Arc::clone(&self.shown_profile) };
        let Some(version) = version else { return whole() };
        let mut latest = self.frames.0.lock();
        if let Some(latest) = latest.as_ref().filter(|latest| latest.version.as_ptr() == Arc::as_ptr(version))
        {
            return latest.frame.clone();
        }
        let Looked { dead, categories } = self.look_up(version);
        let known: HashSet<&DeadLink> = latest.iter().flat_map(|latest| &latest.dead).collect();
        dead.iter().filter(|link| !known.contains(link)).for_each(log);
        let frame = match latest.take() {
            Some(latest) if latest.dead == dead && latest.categories == categories => latest.frame,
            _ if dead.is_empty() && categories == profile.navigation.categories => whole(),
            _ => {
                let is_dead = |href: &str| dead.iter().any(|link| link.to == href);
                let mut shown = Profile::clone(profile).with_links(|href| !is_dead(href));
                shown.navigation.categories.clone_from(&categories);
                Frame { shop: Arc::new(contract::Shop::from(&shown)), profile: Arc::new(shown) }
            }
        };
        *latest = Some(Latest { version: Arc::downgrade(version), dead, categories, frame: frame.clone() });
        frame
    }

    /// The links and categories of the shop's file that lead nowhere in this version.
    pub(crate) fn dead_links(&self, version: &Version) -> Vec<DeadLink> {
        self.look_up(version).dead
    }

    /// The lines of the table of moved addresses that are of no use in this version.
    pub(crate) fn dead_redirects(&self, version: &Version) -> DeadRedirects {
        let mut dead = DeadRedirects::default();
        for (from, to) in self.profile().redirects.lines() {
            // Lines that lead to each other are one step.
            if to.starts_with('/') && self.missing(to, version).is_some() {
                dead.nowhere.add(format!("{from} to {to}"));
            }
            if target(from).is_some_and(|target| match target {
                Target::Page(address) => missing_page(&address, self, version).is_none(),
                Target::File(_) => true,
            }) {
                dead.unused.add(from.to_owned());
            }
        }
        dead
    }

    fn look_up(&self, version: &Version) -> Looked {
        let profile = self.profile();
        let of_shop = profile.own_links().into_iter().filter(|link| link.href.starts_with('/'));
        let mut dead: Vec<DeadLink> = of_shop
            .filter_map(|link| {
                let reason = self.missing(link.href, version)?;
                Some(DeadLink { key: link.key, text: link.text.into(), to: link.href.into(), reason })
            })
            .collect();
        let named = &profile.navigation.categories;
        let called = version.categories_called(named.iter().map(|named| named.category.as_str()));
        let mut categories = Vec::new();
        for NamedCategory { category, name } in named {
            let former = || self.catalogue.renamed(&Slug::parse(category)?);
            match called.get(category.as_str()).cloned().or_else(former) {
                Some(slug) => {
                    categories.push(NamedCategory { category: slug.to_string(), name: name.clone() });
                }
                None => dead.push(DeadLink {
                    key: "navigation.categories",
                    text: String::new(),
                    to: category.clone(),
                    reason: NoTarget::Category,
                }),
            }
        }
        Looked { dead, categories }
    }

    /// Why the path and query of a link lead nowhere; `None` if they lead to something.
    fn missing(&self, href: &str, version: &Version) -> Option<NoTarget> {
        let address = href.split('#').next().unwrap_or_default();
        match target(address) {
            Some(Target::Page(address)) => missing_page(&address, self, version),
            Some(Target::File(_)) => None,
            None if self.profile().redirects.find(address).is_some() => None,
            None => Some(NoTarget::Page),
        }
    }
}

/// What was found of the links and categories of the shop's file.
struct Looked {
    dead: Vec<DeadLink>,
    /// The categories that there are, by their slugs.
    categories: Vec<NamedCategory>,
}

fn missing_page(address: &Address, shop: &Shop, version: &Version) -> Option<NoTarget> {
    let no = |is_there: bool, reason| (!is_there).then_some(reason);
    match address {
        Address::Home { .. } | Address::Offline | Address::Search(..) => None,
        Address::Saved => no(shop.profile().has_saved(), NoTarget::Page),
        Address::Categories { .. } | Address::Brands { .. } | Address::Preset(..)
            if !is_linked(&address.base_path(), version.features()) =>
        {
            Some(NoTarget::Products)
        }
        Address::Categories { .. } | Address::Brands { .. } => None,
        Address::Preset(_, query) => no(has_names(query, version), NoTarget::Filter),
        Address::Category(slug, _)
            if !version.has_category(slug) && shop.catalogue.renamed(slug).is_none() =>
        {
            Some(NoTarget::Category)
        }
        Address::Category(_, query) => no(has_names(query, version), NoTarget::Filter),
        Address::TextPage(slug) => no(shop.profile().text_page(slug).is_some(), NoTarget::Text),
        Address::Product(key) | Address::Variant(key, _) => {
            let written = key.to_string();
            let is_there = version.has_product(key) || shop.catalogue.respelled(&written).is_some();
            no(is_there, NoTarget::Product)
        }
        Address::InvalidProduct(text) => no(shop.catalogue.respelled(text).is_some(), NoTarget::Product),
        Address::UnknownPath(_) => Some(NoTarget::Page),
    }
}

/// Whether products have every brand, category and tag that a query names.
fn has_names(query: &ListingQuery, version: &Version) -> bool {
    let filters = &query.filters;
    let has = |parameter, column| filters.names(parameter).iter().all(|name| version.has_name(column, name));
    let tag = filters.text(facets::TAG);
    has(facets::BRAND, Column::Brand)
        && has(facets::CATEGORY, Column::Category)
        && (tag.is_empty() || version.has_tag(tag))
}

fn log(link: &DeadLink) {
    let DeadLink { key, text, to, reason } = link;
    tracing::warn!(
        key, text = %Bounded(text), to = %Bounded(to), reason = %reason,
        "a link of the shop's file leads nowhere, and is not shown"
    );
}
