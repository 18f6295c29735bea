//! What `vitrine check` says of servers that can be used and of others, and how far away a server may be.

use std::path::Path;
use std::time::{Duration, Instant};

use super::fleet::Replica;
use super::redis::Redis;
use super::relay::{Relay, Way, long_way};
use super::{relayed_server, timed};
use crate::common::load::get;
use crate::common::program::vitrine;
use crate::common::until::blocking_until;
use crate::common::upstream::Upstream;

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
    let of = |user: &str| format!("redis://{user}{}", relay.address);
    // The catalogue is the sample, which shares nothing; the server is tried all the same.
    let text = check(of(""), None).await;
    assert!(text.starts_with("ok ") && text.contains("does what replicas need"), "{text}");
    assert_eq!(redis.ask("KEYS *"), "*0", "nothing is left");

    assert_eq!(redis.ask("ACL SETUSER weak on >s3cret ~* &* +@all -xadd"), "+OK");
    assert_eq!(redis.ask("ACL SETUSER narrow on >s3cret ~other:* &* +@all"), "+OK");
    assert_eq!(redis.ask("ACL SETUSER guest on nopass ~* &* +@all"), "+OK");
    for (user, words) in [
        ("weak:s3cret@", "NOPERM"),
        ("narrow:s3cret@", "NOPERM"),
        ("weak:wrong@", "WRONGPASS invalid username-password pair or user is disabled."),
        ("nobody@", "WRONGPASS"),
    ] {
        let text = check(of(user), None).await;
        assert!(text.starts_with("warning ") && text.contains(words), "{user} {words}: {text}");
    }
    // If the name of the user were not sent, the default user would be used.
    assert_eq!(redis.ask("ACL SETUSER default -xadd"), "+OK");
    assert!(check(of(""), None).await.contains("NOPERM"));
    assert!(check(of("guest@"), None).await.starts_with("ok "));
    assert_eq!(redis.ask("ACL SETUSER default +xadd"), "+OK");

    assert_eq!(redis.ask("CONFIG SET maxmemory 1"), "+OK");
    let full = check(of(""), None).await;
    assert!(full.contains("OOM") && !full.contains("password"), "{full}");
    assert_eq!(redis.ask("CONFIG SET maxmemory 0"), "+OK");
    assert_eq!(redis.ask("CONFIG SET maxclients 1"), "+OK");
    let held = std::os::unix::net::UnixStream::connect(redis.socket()).unwrap();
    let full = check(of(""), None).await;
    assert!(full.contains("max number of clients reached") && !full.contains("password"), "{full}");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_names_servers_that_take_no_orders() {
    let Some(redis) = Redis::start() else { return };
    assert_eq!(redis.ask("REPLICAOF 127.0.0.1 1"), "+OK");
    let text = check(Relay::to(redis.socket()).await.url(), None).await;
    assert!(text.starts_with("warning ") && text.contains("READONLY"), "{text}");

    let Some(node) = Redis::with(&["--cluster-enabled", "yes"]) else { return };
    let text = check(Relay::to(node.socket()).await.url(), None).await;
    assert!(text.starts_with("warning ") && text.contains("CLUSTERDOWN"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_fifty_milliseconds_away_is_shared_over_tls_and_one_further_away_is_named() {
    let Some(redis) = Redis::start() else { return };
    let upstream = Upstream::start().await;
    let (relay, trusted) = Relay::encrypted(redis.socket()).await;
    let away = async |delay| {
        let address = long_way(relay.address, Duration::from_millis(delay)).await;
        format!("rediss://localhost:{}", address.port())
    };
    let near = check(away(0).await, Some(trusted.path())).await;
    assert!(near.starts_with("ok "), "{near}");
    let beyond = check(away(26).await, Some(trusted.path())).await;
    assert!(beyond.starts_with("warning ") && beyond.contains("is too far away"), "{beyond}");
    let far = check(away(150).await, Some(trusted.path())).await;
    assert!(far.starts_with("warning ") && far.contains("is too far away"), "{far}");

    let replica = Replica::trusting(trusted.path(), upstream.base().as_ref(), &away(25).await);
    let started = Instant::now();
    replica.until_up(true);
    blocking_until("a saved catalogue", || redis.ask("KEYS vitrine:*:saved") == "*1");
    if timed().is_some() {
        assert!(started.elapsed() < SHARED_WITHIN, "{:?}", started.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_costs_the_first_page_little() {
    let Some((_redis, upstream, relay)) = relayed_server().await else { return };
    relay.set(Way::Hole);
    let first_page = |share: Option<&str>| {
        let began = Instant::now();
        let replica = Replica::start(upstream.base().as_ref(), share, &["--mirror", "off"]);
        assert_eq!(get(replica.address(), "/product/1"), Ok(()));
        (began.elapsed(), replica)
    };
    let (alone, _) = first_page(None);
    let (with_one_that_hangs, replica) = first_page(Some(&relay.url()));
    replica.until_up(false);
    if timed().is_some() {
        let most = alone + COST_OF_HANGING;
        assert!(with_one_that_hangs < most, "{with_one_that_hangs:?}, and {alone:?} without it");
    }
}
