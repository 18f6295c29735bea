//! The catalogue's client as the tests of its failures use it.

use std::time::Duration;

use url::Url;
use vitrine::catalogue::{CallTimes, CatalogueError, Service, ServiceLimits};

use super::queries::{Calls as _, Sold as _};
use super::until::until;
use super::upstream::Upstream;
use super::{listed, sample};

/// Under these limits every healthy answer comes in time, even on a busy machine. The test of a limit
/// lowers it.
pub(crate) const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_secs(30),
    visitor: CallTimes { total: Duration::from_secs(60), ..CallTimes::of(Duration::from_secs(30)) },
    reading: CallTimes::of(Duration::from_secs(60)),
    max_body: 4 << 20,
    oversized_for: Duration::ZERO,
    calls_per_second: 10_000.0,
    call_burst: 10_000,
    token_wait: Duration::from_millis(100),
    open_shortest: Duration::from_millis(50),
    open_longest: Duration::from_millis(200),
};

/// Longer than any test takes.
pub(crate) const FOREVER: Duration = Duration::from_secs(3_600);

pub(crate) fn service_at(base: Url, limits: ServiceLimits) -> Service {
    Service::new(base, limits).unwrap()
}

pub(crate) async fn start(limits: ServiceLimits) -> (Upstream, Service) {
    let upstream = Upstream::start().await;
    let service = service_at(upstream.base(), limits);
    (upstream, service)
}

/// Asks until there is an answer, as often as an open breaker or a pause allows.
pub(crate) async fn recover(service: &Service) {
    let whole = listed(&sample().all_products().await.unwrap());
    until("an answer of the service", async || match service.all_products().await {
        Ok(products) => {
            assert_eq!(products, whole);
            true
        }
        Err(CatalogueError::CircuitOpen { retry_after } | CatalogueError::RateLimited { retry_after }) => {
            tokio::time::sleep(retry_after).await;
            false
        }
        Err(_) => false,
    })
    .await;
}
