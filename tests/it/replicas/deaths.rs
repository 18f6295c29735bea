//! Every part dies, hangs or is cut off while visitors ask for pages.

use std::time::{Duration, Instant};

use super::fleet::{Replica, visitors};
use super::relay::Way;
use super::{Shared, timed};
use crate::common::until::blocking_until;

const PATHS: &[&str] =
    &["/", "/product/1", "/category/beauty", "/product/2", "/sale", "/categories", "/products?page=2"];

#[tokio::test(flavor = "multi_thread")]
async fn no_visitor_notices_what_becomes_of_the_parts() {
    let Some(mut shared) = Shared::start().await else { return };
    let mut replicas: [_; 3] = shared.replicas(&["--fresh", "2"]);
    let visitors = visitors(&replicas.each_ref().map(Replica::place), PATHS, Duration::from_millis(20));
    let more = || visitors.run_for(60);
    let until_up = |replicas: &[Replica], is_up| {
        replicas.iter().for_each(|replica| replica.until_up(is_up));
        more();
    };
    let (began, mut rounds) = (Instant::now(), 0);
    // Without `REPLICAS_SECONDS` one round.
    while rounds == 0 || timed().is_some_and(|duration| began.elapsed() < duration * 2 / 3) {
        let killed = rounds % replicas.len();
        rounds += 1;
        replicas[killed].kill();
        more();
        replicas[killed].restart();
        more();

        shared.redis.kill();
        until_up(&replicas, false);
        shared.redis.restart();
        until_up(&replicas, true);

        shared.redis.signal("STOP");
        until_up(&replicas, false);
        shared.redis.signal("CONT");
        until_up(&replicas, true);

        // Full: what is stored is read, nothing is stored.
        let refused = || -> u64 {
            let refused = |replica: &Replica| replica.metric("vitrine_share_operations_total", "refused");
            replicas.iter().map(refused).sum()
        };
        let before = refused();
        shared.redis.ask("CONFIG SET maxmemory 1");
        blocking_until("a refusal", || refused() > before);
        more();
        shared.redis.ask("CONFIG SET maxmemory 0");

        for way in [Way::Hole, Way::Closed] {
            shared.relay.set(way);
            until_up(&replicas, false);
            shared.relay.set(Way::Open);
            until_up(&replicas, true);
        }
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
