//! What has not changed is not sent again: neither what replicas receive for each other nor what they save.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::fleet::{Replica, Visitors};
use super::purges::shows;
use super::redis::Redis;
use super::relay::Relay;
use super::relayed_server;
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::versioned::{Says, Versioned};

const PATHS: &[&str] = &["/product/1"];
const PAUSE: Duration = Duration::from_millis(25);
const ARGUMENTS: [&str; 4] = ["--fresh", "1", "--render-ahead", "off"];
/// Refreshes of each replica for which the traffic is counted.
const REFRESHES: u64 = 8;
/// More bytes than these refreshes take without the list, and fewer than a single list has.
const LITTLE: u64 = 50_000;

fn answers(replica: &Replica, content: &str) -> u64 {
    replica.metric("vitrine_catalogue_answers_total", content)
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_send_each_other_an_unchanged_list_once() {
    for says in [Says::Nothing, Says::Tag] {
        let Some(redis) = Redis::start() else { return };
        let service = Versioned::start(says.clone()).await;
        let relay = Relay::to(redis.socket()).await;
        let start = || Replica::start(service.base().as_ref(), Some(&relay.url()), &ARGUMENTS);
        let fleet = [start(), start()];
        fleet.iter().for_each(|replica| replica.until_up(true));
        let visitors = Visitors::of(&fleet.each_ref().map(Replica::place), PATHS, PAUSE);
        let until_unchanged = |times: u64| {
            let before = fleet.each_ref().map(|replica| answers(replica, "unchanged"));
            blocking_until("refreshes", || {
                let now = fleet.each_ref().map(|replica| answers(replica, "unchanged"));
                now.iter().zip(before).all(|(now, before)| *now >= before + times)
            });
        };
        // Both have the copy, and it was saved.
        blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
        until_unchanged(2);
        let (new, traffic) = (fleet.each_ref().map(|replica| answers(replica, "new")), redis.traffic());
        until_unchanged(REFRESHES);
        let carried = redis.traffic() - traffic;
        println!("{says:?}: {carried} bytes for {REFRESHES} refreshes of two replicas");
        assert!(carried < LITTLE, "{says:?}: {carried} bytes");
        assert_eq!(fleet.each_ref().map(|replica| answers(replica, "new")), new, "{says:?}");

        // What has changed reaches both, from the one that has received it or from the service.
        service.retitle("Changed at last");
        for replica in &fleet {
            blocking_until("the change", || shows(replica, "Changed at last"));
        }
        until_unchanged(2);
        let failures = visitors.end();
        assert!(failures.is_empty(), "{failures:?}");
        let shared = |replica: &Replica| replica.metric("vitrine_share_leases_total", "shared");
        assert!(fleet.iter().all(|replica| shared(replica) > 0), "{says:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replica_knows_that_the_saved_copy_was_confirmed() {
    let Some((redis, upstream, relay)) = relayed_server().await else { return };
    let start = || Replica::start(upstream.base().as_ref(), Some(&relay.url()), &ARGUMENTS);
    let first = start();
    let visitors = Visitors::of(&[first.place()], PATHS, PAUSE);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    let saved = Instant::now();
    blocking_until("its confirmation", || redis.ask("KEYS vitrine:*:confirmed") == "*1");
    upstream.set(Fault::RefuseConnections).await;
    let second = start();
    let metrics = second.operator("GET /metrics");
    let age = metrics.lines().find_map(|line| line.strip_prefix("vitrine_catalogue_copy_age_seconds "));
    let (age, text_age) = (age.unwrap().parse::<f64>().unwrap(), saved.elapsed().as_secs_f64());
    assert!(age + 10.0 < text_age, "{age} s of {text_age} s");
    assert_eq!(get(second.address(), "/product/1"), Ok(()));
    assert!(visitors.end().is_empty());
}

/// Where a saved catalogue has the hash of its copy, which is zero if it has none.
const COPY: Range<usize> = 56..88;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_saved_without_a_copy_is_used_and_replaced_and_never_confirmed() {
    let Some((redis, upstream, relay)) = relayed_server().await else { return };
    let start = |mirror| {
        let arguments = ["--fresh", "1", "--stale", "200", "--render-ahead", "off", "--mirror", mirror];
        Replica::start(upstream.base().as_ref(), Some(&relay.url()), &arguments)
    };
    let has_copy = || redis.value("vitrine:*:saved").map(|value| value[COPY] != [0; 32]);
    let first = start("off");
    assert_eq!(get(first.address(), "/product/1"), Ok(()));
    blocking_until("a saved catalogue", || has_copy() == Some(false));
    upstream.set(Fault::RefuseConnections).await;
    // It would take turns to save.
    drop(first);
    let second = start("auto");
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
    assert_eq!(get(second.address(), "/product/1"), Ok(()));

    upstream.set(Fault::None).await;
    let visitors = Visitors::of(&[second.place()], PATHS, PAUSE);
    blocking_until("a catalogue that can be confirmed", || has_copy() == Some(true));
    assert_eq!(redis.ask("KEYS vitrine:*:confirmed"), "*0", "of what is not saved any more");
    assert!(visitors.end().is_empty());
}
