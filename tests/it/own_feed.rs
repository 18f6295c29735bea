//! A shop of the products in the file of a feed, and prices that have dates.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get as get_of;
use futures_util::stream::{self, StreamExt as _};
use jiff::Timestamp;
use parking_lot::Mutex;
use tempfile::TempDir;

use crate::common::days::{Answer, get};
use crate::common::operators::{TOKEN, ask};
use crate::common::program::{Program, vitrine};
use crate::common::serve;
use crate::common::until::until;

/// The name of the operators' socket.
const SOCKET: &str = "admin.sock";

/// A server of one feed.
#[derive(Clone, Default)]
struct Feed {
    /// `None` for a server that fails.
    text: Arc<Mutex<Option<String>>>,
    /// The pause in seconds that it asks for while it fails.
    pause: Arc<Mutex<Option<u32>>>,
    /// What was asked, and how it was answered.
    calls: Arc<Mutex<Vec<(HeaderMap, StatusCode)>>>,
}

impl Feed {
    async fn start() -> (Self, SocketAddr) {
        let feed = Self::default();
        let server = feed.clone();
        let app = Router::new().fallback(async move |headers: HeaderMap| server.answer(headers));
        (feed, serve(app).await)
    }

    fn send(&self, text: Option<String>) {
        *self.text.lock() = text;
    }

    fn answer(&self, headers: HeaderMap) -> Response {
        let response = match self.text.lock().clone() {
            None => match *self.pause.lock() {
                Some(pause) => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, pause.to_string())])
                    .into_response(),
                None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            },
            Some(text) => {
                let tag = format!("\"{}\"", text.len());
                match headers.get(header::IF_NONE_MATCH) {
                    Some(known) if *known == *tag => StatusCode::NOT_MODIFIED.into_response(),
                    _ => ([(header::ETAG, tag)], text).into_response(),
                }
            }
        };
        self.calls.lock().push((headers, response.status()));
        response
    }

    /// How many calls were answered with this status.
    fn answered(&self, status: u16) -> usize {
        self.calls.lock().iter().filter(|(_, answered)| *answered == status).count()
    }

    /// A header of the last call.
    fn asked_with(&self, name: HeaderName) -> Option<HeaderValue> {
        self.calls.lock().last()?.0.get(name).cloned()
    }
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
    assert!(feed.asked_with(header::AUTHORIZATION).unwrap().as_bytes().starts_with(b"Basic "));
    until("an answer that nothing has changed", async || feed.answered(304) > 0).await;
    feed.send(items("Round bowl", 5));
    until("the new version", async || has(&shop, "Round bowl 5").await).await;
    // The products stay on sale after each of these.
    for (broken, message) in [(items("Tray", 2), "the file is not used"), (None, "the feed is not received")]
    {
        feed.send(broken);
        let mut log = String::new();
        until(message, async || {
            log.extend(shop.log().map(|entry| entry.to_string()));
            log.contains(message)
        })
        .await;
        assert!(!log.contains("secret"), "{log}");
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
    let mut lines = BufReader::new(said.stderr.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.find(|line| line.contains("kept")).unwrap();
    said.kill().unwrap();
    said.wait().unwrap();
    assert!(line.contains("--accept-loss") && !line.contains("secret"), "{line}");
    // And a check does not change what was kept.
    let (_, said) = output(&mut command(&["check", "--listen", "127.0.0.1:0"]));
    assert!(said.contains("3 rows, 3 products"), "{said}");
    let shop = start();
    assert!(has(&shop, "Plate 6").await);
    drop(shop);
    let shop = Program::spawn(&mut command(&["--accept-loss"]));
    assert!(has(&shop, "Tray 3").await);
}

/// A shop of six cups from a feed, and the folder with the [`SOCKET`] of its operators.
async fn with_operators() -> (Feed, Program, TempDir) {
    let (feed, address) = Feed::start().await;
    feed.send(items("Cup", 6));
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join(SOCKET);
    let (admin, catalogue) = (format!("unix:{}", socket.display()), format!("feed:http://{address}/a.xml"));
    let settings = ["--isolates", "1", "--fresh", "1", "--admin", &admin, "--admin-token", TOKEN];
    let shop = Program::start(&[&settings[..], &["--catalogue", &catalogue]].concat());
    (feed, shop, folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hard_purge_allows_the_next_version_even_if_the_feed_is_away_at_first() {
    let (feed, shop, folder) = with_operators().await;
    let socket = folder.path().join(SOCKET);
    feed.send(None);
    let [status, answer] = ["GET /status", "POST /purge?all=1&hard=1"].map(|request| ask(&socket, request));
    assert!(status.contains("a file, feed or shop"), "{status}");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    let before = feed.answered(500);
    // The first of two may have been on its way before the purge.
    until("the order's attempt", async || feed.answered(500) > before + 1).await;
    feed.send(items("Tray", 2));
    until("fewer than half of the products", async || has(&shop, "Tray 2").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_for_a_pause_gets_one_unless_an_operator_orders_otherwise() {
    let (feed, shop, folder) = with_operators().await;
    let socket = folder.path().join(SOCKET);
    *feed.pause.lock() = Some(3_600);
    feed.send(None);
    until("the pause", async || feed.answered(503) > 0).await;
    // Without a pause it is asked every two seconds.
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(feed.answered(503), 1);
    feed.send(items("Bowl", 6));
    assert!(ask(&socket, "POST /purge?all=1").starts_with("HTTP/1.1 200 OK"));
    until("the new version", async || has(&shop, "Bowl 6").await).await;
}

/// Whether a program succeeds, and what it says.
fn output(program: &mut Command) -> (bool, String) {
    let output = program.output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_cannot_be_received_is_no_shop_and_its_credentials_are_not_shown() {
    let (_, address) = Feed::start().await;
    let printed = "catalogue is set, and secret";
    for (feed, flags, succeeds, expected) in [
        (&*format!("feed:http://me:secret@{address}/a?key=secret"), &[][..], false, "it answers with 500"),
        ("feed:http://me:secret@127.0.0.1:1/a", &[], false, "it does not answer"),
        ("Feed:http://me:secret@ /a", &[], false, "expected `feed:` and an address"),
        ("feed:http://me:secret@a/b", &["--print-settings"], true, printed),
        ("FEED:http://a/b?key=secret", &["--print-settings"], true, printed),
    ] {
        let (has_succeeded, said) =
            output(vitrine().args(["--listen", "127.0.0.1:0", "--catalogue", feed]).args(flags));
        assert!(has_succeeded == succeeds && said.contains(expected), "{said}");
        assert!(!said.replace(printed, "").contains("secret"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirection_is_followed_without_credentials_but_not_into_a_private_network() {
    let (feed, elsewhere) = Feed::start().await;
    feed.send(items("Cup", 2));
    let to = format!("http://localhost:{}/products.xml", elsewhere.port());
    let app = Router::new().fallback(async move || axum::response::Redirect::temporary(&to));
    let port = serve(app).await.port();
    let catalogue = |host: &str| format!("feed:http://me:secret@{host}:{port}/products.xml?key=secret");
    let shop = Program::quiet(&["--isolates", "1", "--catalogue", &catalogue("localhost")]);
    assert!(has(&shop, "Cup 2").await);
    assert_eq!([header::AUTHORIZATION, header::REFERER].map(|name| feed.asked_with(name)), [None, None]);
    // A host of this machine that the operator has not named.
    let (has_succeeded, said) =
        output(vitrine().args(["--listen", "127.0.0.1:0", "--catalogue", &catalogue("127.0.0.1")]));
    let expected = "it leads to localhost, an address of a private network";
    assert!(!has_succeeded && said.contains(expected) && !said.contains("secret"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_takes_a_quarter_of_the_memory_at_most_and_more_in_the_state_directory() {
    type Chunk = Result<Vec<u8>, std::io::Error>;
    let endless = || stream::repeat_with(|| Chunk::Ok(vec![b'x'; 1 << 20]));
    let long = || {
        let comments = stream::repeat_with(|| Chunk::Ok([b"<!--", &*vec![b'x'; 1 << 20], b"-->"].concat()));
        let items = items("Cup", 1).unwrap();
        let (first, last) = items.split_at(items.find("<channel>").unwrap());
        let ends = [first, last].map(|end| stream::iter([Chunk::Ok(end.into())]));
        let [first, last] = ends;
        first.chain(comments.take(80)).chain(last)
    };
    let app = Router::new()
        .route("/endless", get_of(async move || Body::from_stream(endless())))
        .route("/long", get_of(async move || Body::from_stream(long())))
        .route(
            "/announced",
            get_of(async move || ([(header::CONTENT_LENGTH, 1_u64 << 50)], Body::from_stream(endless()))),
        );
    let address = serve(app).await;
    let folder = tempfile::tempdir().unwrap();
    let command = |path: &str, state: bool| {
        let mut command = vitrine();
        command.args(["--isolates", "1", "--memory-limit", "256"]);
        command.args(["--catalogue", &format!("feed:http://{address}{path}")]);
        if state {
            command.args(["--state-dir", folder.path().to_str().unwrap()]);
        }
        command
    };
    let shop = Program::spawn(&mut command("/long", true));
    assert!(has(&shop, "Cup 1").await);
    drop(shop);
    let in_memory =
        "it is larger than 64 MiB, a quarter of the memory that the shop may take: with --state-dir";
    for (path, state, expected) in [
        ("/endless", false, in_memory),
        ("/long", false, in_memory),
        // Two GiB, or half of a smaller disk.
        ("/announced", true, "it is larger than "),
    ] {
        let (has_succeeded, said) = output(command(path, state).args(["--listen", "127.0.0.1:0"]));
        assert!(!has_succeeded && said.contains(expected), "{said}");
        assert!(!state || !said.contains("quarter of the memory"), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_after_a_reading_that_ended_the_program_sells_what_was_kept_first() {
    let (feed, address) = Feed::start().await;
    feed.send(items("Cup", 6));
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join(SOCKET);
    let state = folder.path().join("state");
    let start =
        || {
            let (admin, catalogue) =
                (format!("unix:{}", socket.display()), format!("feed:http://{address}/a.xml"));
            Program::quiet(&[
            &["--isolates", "1", "--catalogue", &catalogue, "--state-dir", state.to_str().unwrap()][..],
            &["--admin", &admin, "--admin-token", TOKEN, "--fresh", "1"],
        ]
        .concat())
        };
    drop(start());
    let kept = fs::read_dir(&state).unwrap().next().unwrap().unwrap().path();
    let mark = kept.with_extension("reading");
    assert!(kept.extension().is_some_and(|extension| extension == "state") && !mark.exists());
    // As a program leaves it that is killed while it reads.
    fs::write(&mark, "").unwrap();
    feed.send(items("Bowl", 7));
    let asked = feed.calls.lock().len();
    let shop = start();
    assert!(has(&shop, "Cup 6").await);
    // Longer than the feed is fresh.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(feed.calls.lock().len(), asked, "it is asked after a minute");
    assert!(ask(&socket, "POST /purge?all=1").starts_with("HTTP/1.1 200 OK"));
    until("the new version", async || has(&shop, "Bowl 7").await).await;
    assert!(!mark.exists());
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A shop with a product on sale, the product's page, and when the sale ends: later on a machine that is too busy to see
/// a sale of `seconds`.
async fn shop_of_a_sale(file: &Path, seconds: u64) -> (Program, Answer, u64) {
    let end = now() + seconds;
    let moment = Timestamp::from_second(end as i64).unwrap();
    let table = format!("id,title,price,sale_price,sale_ends\n1,Cup,10,8,{moment}\n2,Bowl,7,,\n");
    fs::write(file, table).unwrap();
    let shop = Program::of_file(file, &[]);
    let page = get(shop.address, "/product/1").await;
    let is_seen = page.text.contains("$8.00");
    if is_seen { (shop, page, end) } else { Box::pin(shop_of_a_sale(file, seconds * 2)).await }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sale_ends_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let began = now();
    let (shop, page, end) = shop_of_a_sale(&folder.path().join("products.csv"), 5).await;
    let shared = |page: &Answer| -> u64 {
        let (_, seconds) = page.caching().split_once("s-maxage=").unwrap();
        seconds.split(',').next().unwrap().parse().unwrap()
    };
    assert!(2 * shared(&page) <= end - began, "{}", page.caching());
    until("the price without the sale", async || {
        let asked = now();
        let has_ended = !get(shop.address, "/product/1").await.text.contains("$8.00");
        assert!(!has_ended || now() > end, "the sale ended {} seconds too early", end - asked);
        has_ended
    })
    .await;
    let page = get(shop.address, "/product/1").await;
    assert!(page.text.contains("$10.00"), "{}", page.text);
    assert_eq!(shared(&page), 60);
}
