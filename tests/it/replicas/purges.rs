//! Orders to purge reach every replica even if the server refuses them at first, or the worker or client that gave them
//! ends.

use std::time::{Duration, Instant};

use super::Shared;
use super::fleet::Replica;
use super::relay::{Relay, Way};
use crate::common::faults::Fault;
use crate::common::program::signal;
use crate::common::until::blocking_until;

const PURGE: &str = "POST /purge?product=1&hard=1";

/// How soon the other replicas know of a purge.
const SOON: Duration = Duration::from_secs(1);

pub(crate) fn purges(replica: &Replica) -> u64 {
    replica.metric("vitrine_purges_total", "mode=\"hard\"")
}

pub(crate) fn shows(replica: &Replica, text: &str) -> bool {
    tokio::task::block_in_place(|| {
        let page = crate::common::pages::body(replica.address(), "/product/1");
        tokio::runtime::Handle::current().block_on(page).contains(text)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_reaches_every_replica_within_a_second_and_later_those_that_were_cut_off() {
    let Some(shared) = Shared::start().await else { return };
    let other_way = Relay::to(shared.redis.socket()).await;
    let replicas = [&shared.relay, &shared.relay, &other_way]
        .map(|relay| shared.replica_through(relay, &["--fresh", "600"]));
    for replica in &replicas {
        replica.until_up(true);
        assert!(!shows(replica, "first change"));
    }
    shared.upstream.set(Fault::Retitled(" first change".into())).await;
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

    // One is cut off while an order is given, and gives an order while it is cut off.
    other_way.set(Way::Hole);
    replicas[2].until_up(false);
    shared.upstream.set(Fault::Retitled(" second change".into())).await;
    replicas[1].operator(PURGE);
    blocking_until("the order at the first", || purges(&replicas[0]) == 2);
    replicas[2].operator("POST /purge?category=beauty&hard=1");
    assert_eq!(purges(&replicas[2]), 2, "its own, and the first");
    other_way.set(Way::Open);
    for replica in &replicas {
        blocking_until("both orders", || purges(replica) == 3);
        blocking_until("the new title", || shows(replica, "second change"));
    }
    assert_eq!(replicas.each_ref().map(purges), [3; 3], "none twice");
    for way in ["sent", "received"] {
        assert!(replicas[0].metric("vitrine_share_orders_total", way) >= 1, "{way}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_of_one_supervisor_carry_out_an_order_once() {
    let Some(shared) = Shared::start().await else { return };
    let replica = shared.replica(&["--supervise"]);
    replica.program().ready();
    replica.until_up(true);
    replica.operator(PURGE);
    replica.program().logged("purged");
    replica.program().signal("HUP");
    // The new worker finds the order in the journal and in the stream.
    replica.program().logged("purged");
    replica.program().ready();
    replica.until_up(true);
    assert!(replica.program().logged_within("purged", SOON).is_none(), "an order was carried out twice");
    assert_eq!(purges(&replica), 0, "the worker that was ordered it has counted it");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_the_server_refuses_is_given_as_soon_as_it_takes_it() {
    let Some(shared) = Shared::start().await else { return };
    let replicas: [_; 2] = shared.replicas(&["--fresh", "600"]);
    let tell = |command: &str| assert_eq!(shared.redis.ask(command), "+OK", "{command}");

    // The server has no memory left; its connections stay.
    tell("CONFIG SET maxmemory 1");
    assert!(replicas[0].operator(PURGE).starts_with("HTTP/1.1 200 "));
    assert!(replicas[0].metric("vitrine_share_operations_total", "refused") >= 1);
    tell("CONFIG SET maxmemory 0");
    blocking_until("the order at the other", || purges(&replicas[1]) == 1);

    // The server becomes the secondary of a primary that does not answer. Who only reads from it may not notice.
    tell("REPLICAOF 127.0.0.1 1");
    assert!(replicas[0].operator(PURGE).starts_with("HTTP/1.1 200 "));
    replicas[0].until_up(false);
    tell("REPLICAOF NO ONE");
    replicas.iter().for_each(|replica| replica.until_up(true));
    blocking_until("the next order at the other", || purges(&replicas[1]) == 2);
    assert_eq!(replicas.each_ref().map(purges), [2; 2], "none twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_outlives_the_worker_that_could_not_give_it() {
    let Some(shared) = Shared::start().await else { return };
    let other_way = Relay::to(shared.redis.socket()).await;
    let supervised = shared.replica(&["--supervise"]);
    let worker = supervised.program().ready();
    let other = shared.replica_through(&other_way, &[]);
    supervised.until_up(true);
    other.until_up(true);
    // The stream has this one, so no worker gives it again.
    supervised.operator("POST /purge?all=1&hard=1");
    blocking_until("the order at the other", || purges(&other) == 1);

    shared.relay.set(Way::Closed);
    supervised.operator(PURGE);
    assert!(signal(worker, "KILL"));
    supervised.program().ready();
    shared.relay.set(Way::Open);
    blocking_until("the order of the dead worker", || purges(&other) == 2);
    assert_eq!(supervised.metric("vitrine_share_orders_total", "sent"), 1, "by the worker that inherited it");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_carried_out_although_their_clients_go_away() {
    /// In about one of eight the end of the stream is read together with the order.
    const ORDERS: u64 = 40;
    let Some(shared) = Shared::start().await else { return };
    let [replica] = shared.replicas(&[]);
    // The orders wait for the server while their clients leave.
    shared.relay.set(Way::Hole);
    for _ in 0..ORDERS {
        drop(replica.send(PURGE));
    }
    blocking_until("the orders", || purges(&replica) == ORDERS);
}
