//! A new replica starts from what the others have, while the catalogue is away.

use super::fleet::Replica;
use super::redis::Redis;
use super::relay::Relay;
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replica_sells_from_the_others_catalogue_while_the_service_is_away() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let relay = Relay::to(redis.socket()).await;
    let start = || Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--fresh", "2"]);
    let first = start();
    get(first.address(), "/product/1").unwrap();
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:state") == "*1");
    upstream.set(Fault::RefuseConnections).await;
    let second = start();
    for path in ["/", "/product/1", "/category/beauty", "/search/red"] {
        assert_eq!(get(second.address(), path), Ok(()), "{path}");
    }
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
}

#[tokio::test(flavor = "multi_thread")]
async fn shops_of_different_catalogues_share_nothing() {
    let Some(redis) = Redis::start() else { return };
    let (one, other) = (Upstream::start().await, Upstream::start().await);
    let relay = Relay::to(redis.socket()).await;
    let first = Replica::start(one.base().as_ref(), Some(&relay.url()), &[]);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:state") == "*1");
    let second = Replica::start(other.base().as_ref(), Some(&relay.url()), &[]);
    blocking_until("another saved catalogue", || redis.ask("KEYS vitrine:*:state") == "*2");
    // Each may read what it has stored itself, but no lease of one kept the other from calling.
    for replica in [&first, &second] {
        assert!(replica.metric("vitrine_share_leases_total", "taken") > 0);
    }
    assert!(!one.calls().is_empty() && !other.calls().is_empty());
}
