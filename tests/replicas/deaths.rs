//! Every part dies, hangs or is cut off while visitors ask for pages.

use std::time::{Duration, Instant};

use super::duration;
use super::fleet::{Replica, Visitors};
use super::redis::Redis;
use super::relay::{Relay, Way};
use crate::common::until::{HANGS, blocking_until};
use crate::common::upstream::Upstream;

const PATHS: &[&str] =
    &["/", "/product/1", "/category/beauty", "/product/2", "/sale", "/categories", "/products?page=2"];

#[tokio::test(flavor = "multi_thread")]
async fn no_visitor_notices_what_becomes_of_the_parts() {
    let Some(mut redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let relay = Relay::to(redis.socket()).await;
    let (base, url) = (upstream.base().to_string(), relay.url());
    let start = || Replica::start(&base, Some(&url), &["--fresh", "2"]);
    let mut replicas = [start(), start(), start()];
    replicas.iter().for_each(|replica| replica.until_up(true));
    let places: Vec<_> = replicas.iter().map(Replica::place).collect();
    let visitors = Visitors::of(&places, PATHS, Duration::from_millis(20));
    let more = |number: usize| {
        let enough = visitors.answered() + number;
        blocking_until("answers", || visitors.answered() >= enough);
    };
    let began = Instant::now();
    let mut rounds = 0;
    while rounds == 0 || began.elapsed() < duration() * 2 / 3 {
        let killed = rounds % replicas.len();
        rounds += 1;
        replicas[killed].kill();
        more(60);
        replicas[killed].restart();
        more(60);

        redis.kill();
        replicas.iter().for_each(|replica| replica.until_up(false));
        more(60);
        redis.restart();
        replicas.iter().for_each(|replica| replica.until_up(true));
        more(60);

        redis.signal("STOP");
        replicas.iter().for_each(|replica| replica.until_up(false));
        more(60);
        redis.signal("CONT");
        replicas.iter().for_each(|replica| replica.until_up(true));

        // Full: what is stored is read, nothing is stored.
        let refused = |replica: &Replica| replica.metric("vitrine_share_operations_total", "refused");
        let before: u64 = replicas.iter().map(refused).sum();
        redis.ask("CONFIG SET maxmemory 1");
        blocking_until("a refusal", || replicas.iter().map(refused).sum::<u64>() > before);
        more(60);
        redis.ask("CONFIG SET maxmemory 0");

        for way in [Way::Hole, Way::Closed] {
            relay.set(way);
            replicas.iter().for_each(|replica| replica.until_up(false));
            more(60);
            relay.set(Way::Open);
            replicas.iter().for_each(|replica| replica.until_up(true));
        }
        assert!(began.elapsed() < duration() + HANGS, "a round takes too long");
    }
    let answered = visitors.answered();
    let failures = visitors.end();
    println!("{rounds} rounds, {answered} answers");
    assert!(failures.is_empty(), "{failures:?}");
    for replica in &replicas {
        assert!(replica.operator("GET /readyz").starts_with("HTTP/1.1 200 "));
        assert!(replica.operator("GET /status").contains("Replicas"));
    }
}
