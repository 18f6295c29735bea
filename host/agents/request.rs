//! What assistants ask, as the Universal Commerce Protocol has it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::refusal::Refusal;
use crate::facets::clean;

/// Products on one page of results, unless the request says how many.
const USUAL_LIMIT: u64 = 10;
const HIGHEST_LIMIT: u64 = 50;
/// Most products that one lookup asks for.
const MOST_IDS: usize = 50;

/// One of the three calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Search,
    Lookup,
    Product,
}

/// A request, with its parameters.
#[derive(Debug)]
pub(super) enum Request {
    Search(Search),
    Lookup(Lookup),
    Product(ProductRequest),
}

/// Asks for products that fit.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Search {
    pub(super) query: Option<String>,
    pub(super) filters: Option<Filters>,
    pub(super) context: Context,
    pub(super) pagination: Pagination,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Filters {
    /// Slugs or names.
    pub(super) categories: Option<Vec<String>>,
    pub(super) price: Option<PriceFilter>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, IgnoredAny>,
}

/// In the smallest unit of the context's currency.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PriceFilter {
    pub(super) min: Option<u64>,
    pub(super) max: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Context {
    pub(super) currency: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pagination {
    limit: Option<u64>,
    pub(super) cursor: Option<String>,
}

/// Asks for products by what they are called.
#[derive(Debug, Deserialize)]
pub(super) struct Lookup {
    pub(super) ids: Vec<String>,
    #[serde(default)]
    pub(super) filters: Option<IgnoredAny>,
}

/// Asks for everything of one product.
#[derive(Debug, Deserialize)]
pub(super) struct ProductRequest {
    pub(super) id: String,
    #[serde(default)]
    pub(super) selected: Vec<Selected>,
    /// Names of options, the most important one first.
    #[serde(default)]
    pub(super) preferences: Vec<String>,
    #[serde(default)]
    pub(super) filters: Option<IgnoredAny>,
}

/// A value that was chosen for an option.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Selected {
    pub(super) name: String,
    pub(super) label: String,
}

impl Call {
    pub(super) const EVERY: [Self; 3] = [Self::Search, Self::Lookup, Self::Product];

    /// Reads the body of a request.
    ///
    /// # Errors
    /// When it is not what the call takes.
    pub(super) fn read(self, body: &[u8]) -> Result<Request, Refusal> {
        let wrong = |error: serde_json::Error| Refusal::invalid(error.to_string());
        let request = match self {
            Self::Search => Request::Search(serde_json::from_slice(body).map_err(wrong)?),
            Self::Lookup => Request::Lookup(serde_json::from_slice(body).map_err(wrong)?),
            Self::Product => Request::Product(serde_json::from_slice(body).map_err(wrong)?),
        };
        request.checked()
    }
}

impl Request {
    fn checked(self) -> Result<Self, Refusal> {
        match &self {
            Self::Search(search) => {
                let filters = search.filters.as_ref().is_some_and(|filters| !filters.is_empty());
                if search.text().is_empty() && !filters {
                    return Err(Refusal::invalid("`query` or `filters` is required."));
                }
                if search.pagination.limit == Some(0) {
                    return Err(Refusal::invalid("`pagination.limit` is at least 1."));
                }
            }
            Self::Lookup(Lookup { ids, .. }) if ids.is_empty() => {
                return Err(Refusal::invalid("`ids` has at least one id."));
            }
            Self::Lookup(Lookup { ids, .. }) if ids.len() > MOST_IDS => {
                let content =
                    format!("`ids` has {} ids, and at most {MOST_IDS} are looked up at once.", ids.len());
                return Err(Refusal::too_large(content));
            }
            Self::Lookup(_) | Self::Product(_) => {}
        }
        Ok(self)
    }

    /// Whether the index for searches is needed.
    pub(super) fn needs_index(&self) -> bool {
        matches!(self, Self::Search(_) | Self::Lookup(_))
    }
}

impl Search {
    /// The text to search for, as `/search` takes it; empty without one.
    pub(super) fn text(&self) -> String {
        clean(self.query.as_deref().unwrap_or_default())
    }

    /// How many products a page has.
    pub(super) fn limit(&self) -> usize {
        // At most 50.
        self.pagination.limit.unwrap_or(USUAL_LIMIT).min(HIGHEST_LIMIT) as usize
    }
}

impl Filters {
    fn is_empty(&self) -> bool {
        self.categories.is_none() && self.price.is_none() && self.unknown.is_empty()
    }
}
