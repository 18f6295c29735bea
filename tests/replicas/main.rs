//! Replicas of a shop and the server that they share, each of which may die, hang or lie. The programs and the
//! server are real; without `redis-server` these tests say so and are skipped.
//!
//! `REPLICAS_SECONDS` is how long the long tests last; if it is set, durations are measured too. `make test-all` sets
//! it to ten minutes.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "in a test a panic is how a failure is reported"
)]

#[path = "../common/mod.rs"]
mod common;

mod calls;
mod check;
mod deaths;
mod fleet;
mod liar;
mod purges;
mod redis;
mod refusals;
mod relay;
mod starts;
mod unchanged;

use std::time::Duration;

use self::redis::Redis;
use self::relay::Relay;
use crate::common::upstream::Upstream;

/// The server that replicas share, a catalogue service, and a relay to the server. `None` where the server's program is
/// missing.
async fn relayed_server() -> Option<(Redis, Upstream, Relay)> {
    let redis = Redis::start()?;
    let relay = Relay::to(redis.socket()).await;
    Some((redis, Upstream::start().await, relay))
}

/// How long the long tests last.
fn duration() -> Duration {
    timed().unwrap_or(Duration::from_secs(45))
}

/// How long the long tests are to last, if they also measure durations.
fn timed() -> Option<Duration> {
    let seconds = std::env::var("REPLICAS_SECONDS").ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds))
}
