//! What `vitrine check` says of servers that can be used and of others, and how far away a server may be.

use std::path::Path;
use std::time::{Duration, Instant};

use super::fleet::Replica;
use super::redis::Redis;
use super::relay::{Relay, Way, long_way};
use super::{Shared, timed, until_shared};
use crate::common::load::get;
use crate::common::program::vitrine;

/// How soon a server is shared that is far away, and what one that hangs may cost the first page.
const SHARED_WITHIN: Duration = Duration::from_secs(9);
const COST_OF_HANGING: Duration = Duration::from_millis(200);

/// The lines about the server.
async fn check(url: String, trusted: Option<&Path>) -> String {
    let mut command = vitrine();
    command.args(["check", "--isolates", "1", "--listen", "127.0.0.1:0", "--share", &url]);
    command.envs(trusted.map(|file| ("SSL_CERT_FILE", file)));
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    let lines = text.lines().filter(|line| line.contains("redis://") || line.contains("rediss://"));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_gives_every_command_and_repeats_the_server_s_words() {
    let Some(redis) = Redis::start() else { return };
    let relay = Relay::to(redis.socket()).await;
    let tell = |command: &str| assert_eq!(redis.ask(command), "+OK", "{command}");
    tell("ACL SETUSER weak on >s3cret ~* &* +@all -xadd");
    tell("ACL SETUSER narrow on >s3cret ~other:* &* +@all");
    tell("ACL SETUSER guest on nopass ~* &* +@all");
    let wrong = "WRONGPASS invalid username-password pair or user is disabled.";
    for (before, user, words, after) in [
        // The catalogue is the sample, which shares nothing; the server is tried all the same.
        ("PING", "", "does what replicas need", "PING"),
        ("PING", "weak:s3cret@", "NOPERM", "PING"),
        ("PING", "narrow:s3cret@", "NOPERM", "PING"),
        ("PING", "weak:wrong@", wrong, "PING"),
        ("ACL SETUSER default -xadd", "", "NOPERM", "PING"),
        // If the name of the user were not sent, the default user would be used.
        ("PING", "guest@", "does what replicas need", "ACL SETUSER default +xadd"),
        ("CONFIG SET maxmemory 1", "", "OOM", "CONFIG SET maxmemory 0"),
        ("REPLICAOF 127.0.0.1 1", "", "READONLY", "REPLICAOF NO ONE"),
    ] {
        assert!(redis.ask(before).starts_with('+'), "{before}");
        let text = check(format!("redis://{user}{}", relay.address), None).await;
        let level = if words.starts_with("does") { "ok " } else { "warning " };
        assert!(text.starts_with(level) && text.contains(words), "{before} {user}: {text}");
        assert!(words.starts_with("WRONGPASS") || !text.contains("password"), "{before} {user}: {text}");
        assert_eq!(redis.ask("KEYS *"), "*0", "nothing is left");
        assert!(redis.ask(after).starts_with('+'), "{after}");
    }
    tell("CONFIG SET maxclients 1");
    let _held = std::os::unix::net::UnixStream::connect(redis.socket()).unwrap();
    let full = check(relay.url(), None).await;
    assert!(full.contains("max number of clients reached") && !full.contains("password"), "{full}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_fifty_milliseconds_away_is_shared_over_tls_and_one_further_away_is_named() {
    let Some(Shared { redis, upstream, .. }) = Shared::start().await else { return };
    let (relay, trusted) = Relay::encrypted(redis.socket()).await;
    let away = async |delay| {
        let address = long_way(relay.address, Duration::from_millis(delay)).await;
        format!("rediss://localhost:{}", address.port())
    };
    for (delay, level, words) in
        [(0, "ok ", ""), (26, "warning ", "is too far away"), (150, "warning ", "is too far away")]
    {
        let text = check(away(delay).await, Some(trusted.path())).await;
        assert!(text.starts_with(level) && text.contains(words), "{delay} ms: {text}");
    }
    let (file, url) = (trusted.path().to_owned(), away(25).await);
    let replica = Replica::with(Some(file), upstream.base().as_ref(), Some(&url), &[]);
    let started = Instant::now();
    replica.until_up(true);
    until_shared(&redis, 1);
    if timed().is_some() {
        assert!(started.elapsed() < SHARED_WITHIN, "{:?}", started.elapsed());
    }
    // The machine does not know who has signed it.
    let wary = Replica::start(upstream.base().as_ref(), Some(&away(0).await), &[]);
    wary.until_up(false);
    assert!(wary.metric("vitrine_share_operations_total", "failed") > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_costs_the_first_page_little() {
    let Some(shared) = Shared::start().await else { return };
    shared.relay.set(Way::Hole);
    let first_page = |share: Option<&str>| {
        let began = Instant::now();
        let replica = Replica::start(shared.upstream.base().as_ref(), share, &[]);
        assert_eq!(get(replica.address(), "/product/1"), Ok(()));
        (began.elapsed(), replica)
    };
    let (alone, _) = first_page(None);
    let (with_one_that_hangs, replica) = first_page(Some(&shared.relay.url()));
    replica.until_up(false);
    if timed().is_some() {
        let most = alone + COST_OF_HANGING;
        assert!(with_one_that_hangs < most, "{with_one_that_hangs:?}, and {alone:?} without it");
    }
}
