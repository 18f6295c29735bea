//! The program with a certificate: its start, renewals, and the swap of its workers.

use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::frames::{ACK, Frames, HEADERS, PING, frame, request};
use crate::common::operators::ask;
use crate::common::program::{PATIENT, Program, vitrine};
use crate::common::raw::{Raw, get as cleartext};
use crate::common::tls::{HTTP2, Http2, Identity, get, read, try_connect};
use crate::common::until::{finishes, until};

fn started(identity: &Identity, arguments: &[&str]) -> Program {
    Program::quiet(&[&PATIENT[..], &identity.flags()[..], arguments].concat())
}

fn ended(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } =
        vitrine().args(["--listen", "127.0.0.1:0"]).args(arguments).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_certificate_that_cannot_be_used_is_a_wrong_setting() {
    let mut identity = Identity::new();
    let other = Identity::new();
    let (certificate, key) = (identity.flags()[1].to_owned(), other.flags()[3].to_owned());
    for supervise in ["--supervise=false", "--supervise=true"] {
        let refused = |arguments: &[&str], expected: &str| {
            let (code, message) = ended(&[&[supervise][..], arguments].concat());
            assert_eq!(code, Some(2), "{message}");
            let last = message.lines().last().unwrap();
            assert!(last.starts_with("error: ") && last.contains(expected), "{message}");
        };
        refused(&["--tls-cert", &certificate], "--tls-key is not; encrypted connections need both files");
        refused(&["--tls-key", &key], "--tls-cert is not; encrypted connections need both files");
        refused(
            &["--tls-cert", "/nonexistent", "--tls-key", &key],
            "cannot read /nonexistent (--tls-cert): ",
        );
        refused(&["--tls-cert", &certificate, "--tls-key", &key], "is not that of the first certificate");
    }
    identity.renew(-1);
    let (code, message) = ended(&identity.flags());
    assert!(
        code == Some(2) && message.contains(" expired at 20") && message.contains("; renew it"),
        "{message}"
    );
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
    let checked = |identity: &Identity| {
        let output = vitrine().arg("check").args(["--listen", "127.0.0.1:0"]).args(identity.flags()).output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let line =
            text.lines().find(|line| line.split_whitespace().nth(1) == Some("tls")).unwrap().to_owned();
        (output.status.success(), line)
    };
    let (is_good, line) = checked(&identity);
    assert!(is_good && line.starts_with("ok ") && line.contains("valid until 20"), "{line}");
    identity.renew(10);
    let (is_good, line) = checked(&identity);
    assert!(is_good && line.starts_with("warning ") && line.contains("expires in 9 days"), "{line}");
    identity.renew(-1);
    let (is_good, line) = checked(&identity);
    assert!(!is_good && line.starts_with("error ") && line.contains("expired"), "{line}");
}

#[test]
fn its_own_health_is_asked_with_encryption() {
    let identity = Identity::new();
    let program = started(&identity, &[]);
    let healthy = |flags: &[&str]| {
        let address = program.address.to_string();
        vitrine().args(["healthcheck", "--listen", &address]).args(flags).status().unwrap().success()
    };
    let [_, certificate, ..] = identity.flags();
    assert!(healthy(&identity.flags()[..2]));
    assert!(!healthy(&[]));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vitrine.toml");
    std::fs::write(&file, format!("tls-cert = {certificate:?}\n")).unwrap();
    assert!(healthy(&["--config", file.to_str().unwrap()]));
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_see_when_the_certificate_expires() {
    let identity = Identity::new();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("admin.sock");
    let _program = started(&identity, &["--admin", &format!("unix:{}", socket.display())]);
    let answer = ask(&socket, "GET /metrics");
    let line = answer.lines().find_map(|line| line.strip_prefix("vitrine_tls_certificate_expiry_seconds "));
    let expiry: u64 = line.unwrap().trim().parse().unwrap();
    let left = expiry - SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!((89 * 86_400..=90 * 86_400).contains(&left), "{left} seconds");
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
async fn a_request_in_the_clear_is_one_line_in_the_log() {
    let identity = Identity::new();
    let program = started(&identity, &[]);
    for _ in 0..50 {
        Raw::connect_and_send(program.address, cleartext("/")).await.read_to_end().await;
    }
    let mut client = Http2::connect(program.address, &identity).await;
    assert_eq!(client.get("/healthz").await.status(), 200);
    let lines = lines_until_its_end(program, |entry| entry["fields"]["message"] == "a TLS handshake failed");
    assert!((1..=10).contains(&lines), "{lines} lines");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_break_the_protocol_do_not_flood_the_log() {
    let identity = Identity::new();
    let program = started(&identity, &[]);
    let mut attacker = Frames::connect(program.address, &identity, &[]).await;
    // The answer to a ping that was never sent: the library warns of each.
    let answers = frame(PING, ACK, 0, &[7; 8]).repeat(1_000);
    attacker.send([answers, request(1, "/healthz")].concat()).await;
    attacker.next_of(HEADERS).await.unwrap();
    let lines = lines_until_its_end(program, |entry| entry["target"].as_str().unwrap().starts_with("h2::"));
    // On a slow machine another period may have begun.
    assert!((1..10).contains(&lines), "{lines} lines");
}

/// Ends the program, and counts its lines of this kind. An answer can be faster than a line that was written before it.
fn lines_until_its_end(program: Program, is_counted: impl Fn(&Value) -> bool) -> usize {
    program.signal("TERM");
    tokio::task::block_in_place(|| program.into_log()).iter().filter(|entry| is_counted(entry)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_swap_of_workers_loses_no_request() {
    let identity = Arc::new(Identity::new());
    let program = Program::spawn(
        vitrine()
            .arg("--supervise")
            .args(PATIENT)
            .args(identity.flags())
            .env("VITRINE_LOG", "info,vitrine::request_log=off"),
    );
    let address = program.address;
    tokio::task::block_in_place(|| program.ready());
    let (stop, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let visitors: Vec<_> = (0..8)
        .map(|_| {
            let (identity, stop, answered) =
                (Arc::clone(&identity), Arc::clone(&stop), Arc::clone(&answered));
            tokio::spawn(async move {
                let mut client = Http2::connect(address, &identity).await;
                while !stop.load(Ordering::Relaxed) {
                    // A client that was told to leave, and sends no more, opens another connection.
                    match client.requests.clone().ready().await {
                        Ok(requests) => client.requests = requests,
                        Err(error) => {
                            assert!(error.is_go_away() || error.is_io(), "{error}");
                            client = Http2::connect(address, &identity).await;
                            continue;
                        }
                    }
                    let Ok((answer, _)) = client.requests.send_request(get("/categories"), true) else {
                        client = Http2::connect(address, &identity).await;
                        continue;
                    };
                    match read(answer).await {
                        Ok(answer) => {
                            assert_eq!(answer.status(), 200);
                            answered.fetch_add(1, Ordering::Relaxed);
                        }
                        // The server says that it did not work on the request, which may be sent again.
                        Err(error) => assert!(
                            error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR),
                            "{error}"
                        ),
                    }
                }
            })
        })
        .collect();
    for _ in 0..3 {
        let before = answered.load(Ordering::Relaxed);
        until("answers", async || answered.load(Ordering::Relaxed) > before + 50).await;
        program.signal("HUP");
        tokio::task::block_in_place(|| program.ready());
    }
    let before = answered.load(Ordering::Relaxed);
    until("answers", async || answered.load(Ordering::Relaxed) > before + 50).await;
    stop.store(true, Ordering::Relaxed);
    for visitor in visitors {
        finishes("a visitor", visitor).await.unwrap();
    }
}
