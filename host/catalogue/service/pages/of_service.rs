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

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::extract::RawQuery;
    use axum::http::{HeaderMap, StatusCode};
    use axum::response::IntoResponse as _;
    use axum::routing::get;
    use parking_lot::Mutex;
    use tokio::net::TcpListener;
    use url::Url;

    use super::super::list::PassLimits;
    use super::super::reader::{Outcome, PageReader};
    use super::*;
    use crate::catalogue::ServiceLimits;
    use crate::catalogue::service::wire::parse_everything;

    fn product(id: usize) -> String {
        format!(r#"{{"id":{id},"title":"T{id}","price":{id}.5,"tags":["a"]}}"#)
    }

    fn body(entries: impl Iterator<Item = String>, total: usize) -> String {
        format!(r#"{{"products":[{}],"total":{total}}}"#, entries.collect::<Vec<_>>().join(","))
    }

    /// The answer to a query of a list of 95 products, with a validator.
    fn answer(query: &str) -> String {
        let number = |name: &str| {
            let pairs = url::form_urlencoded::parse(query.as_bytes());
            pairs.into_iter().find(|(own, _)| own == name).map_or(0, |(_, value)| value.parse().unwrap())
        };
        let limit = if number("limit") == 0 { usize::MAX } else { number("limit") };
        let ids = (1..=95).skip(number("skip")).take(limit);
        match query.contains("select=id") {
            true => body(ids.map(|id| format!(r#"{{"id":{id}}}"#)), 95),
            false => body(ids.map(product), 95),
        }
    }

    #[tokio::test]
    async fn a_service_is_read_in_pages_and_not_again_while_it_says_that_nothing_has_changed() {
        let queries: Arc<Mutex<Vec<(String, u16)>>> = Arc::default();
        let asked = Arc::clone(&queries);
        let products = async move |RawQuery(query): RawQuery, headers: HeaderMap| {
            let query = query.unwrap();
            let is_known = headers.get("if-none-match").is_some_and(|tag| tag == "\"1\"");
            let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
            asked.lock().push((query.clone(), status.as_u16()));
            let body = if is_known { String::new() } else { answer(&query) };
            (status, [("content-type", "application/json"), ("etag", "\"1\"")], body).into_response()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        let router = Router::new().route("/products", get(products));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let service = Service::new(base, ServiceLimits::DEFAULT).unwrap();
        let limits = PassLimits { page: 40, ..PassLimits::DEFAULT };
        let mut reader = PageReader::new(limits);
        let Ok(Outcome::New(list)) = reader.read(&service).await else { panic!() };
        let read: Vec<_> = list.store.products().map(std::result::Result::unwrap).collect();
        let whole =
            parse_everything(body((1..=95).map(product), 95).as_bytes(), Currency::default()).unwrap();
        assert_eq!(read, whole.value);
        let expected =
            ["limit=40&skip=0", "limit=40&skip=32", "limit=40&skip=64", "limit=0&skip=0&select=id"];
        let take = || std::mem::take(&mut *queries.lock());
        assert_eq!(take(), expected.map(|query| (query.into(), 200)));
        assert!(matches!(reader.read(&service).await, Ok(Outcome::Unchanged { .. })));
        assert_eq!(take(), expected.map(|query| (query.into(), 304)));
        reader.forget().await;
        assert!(matches!(reader.read(&service).await, Ok(Outcome::New(_))));
        assert_eq!(take(), expected.map(|query| (query.into(), 200)));
    }
}
