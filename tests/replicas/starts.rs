//! A new replica starts from what the others have, while the catalogue is away.

use super::fleet::Replica;
use super::redis::Redis;
use super::relay::{Relay, Way};
use super::relayed_server;
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replica_sells_from_the_others_catalogue_while_the_service_is_away() {
    let Some((redis, upstream, relay)) = relayed_server().await else { return };
    let start = || Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--fresh", "2"]);
    let first = start();
    get(first.address(), "/product/1").unwrap();
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    upstream.set(Fault::RefuseConnections).await;
    let second = start();
    for path in ["/", "/product/1", "/category/beauty", "/search/red"] {
        assert_eq!(get(second.address(), path), Ok(()), "{path}");
    }
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_started_without_anything_sells_once_the_shared_server_is_there() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let relays = [Relay::to(redis.socket()).await, Relay::to(redis.socket()).await];
    let start =
        |relay: &Relay| Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--fresh", "2"]);
    let _first = start(&relays[0]);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    upstream.set(Fault::RefuseConnections).await;
    relays[1].set(Way::Closed);
    let second = start(&relays[1]);
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 503 "));
    relays[1].set(Way::Open);
    blocking_until("products", || second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
    assert_eq!(get(second.address(), "/product/1"), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_way_to_the_shared_server_may_be_encrypted() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let (relay, trusted) = Relay::encrypted(redis.socket()).await;
    let url = format!("rediss://localhost:{}", relay.address.port());
    let trusting = Replica::trusting(trusted.path(), upstream.base().as_ref(), &url);
    trusting.until_up(true);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    // The machine does not know who has signed it.
    let wary = Replica::start(upstream.base().as_ref(), Some(&url), &[]);
    wary.program().logged("the shared server is in trouble; this replica goes on alone");
    wary.until_up(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn shops_of_different_catalogues_share_nothing() {
    let Some(redis) = Redis::start() else { return };
    let (one, other) = (Upstream::start().await, Upstream::start().await);
    let relay = Relay::to(redis.socket()).await;
    let start =
        |upstream: &Upstream| Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--fresh", "2"]);
    let first = start(&one);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    let second = start(&other);
    blocking_until("another saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*2");
    // Each may read what it has stored itself, but no lease of one keeps the other from calling. A replica that was slow
    // to reach the shared server has begun without it, and takes its first lease at the next refresh.
    for replica in [&first, &second] {
        blocking_until("a lease", || replica.metric("vitrine_share_leases_total", "taken") > 0);
    }
    assert!(!one.calls().is_empty() && !other.calls().is_empty());
}
