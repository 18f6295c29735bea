//! One pass over all pages of a shop, and what is known of them for the next one.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Cursor;
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue};
use serde::Deserialize;
use tokio::time::Instant;
use url::Url;

use super::super::body::Body;
use super::super::json_shops::{Head, System};
use super::calls::{Answer, Calls};
use super::error::ShopError;
use super::page::{KnownPage, Page, Totals};
use crate::catalogue::store::Bytes;
use crate::profile::Currency;

/// The last page that Shopify shows.
const LAST_OF_SHOPIFY: usize = 100;
/// For how long an unchanged first page of WooCommerce stands for all.
const TRUSTED: Duration = Duration::from_secs(60 * 60);

/// What is known from the last whole pass.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Last {
    system: Option<System>,
    /// That of all that was read.
    pub(super) hash: Option<blake3::Hash>,
    /// By the ends of their addresses.
    pages: HashMap<String, KnownPage>,
    ids: HashSet<u64>,
    /// What the first page was modified at, and when it was read.
    modified: Option<(HeaderValue, Instant)>,
}

/// A page whose lines are from `start` on in what was written.
struct Written {
    etag: HeaderValue,
    totals: Option<Totals>,
    start: u64,
    length: u64,
}

/// A pass so far.
pub(super) struct Pass<'a> {
    calls: &'a Calls,
    headers: HeaderMap,
    last: &'a Last,
    /// The shop's address after redirects, without a slash at its end.
    base: String,
    system: System,
    body: Body,
    length: u64,
    ids: HashSet<u64>,
    /// Hashes of the pages.
    seen: HashSet<u64>,
    pages: HashMap<String, Written>,
    modified: Option<(HeaderValue, Instant)>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        calls: &'a Calls,
        address: &Url,
        headers: HeaderMap,
        body: Body,
        last: &'a Last,
    ) -> Self {
        Self {
            calls,
            headers,
            last,
            base: address.as_str().trim_end_matches('/').to_owned(),
            system: last.system.unwrap_or(System::Shopify),
            body,
            length: 0,
            ids: HashSet::new(),
            seen: HashSet::new(),
            pages: HashMap::new(),
            modified: None,
        }
    }

    /// Reads all pages. Returns whether something may have changed.
    ///
    /// # Errors
    /// When not all can be read.
    pub(super) async fn read(&mut self, accepts_limit: bool) -> Result<bool, ShopError> {
        let mut not_shopify = None;
        if self.system == System::Shopify {
            match self.read_shopify(accepts_limit).await {
                // Before the first page it is not known which system it is.
                Err(error)
                    if self.length == 0 && self.last.system.is_none() && error.may_be_other_system() =>
                {
                    not_shopify = Some(error);
                }
                read => return read.map(|()| true),
            }
        }
        self.system = System::WooCommerce;
        match (self.read_woocommerce().await, not_shopify) {
            (Err(ShopError::Off), Some(other)) => Err(other),
            (read, _) => read,
        }
    }

    /// Reads the pages of Shopify, which ends with one that is empty.
    async fn read_shopify(&mut self, accepts_limit: bool) -> Result<(), ShopError> {
        for number in 1.. {
            let end = format!("/products.json?limit=250&page={number}");
            let page = match self.page(&end).await {
                Err(ShopError::Status(StatusCode::BAD_REQUEST) | ShopError::NoList)
                    if number > LAST_OF_SHOPIFY =>
                {
                    if !accepts_limit {
                        return Err(ShopError::Limit);
                    }
                    tracing::warn!(
                        "Shopify shows no more than 25,000 products; these are sold (--accept-loss)"
                    );
                    return Ok(());
                }
                page => page?,
            };
            if number == 1 {
                let currency = self.currency().await?;
                self.write_head(currency).await?;
            }
            if page.products.is_empty() {
                return Ok(());
            }
            self.add(end, page).await?;
        }
        Ok(())
    }

    /// The currency of a shop of Shopify's, if that says it.
    async fn currency(&mut self) -> Result<Option<Currency>, ShopError> {
        #[derive(Deserialize)]
        struct Meta<'a> {
            #[serde(borrow)]
            currency: Cow<'a, str>,
        }
        let answer = self.get("/meta.json", None).await?;
        let meta = serde_json::from_slice(&answer.body).ok().filter(|_| answer.status == StatusCode::OK);
        Ok(meta.and_then(|Meta { currency }| Currency::parse(&currency)))
    }

    /// Reads the products of WooCommerce and then their variations. Returns whether something may have changed.
    async fn read_woocommerce(&mut self) -> Result<bool, ShopError> {
        for list in ["", "type=variation&"] {
            let (before, mut number, mut total) = (self.ids.len(), 1, None);
            loop {
                let end = format!(
                    "/wp-json/wc/store/v1/products?{list}per_page=100&page={number}&orderby=id&order=asc&\
                     catalog_visibility=catalog"
                );
                let page = self.page(&end).await?;
                if self.length == 0 {
                    self.modified = page.modified.clone().map(|modified| (modified, Instant::now()));
                    if self.is_as_before() {
                        return Ok(false);
                    }
                    self.write_head(None).await?;
                }
                let Totals { products, pages } = page.totals.ok_or(ShopError::NoTotal)?;
                let is_last = number >= pages || page.products.is_empty();
                self.add(end, page).await?;
                let read = self.ids.len() - before;
                // A product that is removed makes others move to pages that were read already.
                if *total.get_or_insert(products) != products || (is_last && read != products) {
                    return Err(ShopError::Unsettled);
                }
                if is_last {
                    break;
                }
                number += 1;
            }
        }
        Ok(true)
    }

    /// Whether the first page was modified when it was for the last pass, which is not long ago.
    fn is_as_before(&self) -> bool {
        let (Some((now, _)), Some((then, read))) = (&self.modified, &self.last.modified) else {
            return false;
        };
        now == then && read.elapsed() < TRUSTED
    }

    /// Asks for the page whose address ends so.
    async fn page(&mut self, end: &str) -> Result<Page, ShopError> {
        let known = self.last.pages.get(end);
        let answer = self.get(end, known.map(|page| &page.etag)).await?;
        match known {
            Some(known) if answer.status == StatusCode::NOT_MODIFIED => {
                Page::unchanged(known, &answer.headers).await
            }
            _ => Page::of(answer, self.system).await,
        }
    }

    async fn get(&mut self, end: &str, etag: Option<&HeaderValue>) -> Result<Answer, ShopError> {
        let address = Url::parse(&format!("{}{end}", self.base)).map_err(|_| ShopError::Off)?;
        let answer = self.calls.get(&address, &self.headers, etag).await?;
        // The next calls need no redirect.
        if let Some(base) = answer.url.as_str().strip_suffix(end) {
            base.clone_into(&mut self.base);
        }
        Ok(answer)
    }

    /// Adds a page. Its products that earlier pages have had do not count again.
    async fn add(&mut self, end: String, page: Page) -> Result<(), ShopError> {
        if !page.products.is_empty() && !self.seen.insert(page.hash()) {
            return Err(ShopError::Repeated);
        }
        let (start, mut lines, mut is_whole) = (self.length, Vec::new(), true);
        for line in page.products {
            if self.ids.insert(line.id) {
                lines.extend_from_slice(line.text.as_bytes());
                lines.push(b'\n');
            } else {
                is_whole = false;
            }
        }
        let length = lines.len() as u64;
        self.write(lines).await?;
        if let Some(etag) = page.etag.filter(|_| is_whole) {
            self.pages.insert(end, Written { etag, totals: page.totals, start, length });
        }
        Ok(())
    }

    /// Writes what stands before the first page.
    async fn write_head(&mut self, currency: Option<Currency>) -> Result<(), ShopError> {
        let currency = currency.map(|currency| Cow::Owned(currency.code().to_owned()));
        let head = Head { shop: (&*self.base).into(), system: self.system, currency };
        let mut line = serde_json::to_vec(&head).map_err(ShopError::Json)?;
        line.push(b'\n');
        self.write(line).await
    }

    async fn write(&mut self, lines: Vec<u8>) -> Result<(), ShopError> {
        self.length += lines.len() as u64;
        Ok(self.body.add(lines.into()).await?)
    }

    /// Whether products are missing that the shop had before: while one was removed, another may have moved to a page that was
    /// read already.
    pub(super) fn lacks_products(&self) -> bool {
        self.last.ids.iter().any(|id| !self.ids.contains(id))
    }

    /// All that was read, and what is known of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) async fn finish(self) -> Result<(Bytes, Last), ShopError> {
        let Self { system, body, ids, pages, modified, .. } = self;
        let (bytes, hash) = body.finish().await?;
        let known = |(end, Written { etag, totals, start, length }): (String, Written)| {
            let lines = bytes.split_at(start)?.1.split_at(length)?.0;
            Some((end, KnownPage { etag, totals, lines }))
        };
        // In memory the pages of the last pass would take as much again as those of the next.
        let pages =
            if bytes.are_in_file() { pages.into_iter().filter_map(known).collect() } else { HashMap::new() };
        Ok((bytes, Last { system: Some(system), hash: Some(hash), pages, ids, modified }))
    }

    /// The system of the shop, as one product shows.
    pub(super) async fn system(mut self) -> Option<System> {
        for end in ["/products.json?limit=1", "/wp-json/wc/store/v1/products?per_page=1"] {
            let answer = self.get(end, None).await.ok().filter(|answer| answer.check().is_ok());
            if let Some(system) = answer.and_then(|answer| System::of(Cursor::new(answer.body))) {
                return Some(system);
            }
        }
        None
    }
}
