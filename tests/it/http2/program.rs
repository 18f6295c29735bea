//! The program with a certificate: its start, renewals, and the swap of its workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::frames::{ACK, Frames, HEADERS, PING, frame, request};
use crate::admin::workers::scrape;
use crate::common::program::{PATIENT, Program, check, vitrine};
use crate::common::raw::{Raw, get as cleartext};
use crate::common::tls::{HTTP2, Http2, Identity, get, read, try_connect};
use crate::common::until::{finishes, until};

fn started(identity: &Identity, arguments: &[&str]) -> Program {
    Program::quiet(&[&PATIENT[..], &identity.flags()[..], arguments].concat())
}

#[test]
fn a_certificate_that_cannot_be_used_is_a_wrong_setting() {
    let (identity, other, mut expired) = (Identity::new(), Identity::new(), Identity::new());
    expired.renew(-1);
    let ([_, certificate, ..], [.., key]) = (identity.flags(), other.flags());
    for (flags, expected) in [
        (&["--tls-cert", certificate][..], "--tls-key is not; encrypted connections need both files"),
        (&["--tls-key", key], "--tls-cert is not; encrypted connections need both files"),
        (&["--tls-cert", "/nonexistent", "--tls-key", key], "cannot read /nonexistent (--tls-cert): "),
        (&["--tls-cert", certificate, "--tls-key", key], "is not that of the first certificate"),
        (&expired.flags(), " expired at 20"),
        (&expired.flags(), "; renew it"),
    ] {
        for supervise in ["--supervise=false", "--supervise=true"] {
            let ended = vitrine().args(["--listen", "127.0.0.1:0", supervise]).args(flags).output().unwrap();
            let message = String::from_utf8(ended.stderr).unwrap();
            let last = message.lines().last().unwrap();
            assert_eq!(ended.status.code(), Some(2), "{message}");
            assert!(last.starts_with("error: ") && last.contains(expected), "{message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_public_address_the_shop_names_itself_with_https_and_says_so_once() {
    let identity = Identity::new();
    let program = started(&identity, &[]);
    let origin = format!("https://{}", program.address);
    let said = program.logged(
        "absolute links, the sitemap and previews name the listener's address; --public-url names the visitors'",
    );
    assert_eq!(said["origin"], origin.as_str());
    let mut client = Http2::connect(program.address, &identity).await;
    let page = client.get("/product/1").await;
    assert!(page.headers().contains_key("strict-transport-security"), "{:?}", page.headers());
    for path in ["/product/1", "/sitemap.xml", "/robots.txt", "/feed.xml", "/opensearch.xml", "/llms.txt"] {
        let body = String::from_utf8(client.get(path).await.into_body()).unwrap();
        let plain = format!("http://{}", program.address);
        assert!(body.contains(&origin) && !body.contains(&plain), "{path}");
    }
}

#[test]
fn a_check_tests_the_certificate() {
    let mut identity = Identity::new();
    for (days, is_good, verdict, says) in [
        (90, true, "ok ", "valid until 20"),
        (10, true, "warning ", "expires in 9 days"),
        (-1, false, "error ", "expired"),
    ] {
        identity.renew(days);
        let (code, report) = check(identity.flags());
        let line = report.lines().find(|line| line.split_whitespace().nth(1) == Some("tls")).unwrap();
        assert_eq!(code == Some(0), is_good, "{report}");
        assert!(line.starts_with(verdict) && line.contains(says), "{line}");
    }
}

#[test]
fn health_is_asked_with_encryption_and_operators_see_when_the_certificate_expires() {
    let identity = Identity::new();
    let folder = tempfile::tempdir().unwrap();
    let (socket, file) = (folder.path().join("admin.sock"), folder.path().join("vitrine.toml"));
    let program = started(&identity, &["--admin", &format!("unix:{}", socket.display())]);
    let address = program.address.to_string();
    let healthy = |flags: &[&str]| {
        vitrine().args(["healthcheck", "--listen", &address]).args(flags).status().unwrap().success()
    };
    let [_, certificate, ..] = identity.flags();
    std::fs::write(&file, format!("tls-cert = {certificate:?}\n")).unwrap();
    assert!(healthy(&["--tls-cert", certificate]) && healthy(&["--config", file.to_str().unwrap()]));
    assert!(!healthy(&[]));
    let expiry = scrape(&socket).sum("vitrine_tls_certificate_expiry_seconds", "");
    let left = expiry - SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
    assert!((89.0 * 86_400.0..=90.0 * 86_400.0).contains(&left), "{left} seconds");
}

#[tokio::test(flavor = "multi_thread")]
async fn new_connections_get_a_renewed_certificate_and_an_expired_one_is_kept_out() {
    let mut identity = Identity::new();
    let program = started(&identity, &[]);
    let mut before = Http2::connect(program.address, &identity).await;
    assert_eq!(before.get("/healthz").await.status(), 200);
    let renewed = identity.renew(60);
    until("the new certificate", async || try_connect(program.address, &renewed, &[HTTP2]).await.is_ok())
        .await;
    assert_eq!(before.get("/healthz").await.status(), 200, "connections that are open stay");
    identity.renew(-1);
    tokio::task::block_in_place(|| {
        // The program may look after the certificate is written and before the key is.
        while !program.logged("the new certificate is not used")["error"]
            .as_str()
            .unwrap()
            .contains("expired")
        {}
    });
    try_connect(program.address, &renewed, &[HTTP2]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_the_clear_and_frames_that_break_the_protocol_do_not_flood_the_log() {
    let identity = Identity::new();
    let program = started(&identity, &[]);
    for _ in 0..50 {
        Raw::connect_and_send(program.address, cleartext("/")).await.read_to_end().await;
    }
    let mut attacker = Frames::connect(program.address, &identity, &[]).await;
    // The answer to a ping that was never sent: the library warns of each.
    let answers = frame(PING, ACK, 0, &[7; 8]).repeat(1_000);
    attacker.send([answers, request(1, "/healthz")].concat()).await;
    attacker.next_of(HEADERS).await.unwrap();
    program.signal("TERM");
    // An answer can be faster than a line that was written before it, so all lines are read.
    let log = tokio::task::block_in_place(|| program.wait_until_gone());
    let refused = log.iter().filter(|entry| entry["fields"]["message"] == "a TLS handshake failed").count();
    let warnings = log.iter().filter(|entry| entry["target"].as_str().unwrap().starts_with("h2::")).count();
    // On a slow machine another period may have begun.
    assert!((1..10).contains(&refused) && (1..10).contains(&warnings), "{refused} and {warnings} lines");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_swap_of_workers_loses_no_request() {
    let identity = Arc::new(Identity::new());
    let program = started(&identity, &["--supervise"]);
    let address = program.address;
    tokio::task::block_in_place(|| program.ready());
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let visitor = || {
        let (identity, stop, answered) = (Arc::clone(&identity), Arc::clone(&stop), Arc::clone(&answered));
        async move {
            let mut client = Http2::connect(address, &identity).await;
            while !stop.load(Ordering::Relaxed) {
                let ready = client.requests.clone().ready().await;
                match ready.and_then(|mut requests| requests.send_request(get("/categories"), true)) {
                    Ok((answer, _)) => match read(answer).await {
                        Ok(answer) => {
                            assert_eq!(answer.status(), 200);
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                        // The server says that it did not work on the request, which may be sent again.
                        Err(error) => assert!(
                            error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR),
                            "{error}"
                        ),
                    },
                    // A client that was told to leave, and sends no more, opens another connection.
                    Err(_) => client = Http2::connect(address, &identity).await,
                }
            }
        }
    };
    let visitors: Vec<_> = (0..8).map(|_| tokio::spawn(visitor())).collect();
    let until_answered = async || {
        let before = answered.load(Ordering::Relaxed);
        until("answers", async || answered.load(Ordering::Relaxed) > before + 50).await;
    };
    for _ in 0..3 {
        until_answered().await;
        program.signal("HUP");
        tokio::task::block_in_place(|| program.ready());
    }
    until_answered().await;
    stop.store(true, Ordering::Relaxed);
    for visitor in visitors {
        finishes("a visitor", visitor).await.unwrap();
    }
}
