//! The client of the real catalogue service, over HTTP.
//!
//! `calls.rs` maps each query to a request and a parser, `transport.rs` makes one request within its
//! budgets, `wire/` validates and cleans the JSON, and `guard/` controls every call.

mod calls;
mod client;
mod counters;
mod fetched;
mod guard;
mod left_out;
mod limits;
mod pages;
mod transport;
mod whole;
pub(super) mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use url::Url;

use self::calls::Call;
use self::client::{Clients, proxy_for};
pub use self::counters::{CallOutcome, CatalogueCounters};
use self::fetched::Fetched;
use self::guard::Guard;
use self::left_out::LeftOutSoFar;
pub use self::limits::{CallTimes, ServiceLimits};
pub use self::pages::PassProgress;
use self::pages::Passes;
use self::transport::{CallLimits, Transport};
use self::wire::Parsed;
#[cfg(test)]
pub(crate) use self::wire::example_product;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::wire::{check_parsers, check_product, check_summary};
use super::error::CatalogueError;
use super::query::{Ask, Result};
use super::revision::{Change, Revision};
use crate::observe::ErrorChain;
use crate::profile::Currency;

/// Most calls that are remembered because their answers were too large. Visitors can invent searches.
const MOST_OVERSIZED: u64 = 256;

/// The catalogue service at a base URL. Clones share connections, guard and counters.
#[derive(Clone, Debug)]
pub struct Service {
    base: Url,
    clients: Arc<Clients>,
    transport: Arc<Transport>,
    guard: Arc<Guard>,
    counters: Arc<CatalogueCounters>,
    left_out: Arc<LeftOutSoFar>,
    /// The currency of its prices.
    currency: Currency,
    limits: ServiceLimits,
    /// The calls whose answers were too large. Downloading such an answer costs as much as a usable one, and the next
    /// answer will be as large, so the call is not repeated for a while.
    oversized: Cache<String, ()>,
    passes: Arc<Passes>,
    /// Time between two pages of a pass, which leaves half of the allowed calls to other queries.
    page_pause: Duration,
}

impl Service {
    /// Prepares the client; makes no call.
    ///
    /// # Errors
    /// Fails when no client can ever be made. A machine without certificates to trust may get some later.
    pub fn new(base: Url, limits: ServiceLimits) -> Result<Self> {
        let counters = Arc::new(CatalogueCounters::default());
        let guard = Arc::new(Guard::new(&limits, Arc::clone(&counters)));
        let clients = Clients::new(&base, &limits, Arc::clone(&guard));
        match clients.client(Instant::now()) {
            Err(error @ CatalogueError::NoCertificates(_)) => {
                tracing::error!(error = %ErrorChain(&error), "the catalogue cannot be called for now");
            }
            made => drop(made?),
        }
        let transport = Transport::new(Arc::clone(&counters), proxy_for(&base));
        Ok(Self {
            base,
            clients: Arc::new(clients),
            transport: Arc::new(transport),
            guard,
            counters,
            left_out: Arc::default(),
            currency: Currency::default(),
            limits,
            oversized: Cache::builder()
                .max_capacity(MOST_OVERSIZED)
                .eviction_policy(EvictionPolicy::lru())
                .time_to_live(limits.oversized_for)
                .build(),
            passes: Arc::new(Passes::new()),
            page_pause: Duration::try_from_secs_f64(2.0 / limits.calls_per_second).unwrap_or_default(),
        })
    }

    /// Reads prices as amounts of this currency.
    pub fn in_currency(self, currency: Currency) -> Self {
        Self { currency, ..self }
    }

    /// The counters of this service's calls.
    pub fn counters(&self) -> &Arc<CatalogueCounters> {
        &self.counters
    }

    /// Makes the call, and counts and logs what is left out of its answer. The service need not repeat the answer of
    /// the revision `since`.
    async fn fetch<C: Call>(&self, call: &C, since: Option<&Revision>) -> Result<Fetched<C>> {
        let (url, name) = (&self.address(call), self.name_of(call));
        self.expect_to_fit(&name)?;
        let client = &self.clients.for_call().await?;
        let validator = since.and_then(|since| since.validator(Instant::now()));
        let CallTimes { first_byte, read, .. } = self.limits.times_of(call.kind());
        let limits = CallLimits { first_byte, read, max_body: C::max_body(&self.limits) };
        // Parsing is part of the guarded call, because the breaker counts malformed answers as failures.
        let fetch = || async move {
            let received = self.transport.get(client, url.clone(), validator, limits).await?;
            Fetched::of(received, since.cloned(), self.currency).await
        };
        let fetched = self.guard.call(call.kind(), fetch).await;
        if let Err(CatalogueError::TooLarge { limit }) = fetched {
            self.oversized.insert(name, ());
            tracing::error!(
                query = call.kind().name(),
                limit_bytes = limit,
                "an answer of the catalogue is too large; it is not asked for again for ten minutes"
            );
        }
        let fetched: Fetched<C> = fetched?;
        if let Fetched::New { parsed: Parsed { dropped, .. }, .. } = &fetched {
            self.left_out.note(dropped);
            self.counters.dropped_entries.add(dropped.count());
        }
        Ok(fetched)
    }

    /// Makes a call whose answer need not be repeated if it is that of the revision `since`.
    async fn ask_since<C: Call>(&self, call: &C, since: Option<&Revision>) -> Result<Change<C::Answer>> {
        self.counted(self.fetch(call, since).await?).change(call)
    }

    /// Counts an answer as parsed or unchanged.
    fn counted<C: Call>(&self, fetched: Fetched<C>) -> Fetched<C> {
        match &fetched {
            Fetched::Unchanged { .. } => self.counters.unchanged.increment(),
            Fetched::New { .. } => self.counters.parsed.increment(),
            Fetched::Missing => {}
        }
        fetched
    }

    /// Fails if the answer to this call was too large a short while ago.
    fn expect_to_fit(&self, name: &str) -> Result<()> {
        match self.oversized.contains_key(name) {
            true => Err(CatalogueError::TooLarge { limit: self.limits.max_body }),
            false => Ok(()),
        }
    }

    /// A name that distinguishes a call from the others of this service.
    fn name_of(&self, call: &impl Call) -> String {
        let url = self.address(call);
        format!("{}?{}", url.path(), url.query().unwrap_or_default())
    }

    fn address(&self, call: &impl Call) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(call.segments());
        }
        let parameters = call.parameters();
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        url
    }
}

#[async_trait]
impl<C: Call> Ask<C> for Service {
    async fn ask(&self, call: &C) -> Result<C::Answer> {
        if let Some(known) = call.known() {
            return Ok(known);
        }
        match self.ask_since(call, None).await? {
            Change::New(answer, _) => Ok(answer),
            Change::Unchanged(_) => Err(CatalogueError::Status(304)),
        }
    }
}
