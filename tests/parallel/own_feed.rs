//! A shop of the products in the file of a feed, and prices that have dates.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::SystemTime;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use parking_lot::Mutex;

use crate::common::days::get;
use crate::common::operators::{TOKEN, ask};
use crate::common::program::{Program, vitrine};
use crate::common::serve;
use crate::common::until::until;

/// A server of one feed.
#[derive(Clone, Default)]
struct Feed {
    state: Arc<Mutex<FeedState>>,
}

#[derive(Default)]
struct FeedState {
    /// `None` for a server that fails.
    text: Option<String>,
    sent: usize,
    unchanged: usize,
    failed: usize,
    credentials: Option<String>,
    referer: Option<String>,
}

impl Feed {
    async fn start() -> (Self, SocketAddr) {
        let feed = Self::default();
        let app = Router::new().fallback(answer).with_state(feed.clone());
        (feed, serve(app).await)
    }

    fn send(&self, text: Option<String>) {
        self.state.lock().text = text;
    }
}

async fn answer(State(feed): State<Feed>, headers: HeaderMap) -> Response {
    let mut state = feed.state.lock();
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    (state.credentials, state.referer) = (header(header::AUTHORIZATION), header(header::REFERER));
    let Some(text) = state.text.clone() else {
        state.failed += 1;
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let tag = format!("\"{}\"", text.len());
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag) {
        state.unchanged += 1;
        return StatusCode::NOT_MODIFIED.into_response();
    }
    state.sent += 1;
    ([(header::ETAG, tag)], text).into_response()
}

/// A feed of this many items.
fn items(title: &str, count: u32) -> Option<String> {
    let item = |id| {
        format!("<item><g:id>{id}</g:id><title>{title} {id}</title><g:price>5.00 EUR</g:price></item>\n")
    };
    let items: String = (1..=count).map(item).collect();
    Some(format!("<rss xmlns:g=\"http://base.google.com/ns/1.0\"><channel>{items}</channel></rss>"))
}

async fn has(shop: &Program, text: &str) -> bool {
    get(shop.address, "/products").await.text.contains(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_is_a_shop_that_follows_it_and_survives_its_failures() {
    let (feed, address) = Feed::start().await;
    feed.send(items("Cup", 6));
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let command = |first: &[&str]| {
        let mut command = vitrine();
        command.args(first).args(["--isolates", "1", "--fresh", "1", "--state-dir", state.to_str().unwrap()]);
        command.args(["--catalogue", &format!("feed:http://me:secret@{address}/products.xml?key=secret")]);
        command
    };
    let start = || Program::spawn(&mut command(&[]));
    let shop = start();
    assert!(has(&shop, "Cup 6").await && has(&shop, "€5.00").await);
    assert!(feed.state.lock().credentials.as_deref().unwrap_or_default().starts_with("Basic "));
    until("an answer that nothing has changed", async || feed.state.lock().unchanged > 0).await;
    feed.send(items("Round bowl", 5));
    until("the new version", async || has(&shop, "Round bowl 5").await).await;
    // The products stay on sale after each of these.
    for (broken, message) in [
        (items("Tray", 2), "the file is not used"),
        (Some("<rss>".into()), "the file is not used"),
        (None, "the feed is not received"),
    ] {
        feed.send(broken);
        let mut log = Vec::new();
        until(message, async || {
            log.extend(shop.log().map(|entry| entry.to_string()));
            log.iter().any(|entry| entry.contains(message))
        })
        .await;
        assert!(!log.iter().any(|entry| entry.contains("secret")), "{log:?}");
        assert!(has(&shop, "Round bowl 5").await);
    }
    drop(shop);
    // The kept products are sold while the feed is away.
    let shop = start();
    assert!(has(&shop, "Round bowl 5").await);
    feed.send(items("Plate", 6));
    until("the feed that is back", async || has(&shop, "Plate 6").await).await;
    drop(shop);
    // A start refuses a version with half of the products too, and sells what was kept.
    feed.send(items("Tray", 3));
    let mut said = command(&["--listen", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(said.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = tokio::task::spawn_blocking(move || lines.into_iter().find(|line| line.contains("kept")));
    let line = line.await.unwrap().unwrap();
    said.kill().unwrap();
    said.wait().unwrap();
    assert!(line.contains("--accept-loss") && !line.contains("secret"), "{line}");
    let shop = start();
    assert!(has(&shop, "Plate 6").await);
    drop(shop);
    // A check does not change what was kept.
    let mut check = command(&["check", "--listen", "127.0.0.1:0"]);
    let checked = tokio::task::spawn_blocking(move || check.output()).await.unwrap().unwrap();
    let said = [checked.stdout, checked.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("3 rows, 3 products"), "{said}");
    let shop = start();
    assert!(has(&shop, "Plate 6").await);
    drop(shop);
    let shop = Program::spawn(&mut command(&["--accept-loss"]));
    assert!(has(&shop, "Tray 3").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hard_purge_allows_the_next_version_even_if_the_feed_is_away_at_first() {
    let (feed, address) = Feed::start().await;
    feed.send(items("Cup", 6));
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("admin.sock");
    let (admin, catalogue) = (format!("unix:{}", socket.display()), format!("feed:http://{address}/a.xml"));
    let settings = ["--isolates", "1", "--fresh", "1", "--admin", &admin, "--admin-token", TOKEN];
    let shop = Program::start(&[&settings[..], &["--catalogue", &catalogue]].concat());
    feed.send(None);
    let asked = tokio::task::spawn_blocking(move || {
        ["GET /status", "POST /purge?all=1&hard=1"].map(|request| ask(&socket, request))
    });
    let [status, answer] = asked.await.unwrap();
    assert!(status.contains("a file or feed"), "{status}");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let before = feed.state.lock().failed;
    // The first of two may have been on its way before the purge.
    until("the order's attempt", async || feed.state.lock().failed > before + 1).await;
    feed.send(items("Tray", 2));
    until("fewer than half of the products", async || has(&shop, "Tray 2").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_cannot_be_received_is_no_shop_and_its_credentials_are_not_shown() {
    let (_, address) = Feed::start().await;
    for (feed, expected) in [
        (format!("feed:http://me:secret@{address}/a?key=secret"), "it answers with 500"),
        ("feed:http://me:secret@127.0.0.1:1/a".into(), "it does not answer"),
        ("feed:me:secret@".into(), "expected `feed:` and an address"),
        ("Feed:http://me:secret@ /a".into(), "expected `feed:` and an address"),
    ] {
        let run = move || vitrine().args(["--listen", "127.0.0.1:0", "--catalogue", &feed]).output().unwrap();
        let Output { stderr, status, .. } = tokio::task::spawn_blocking(run).await.unwrap();
        let said = String::from_utf8_lossy(&stderr);
        assert!(!status.success() && said.contains(expected) && !said.contains("secret"), "{said}");
    }
    for feed in ["feed:http://me:secret@a/b", "FEED:http://a/b?key=secret"] {
        let run = || vitrine().args(["--catalogue", feed, "--print-settings"]).output();
        let Output { stdout, .. } = tokio::task::spawn_blocking(run).await.unwrap().unwrap();
        let said = String::from_utf8_lossy(&stdout);
        assert!(said.contains("catalogue is set, and secret") && !said.contains("me:secret"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirection_to_another_host_is_followed_without_credentials() {
    let (feed, elsewhere) = Feed::start().await;
    feed.send(items("Cup", 2));
    let to = format!("http://localhost:{}/products.xml", elsewhere.port());
    let app = Router::new().fallback(async move || axum::response::Redirect::temporary(&to));
    let address = serve(app).await;
    let shop = Program::quiet(&[
        "--isolates",
        "1",
        "--catalogue",
        &format!("feed:http://me:secret@{address}/products.xml?key=secret"),
    ]);
    assert!(has(&shop, "Cup 2").await);
    let state = feed.state.lock();
    assert_eq!((&state.credentials, &state.referer), (&None, &None));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_ends_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("products.csv");
    // Long enough to see the sale even on a busy machine.
    let end = SystemTime::now() + std::time::Duration::from_secs(12);
    let end = end.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let moment = Timestamp::from_second(end as i64).unwrap();
    fs::write(&file, format!("id,title,price,sale_price,sale_ends\n1,Cup,10,8,{moment}\n2,Bowl,7,,\n"))
        .unwrap();
    let shop = Program::of_file(&file, &[]);
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let page = get(shop.address, "/product/1").await;
    let caching = page.headers[header::CACHE_CONTROL].to_str().unwrap().to_owned();
    let shared: u64 = caching.split("s-maxage=").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
    assert!(page.text.contains("$8.00") || now() > end, "{}", page.text);
    assert!(now() > end || 2 * shared <= 12, "{caching}");
    until("the price without the sale", async || {
        let began = now();
        let has_ended = !get(shop.address, "/product/1").await.text.contains("$8.00");
        assert!(!has_ended || now() > end, "the sale ended {} seconds too early", end - began);
        has_ended
    })
    .await;
    let page = get(shop.address, "/product/1").await;
    assert!(page.text.contains("$10.00"), "{}", page.text);
    let caching = page.headers[header::CACHE_CONTROL].to_str().unwrap();
    assert!(caching.contains("s-maxage=60"), "{caching}");
}
