//! The client of the real catalogue service, over HTTP.
//!
//! `calls.rs` maps each query to a request and a parser, `transport.rs` makes one request within its
//! budgets, `wire/` validates and cleans the JSON, and `guard/` controls every call.

mod calls;
mod client;
mod counters;
mod guard;
mod left_out;
mod limits;
mod oversized;
mod transport;
pub(super) mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use url::Url;

use self::calls::Call;
use self::client::{Clients, proxy_for};
pub use self::counters::{CallOutcome, CatalogueCounters};
use self::guard::Guard;
use self::left_out::LeftOutSoFar;
pub use self::limits::ServiceLimits;
use self::oversized::Oversized;
use self::transport::Transport;
use self::wire::Parsed;
#[cfg(test)]
pub(crate) use self::wire::example_product;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::wire::{check_parsers, check_product, check_summary};
use super::error::CatalogueError;
use super::query::{Aged, Ask, Listing, Result};
use super::{Catalogue, CataloguePurge, CatalogueStatus, Outdated};
use crate::observe::ErrorChain;
use crate::process::compute::off_runtime;
use crate::profile::Currency;
use crate::share::{Share, SharedAnswer, Turn};

/// The catalogue service at a base URL. Clones share connections, guard and counters.
#[derive(Clone, Debug)]
pub struct Service {
    base: Url,
    clients: Arc<Clients>,
    transport: Arc<Transport>,
    guard: Arc<Guard>,
    counters: Arc<CatalogueCounters>,
    left_out: Arc<LeftOutSoFar>,
    /// That of its prices.
    currency: Currency,
    /// Largest body, in bytes.
    max_body: usize,
    oversized: Arc<Oversized>,
    /// What other replicas have received, if there are any.
    share: Option<Share>,
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
        let transport = Transport::new(&limits, Arc::clone(&counters), proxy_for(&base));
        Ok(Self {
            base,
            clients: Arc::new(clients),
            transport: Arc::new(transport),
            guard,
            counters,
            left_out: Arc::default(),
            currency: Currency::default(),
            max_body: limits.max_body,
            oversized: Arc::new(Oversized::new(limits.oversized_for)),
            share: None,
        })
    }

    /// The same with calls that replicas make for each other.
    pub fn shared(self, share: Option<Share>) -> Self {
        Self { share, ..self }
    }

    /// The same with prices in another currency than the default.
    pub fn in_currency(self, currency: Currency) -> Self {
        Self { currency, ..self }
    }

    /// The counters of this service's calls.
    pub fn counters(&self) -> &Arc<CatalogueCounters> {
        &self.counters
    }

    /// Makes the call, and counts and logs what is left out of its answer.
    async fn fetch<C: Call>(&self, call: &C) -> Result<Fetched<C>> {
        let (url, name) = (&self.address(call), self.name_of(call));
        self.expect_to_fit(&name)?;
        let client = &self.clients.for_call().await?;
        // Parsing is part of the guarded call, because the breaker counts malformed answers as failures.
        let fetch = || async move {
            Fetched::parse(self.transport.get(client, url.clone()).await?, self.currency).await
        };
        let fetched = self.guard.call(call.kind(), fetch).await;
        if let Err(CatalogueError::TooLarge { limit }) = fetched {
            self.oversized.note(name, Instant::now());
            tracing::error!(
                query = call.kind().name(),
                limit_bytes = limit,
                "an answer of the catalogue is too large; it is not asked for again for ten minutes"
            );
        }
        let fetched: Fetched<C> = fetched?;
        if let Some(Parsed { dropped, .. }) = &fetched.value {
            self.left_out.note(dropped);
            self.counters.dropped_entries.add(dropped.count());
        }
        Ok(fetched)
    }

    /// Fails if the answer to this call was too large a short while ago.
    fn expect_to_fit(&self, name: &str) -> Result<()> {
        match self.oversized.has(name, Instant::now()) {
            true => Err(CatalogueError::TooLarge { limit: self.max_body }),
            false => Ok(()),
        }
    }

    /// What distinguishes a call from others of this service.
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
        match call.known() {
            Some(known) => Ok(known),
            None => self.fetch(call).await?.answer(call),
        }
    }

    async fn ask_within(&self, call: &C, within: Duration) -> Result<Aged<C::Answer>> {
        if let Some(known) = call.known() {
            return Ok(Aged::new(known));
        }
        let name = self.name_of(call);
        // Before other replicas are asked, who would take turns for a call that none of them makes.
        self.expect_to_fit(&name)?;
        let turn = match &self.share {
            Some(share) if !within.is_zero() => share.turn(&name, within, self.max_body).await,
            _ => Turn::Alone,
        };
        let lease = match turn {
            Turn::Alone => None,
            Turn::Mine(lease) => Some(lease),
            Turn::Answered(SharedAnswer { body, age }) => {
                // What others stored is believed no more than the service: what it refuses is asked for.
                match Fetched::parse(body, self.currency)
                    .await
                    .and_then(|fetched: Fetched<C>| fetched.answer(call))
                {
                    Ok(answer) => return Ok(Aged { answer, age }),
                    Err(_) => None,
                }
            }
        };
        let fetched = self.fetch(call).await;
        if let Some(lease) = lease {
            let body = fetched.as_ref().ok().map(|fetched| fetched.body.clone());
            // Nobody who asked waits for it.
            tokio::spawn(async move {
                match body {
                    Some(body) => lease.store(body).await,
                    None => lease.release().await,
                }
            });
        }
        fetched?.answer(call).map(Aged::new)
    }
}

/// A body that was understood.
struct Fetched<C: Call> {
    /// `None` for a 404 that the API itself sent.
    body: Option<Bytes>,
    value: Option<Parsed<C::Answer>>,
}

impl<C: Call> Fetched<C> {
    async fn parse(body: Option<Vec<u8>>, currency: Currency) -> Result<Self> {
        let Some(body) = body.map(Bytes::from) else { return Ok(Self { body: None, value: None }) };
        let text = body.clone();
        let value = off_runtime(move || C::parse(&text, currency)).await?;
        Ok(Self { body: Some(body), value: Some(value) })
    }

    fn answer(self, call: &C) -> Result<C::Answer> {
        self.value.map_or_else(|| call.not_found(), |parsed| Ok(parsed.value))
    }
}

impl Catalogue for Service {
    fn currency(&self) -> Currency {
        self.currency
    }

    fn status(&self) -> CatalogueStatus {
        let is_too_large = self.oversized.has(&self.name_of(&Listing::All), Instant::now());
        CatalogueStatus {
            calls: Some(Arc::clone(&self.counters)),
            breakers: self.guard.breakers(),
            list_exceeds: is_too_large.then_some(self.max_body),
            left_out: self.left_out.lines(),
            ..CatalogueStatus::default()
        }
    }

    fn purge(&self, purges: &[CataloguePurge]) {
        // An operator may have made the catalogue smaller. The change of one product does not.
        if purges.iter().any(|purge| purge.outdated == Outdated::Everything) {
            self.oversized.clear();
        }
        // The latest order is the one that distrusts most.
        if let (Some(share), Some(ago)) = (&self.share, purges.iter().map(|purge| purge.ago).min()) {
            share.distrust_answers(ago);
        }
    }
}
