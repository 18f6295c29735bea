//! Replicas of a shop and the server that they share, each of which may die, hang or lie. The programs and the
//! server are real; without `redis-server` these tests say so and are skipped.
//!
//! If `REPLICAS_SECONDS` is set, the long tests last for so long, and durations are measured too. `make test-all` sets it to
//! ten minutes.

mod check;
mod deaths;
mod fleet;
mod liar;
mod purges;
mod reader;
mod redis;
mod relay;
mod starts;
mod unchanged;

use std::time::Duration;

use self::fleet::Replica;
use self::redis::Redis;
use self::relay::Relay;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

/// What replicas share: their server, a catalogue service, and a relay to the server.
struct Shared {
    redis: Redis,
    upstream: Upstream,
    relay: Relay,
}

impl Shared {
    /// `None` where the server's program is missing.
    async fn start() -> Option<Self> {
        let redis = Redis::start()?;
        let relay = Relay::to(redis.socket()).await;
        Some(Self { redis, upstream: Upstream::start().await, relay })
    }

    fn replica(&self, arguments: &[&str]) -> Replica {
        self.replica_through(&self.relay, arguments)
    }

    /// A replica with a way to the server of its own.
    fn replica_through(&self, relay: &Relay, arguments: &[&str]) -> Replica {
        Replica::start(self.upstream.base().as_ref(), Some(&relay.url()), arguments)
    }

    /// Starts this many replicas, and waits until they share.
    fn replicas<const NUMBER: usize>(&self, arguments: &[&str]) -> [Replica; NUMBER] {
        let replicas = std::array::from_fn(|_| self.replica(arguments));
        replicas.iter().for_each(|replica| replica.until_up(true));
        replicas
    }
}

/// Waits until a version of this many catalogues is shared.
fn until_shared(redis: &Redis, catalogues: usize) {
    blocking_until("a shared version", || redis.ask("KEYS vitrine:*:version") == format!("*{catalogues}"));
}

/// How long the long tests are to last, if they also measure durations.
fn timed() -> Option<Duration> {
    let seconds = std::env::var("REPLICAS_SECONDS").ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}
