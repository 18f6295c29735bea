//! The real catalogue service, over HTTP.
//!
//! Slugs, ids and search texts become path segments and query values of a parsed URL; no address
//! is ever put together as text. How an answer is fetched is the business of `exchange.rs`, whether
//! it may be is that of `guard/`.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use url::Url;

use super::counters::CatalogueCounters;
use super::exchange::Exchange;
use super::guard::{Guard, Query};
use super::wire::{self, Parsed};
use super::{
    Catalogue, CatalogueError, Category, CategoryPreview, Product, ProductId, Result, Section, Slug, Summary,
    Whole,
};
use crate::seldom::Seldom;
use crate::shelf::Shelf;

/// What cards, filters and facets need of a full listing.
const LISTING_FIELDS: &str =
    "title,description,category,price,discountPercentage,rating,stock,brand,thumbnail";
/// What the cards of a home section need.
const SECTION_FIELDS: &str = "title,price,rating,thumbnail,brand,discountPercentage,stock";

/// Budgets of one call, and the measure of all calls together.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    pub connect_timeout: Duration,
    /// From the request to the answer's headers, connecting included.
    pub first_byte_timeout: Duration,
    /// Longest silence between two reads.
    pub read_timeout: Duration,
    /// The whole call, with its body and its retry.
    pub total_timeout: Duration,
    /// Largest body after decompression, in bytes.
    pub max_body: usize,
    /// Calls that may be made each second on the long run.
    pub calls_per_second: f64,
    /// Calls that may be made at once after a quiet time.
    pub call_burst: u32,
    /// How long a call beyond that waits for its turn.
    pub token_wait: Duration,
    /// How long the breaker is open at first.
    pub open_shortest: Duration,
    /// How long it is open at most.
    pub open_longest: Duration,
}

impl ServiceLimits {
    /// The service refuses more than 100 calls in ten seconds; these make at most 90.
    pub const DEFAULT: Self = Self {
        connect_timeout: Duration::from_secs(1),
        first_byte_timeout: Duration::from_secs(2),
        read_timeout: Duration::from_secs(2),
        total_timeout: Duration::from_secs(4),
        max_body: 16 << 20,
        calls_per_second: 5.0,
        call_burst: 40,
        token_wait: Duration::from_millis(500),
        open_shortest: Duration::from_secs(1),
        open_longest: Duration::from_secs(30),
    };
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The catalogue service at a base address. A clone shares the connections, the guard and the
/// counters.
#[derive(Clone, Debug)]
pub struct Service {
    base: Url,
    exchange: Arc<Exchange>,
    guard: Arc<Guard>,
    counters: Arc<CatalogueCounters>,
    seldom: Arc<Seldom>,
}

impl Service {
    /// Prepares the client; makes no call.
    ///
    /// # Errors
    /// Fails when the TLS configuration of this machine cannot be loaded.
    pub fn new(base: Url, limits: ServiceLimits) -> reqwest::Result<Self> {
        let counters = Arc::new(CatalogueCounters::default());
        let guard = Arc::new(Guard::new(&limits, Arc::clone(&counters)));
        let exchange = Exchange::new(&base, &limits, Arc::clone(&guard), Arc::clone(&counters))?;
        Ok(Self { base, exchange: Arc::new(exchange), guard, counters, seldom: Arc::default() })
    }

    /// What happened to this service's calls so far.
    pub fn counters(&self) -> &Arc<CatalogueCounters> {
        &self.counters
    }

    /// `GET {base}/{segments}?{query}`, parsed; a 404 in the API's own words gives nothing.
    ///
    /// Parsing is part of the guarded call, because a service that answers with nonsense fails.
    async fn get<T>(
        &self,
        kind: Query,
        segments: &[&str],
        query: &[(&str, &str)],
        parse: impl Fn(&[u8]) -> Result<Parsed<T>> + Sync,
    ) -> Result<Option<T>> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let (url, parse) = (&url, &parse);
        let fetch = || async move {
            match self.exchange.get(url.clone()).await? {
                Some(body) => parse(&body).map(Some),
                None => Ok(None),
            }
        };
        let Some(Parsed { value, dropped }) = self.guard.call(kind, fetch).await? else { return Ok(None) };
        if dropped.count() > 0 && self.seldom.is_time_for("dropped") {
            dropped.log();
        }
        self.counters.dropped_entries.add(dropped.count());
        Ok(Some(value))
    }

    /// A list call, where 404 is no answer that the API gives.
    async fn get_list<T>(
        &self,
        kind: Query,
        segments: &[&str],
        query: &[(&str, &str)],
        parse: impl Fn(&[u8]) -> Result<Parsed<T>> + Sync,
    ) -> Result<T> {
        self.get(kind, segments, query, parse).await?.ok_or(CatalogueError::Status(404))
    }

    async fn listing(&self, kind: Query, segments: &[&str], query: &[(&str, &str)]) -> Result<Arc<Shelf>> {
        let query = [query, &[("limit", "0"), ("select", LISTING_FIELDS)]].concat();
        let products = self.get_list(kind, segments, &query, wire::parse_list).await?;
        Ok(Arc::new(Shelf::new(products)))
    }
}

#[async_trait]
impl Catalogue for Service {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        Ok(self
            .get_list(Query::Categories, &["products", "categories"], &[], wire::parse_categories)
            .await?
            .into())
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        let segments = ["products", "category", category.as_str()];
        let query = [("limit", "1"), ("select", "thumbnail")];
        self.get_list(Query::Preview, &segments, &query, wire::parse_preview).await
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        self.listing(Query::Category, &["products", "category", category.as_str()], &[]).await
    }

    async fn all_products(&self) -> Result<Arc<Shelf>> {
        self.listing(Query::Listing, &["products"], &[]).await
    }

    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        self.listing(Query::Search, &["products", "search"], &[("q", text)]).await
    }

    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        let product =
            self.get(Query::Product, &["products", &id.to_string()], &[], wire::parse_product).await?;
        Ok(product.map(Arc::new))
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        let mut query = vec![("limit", "8"), ("select", SECTION_FIELDS)];
        query.extend_from_slice(match section {
            Section::Featured => &[("skip", "8")],
            Section::BestSellers => &[("sortBy", "rating"), ("order", "desc")],
            Section::NewArrivals => &[("sortBy", "id"), ("order", "desc")],
        });
        Ok(self.get_list(Query::Section, &["products"], &query, wire::parse_list).await?.into())
    }
}

#[async_trait]
impl Whole for Service {
    async fn size(&self) -> Result<u64> {
        let query = [("limit", "1"), ("select", "id")];
        self.get_list(Query::Everything, &["products"], &query, wire::parse_total).await
    }

    async fn everything(&self) -> Result<Vec<Arc<Product>>> {
        let products = self
            .get_list(Query::Everything, &["products"], &[("limit", "0")], wire::parse_everything)
            .await?;
        Ok(products.into_iter().map(Arc::new).collect())
    }
}
