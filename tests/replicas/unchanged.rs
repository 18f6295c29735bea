//! What has not changed is not sent again: neither what replicas receive for each other nor what they save.

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
        blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:state") == "*1");
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
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:state") == "*1");
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

/// Bytes of a stored value's head, and of the note after it that former versions did not write.
const HEAD: usize = 16;
const NOTE: usize = 4 + 4 + 64;
const NOTED: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];
/// How long a saved catalogue may be served; unchanged, it is saved again after a tenth and confirmed for half of this.
const LASTS: Duration = Duration::from_secs(201);

/// Writes the saved catalogue as former versions of the program do while a fleet is upgraded.
fn save_as_a_former_version(redis: &Redis) {
    let (key, value) = redis.value("vitrine:*:state").unwrap();
    redis.set(&key, &[&value[..HEAD], &value[HEAD + NOTE..]].concat(), LASTS);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_former_version_saves_is_used_and_replaced_and_never_confirmed() {
    let Some((redis, upstream, relay)) = relayed_server().await else { return };
    let arguments = ["--fresh", "1", "--stale", "200", "--render-ahead", "off"];
    let start = || Replica::start(upstream.base().as_ref(), Some(&relay.url()), &arguments);
    let first = start();
    let visitors = Visitors::of(&[first.place()], PATHS, PAUSE);
    let has_note = || redis.value("vitrine:*:state").is_some_and(|(_, value)| value[HEAD..][..4] == NOTED);
    blocking_until("a saved catalogue", has_note);
    save_as_a_former_version(&redis);
    assert!(!has_note());
    blocking_until("a catalogue that can be confirmed", has_note);
    assert_eq!(redis.ask("KEYS vitrine:*:confirmed"), "*0", "of what is not saved any more");

    save_as_a_former_version(&redis);
    upstream.set(Fault::RefuseConnections).await;
    let second = start();
    assert!(second.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
    assert_eq!(get(second.address(), "/product/1"), Ok(()));
    assert!(visitors.end().is_empty());
}
