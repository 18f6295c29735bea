//! A listing's filters and its page in the query string: the parameters of `facets/`, in their order and without
//! defaults, then `typed` and `page`. Unknown parameters and invalid values are ignored.

use std::fmt::Write as _;

use url::form_urlencoded;

use super::percent_encode::encode;
use crate::contract::Filters;
use crate::facets;

/// Most products on one page of a listing.
pub(crate) const PAGE_SIZE: usize = 48;

/// The parameter of the page number.
const PAGE: &str = "page";
/// The parameter of a search that is shown as it was typed.
const TYPED: &str = "typed";

/// The filters and the page number of a query string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListingQuery {
    pub filters: Filters,
    /// Whether a search is shown as it was typed, even if it finds nothing.
    pub is_as_typed: bool,
    /// The page number, from 1.
    pub page: u32,
}

impl Default for ListingQuery {
    fn default() -> Self {
        Self { filters: Filters::default(), is_as_typed: false, page: 1 }
    }
}

impl ListingQuery {
    /// Parses a raw query string. This never fails.
    pub(crate) fn parse(raw: &str) -> Self {
        let pairs: Vec<_> = form_urlencoded::parse(raw.as_bytes()).collect();
        let mut pages = pairs.iter().filter(|(name, _)| name == PAGE);
        let page = pages.next_back().and_then(|(_, page)| page.parse().ok()).unwrap_or(1).max(1);
        let is_as_typed = pairs.iter().any(|(name, value)| name == TYPED && value == "1");
        Self {
            filters: facets::read(pairs.iter().map(|(name, value)| (&**name, &**value))),
            is_as_typed,
            page,
        }
    }

    /// The canonical URL of the listing at `base_path` with this query.
    pub(crate) fn href(&self, base_path: &str) -> String {
        let mut href = String::from(base_path);
        let mut separator = '?';
        let mut parameter = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = write!(href, "{separator}{name}={}", encode(value));
            separator = '&';
        };
        facets::write(&self.filters, &mut parameter);
        if self.is_as_typed {
            parameter(TYPED, "1");
        }
        if self.page > 1 {
            parameter(PAGE, &self.page.to_string());
        }
        href
    }

    /// Approximate size of the texts in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.filters.size()
    }
}

/// Whether a query string should be redirected to `canonical`: it differs, such as by a form's empty
/// fields, and has only known parameters. Unknown parameters, such as a campaign's, must survive.
pub(crate) fn is_not_canonical(raw: &str, canonical: &str) -> bool {
    let pairs = |query| form_urlencoded::parse(str::as_bytes(query));
    // Compared decoded, because browsers percent-encode more than necessary when they follow a redirect.
    pairs(raw).all(|(name, _)| is_known(&name))
        && !pairs(raw).eq(pairs(canonical.split_once('?').map_or("", |(_, query)| query)))
}

/// The parameters of a query string that no listing knows, as they were sent.
pub(crate) fn unknown_parameters(raw: &str) -> impl Iterator<Item = &str> {
    raw.split('&').filter(|pair| {
        form_urlencoded::parse(pair.as_bytes()).next().is_some_and(|(name, _)| !is_known(&name))
    })
}

fn is_known(name: &str) -> bool {
    name == PAGE || name == TYPED || facets::parameters().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parameters_are_written_in_canonical_order() {
        let query = ListingQuery::parse(
            "page=3&utm_source=x&sort=price-desc&brand=Zed&brand=A%26B&brand=Zed&facets=all&stock=1&tag=+T-shirt&category=tops&rating=4&max=50&min=20&q=+red+",
        );
        assert_eq!(
            query.href("/products"),
            "/products?q=red&min=20&max=50&rating=4&category=tops&brand=A%26B&brand=Zed&tag=T-shirt&stock=1&sort=price-desc&facets=all&page=3"
        );
    }

    #[test]
    fn invalid_values_are_ignored() {
        let query = ListingQuery::parse(
            "min=-1&max=-1&rating=9&category=../x&brand=%20&tag=%09&stock=yes&sort=up&facets=1&page=0&q=%00",
        );
        assert_eq!(query, ListingQuery::default());
    }

    #[test]
    fn empty_form_fields_are_not_canonical_and_unknown_parameters_are_accepted() {
        assert!(is_not_canonical("q=&rating=&sort=price-asc", "/products?sort=price-asc"));
        assert!(is_not_canonical("page=9", "/products?page=2"));
        assert!(!is_not_canonical("q=a+b%27", "/products?q=a%20b'"));
        assert!(!is_not_canonical("utm_source=x&q=", "/products"));
        assert!(!is_not_canonical("", "/products"));
    }

    /// A test case that the client's two URL builders share.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Case {
        base_path: String,
        /// In the contract's JSON schema.
        filters: serde_json::Value,
        page: u32,
        href: String,
    }

    #[derive(serde::Deserialize)]
    struct SearchCase {
        text: String,
        href: String,
    }

    #[derive(serde::Deserialize)]
    struct Cases {
        listings: Vec<Case>,
        searches: Vec<SearchCase>,
    }

    #[test]
    fn host_and_client_build_equal_urls() {
        let Cases { listings, searches } =
            serde_json::from_str(include_str!("../../tests/cases/filter-urls.json")).unwrap();
        assert!(listings.len() >= 25 && searches.len() >= 8);
        for Case { base_path, filters, page, href } in listings {
            let query = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
            assert_eq!(serde_json::to_value(&query.filters).unwrap(), filters, "{href}");
            assert_eq!((query.page, query.href(&base_path)), (page, href));
        }
        for SearchCase { text, href } in searches {
            assert_eq!(super::super::address::search(&facets::clean(&text)), href);
        }
    }

    proptest! {
        #[test]
        fn a_canonical_url_parses_back_to_the_same_query(raw in "\\PC{0,80}", more in "(q|max|rating|category|brand|tag|stock|sort|typed|page|x)=[a-z0-9%+ ]{0,8}") {
            let query = ListingQuery::parse(&format!("{raw}&{more}"));
            let href = query.href("/products");
            let again = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
            prop_assert_eq!(&again, &query);
            prop_assert!(href.is_ascii());
        }
    }
}
