//! Resolves a matched path to the address of a page, or to a redirect.

use url::form_urlencoded;

use super::address::{self, Address, Preset};
use super::listing_query::{ListingQuery, clean};
use crate::catalogue::{ProductId, Slug};

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
    /// 308 to `path` with the unchanged query string.
    fn moved(path: &str, raw_query: &str) -> Self {
        let separator = if path.contains('?') { '&' } else { '?' };
        Self::Moved(if raw_query.is_empty() { path.into() } else { format!("{path}{separator}{raw_query}") })
    }
}

/// `/categories`
pub(crate) fn categories(raw_query: &str) -> Resolved {
    let query = form_urlencoded::parse(raw_query.as_bytes())
        .find(|(name, _)| name == "q")
        .map(|(_, value)| clean(&value))
        .unwrap_or_default();
    Resolved::Page(Address::Categories { query })
}

/// `/products` and the other presets.
pub(crate) fn preset(preset: Preset, raw_query: &str) -> Resolved {
    Resolved::Page(Address::Preset(preset, ListingQuery::parse(raw_query)))
}

/// `/category/{text}`; `None` if `text` is not a slug in any case.
pub(crate) fn category(text: &str, raw_query: &str) -> Option<Resolved> {
    let slug = Slug::parse(&text.to_ascii_lowercase())?;
    if slug.as_str() != text {
        return Some(Resolved::moved(&address::category(&slug), raw_query));
    }
    let mut query = ListingQuery::parse(raw_query);
    // On a category's page, the category filter has no effect.
    query.filters.categories.clear();
    Some(Resolved::Page(Address::Category(slug, query)))
}

/// `/search/{text}`; `None` for a blank text.
pub(crate) fn search(text: &str, raw_query: &str) -> Option<Resolved> {
    let wanted = clean(text);
    if wanted.is_empty() {
        return None;
    }
    // Browsers resolve the path segments `.` and `..` before they send a request; other clients may not.
    if wanted != text || matches!(text, "." | "..") {
        return Some(Resolved::moved(&results_path(&wanted)?, raw_query));
    }
    Some(Resolved::Page(Address::Search(wanted, ListingQuery::parse(raw_query))))
}

/// `/search?q=…`, the search form without JavaScript.
pub(crate) fn search_form(raw_query: &str) -> Resolved {
    let text = ListingQuery::parse(raw_query).filters.query;
    Resolved::SeeOther(results_path(&text).unwrap_or_else(|| Preset::All.path().into()))
}

/// The URL of the results of a search; `None` for a blank text.
fn results_path(text: &str) -> Option<String> {
    match text {
        "" => None,
        // As path segments these mean the current and the parent folder, even if percent-encoded.
        "." | ".." => Some(format!("{}?q={text}", Preset::All.path())),
        text => Some(address::search(text)),
    }
}

/// `/product/{text}`
pub(crate) fn product(text: &str, raw_query: &str) -> Resolved {
    match parse_id(text) {
        None => Resolved::Page(Address::InvalidProduct(text.into())),
        Some(id) if id.to_string() == text => Resolved::Page(Address::Product(id)),
        Some(id) => Resolved::moved(&address::product(id), raw_query),
    }
}

/// A positive number in digits only; `parse` alone would accept a sign.
fn parse_id(text: &str) -> Option<ProductId> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?.filter(|id| *id > 0)
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
