//! Invariants of resolving any path and query string.

use axum::http::{StatusCode, header};

use super::answering::redirect::redirect;
use super::making::key::Form;
use crate::facets::MAX_TEXT;
use crate::pages::address::{self, Address, LONGEST_LOCATION, Preset};
use crate::pages::listing_query::{ListingQuery, is_not_canonical};
use crate::pages::resolve::{self, Resolved};

/// Resolves `text` and `raw_query` as the URL table does, and checks the results.
///
/// # Panics
/// When an invariant is violated.
pub fn check_address(text: &str, raw_query: &str) {
    let resolved = [
        Some(resolve::categories(raw_query)),
        Some(resolve::brands(raw_query)),
        Some(resolve::preset(Preset::All, raw_query)),
        resolve::category(text, raw_query),
        Some(resolve::search_form(raw_query)),
        resolve::search(text, raw_query),
        Some(resolve::product(text, raw_query)),
    ];
    for resolved in resolved.into_iter().flatten() {
        if let Resolved::Page(address) = &resolved {
            check_page(address);
        }
        for resolved in [resolved.clone(), resolved.without_slash(raw_query)] {
            if let Resolved::Moved(to) | Resolved::SeeOther(to) = resolved {
                check_redirect(&to);
            }
        }
    }
    let query = ListingQuery::parse(raw_query);
    let href = query.href("/products");
    let again = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
    assert_eq!(again, query, "{href} reads back as something else");
}

fn check_page(address: &Address) {
    let path = address.path();
    assert!(path.starts_with('/') && path.bytes().all(|byte| byte.is_ascii_graphic()), "{path}");
    if let Address::Search(text, _) = address {
        assert!(!text.is_empty() && text.chars().count() <= MAX_TEXT, "{text}");
    }
}

/// A redirect stays on this host and leads to a page in its canonical spelling, not to another redirect.
fn check_redirect(to: &str) {
    let response = redirect(Form::Document, StatusCode::PERMANENT_REDIRECT, to);
    assert!(response.is_ok(), "{to}");
    let Ok(response) = response else { return };
    if response.status() == StatusCode::URI_TOO_LONG {
        return;
    }
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    let location = location.unwrap_or_default();
    assert!(
        location.starts_with('/') && !location.starts_with("//") && !location.contains('\\'),
        "{location}"
    );
    assert!(location.bytes().all(|byte| byte.is_ascii_graphic()), "{location}");
    let (path, query) = location.split_once('?').unwrap_or((location, ""));
    let decoded = |text| percent_encoding::percent_decode_str(text).decode_utf8_lossy();
    let next = if let Some(text) = path.strip_prefix("/search/") {
        resolve::search(&decoded(text), query)
    } else if let Some(text) = path.strip_prefix("/category/") {
        resolve::category(&decoded(text), query)
    } else if let Some(text) = path.strip_prefix("/product/") {
        Some(resolve::product(&decoded(text), query))
    } else if path == address::CATEGORIES {
        Some(resolve::categories(query))
    } else if path == address::BRANDS {
        Some(resolve::brands(query))
    } else {
        assert_eq!(path, "/products", "{location}");
        Some(resolve::preset(Preset::All, query))
    };
    assert!(matches!(next, Some(Resolved::Page(_))), "{location} leads to {next:?}");
    let Some(Resolved::Page(next)) = next else { return };
    let canonical = next.path();
    let needs_redirect = canonical.len() <= LONGEST_LOCATION && is_not_canonical(query, &canonical);
    assert!(!(next.is_listing() && needs_redirect), "{location} leads to {canonical}");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::check_address;

    proptest! {
        #[test]
        fn any_path_and_query_resolve_to_a_valid_address(
            text in any::<String>(),
            query in "[\\x21-\\x7e]{0,60}",
            known in "(q|max|rating|category|brand|tag|stock|sort|page)=[\\x21-\\x7e]{0,12}",
        ) {
            check_address(&text, &format!("{known}&{query}"));
        }
    }
}
