//! A listing's filters in the query string: `q max rating category brand tag stock sort facets page`, in this order
//! and without defaults. Unknown parameters and invalid values are ignored.

use std::fmt::Write as _;

use url::form_urlencoded;

use super::percent_encode::encode;
use super::shown_facets;
use crate::catalogue::{ProductSet, Slug};
use crate::contract::{Filters, Sort};

/// The parameters that filter or sort a listing.
pub(crate) const FILTER_PARAMETERS: [&str; 9] =
    ["q", "max", "rating", "category", "brand", "tag", "stock", "sort", "facets"];

/// Most products on one page of a listing.
pub(crate) const PAGE_SIZE: usize = 48;
/// Longest search text, in characters; longer ones are cut.
pub(crate) const MAX_TEXT: usize = 200;
/// The value of `facets` that shows more choices.
const ALL_FACETS: &str = "all";
/// Most values of a repeated parameter; further ones are ignored.
const MAX_VALUES: usize = 50;

/// The filters and the page number of a query string.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListingQuery {
    pub filters: Filters,
    /// From 1.
    pub page: u32,
}

impl Default for ListingQuery {
    fn default() -> Self {
        Self { filters: Filters::default(), page: 1 }
    }
}

impl ListingQuery {
    /// Parses a raw query string. This never fails.
    pub(crate) fn parse(raw: &str) -> Self {
        let mut query = Self::default();
        let Filters {
            query: text,
            max_price,
            min_rating,
            categories,
            brands,
            tag,
            in_stock,
            sort,
            all_facets,
        } = &mut query.filters;
        for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
            match name.as_ref() {
                "q" => *text = clean(&value),
                "max" => *max_price = value.trim().parse().ok(),
                "rating" => *min_rating = value.parse().ok().filter(|stars| (1..=5).contains(stars)),
                "category" => categories.extend(Slug::parse(&value).map(|slug| slug.to_string())),
                "brand" => brands.extend(Some(clean(&value)).filter(|brand| !brand.is_empty())),
                "tag" => *tag = clean(&value),
                "stock" => *in_stock = value == "1",
                "sort" => *sort = parse_sort(&value),
                "facets" => *all_facets = value == ALL_FACETS,
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

    /// The canonical URL of the listing at `base_path` with this query.
    pub(crate) fn href(&self, base_path: &str) -> String {
        let mut href = String::from(base_path);
        let mut separator = '?';
        let mut parameter = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = write!(href, "{separator}{name}={}", encode(value));
            separator = '&';
        };
        let Filters { query, max_price, min_rating, categories, brands, tag, in_stock, sort, all_facets } =
            &self.filters;
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
        if !tag.is_empty() {
            parameter("tag", tag);
        }
        if *in_stock {
            parameter("stock", "1");
        }
        if let Some(sort) = sort {
            parameter("sort", sort_name(*sort));
        }
        if *all_facets {
            parameter("facets", ALL_FACETS);
        }
        if self.page > 1 {
            parameter("page", &self.page.to_string());
        }
        href
    }

    /// Leaves out filters that have no effect on these products, so that invented ones make no pages of
    /// their own: a limit at or above the highest price, categories and brands that do not occur, a tag that no
    /// product is known to carry, and more choices where there are no more. A tag gets the catalogue's spelling.
    pub(super) fn limit_to(&mut self, products: &ProductSet) {
        let Filters { max_price, categories, brands, tag, all_facets, .. } = &mut self.filters;
        *max_price = max_price.filter(|max| *max < products.price_ceiling());
        let index = products.index();
        let occurs = |numbers: &[u32], number: Option<u32>| {
            number.is_some_and(|number| numbers.binary_search(&number).is_ok())
        };
        categories.retain(|value| occurs(products.categories(), index.category_number(value)));
        brands.retain(|value| occurs(products.brands(), index.brand_number(value)));
        let known = index.tags().number(tag);
        *tag = known.map_or_else(String::new, |number| index.tags().spelling(number).into());
        *all_facets &= products.categories().len().max(products.brands().len()) > shown_facets::SHOWN;
    }

    /// Approximate size of the texts in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let Filters { query, categories, brands, tag, .. } = &self.filters;
        let texts = categories.iter().chain(brands).map(|text| size_of::<String>() + text.len());
        query.len() + tag.len() + texts.sum::<usize>()
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
    name == "page" || FILTER_PARAMETERS.contains(&name)
}

/// Cleans a search text: trims it, replaces control characters by spaces and limits its length.
pub(crate) fn clean(text: &str) -> String {
    let text: String =
        text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    text.trim().chars().take(MAX_TEXT).collect::<String>().trim_end().to_owned()
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
    fn parameters_are_written_in_canonical_order() {
        let query = ListingQuery::parse(
            "page=3&utm_source=x&sort=price-desc&brand=Zed&brand=A%26B&brand=Zed&facets=all&stock=1&tag=+T-shirt&category=tops&rating=4&max=50&q=+red+",
        );
        assert_eq!(
            query.href("/products"),
            "/products?q=red&max=50&rating=4&category=tops&brand=A%26B&brand=Zed&tag=T-shirt&stock=1&sort=price-desc&facets=all&page=3"
        );
    }

    #[test]
    fn invalid_values_are_ignored() {
        let query = ListingQuery::parse(
            "max=-1&rating=9&category=../x&brand=%20&tag=%09&stock=yes&sort=up&facets=1&page=0&q=%00",
        );
        assert_eq!(query, ListingQuery { filters: Filters::default(), page: 1 });
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
            assert_eq!(super::super::address::search(&clean(&text)), href);
        }
    }

    proptest! {
        #[test]
        fn a_canonical_url_parses_back_to_the_same_query(raw in "\\PC{0,80}", more in "(q|max|rating|category|brand|tag|stock|sort|page|x)=[a-z0-9%+ ]{0,8}") {
            let query = ListingQuery::parse(&format!("{raw}&{more}"));
            let href = query.href("/products");
            let again = ListingQuery::parse(href.split_once('?').map_or("", |(_, query)| query));
            prop_assert_eq!(&again, &query);
            prop_assert!(href.is_ascii());
        }
    }
}
