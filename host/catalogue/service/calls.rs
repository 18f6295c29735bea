//! The calls of the service's API: the request for each query, and the parser of its answer.
//!
//! Slugs, ids and search texts are added to a parsed URL as path segments and query values, which
//! percent-encodes them. No URL is built by concatenating strings.

use std::borrow::Cow;
use std::sync::Arc;

use super::limits::ServiceLimits;
use super::wire::{self, Parsed};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{Category, MAX_ID};
use crate::catalogue::product_set::ProductSet;
use crate::catalogue::query::{Categories, Listing, Preview, ProductById, Query, QueryKind, Result};
use crate::catalogue::section::Section;
use crate::catalogue::store::ProductOrder;
use crate::profile::Currency;

/// The fields that cards, filters and facets need.
const LISTING_FIELDS: &str =
    "title,description,category,price,discountPercentage,rating,stock,brand,thumbnail";
/// The fields that cards need.
const CARD_FIELDS: &str = "title,category,price,discountPercentage,rating,stock,brand,thumbnail";

/// Path segments below the base URL.
type Segments<'a> = Vec<Cow<'a, str>>;
/// Names and values of the query string.
pub(super) type Parameters<'a> = Vec<(&'static str, Cow<'a, str>)>;

/// A query as a call of the API.
pub(super) trait Call: Query {
    fn segments(&self) -> Segments<'_>;

    fn parameters(&self) -> Parameters<'_> {
        Vec::new()
    }

    /// The largest answer that is read, in bytes.
    fn max_body(limits: &ServiceLimits) -> usize {
        limits.max_body
    }

    /// Parses an answer with prices in `currency`.
    ///
    /// # Errors
    /// When nothing in it makes sense.
    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>>;

    /// The answer, if it is known without a call.
    fn known(&self) -> Option<Self::Answer> {
        None
    }

    /// The answer for a 404 that the API itself sent, see [`wire::is_message`].
    ///
    /// # Errors
    /// Unless a 404 is a valid answer to this call.
    fn not_found(&self) -> Result<Self::Answer> {
        Err(CatalogueError::Status(404))
    }
}

impl Call for Categories {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into(), "categories".into()]
    }

    fn parse(body: &[u8], _: Currency) -> Result<Parsed<Self::Answer>> {
        Ok(wire::parse_categories(body)?.map(Arc::from))
    }
}

impl Call for Preview {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into(), "category".into(), self.0.as_str().into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        vec![("limit", "1".into()), ("select", "thumbnail".into())]
    }

    fn parse(body: &[u8], _: Currency) -> Result<Parsed<Self::Answer>> {
        wire::parse_preview(body)
    }
}

impl Call for Listing {
    fn segments(&self) -> Segments<'_> {
        match self {
            Self::All => vec!["products".into()],
            Self::Category(slug) => vec!["products".into(), "category".into(), slug.as_str().into()],
            Self::Search(_) => vec!["products".into(), "search".into()],
        }
    }

    fn parameters(&self) -> Parameters<'_> {
        let mut parameters: Parameters<'_> = match self {
            Self::Search(text) => vec![("q", (&**text).into())],
            Self::All | Self::Category(_) => Vec::new(),
        };
        parameters.extend([("limit", "0".into()), ("select", LISTING_FIELDS.into())]);
        parameters
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        Ok(wire::parse_list(body, currency)?.map(|products| Arc::new(ProductSet::new(products, currency))))
    }
}

impl Call for Section {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        let mut parameters: Parameters<'_> = vec![
            ("limit", Self::SIZE.to_string().into()),
            ("skip", self.skip().to_string().into()),
            ("select", CARD_FIELDS.into()),
        ];
        let order = match self.order() {
            ProductOrder::Own => None,
            ProductOrder::BestRated => Some("rating"),
            ProductOrder::DeepestDiscounts => Some("discountPercentage"),
            ProductOrder::Newest => Some("id"),
        };
        if let Some(field) = order {
            parameters.extend([("sortBy", field.into()), ("order", "desc".into())]);
        }
        parameters
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        // The service may send more than it was asked for.
        Ok(wire::parse_list(body, currency)?.map(|products| products.into_iter().take(Self::SIZE).collect()))
    }
}

impl Call for ProductById {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into(), self.0.to_string().into()]
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        Ok(wire::parse_product(body, currency)?.map(|product| Some(Arc::new(product))))
    }

    /// The service only knows numbers, so that no other key names one of its products.
    fn known(&self) -> Option<Self::Answer> {
        let is_asked = self.0.number().is_some_and(|id| (1..=MAX_ID).contains(&id));
        (!is_asked).then_some(None)
    }

    fn not_found(&self) -> Result<Self::Answer> {
        Ok(None)
    }
}

/// The categories, for the reading of all products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Names;

impl Query for Names {
    type Answer = Arc<[Category]>;

    fn kind(&self) -> QueryKind {
        QueryKind::Everything
    }
}

impl Call for Names {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into(), "categories".into()]
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        Categories::parse(body, currency)
    }
}

/// The number of products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ProductCount;

impl Query for ProductCount {
    type Answer = u64;

    fn kind(&self) -> QueryKind {
        QueryKind::Everything
    }
}

/// Every product with all its details, in the catalogue's order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Everything;

impl Query for Everything {
    type Answer = ProductSet;

    fn kind(&self) -> QueryKind {
        QueryKind::Everything
    }
}

impl Call for ProductCount {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        vec![("limit", "1".into()), ("select", "id".into())]
    }

    fn parse(body: &[u8], _: Currency) -> Result<Parsed<Self::Answer>> {
        wire::parse_total(body)
    }
}

impl Call for Everything {
    fn segments(&self) -> Segments<'_> {
        vec!["products".into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        vec![("limit", "0".into())]
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        Ok(wire::parse_everything(body, currency)?.map(|products| ProductSet::of(products.iter(), currency)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::key::ProductKey;

    #[test]
    fn a_key_that_is_no_number_of_the_service_is_not_asked_for() {
        for (key, is_asked) in
            [("1", true), ("9007199254740992", true), ("9007199254740993", false), ("a1", false)]
        {
            assert_eq!(ProductById(ProductKey::of(key)).known().is_none(), is_asked, "{key}");
        }
    }
}
