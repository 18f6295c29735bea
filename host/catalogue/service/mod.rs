//! The client of the real catalogue service, over HTTP.
//!
//! `calls.rs` maps each query to a request and a parser, `transport.rs` makes one request within its
//! budgets, `wire/` validates and cleans the JSON, and `guard/` controls every call.

mod calls;
mod counters;
mod guard;
mod limits;
mod transport;
pub(super) mod wire;

use std::sync::Arc;

use async_trait::async_trait;
use url::Url;

use self::calls::Call;
pub use self::counters::{CallOutcome, CatalogueCounters};
use self::guard::Guard;
pub use self::limits::ServiceLimits;
use self::transport::Transport;
use self::wire::Parsed;
#[cfg(test)]
pub(crate) use self::wire::example_product;
#[cfg(any(test, feature = "fuzzing"))]
pub use self::wire::{check_parsers, check_product, check_summary};
use super::query::{Ask, Result};
use super::{Catalogue, CatalogueStatus};
use crate::observe::LogThrottle;
use crate::process::compute::off_runtime;

/// The catalogue service at a base URL. Clones share connections, guard and counters.
#[derive(Clone, Debug)]
pub struct Service {
    base: Url,
    transport: Arc<Transport>,
    guard: Arc<Guard>,
    counters: Arc<CatalogueCounters>,
    throttle: Arc<LogThrottle>,
}

impl Service {
    /// Prepares the client; makes no call.
    ///
    /// # Errors
    /// Fails when the TLS configuration of this machine cannot be loaded.
    pub fn new(base: Url, limits: ServiceLimits) -> reqwest::Result<Self> {
        let counters = Arc::new(CatalogueCounters::default());
        let guard = Arc::new(Guard::new(&limits, Arc::clone(&counters)));
        let transport = Transport::new(&base, &limits, Arc::clone(&guard), Arc::clone(&counters))?;
        Ok(Self { base, transport: Arc::new(transport), guard, counters, throttle: Arc::default() })
    }

    /// The counters of this service's calls.
    pub fn counters(&self) -> &Arc<CatalogueCounters> {
        &self.counters
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
        let url = &self.address(call);
        // Parsing is part of the guarded call, because the breaker counts malformed answers as failures.
        let fetch = || async move {
            match self.transport.get(url.clone()).await? {
                Some(body) => off_runtime(move || C::parse(&body)).await.map(Some),
                None => Ok(None),
            }
        };
        let Some(Parsed { value, dropped }) = self.guard.call(call.kind(), fetch).await? else {
            return call.not_found();
        };
        if dropped.count() > 0 && self.throttle.allows("dropped") {
            dropped.log();
        }
        self.counters.dropped_entries.add(dropped.count());
        Ok(value)
    }
}

impl Catalogue for Service {
    fn status(&self) -> CatalogueStatus {
        CatalogueStatus {
            calls: Some(Arc::clone(&self.counters)),
            breakers: self.guard.breakers(),
            ..CatalogueStatus::default()
        }
    }
}
