//! What has not changed is not sent again: neither what replicas receive for each other nor what they save.

use std::time::{Duration, Instant};

use super::fleet::{Replica, visitors};
use super::purges::shows;
use super::{Shared, timed, until_saved};
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::versioned::{Says, Versioned};

const PATHS: &[&str] = &["/product/1"];
const PAUSE: Duration = Duration::from_millis(25);
const ARGUMENTS: [&str; 4] = ["--fresh", "1", "--render-ahead", "off"];
/// More bytes than these refreshes take without the list, and fewer than a single list has.
const LITTLE: u64 = 50_000;

fn answers(replica: &Replica, content: &str) -> u64 {
    replica.metric("vitrine_catalogue_answers_total", content)
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_send_each_other_an_unchanged_list_once() {
    for says in [Says::Nothing, Says::Tag] {
        let Some(Shared { redis, relay, .. }) = Shared::start().await else { return };
        let service = Versioned::start(says.clone()).await;
        let start = || Replica::start(service.base().as_ref(), Some(&relay.url()), &ARGUMENTS);
        let fleet = [start(), start()];
        fleet.iter().for_each(|replica| replica.until_up(true));
        let visitors = visitors(&fleet.each_ref().map(Replica::place), PATHS, PAUSE);
        let until_unchanged = |times: u64| {
            let before = fleet.each_ref().map(|replica| answers(replica, "unchanged"));
            blocking_until("refreshes", || {
                let now = fleet.each_ref().map(|replica| answers(replica, "unchanged"));
                now.iter().zip(before).all(|(now, before)| *now >= before + times)
            });
        };
        // Both have the copy, and it was saved.
        until_saved(&redis, 1);
        until_unchanged(1);
        let (new, traffic) = (fleet.each_ref().map(|replica| answers(replica, "new")), redis.traffic());
        until_unchanged(if timed().is_some() { 8 } else { 3 });
        let carried = redis.traffic() - traffic;
        assert!(carried < LITTLE, "{says:?}: {carried} bytes");
        assert_eq!(fleet.each_ref().map(|replica| answers(replica, "new")), new, "{says:?}");

        // What has changed reaches both, from the one that has received it or from the service.
        service.retitle("Changed at last");
        for replica in &fleet {
            blocking_until("the change", || shows(replica, "Changed at last"));
        }
        until_unchanged(1);
        let failures = visitors.end();
        assert!(failures.is_empty(), "{failures:?}");
        let shared = |replica: &Replica| replica.metric("vitrine_share_leases_total", "shared");
        assert!(fleet.iter().all(|replica| shared(replica) > 0), "{says:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "waits for catalogues to be saved, which takes 30 seconds"]
async fn a_new_replica_knows_that_the_saved_copy_was_confirmed() {
    let Some(shared) = Shared::start().await else { return };
    let first = shared.replica(&ARGUMENTS);
    let visitors = visitors(&[first.place()], PATHS, PAUSE);
    until_saved(&shared.redis, 1);
    let saved = Instant::now();
    blocking_until("its confirmation", || shared.redis.ask("KEYS vitrine:*:confirmed") == "*1");
    shared.upstream.set(Fault::RefuseConnections).await;
    let second = shared.replica(&ARGUMENTS);
    let metrics = second.operator("GET /metrics");
    let age = metrics.lines().find_map(|line| line.strip_prefix("vitrine_catalogue_copy_age_seconds "));
    let (age, text_age) = (age.unwrap().parse::<f64>().unwrap(), saved.elapsed().as_secs_f64());
    assert!(age + 10.0 < text_age, "{age} s of {text_age} s");
    assert_eq!(get(second.address(), "/product/1"), Ok(()));
    assert!(visitors.end().is_empty());
}
