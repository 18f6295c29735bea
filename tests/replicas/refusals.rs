//! Orders reach every replica even if the server refuses them at first, or the worker or client that gave them ends.

use super::fleet::Replica;
use super::purges::purges;
use super::redis::Redis;
use super::relay::{Relay, Way};
use super::relayed_server;
use crate::common::program::signal;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

const PURGE: &str = "POST /purge?product=1&hard=1";

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_server_refuses_is_given_as_soon_as_it_takes_it() {
    let Some((redis, upstream, relay)) = relayed_server().await else { return };
    let start = || Replica::start(upstream.base().as_ref(), Some(&relay.url()), &["--fresh", "600"]);
    let replicas = [start(), start()];
    replicas.iter().for_each(|replica| replica.until_up(true));

    // The server has no memory left; its connections stay.
    assert_eq!(redis.ask("CONFIG SET maxmemory 1"), "+OK");
    assert!(replicas[0].operator(PURGE).starts_with("HTTP/1.1 200 "));
    assert!(replicas[0].metric("vitrine_share_operations_total", "refused") >= 1);
    assert_eq!(redis.ask("CONFIG SET maxmemory 0"), "+OK");
    blocking_until("the order at the other", || purges(&replicas[1]) == 1);

    // The server becomes the secondary of a primary that does not answer.
    assert_eq!(redis.ask("REPLICAOF 127.0.0.1 1"), "+OK");
    replicas.iter().for_each(|replica| replica.until_up(false));
    assert!(replicas[0].operator(PURGE).starts_with("HTTP/1.1 200 "));
    assert_eq!(redis.ask("REPLICAOF NO ONE"), "+OK");
    replicas.iter().for_each(|replica| replica.until_up(true));
    blocking_until("the next order at the other", || purges(&replicas[1]) == 2);
    assert_eq!(replicas.each_ref().map(purges), [2; 2], "none twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_outlives_the_worker_that_could_not_give_it() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let relays = [Relay::to(redis.socket()).await, Relay::to(redis.socket()).await];
    let base = upstream.base().to_string();
    let supervised = Replica::start(&base, Some(&relays[0].url()), &["--supervise"]);
    let worker = supervised.program().ready();
    let other = Replica::start(&base, Some(&relays[1].url()), &[]);
    supervised.until_up(true);
    other.until_up(true);
    // The stream has this one, so no worker gives it again.
    supervised.operator("POST /purge?all=1&hard=1");
    blocking_until("the order at the other", || purges(&other) == 1);

    relays[0].set(Way::Closed);
    supervised.operator(PURGE);
    assert!(signal(worker, "KILL"));
    supervised.program().ready();
    relays[0].set(Way::Open);
    blocking_until("the order of the dead worker", || purges(&other) == 2);
    assert_eq!(supervised.metric("vitrine_share_orders_total", "sent"), 1, "by the worker that inherited it");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_carried_out_although_their_clients_go_away() {
    /// In about one of eight the end of the stream is read together with the order.
    const ORDERS: u64 = 40;
    let Some((_redis, upstream, relay)) = relayed_server().await else { return };
    let replica = Replica::start(upstream.base().as_ref(), Some(&relay.url()), &[]);
    replica.until_up(true);
    // The orders wait for the server while their clients leave.
    relay.set(Way::Hole);
    for _ in 0..ORDERS {
        drop(replica.send(PURGE));
    }
    blocking_until("the orders", || purges(&replica) == ORDERS);
}
