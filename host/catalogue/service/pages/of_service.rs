//! Reads parts of the service's list. Every call goes through the guard, `service/guard/`.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;

use super::list::{PageOfProducts, PagedList, Range};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::key::ProductKey;
use crate::catalogue::query::{Query, QueryKind, Result};
use crate::catalogue::revision::{Change, Revision};
use crate::catalogue::service::Service;
use crate::catalogue::service::calls::{Call, Parameters};
use crate::catalogue::service::fetched::Fetched;
use crate::catalogue::service::limits::ServiceLimits;
use crate::catalogue::service::wire::{Dropped, Ids, Page, Parsed, Row, parse_ids, parse_page, parse_row};
use crate::profile::Currency;

/// A part of the products, with all their details.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ProductsOf(Range);

/// The ids of a part of the products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct IdsOf(Range);

/// One product, as an entry of the list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EntryOf(ProductKey);

impl Range {
    fn parameters(&self) -> Parameters<'static> {
        vec![("limit", self.limit.to_string().into()), ("skip", self.skip.to_string().into())]
    }
}

impl Query for ProductsOf {
    type Answer = Arc<Page>;

    fn kind(&self) -> QueryKind {
        QueryKind::Page
    }
}

impl Query for IdsOf {
    type Answer = Arc<Ids>;

    fn kind(&self) -> QueryKind {
        QueryKind::Page
    }
}

impl Query for EntryOf {
    type Answer = Arc<Row>;

    fn kind(&self) -> QueryKind {
        QueryKind::Page
    }
}

impl Call for ProductsOf {
    fn segments(&self) -> Vec<Cow<'_, str>> {
        vec!["products".into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        self.0.parameters()
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        // Pages overlap, so invalid entries are counted once the whole list is known.
        Ok(Parsed { value: Arc::new(parse_page(body, currency)?), dropped: Dropped::default() })
    }
}

impl Call for IdsOf {
    fn segments(&self) -> Vec<Cow<'_, str>> {
        vec!["products".into()]
    }

    fn parameters(&self) -> Parameters<'_> {
        let mut parameters = self.0.parameters();
        parameters.push(("select", "id".into()));
        parameters
    }

    fn parse(body: &[u8], _: Currency) -> Result<Parsed<Self::Answer>> {
        Ok(Parsed { value: Arc::new(parse_ids(body)?), dropped: Dropped::default() })
    }

    /// A million ids have about 14 MB.
    fn max_body(limits: &ServiceLimits) -> usize {
        4 * limits.max_body
    }
}

impl Call for EntryOf {
    fn segments(&self) -> Vec<Cow<'_, str>> {
        vec!["products".into(), self.0.to_string().into()]
    }

    fn parse(body: &[u8], currency: Currency) -> Result<Parsed<Self::Answer>> {
        // As for a page.
        Ok(Parsed { value: Arc::new(parse_row(body, currency)?), dropped: Dropped::default() })
    }
}

#[async_trait]
impl PagedList for Service {
    fn currency(&self) -> Currency {
        self.currency
    }

    async fn products(&self, range: Range, since: Option<&Revision>) -> Result<Change<PageOfProducts>> {
        match self.read_next(&ProductsOf(range), since).await? {
            Fetched::Unchanged { revision, .. } => Ok(Change::Unchanged(revision)),
            Fetched::Missing => Err(CatalogueError::Status(404)),
            Fetched::New { revision, body, parsed } => {
                let page = Arc::into_inner(parsed.value).ok_or(CatalogueError::Died)?;
                Ok(Change::New(PageOfProducts { bytes: body.len() as u64, page }, Some(revision)))
            }
        }
    }

    async fn ids(&self, range: Range, since: Option<&Revision>) -> Result<Change<Ids>> {
        match self.read_next(&IdsOf(range), since).await? {
            Fetched::Unchanged { revision, .. } => Ok(Change::Unchanged(revision)),
            Fetched::Missing => Err(CatalogueError::Status(404)),
            Fetched::New { revision, parsed, .. } => {
                let ids = Arc::into_inner(parsed.value).ok_or(CatalogueError::Died)?;
                Ok(Change::New(ids, Some(revision)))
            }
        }
    }

    async fn product(&self, key: &ProductKey) -> Result<Option<Row>> {
        match self.read_next(&EntryOf(key.clone()), None).await? {
            Fetched::Unchanged { .. } => Err(CatalogueError::Status(304)),
            Fetched::Missing => Ok(None),
            Fetched::New { parsed, .. } => {
                Arc::into_inner(parsed.value).ok_or(CatalogueError::Died).map(Some)
            }
        }
    }
}

impl Service {
    /// Makes a call of a pass when its turn has come.
    async fn read_next<C: Call>(&self, call: &C, since: Option<&Revision>) -> Result<Fetched<C>> {
        self.passes.wait_for_turn(self.page_pause).await;
        Ok(self.counted(self.fetch(call, since).await?))
    }
}
