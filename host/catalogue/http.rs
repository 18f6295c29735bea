//! The real catalogue service, over HTTP.
//!
//! Slugs, ids and search texts become path segments and query values of a parsed URL; no address
//! is ever put together as text.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use url::Url;

use super::{
    Catalogue, CatalogueError, Category, CategoryPreview, Product, ProductId, Result, Section, Slug, Summary,
    wire,
};
use crate::shelf::Shelf;

/// What cards, filters and facets need of a full listing.
const LISTING_FIELDS: &str =
    "title,description,category,price,discountPercentage,rating,stock,brand,thumbnail";
/// What the cards of a home section need.
const SECTION_FIELDS: &str = "title,price,rating,thumbnail,brand,discountPercentage,stock";
const MAX_REDIRECTS: usize = 3;

/// Budgets of one call.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    pub connect_timeout: Duration,
    /// Longest silence between two reads.
    pub read_timeout: Duration,
    /// The whole call, body included.
    pub total_timeout: Duration,
    /// Largest body after decompression, in bytes.
    pub max_body: usize,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(2),
            read_timeout: Duration::from_secs(3),
            total_timeout: Duration::from_secs(5),
            max_body: 16 << 20,
        }
    }
}

/// The catalogue service at a base address.
#[derive(Clone, Debug)]
pub struct Service {
    client: Client,
    base: Url,
    max_body: usize,
}

impl Service {
    /// Prepares the client; makes no call.
    ///
    /// # Errors
    /// Fails when the TLS configuration of this machine cannot be loaded.
    pub fn new(base: Url, limits: ServiceLimits) -> reqwest::Result<Self> {
        let client = Client::builder()
            .user_agent(concat!("vitrine/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(limits.connect_timeout)
            .read_timeout(limits.read_timeout)
            .timeout(limits.total_timeout)
            .redirect(same_origin_redirects(&base))
            .build()?;
        Ok(Self { client, base, max_body: limits.max_body })
    }

    /// `GET {base}/{segments}?{query}`; a 404 in the API's own words gives nothing.
    async fn get(&self, segments: &[&str], query: &[(&str, &str)]) -> Result<Option<Vec<u8>>> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let response = self.client.get(url).send().await?;
        match response.status() {
            StatusCode::OK => Ok(Some(self.body(response).await?)),
            StatusCode::NOT_FOUND => {
                let body = self.body(response).await?;
                if wire::is_message(&body) { Ok(None) } else { Err(CatalogueError::Status(404)) }
            }
            StatusCode::TOO_MANY_REQUESTS => {
                Err(CatalogueError::RateLimited { retry_after: retry_after(&response) })
            }
            status => Err(CatalogueError::Status(status.as_u16())),
        }
    }

    /// A list call, where 404 is no answer that the API gives.
    async fn get_list(&self, segments: &[&str], query: &[(&str, &str)]) -> Result<Vec<u8>> {
        self.get(segments, query).await?.ok_or(CatalogueError::Status(404))
    }

    async fn listing(&self, segments: &[&str], query: &[(&str, &str)]) -> Result<Arc<Shelf>> {
        let query = [query, &[("limit", "0"), ("select", LISTING_FIELDS)]].concat();
        let products = wire::parse_list(&self.get_list(segments, &query).await?)?;
        Ok(Arc::new(Shelf::new(products)))
    }

    /// Reads the body piece by piece, because a length header is only a promise.
    async fn body(&self, mut response: reqwest::Response) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > self.max_body {
                return Err(CatalogueError::TooLarge { limit: self.max_body });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// Follows redirects inside the service's own origin only: anywhere else, a compromised or
/// misconfigured service could make this host call internal addresses.
fn same_origin_redirects(base: &Url) -> Policy {
    let origin = base.origin();
    Policy::custom(move |attempt| {
        if attempt.previous().len() > MAX_REDIRECTS || attempt.url().origin() != origin {
            attempt.stop()
        } else {
            attempt.follow()
        }
    })
}

fn retry_after(response: &reqwest::Response) -> Option<Duration> {
    response.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok().map(Duration::from_secs)
}

#[async_trait]
impl Catalogue for Service {
    async fn categories(&self) -> Result<Arc<[Category]>> {
        let body = self.get_list(&["products", "categories"], &[]).await?;
        Ok(wire::parse_categories(&body)?.into())
    }

    async fn category_preview(&self, category: &Slug) -> Result<CategoryPreview> {
        let segments = ["products", "category", category.as_str()];
        let body = self.get_list(&segments, &[("limit", "1"), ("select", "thumbnail")]).await?;
        let (thumbnail, count) = wire::parse_first_thumbnail(&body)?;
        Ok(CategoryPreview { thumbnail, count })
    }

    async fn category_products(&self, category: &Slug) -> Result<Arc<Shelf>> {
        self.listing(&["products", "category", category.as_str()], &[]).await
    }

    async fn all_products(&self) -> Result<Arc<Shelf>> {
        self.listing(&["products"], &[]).await
    }

    async fn search(&self, text: &str) -> Result<Arc<Shelf>> {
        self.listing(&["products", "search"], &[("q", text)]).await
    }

    async fn product(&self, id: ProductId) -> Result<Option<Arc<Product>>> {
        let Some(body) = self.get(&["products", &id.to_string()], &[]).await? else { return Ok(None) };
        Ok(Some(Arc::new(wire::parse_product(&body)?)))
    }

    async fn section(&self, section: Section) -> Result<Arc<[Summary]>> {
        let mut query = vec![("limit", "8"), ("select", SECTION_FIELDS)];
        query.extend_from_slice(match section {
            Section::Featured => &[("skip", "8")],
            Section::BestSellers => &[("sortBy", "rating"), ("order", "desc")],
            Section::NewArrivals => &[("sortBy", "id"), ("order", "desc")],
        });
        Ok(wire::parse_list(&self.get_list(&["products"], &query).await?)?.into())
    }
}
