//! However many replicas there are, the catalogue is called as often as by one process.

use std::time::{Duration, Instant};

use super::duration;
use super::fleet::{Replica, Visitors};
use super::redis::Redis;
use super::relay::Relay;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// Without a mirror each of these needs calls of its own; together fewer than a guard allows.
const PATHS: &[&str] = &["/product/1", "/product/2", "/product/3", "/category/beauty"];
const ARGUMENTS: [&str; 6] = ["--fresh", "2", "--mirror", "off", "--render-ahead", "off"];
const PAUSE: Duration = Duration::from_millis(25);
/// Fewer calls than this say little.
const ENOUGH: usize = 200;

#[tokio::test(flavor = "multi_thread")]
async fn three_replicas_call_the_catalogue_as_often_as_one_process() {
    let Some(redis) = Redis::start() else { return };
    let (of_one, of_three) = (Upstream::start().await, Upstream::start().await);
    let relay = Relay::to(redis.socket()).await;
    let alone = Replica::start(of_one.base().as_ref(), None, &ARGUMENTS);
    let (base, url) = (of_three.base().to_string(), relay.url());
    let start = || Replica::start(&base, Some(&url), &ARGUMENTS);
    let fleet = [start(), start(), start()];
    fleet.iter().for_each(|replica| replica.until_up(true));
    let began = Instant::now();
    let visitors = [
        Visitors::of(&[alone.place()], PATHS, PAUSE),
        Visitors::of(&fleet.each_ref().map(Replica::place), PATHS, PAUSE),
    ];
    blocking_until_long("calls", || {
        began.elapsed() >= duration() && of_one.calls().len() >= ENOUGH && of_three.calls().len() >= ENOUGH
    });
    let calls = [of_one.calls().len(), of_three.calls().len()];
    let failures: Vec<_> = visitors.into_iter().flat_map(Visitors::end).collect();
    println!("one process: {} calls, three replicas: {} calls", calls[0], calls[1]);
    assert!(failures.is_empty(), "{failures:?}");
    assert!(calls[1] * 10 <= calls[0] * 11, "{calls:?}");
    let shared = |replica: &Replica| replica.metric("vitrine_share_leases_total", "shared");
    assert!(fleet.iter().all(|replica| shared(replica) > 0));
}

/// [`blocking_until`] for what takes as long as the long tests.
fn blocking_until_long(what: &str, mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while began.elapsed() < duration() && !condition() {
        std::thread::sleep(PAUSE);
    }
    blocking_until(what, condition);
}
