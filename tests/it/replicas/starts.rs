//! A new replica starts from what the others have, while the catalogue is away.

use super::fleet::Replica;
use super::relay::{Relay, Way};
use super::{Shared, until_shared};
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

const FRESH: [&str; 2] = ["--fresh", "2"];

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replica_sells_from_the_others_catalogue_while_the_service_is_away() {
    let Some(shared) = Shared::start().await else { return };
    let first = shared.replica(&FRESH);
    get(first.address(), "/product/1").unwrap();
    until_shared(&shared.redis, 1);
    shared.upstream.set(Fault::RefuseConnections).await;
    let second = shared.replica(&FRESH);
    for path in ["/", "/product/1", "/category/beauty", "/search/red"] {
        assert_eq!(get(second.address(), path), Ok(()), "{path}");
    }
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));

    // One that has started without anything sells once the shared server is there.
    let other_way = Relay::to(shared.redis.socket()).await;
    other_way.set(Way::Closed);
    let third = shared.replica_through(&other_way, &FRESH);
    assert!(third.operator("GET /readyz").starts_with("HTTP/1.1 503 "));
    other_way.set(Way::Open);
    blocking_until("products", || third.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
    assert_eq!(get(third.address(), "/product/1"), Ok(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn shops_of_different_catalogues_share_nothing() {
    let Some(shared) = Shared::start().await else { return };
    let other_service = Upstream::start().await;
    let first = shared.replica(&FRESH);
    until_shared(&shared.redis, 1);
    let other = Replica::start(other_service.base().as_ref(), Some(&shared.relay.url()), &FRESH);
    until_shared(&shared.redis, 2);
    for replica in [&first, &other] {
        blocking_until("a lease", || replica.reads());
    }
    assert!(!shared.upstream.calls().is_empty() && !other_service.calls().is_empty());
}
