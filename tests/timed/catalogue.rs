//! How soon shoppers are answered while the catalogue service fails, and how exactly its client keeps
//! its budget.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use vitrine::catalogue::{CallTimes, CatalogueError, Followed, Service, ServiceLimits};

use crate::TURN;
use crate::common::client::{FOREVER, LIMITS, recover, service_at};
use crate::common::days::{
    self, AGES, PAGES, faults, get, grow_stale, open, settings, until_read, until_whole,
};
use crate::common::faults::Fault;
use crate::common::queries::Calls as _;
use crate::common::until::until;
use crate::common::upstream::Upstream;
use crate::common::{follow, real_renderer};

/// Stale pages come from memory; this is far more than that takes.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Budgets that run out soon.
const HASTY: ServiceLimits = ServiceLimits {
    connect_timeout: Duration::from_millis(150),
    visitor: CallTimes { total: Duration::from_millis(400), ..CallTimes::of(Duration::from_millis(200)) },
    reading: CallTimes::of(Duration::from_millis(400)),
    ..days::LIMITS
};

fn followed(upstream: &Upstream) -> Arc<Followed<Service>> {
    follow(Followed::new(service_at(upstream.base(), HASTY), AGES, 5_000))
}

async fn come_at_once(shop: SocketAddr, what: &str) {
    for path in PAGES {
        let took = get(shop, path).await.took;
        assert!(took < AT_ONCE, "{path}, {what}: {took:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_at_once_while_the_service_fails() {
    let _turn = TURN.lock().await;
    let upstream = Upstream::start().await;
    let catalogue = followed(&upstream);
    let shop = open(catalogue.clone(), real_renderer(1).await, settings()).await;
    until_read(&catalogue).await;
    for path in PAGES {
        until_whole(shop, path).await;
    }
    for fault in faults() {
        upstream.set(fault.clone()).await;
        for _ in 0..2 {
            grow_stale().await;
            come_at_once(shop, &format!("{fault:?}")).await;
        }
        upstream.set(Fault::None).await;
        for path in PAGES {
            until_whole(shop, path).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_anything_to_show_the_outage_is_a_503_at_once() {
    let _turn = TURN.lock().await;
    let upstream = Upstream::start().await;
    upstream.set(Fault::RefuseConnections).await;
    let catalogue = followed(&upstream);
    let shop = open(catalogue, real_renderer(1).await, settings()).await;
    for path in PAGES {
        let answer = get(shop, path).await;
        assert_eq!(answer.status, 503, "{path}");
        assert!(answer.took < AT_ONCE * 2, "{path}: {:?}", answer.took);
    }
}

/// What a call may take beyond its budget.
const SLACK: Duration = Duration::from_secs(2);

/// Asks until the breaker is open. No call takes longer than its budget.
async fn keeps_its_budget(service: &Service, limits: &ServiceLimits, what: &str) {
    until("an open breaker", async || {
        let started = Instant::now();
        let answer = service.all_products().await;
        let took = started.elapsed();
        assert!(took < limits.visitor.total + SLACK, "{what}: {took:?}");
        matches!(answer.unwrap_err(), CatalogueError::CircuitOpen { .. })
    })
    .await;
}

#[tokio::test]
async fn a_call_takes_no_longer_than_its_budget() {
    let _turn = TURN.lock().await;
    let limits = ServiceLimits {
        connect_timeout: Duration::from_millis(500),
        visitor: CallTimes {
            total: Duration::from_millis(1_200),
            ..CallTimes::of(Duration::from_millis(600))
        },
        open_shortest: FOREVER,
        open_longest: FOREVER,
        ..LIMITS
    };
    let upstream = Upstream::start().await;
    // Those that take time or are retried; other answers end a call as soon as they have come.
    for fault in [
        Fault::RefuseConnections,
        Fault::IgnoreConnections,
        Fault::Silence,
        Fault::StallMidBody,
        Fault::Drip { every: limits.visitor.read / 10 },
        Fault::Latency(limits.visitor.first_byte * 3),
        Fault::ResetMidBody,
        Fault::Status(500),
        Fault::Deep,
        Fault::Huge,
    ] {
        let service = service_at(upstream.base(), limits);
        upstream.set(Fault::None).await;
        recover(&service).await;
        upstream.set(fault.clone()).await;
        keeps_its_budget(&service, &limits, &format!("{fault:?}")).await;
    }
    let nameless = service_at("http://catalogue.invalid".parse().unwrap(), limits);
    keeps_its_budget(&nameless, &limits, "a name that does not resolve").await;
}
