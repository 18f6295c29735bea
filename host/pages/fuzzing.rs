//! What has to be true of the address that any path and query lead to.

use super::address::{Address, Located};
use super::listing::{self, Preset};
use super::query::{ListingQuery, MAX_TEXT};
use super::{categories, product, redirect};
use crate::pages::Form;
use axum::http::{StatusCode, header};

/// Locates a page as the URL table does and checks what comes out.
///
/// # Panics
/// When something that has to be true is not.
pub fn check_address(text: &str, raw_query: &str) {
    let located = [
        Some(categories::locate(raw_query)),
        Some(listing::locate_preset(Preset::All, raw_query)),
        listing::locate_category(text, raw_query),
        Some(listing::locate_search_form(raw_query)),
        listing::locate_search(text, raw_query),
        Some(product::locate(text, raw_query)),
    ];
    for located in located.into_iter().flatten() {
        match located {
            Located::Page(address) => check_page(&address),
            Located::Moved(to) | Located::SeeOther(to) => check_redirect(&to),
        }
    }
    let query = ListingQuery::parse(raw_query);
    let href = query.href("/products");
    let again = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
    assert_eq!(again, query, "{href} reads back as something else");
}

fn check_page(address: &Address) {
    let key = address.key();
    assert!(key.starts_with('/') && key.bytes().all(|byte| byte.is_ascii_graphic()), "{key}");
    if let Address::Search(text, _) = address {
        assert!(!text.is_empty() && text.chars().count() <= MAX_TEXT, "{text}");
    }
}

/// A location stays on this host, and leads to a page rather than to another redirect.
fn check_redirect(to: &str) {
    let response = redirect(Form::Document, StatusCode::PERMANENT_REDIRECT, to);
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
        listing::locate_search(&decoded(text), query)
    } else if let Some(text) = path.strip_prefix("/category/") {
        listing::locate_category(&decoded(text), query)
    } else if let Some(text) = path.strip_prefix("/product/") {
        Some(product::locate(&decoded(text), query))
    } else {
        assert_eq!(path, "/products", "{location}");
        Some(listing::locate_preset(Preset::All, query))
    };
    assert!(matches!(next, Some(Located::Page(_))), "{location} leads to {next:?}");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::check_address;

    proptest! {
        #[test]
        fn any_path_and_query_lead_to_a_sound_address(
            text in any::<String>(),
            query in "[\\x21-\\x7e]{0,60}",
            known in "(q|max|rating|category|brand|stock|sort|page)=[\\x21-\\x7e]{0,12}",
        ) {
            check_address(&text, &format!("{known}&{query}"));
        }
    }
}
