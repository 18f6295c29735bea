//! What has not changed is not sent again: neither by the service nor by the shared server.

use std::time::{Duration, Instant};

use super::fleet::{Replica, visitors};
use super::purges::shows;
use super::reader::{followers, until_one_reads};
use super::{Shared, timed, until_shared};
use crate::common::faults::Fault;
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::versioned::{Says, Versioned};

const PATHS: &[&str] = &["/product/1"];
const PAUSE: Duration = Duration::from_millis(25);
const ARGUMENTS: [&str; 4] = ["--fresh", "1", "--render-ahead", "off"];
/// More bytes than these refreshes take without the version, and fewer than the version has.
const LITTLE: u64 = 50_000;

#[tokio::test(flavor = "multi_thread")]
async fn replicas_share_an_unchanged_version_once() {
    for says in [Says::Nothing, Says::Tag] {
        let Some(Shared { redis, relay, .. }) = Shared::start().await else { return };
        let service = Versioned::start(says.clone()).await;
        let start = || Replica::start(service.base().as_ref(), Some(&relay.url()), &ARGUMENTS);
        let fleet = [start(), start()];
        fleet.iter().for_each(|replica| replica.until_up(true));
        let visitors = visitors(&fleet.each_ref().map(Replica::place), PATHS, PAUSE);
        let reader = until_one_reads(&fleet);
        let unchanged = |times: u64| {
            let count = || reader.metric("vitrine_catalogue_answers_total", "unchanged");
            let before = count();
            blocking_until("refreshes", || count() >= before + times);
        };
        until_shared(&redis, 1);
        unchanged(1);
        let (sent, traffic) = (reader.metric("vitrine_share_versions_total", "sent"), redis.traffic());
        unchanged(if timed().is_some() { 8 } else { 3 });
        let carried = redis.traffic() - traffic;
        assert!(carried < LITTLE, "{says:?}: {carried} bytes");

        // What has changed reaches both, and once.
        service.retitle("Changed at last");
        for replica in &fleet {
            blocking_until("the change", || shows(replica, "Changed at last"));
        }
        unchanged(1);
        assert_eq!(reader.metric("vitrine_share_versions_total", "sent"), sent + 1, "{says:?}");
        for follower in followers(&fleet, reader) {
            assert!(follower.metric("vitrine_share_versions_total", "received") > 0, "{says:?}");
        }
        let failures = visitors.end();
        assert!(failures.is_empty(), "{failures:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_replica_knows_that_the_shared_version_was_confirmed() {
    /// How long the version has been confirmed: longer than the last confirmation is ago.
    const CONFIRMED_FOR: Duration = Duration::from_secs(10);
    let Some(shared) = Shared::start().await else { return };
    let first = shared.replica(&ARGUMENTS);
    until_shared(&shared.redis, 1);
    let began = Instant::now();
    blocking_until("its confirmations", || began.elapsed() > CONFIRMED_FOR);
    assert_eq!(first.metric("vitrine_share_versions_total", "sent"), 1);
    shared.upstream.set(Fault::RefuseConnections).await;
    let second = shared.replica(&ARGUMENTS);
    blocking_until("the version", || second.metric("vitrine_catalogue_copy_products", "") > 0);
    let scrape = second.operator("GET /metrics");
    let age = scrape.lines().find_map(|line| line.strip_prefix("vitrine_catalogue_copy_age_seconds "));
    let (age, since) = (age.unwrap().parse::<f64>().unwrap(), began.elapsed().as_secs_f64());
    assert!(age + CONFIRMED_FOR.as_secs_f64() / 2.0 < since, "{age} s of {since} s");
    assert_eq!(get(second.address(), "/product/1"), Ok(()));
}
