//! The catalogue's client as the tests of its failures use it.

use std::time::{Duration, Instant};

use url::Url;
use vitrine::catalogue::{Catalogue, CatalogueError, Service, ServiceLimits};

use super::sample;
use super::upstream::Upstream;

/// Short, but long enough for a healthy answer on a busy machine.
pub const LIMITS: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_millis(500),
    first_byte_timeout: Duration::from_millis(600),
    read_timeout: Duration::from_millis(600),
    total_timeout: Duration::from_millis(1_200),
    max_body: 4 << 20,
    calls_per_second: 10_000.0,
    call_burst: 10_000,
    token_wait: Duration::from_millis(100),
    open_shortest: Duration::from_millis(50),
    open_longest: Duration::from_millis(200),
};

/// What a busy machine may add to a budget.
pub const SLACK: Duration = Duration::from_secs(2);

pub fn service_at(base: Url, limits: ServiceLimits) -> Service {
    Service::new(base, limits).unwrap()
}

pub async fn start(limits: ServiceLimits) -> (Upstream, Service) {
    let upstream = Upstream::start().await;
    let service = service_at(upstream.base(), limits);
    (upstream, service)
}

/// Asks until there is an answer, as an open breaker or a pause allows.
pub async fn recover(service: &Service) {
    let started = Instant::now();
    while let Err(error) = service.all_products().await {
        assert!(started.elapsed() < Duration::from_secs(10), "still {error}");
        if let CatalogueError::CircuitOpen { retry_after } | CatalogueError::RateLimited { retry_after } =
            error
        {
            tokio::time::sleep(retry_after).await;
        }
    }
    assert_eq!(service.all_products().await.unwrap(), sample().all_products().await.unwrap());
}
