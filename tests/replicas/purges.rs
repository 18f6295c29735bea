//! Purges reach every replica.

use std::time::{Duration, Instant};

use super::fleet::Replica;
use super::redis::Redis;
use super::relay::{Relay, Way};
use super::relayed_server;
use crate::common::faults::Fault;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// How soon the other replicas know of a purge.
const SOON: Duration = Duration::from_secs(1);

pub(crate) fn purges(replica: &Replica) -> u64 {
    replica.metric("vitrine_purges_total", "mode=\"hard\"")
}

pub(crate) fn shows(replica: &Replica, text: &str) -> bool {
    let url = format!("http://{}/product/1", replica.address());
    tokio::task::block_in_place(|| {
        tokio::runtime::Handle::current().block_on(async {
            crate::common::client().get(url).send().await.unwrap().text().await.unwrap().contains(text)
        })
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_reaches_every_replica_within_a_second_and_later_those_that_were_cut_off() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let base = upstream.base().to_string();
    let relays =
        [Relay::to(redis.socket()).await, Relay::to(redis.socket()).await, Relay::to(redis.socket()).await];
    let replicas =
        relays.each_ref().map(|relay| Replica::start(&base, Some(&relay.url()), &["--fresh", "600"]));
    for replica in &replicas {
        replica.until_up(true);
        assert!(!shows(replica, "first change"));
    }
    upstream.set(Fault::Retitled(" first change".into())).await;
    let ordered = Instant::now();
    assert!(replicas[0].operator("POST /purge?all=1&hard=1").starts_with("HTTP/1.1 200 "));
    for replica in &replicas {
        blocking_until("a purge", || purges(replica) == 1);
    }
    let took = ordered.elapsed();
    // Elsewhere the machine may be busy with other tests.
    assert!(super::timed().is_none() || took < SOON, "{took:?}");
    for replica in &replicas {
        blocking_until("the new title", || shows(replica, "first change"));
    }

    // One is cut off while an order is given, and one gives an order while it is cut off.
    relays[2].set(Way::Hole);
    replicas[2].until_up(false);
    upstream.set(Fault::Retitled(" second change".into())).await;
    replicas[1].operator("POST /purge?product=1&hard=1");
    blocking_until("the order at the first", || purges(&replicas[0]) == 2);
    replicas[2].operator("POST /purge?category=beauty&hard=1");
    assert_eq!(purges(&replicas[2]), 2, "its own, and the first");
    relays[2].set(Way::Open);
    for replica in &replicas {
        blocking_until("both orders", || purges(replica) == 3);
        blocking_until("the new title", || shows(replica, "second change"));
    }
    assert_eq!(replicas.each_ref().map(purges), [3; 3], "none twice");
    assert!(replicas[0].metric("vitrine_share_orders_total", "sent") >= 1);
    assert!(replicas[0].metric("vitrine_share_orders_total", "received") >= 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_of_one_supervisor_carry_out_an_order_once() {
    let Some((_redis, upstream, relay)) = relayed_server().await else { return };
    let replica = Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--supervise"]);
    replica.program().ready();
    replica.until_up(true);
    replica.operator("POST /purge?product=1&hard=1");
    replica.program().logged("purged");
    replica.program().signal("HUP");
    // The new worker finds the order in the journal and in the stream.
    replica.program().logged("purged");
    replica.program().ready();
    replica.until_up(true);
    assert!(replica.program().logged_within("purged", SOON).is_none(), "an order was carried out twice");
    assert_eq!(purges(&replica), 0, "the worker that was ordered it has counted it");
}
