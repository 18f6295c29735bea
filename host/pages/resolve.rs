//! Resolves a matched path to the address of a page, or to a redirect.

use std::borrow::Cow;

use url::form_urlencoded;

use super::address::{self, Address, LONGEST_LOCATION, Preset, VARIANT};
use super::listing_query::{ListingQuery, unknown_parameters};
use crate::catalogue::search::fold;
use crate::catalogue::{OfferId, ProductKey, Slug};
use crate::contract::FilterValue;
use crate::facets::{self, clean};

/// The result of resolving a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Resolved {
    Page(Address),
    /// 308 to the canonical URL.
    Moved(String),
    /// 303 to the result of a form.
    SeeOther(String),
}

impl Resolved {
    /// 308 to the canonical URL of `address`, which was requested in another spelling. One redirect
    /// corrects the path and a listing's query string. Parameters that the page does not know, such as a
    /// campaign's, are kept.
    pub(crate) fn moved(address: &Address, raw_query: &str) -> Self {
        if address.is_listing() {
            let canonical = address.path();
            if canonical.len() <= LONGEST_LOCATION {
                return Self::Moved(with_unknown_parameters(canonical, raw_query));
            }
        }
        // An address that would be too long keeps its spelling, which may be shorter.
        let path = address.base_path();
        Self::Moved(if raw_query.is_empty() { path } else { with_parameters(path, raw_query) })
    }

    /// The result for the same path with a slash at its end: one redirect to where the path without it leads.
    pub(crate) fn without_slash(self, raw_query: &str) -> Self {
        match self {
            // There is nothing to lead to, and as `.` or `..` the text would mean another folder.
            Self::Page(Address::InvalidProduct(text)) => Self::Page(Address::InvalidProduct(text)),
            Self::Page(address) => Self::moved(&address, raw_query),
            redirect => redirect,
        }
    }
}

fn with_parameters(path: String, parameters: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{parameters}")
}

/// The path with the parameters that its page does not know, such as a campaign's.
fn with_unknown_parameters(path: String, raw_query: &str) -> String {
    unknown_parameters(raw_query).fold(path, with_parameters)
}

/// `/categories`
pub(crate) fn categories(raw_query: &str) -> Resolved {
    let query = clean(&value(raw_query, "q"));
    Resolved::Page(Address::Categories { query, page: page(raw_query) })
}

/// `/brands`
pub(crate) fn brands(raw_query: &str) -> Resolved {
    Resolved::Page(Address::Brands { page: page(raw_query) })
}

/// The first value of a parameter; empty without one.
fn value<'a>(raw_query: &'a str, parameter: &str) -> Cow<'a, str> {
    let mut pairs = form_urlencoded::parse(raw_query.as_bytes());
    pairs.find(|(name, _)| name == parameter).map(|(_, value)| value).unwrap_or_default()
}

/// The page number, from 1.
fn page(raw_query: &str) -> u32 {
    value(raw_query, "page").parse().unwrap_or(1).max(1)
}

/// `/products` and the other presets.
pub(crate) fn preset(preset: Preset, raw_query: &str) -> Resolved {
    let query = ListingQuery { is_as_typed: false, ..ListingQuery::parse(raw_query) };
    Resolved::Page(Address::Preset(preset, query))
}

/// `/category/{text}`; `None` if `text` is no slug, whatever its letter case.
pub(crate) fn category(text: &str, raw_query: &str) -> Option<Resolved> {
    let slug = Slug::parse(&text.to_ascii_lowercase())?;
    let is_canonical = slug.as_str() == text;
    let mut query = ListingQuery { is_as_typed: false, ..ListingQuery::parse(raw_query) };
    // On a category's page, the category filter has no effect.
    query.filters.remove(facets::CATEGORY);
    let address = Address::Category(slug, query);
    Some(if is_canonical { Resolved::Page(address) } else { Resolved::moved(&address, raw_query) })
}

/// `/search/{text}`; `None` for a blank text.
pub(crate) fn search(text: &str, raw_query: &str) -> Option<Resolved> {
    let address = results(&clean(text), ListingQuery::parse(raw_query))?;
    // Browsers resolve the path segments `.` and `..` before they send a request; other clients may not.
    let is_canonical = matches!(&address, Address::Search(wanted, _) if wanted == text);
    Some(if is_canonical { Resolved::Page(address) } else { Resolved::moved(&address, raw_query) })
}

/// `/search?q=…`, the search form without JavaScript.
pub(crate) fn search_form(raw_query: &str) -> Resolved {
    let filters = ListingQuery::parse(raw_query).filters;
    let address = results(filters.text(facets::TEXT), ListingQuery::default());
    let path = address.map_or_else(|| Preset::All.path().into(), |address| address.path());
    Resolved::SeeOther(with_unknown_parameters(path, raw_query))
}

/// The part of a search that has been typed so far, folded.
pub(crate) fn typed_text(raw_query: &str) -> String {
    fold(&clean(&value(raw_query, "q")))
}

/// The address of a search's results; `None` for a blank text.
fn results(text: &str, mut query: ListingQuery) -> Option<Address> {
    match text {
        "" => None,
        // As path segments these mean the current and the parent folder, even if percent-encoded.
        "." | ".." => {
            if !query.filters.is_set(facets::TEXT) {
                query.filters.set(facets::TEXT, FilterValue::Text(text.into()));
            }
            query.is_as_typed = false;
            Some(Address::Preset(Preset::All, query))
        }
        text => Some(Address::Search(text.into(), query)),
    }
}

/// `/product/{text}`
pub(crate) fn product(text: &str, raw_query: &str) -> Resolved {
    if let Some(key) = ProductKey::parse(text) {
        return of_product(key, raw_query);
    }
    let number = || ProductKey::parse(text.trim_start_matches('0')).filter(|key| key.number().is_some());
    match number() {
        Some(number) => Resolved::moved(&Address::Product(number), raw_query),
        None => Resolved::Page(Address::InvalidProduct(text.into())),
    }
}

/// The page of a product, or of the variant that the query names.
fn of_product(key: ProductKey, raw_query: &str) -> Resolved {
    let named = value(raw_query, VARIANT);
    match OfferId::parse(&named) {
        Some(id) => Resolved::Page(Address::Variant(key, id)),
        None if named.is_empty() => Resolved::Page(Address::Product(key)),
        None => Resolved::Moved(without_variant(&key, raw_query)),
    }
}

/// The address of a product's page without the variant that the query names. Other parameters are kept.
pub(crate) fn without_variant(key: &ProductKey, raw_query: &str) -> String {
    let is_other =
        |pair: &&str| form_urlencoded::parse(pair.as_bytes()).next().is_some_and(|(name, _)| name != VARIANT);
    let others = raw_query.split('&').filter(is_other);
    others.fold(address::product(key), with_parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_search_has_no_page() {
        for blank in ["", " ", "\u{0}", "\u{a0}"] {
            assert_eq!(search(blank, ""), None, "{blank:?}");
        }
    }
}
