//! Reads parts of the service's list. Every call goes through the guard, `service/guard/`.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;

use super::list::{PageOfProducts, PagedList, Range};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::query::{Query, QueryKind, Result};
use crate::catalogue::service::Service;
use crate::catalogue::service::calls::{Call, Parameters};
use crate::catalogue::service::fetched::Fetched;
use crate::catalogue::service::wire::{Dropped, Ids, Page, Parsed, parse_ids, parse_page};
use crate::catalogue::version::{Change, Version};
use crate::profile::Currency;

/// A part of the products, with all their details.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ProductsOf(Range);

/// The ids of a part of the products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct IdsOf(Range);

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
}

#[async_trait]
impl PagedList for Service {
    fn currency(&self) -> Currency {
        self.currency
    }

    async fn products(&self, range: Range, since: Option<&Version>) -> Result<Change<PageOfProducts>> {
        self.passes.wait_for_turn(self.page_pause).await;
        match self.counted(self.fetch(&ProductsOf(range), since).await?) {
            Fetched::Unchanged { version, .. } => Ok(Change::Unchanged(version)),
            Fetched::Missing => Err(CatalogueError::Status(404)),
            Fetched::New { version, body, parsed } => {
                let page = Arc::into_inner(parsed.value).ok_or(CatalogueError::Died)?;
                Ok(Change::New(PageOfProducts { body, page }, Some(version)))
            }
        }
    }

    async fn ids(&self, range: Range, since: Option<&Version>) -> Result<Change<Ids>> {
        self.passes.wait_for_turn(self.page_pause).await;
        match self.counted(self.fetch(&IdsOf(range), since).await?) {
            Fetched::Unchanged { version, .. } => Ok(Change::Unchanged(version)),
            Fetched::Missing => Err(CatalogueError::Status(404)),
            Fetched::New { version, parsed, .. } => {
                let ids = Arc::into_inner(parsed.value).ok_or(CatalogueError::Died)?;
                Ok(Change::New(ids, Some(version)))
            }
        }
    }
}
