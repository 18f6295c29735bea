//! A listing's filters in the URL: `q max rating category brand stock sort page`, in this order,
//! with defaults left out. Unknown parameters and senseless values are ignored.

use std::fmt::Write as _;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::form_urlencoded;

use crate::catalogue::Slug;
use crate::contract::{Filters, Sort};

/// What JavaScript's `encodeURIComponent` escapes, so that both sides spell an address alike.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// Longest text that is searched for, in characters.
pub const MAX_TEXT: usize = 200;
/// Most values of a repeated parameter that count.
const MAX_VALUES: usize = 50;

/// The filters and the page number that a query string asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ListingQuery {
    pub filters: Filters,
    /// From 1.
    pub page: u32,
}

impl ListingQuery {
    /// Reads a raw query string; every string has a meaning.
    pub fn parse(raw: &str) -> Self {
        let mut query = Self { filters: Filters::default(), page: 1 };
        let Filters { query: text, max_price, min_rating, categories, brands, in_stock, sort } =
            &mut query.filters;
        for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
            match name.as_ref() {
                "q" => *text = clean(&value),
                "max" => *max_price = value.trim().parse().ok(),
                "rating" => *min_rating = value.parse().ok().filter(|stars| (1..=5).contains(stars)),
                "category" => categories.extend(Slug::parse(&value).map(|slug| slug.to_string())),
                "brand" => brands.extend(Some(clean(&value)).filter(|brand| !brand.is_empty())),
                "stock" => *in_stock = value == "1",
                "sort" => *sort = parse_sort(&value),
                "page" => query.page = value.parse().unwrap_or(1).max(1),
                _ => {}
            }
        }
        for values in [categories, brands] {
            values.sort();
            values.dedup();
            values.truncate(MAX_VALUES);
        }
        query
    }

    /// The one spelling of a listing's address.
    pub fn href(&self, base_path: &str) -> String {
        let mut href = String::from(base_path);
        let mut separator = '?';
        let mut parameter = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = write!(href, "{separator}{name}={}", encode(value));
            separator = '&';
        };
        let Filters { query, max_price, min_rating, categories, brands, in_stock, sort } = &self.filters;
        if !query.is_empty() {
            parameter("q", query);
        }
        if let Some(max_price) = max_price {
            parameter("max", &max_price.to_string());
        }
        if let Some(min_rating) = min_rating {
            parameter("rating", &min_rating.to_string());
        }
        categories.iter().for_each(|category| parameter("category", category));
        brands.iter().for_each(|brand| parameter("brand", brand));
        if *in_stock {
            parameter("stock", "1");
        }
        if let Some(sort) = sort {
            parameter("sort", sort_name(*sort));
        }
        if self.page > 1 {
            parameter("page", &self.page.to_string());
        }
        href
    }
}

/// Whether a query string says the same as a canonical address in other words, such as a form's
/// empty fields. One with parameters that are not ours, such as a campaign's, is left alone.
pub fn is_misspelled(raw: &str, canonical: &str) -> bool {
    const KNOWN: [&str; 8] = ["q", "max", "rating", "category", "brand", "stock", "sort", "page"];
    let pairs = |query| form_urlencoded::parse(str::as_bytes(query));
    // Compared decoded, because browsers escape more than is necessary when they follow a redirect.
    pairs(raw).all(|(name, _)| KNOWN.contains(&name.as_ref()))
        && !pairs(raw).eq(pairs(canonical.split_once('?').map_or("", |(_, query)| query)))
}

/// A search text as it is used: trimmed, without control characters, of bounded length.
pub fn clean(text: &str) -> String {
    let text: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    text.trim().chars().take(MAX_TEXT).collect::<String>().trim_end().to_owned()
}

/// Percent-encodes one path segment or query value.
pub fn encode(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, COMPONENT)
}

const SORTS: [(&str, Sort); 3] =
    [("price-asc", Sort::PriceAsc), ("price-desc", Sort::PriceDesc), ("rating-desc", Sort::RatingDesc)];

fn parse_sort(name: &str) -> Option<Sort> {
    SORTS.iter().find(|(known, _)| *known == name).map(|(_, sort)| *sort)
}

fn sort_name(sort: Sort) -> &'static str {
    SORTS.iter().find(|(_, known)| *known == sort).map_or("", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parameters_come_in_one_order() {
        let query = ListingQuery::parse(
            "page=3&utm_source=x&sort=price-desc&brand=Zed&brand=A%26B&brand=Zed&stock=1&category=tops&rating=4&max=50&q=+red+",
        );
        assert_eq!(
            query.href("/products"),
            "/products?q=red&max=50&rating=4&category=tops&brand=A%26B&brand=Zed&stock=1&sort=price-desc&page=3"
        );
    }

    #[test]
    fn senseless_values_are_ignored() {
        let query =
            ListingQuery::parse("max=-1&rating=9&category=../x&brand=%20&stock=yes&sort=up&page=0&q=%00");
        assert_eq!(query, ListingQuery { filters: Filters::default(), page: 1 });
    }

    #[test]
    fn a_form_s_empty_fields_are_a_misspelling_and_a_campaign_is_not() {
        assert!(is_misspelled("q=&rating=&sort=price-asc", "/products?sort=price-asc"));
        assert!(is_misspelled("page=9", "/products?page=2"));
        assert!(!is_misspelled("q=a+b%27", "/products?q=a%20b'"));
        assert!(!is_misspelled("utm_source=x&q=", "/products"));
        assert!(!is_misspelled("", "/products"));
    }

    proptest! {
        #[test]
        fn an_address_reads_back_as_itself(raw in "\\PC{0,80}", more in "(q|max|rating|category|brand|stock|sort|page|x)=[a-z0-9%+ ]{0,8}") {
            let query = ListingQuery::parse(&format!("{raw}&{more}"));
            let href = query.href("/products");
            let again = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
            prop_assert_eq!(&again, &query);
            prop_assert!(href.is_ascii());
        }
    }
}
