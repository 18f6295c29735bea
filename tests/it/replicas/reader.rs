//! One replica reads the catalogue for all, and another one when that one dies, ends or cannot.

use std::time::{Duration, Instant};

use super::fleet::Replica;
use super::purges::shows;
use super::{Shared, timed, until_shared};
use crate::common::faults::Fault;
use crate::common::large::{Large, PRODUCTS};
use crate::common::load::get;
use crate::common::until::blocking_until;
use crate::common::versioned::{Says, Versioned};

const ARGUMENTS: [&str; 4] = ["--fresh", "1", "--render-ahead", "off"];
/// How soon a replica reads after the one that did has died: its lease lasts ten seconds.
const TAKEN_OVER_WITHIN: Duration = Duration::from_secs(13);
/// Longer than a lease for one call lasted.
const SLOW: Duration = Duration::from_millis(2_500);

/// Waits until one replica reads, and the others have ended what they began before they knew of it.
pub(crate) fn until_one_reads<'a>(fleet: impl IntoIterator<Item = &'a Replica> + Clone) -> &'a Replica {
    let counts = || fleet.clone().into_iter().map(Replica::answers).collect::<Vec<_>>();
    let mut reader = None;
    blocking_until("one that reads", || {
        reader = fleet.clone().into_iter().find(|replica| replica.reads());
        let Some(reader) = reader else { return false };
        let (before, so_far) = (counts(), reader.answers());
        blocking_until("its next reading", || !reader.reads() || reader.answers() > so_far);
        let grown = counts().into_iter().zip(before).filter(|(now, before)| now > before).count();
        reader.reads() && grown == 1
    });
    reader.unwrap()
}

pub(crate) fn followers<'a>(
    fleet: impl IntoIterator<Item = &'a Replica>,
    reader: &'a Replica,
) -> Vec<&'a Replica> {
    fleet.into_iter().filter(|replica| !std::ptr::eq(*replica, reader)).collect()
}

/// Asserts that during further readings only one replica makes calls.
fn assert_only_one_reads(fleet: &[Replica], readings: u64) {
    let reader = until_one_reads(fleet);
    let others = || followers(fleet, reader).into_iter().map(Replica::answers).collect::<Vec<_>>();
    let (before, so_far) = (others(), reader.answers());
    blocking_until("its readings", || reader.answers() >= so_far + readings);
    assert_eq!(others(), before, "what others have read");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_replica_reads_and_another_takes_over_when_it_dies_or_ends() {
    let Some(shared) = Shared::start().await else { return };
    let mut replicas: Vec<Replica> = shared.replicas::<3>(&ARGUMENTS).into();
    assert_only_one_reads(&replicas, 5);
    // What has changed reaches all.
    shared.upstream.set(Fault::Retitled(" changed".into())).await;
    for replica in &replicas {
        blocking_until("the change", || shows(replica, " changed"));
    }

    let place = replicas.iter().position(Replica::reads).unwrap();
    let mut killed = replicas.swap_remove(place);
    killed.kill();
    let died = Instant::now();
    blocking_until("another that reads", || replicas.iter().any(Replica::reads));
    assert!(timed().is_none() || died.elapsed() < TAKEN_OVER_WITHIN, "{:?}", died.elapsed());
    assert_only_one_reads(&replicas, 3);

    // One that ends says so.
    let place = replicas.iter().position(Replica::reads).unwrap();
    let ended = replicas.swap_remove(place);
    ended.program().signal("TERM");
    let ends = Instant::now();
    blocking_until("the last one that reads", || replicas[0].reads());
    assert!(timed().is_none() || ends.elapsed() < TAKEN_OVER_WITHIN / 2, "{:?}", ends.elapsed());
    assert_only_one_reads(&replicas, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_that_cannot_read_try_in_turn() {
    let Some(shared) = Shared::start().await else { return };
    shared.upstream.set(Fault::RefuseConnections).await;
    let replicas: [_; 2] = shared.replicas(&ARGUMENTS);
    for replica in &replicas {
        blocking_until("its turn", || replica.reads());
    }
    shared.upstream.set(Fault::None).await;
    for replica in &replicas {
        blocking_until("products", || replica.metric("vitrine_catalogue_copy_products", "") > 0);
    }
    assert_only_one_reads(&replicas, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_takes_seconds_to_read_is_shared() {
    let Some(shared) = Shared::start().await else { return };
    let service = Versioned::start(Says::Nothing).await;
    let start = || Replica::start(service.base().as_ref(), Some(&shared.relay.url()), &ARGUMENTS);
    let replicas = [start(), start()];
    let reader = until_one_reads(&replicas);
    let others = || followers(&replicas, reader).into_iter().map(Replica::answers).collect::<Vec<_>>();
    let before = others();
    service.service.lock().takes = SLOW;
    service.retitle("Slowly changed");
    for replica in &replicas {
        blocking_until("the change", || shows(replica, "Slowly changed"));
    }
    assert_eq!(others(), before, "what others have read");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_that_is_read_in_pages_is_read_by_one_replica() {
    let Some(shared) = Shared::start().await else { return };
    let large = Large::default();
    let service = large.start().await;
    let start = || Replica::start(service.as_ref(), Some(&shared.relay.url()), &ARGUMENTS);
    let first = start();
    until_shared(&shared.redis, 1);
    let fleet = [first, start()];
    for replica in &fleet {
        blocking_until("products", || replica.metric("vitrine_catalogue_copy_products", "") == PRODUCTS);
    }
    assert_only_one_reads(&fleet, 16);
    large.0.lock().last_title = Some("Renamed".into());
    let path = format!("/product/{PRODUCTS}");
    let names = |replica: &Replica| {
        assert_eq!(get(replica.address(), &path), Ok(()));
        let scrape = replica.operator("GET /metrics");
        let mut lines = scrape.lines().filter(|line| line.starts_with("vitrine_catalogue_version_timestamp"));
        lines.next().and_then(|line| Some(line.split_once(' ')?.0.to_owned()))
    };
    let old = names(&fleet[0]);
    blocking_until("one new name", || {
        let [one, other] = fleet.each_ref().map(names);
        one == other && one.is_some() && one != old
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn each_replica_reads_a_version_that_is_too_large_to_be_shared() {
    /// In the stored head: four bytes of the digest, and the number of parts.
    const DIGEST: usize = 16;
    const PARTS: usize = 48;
    let Some(shared) = Shared::start().await else { return };
    let first = shared.replica(&["--fresh", "600"]);
    until_shared(&shared.redis, 1);
    for place in [DIGEST, PARTS] {
        let script = format!(
            "local key = redis.call('KEYS', 'vitrine:*:version')[1] \
             return redis.call('SETRANGE', key, {place}, string.char(0, 0, 0, 0))"
        );
        assert_eq!(shared.redis.ask(&format!("EVAL \"{script}\" 0")), ":68");
    }
    let second = shared.replica(&["--fresh", "600"]);
    blocking_until("products", || second.metric("vitrine_catalogue_copy_products", "") > 0);
    assert!(second.answers() > 0 && first.reads() && !second.reads());
    assert_eq!(second.metric("vitrine_share_versions_total", "received"), 0);
}
