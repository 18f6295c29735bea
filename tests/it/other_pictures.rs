//! Copies of pictures on other hosts, and hosts that mean ill.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path as Parameter;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get as get_of;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt as _};
use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::common::client;
use crate::common::days::get;
use crate::common::operators::Socket;
use crate::common::pages::data;
use crate::common::program::{Program, check};
use crate::common::until::until;
use crate::own_copies::{bytes, files, metric, png, until_copied};

/// A host of pictures.
#[derive(Clone)]
struct Host {
    picture: Bytes,
    address: SocketAddr,
    /// Whom it sends visitors to with `/away`.
    away: Arc<Mutex<String>>,
    /// The paths that it was asked for, with the headers.
    calls: Arc<Mutex<Vec<(String, HeaderMap)>>>,
    /// How many it answers now, and the most at once.
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Host {
    /// Starts it at one of this machine's own addresses.
    async fn start(ip: [u8; 4]) -> Self {
        let listener = TcpListener::bind((std::net::IpAddr::from(ip), 0)).await.unwrap();
        let host = Self {
            picture: png(700, 500).into(),
            address: listener.local_addr().unwrap(),
            away: Arc::default(),
            calls: Arc::default(),
            now: Arc::default(),
            most: Arc::default(),
        };
        let server = host.clone();
        let answer = async move |Parameter(name): Parameter<String>, headers: HeaderMap| {
            server.answer(name, headers).await
        };
        tokio::spawn(async { axum::serve(listener, Router::new().route("/{name}", get_of(answer))).await });
        host
    }

    async fn answer(&self, name: String, headers: HeaderMap) -> Response {
        self.calls.lock().push((name.clone(), headers));
        let now = self.now.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(now, Ordering::Relaxed);
        let answer = match &*name {
            "away" => Redirect::to(&self.away.lock()).into_response(),
            "circle" => Redirect::to("/circle").into_response(),
            "busy" => (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "600")]).into_response(),
            "large" => Bytes::from(vec![0xff; 21 << 20]).into_response(),
            "endless" => {
                let parts = stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from(vec![0xff; 1 << 20])));
                Body::from_stream(parts).into_response()
            }
            "drip" => {
                let parts = stream::repeat(Bytes::from_static(b"\xff")).then(|part| async {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    Ok::<_, std::io::Error>(part)
                });
                Body::from_stream(parts).into_response()
            }
            "page" => "<html>no picture</html>".into_response(),
            "slow" => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                self.picture.clone().into_response()
            }
            name if name.starts_with("slow") => {
                tokio::time::sleep(Duration::from_millis(300)).await;
                // Each has other content.
                [&self.picture[..], name.as_bytes()].concat().into_response()
            }
            _ => ([(header::CONTENT_TYPE, "text/html")], self.picture.clone()).into_response(),
        };
        self.now.fetch_sub(1, Ordering::Relaxed);
        answer
    }

    fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    fn calls_for(&self, name: &str) -> usize {
        self.calls.lock().iter().filter(|(called, _)| called == name).count()
    }
}

/// A folder with products that have these pictures, with the keys `p0`, `p1` and so on.
fn products(pictures: &[String]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let row = |(number, picture): (usize, &String)| format!("p{number},Lamp {number},5,{picture}\n");
    let rows: String = pictures.iter().enumerate().map(row).collect();
    fs::write(folder.path().join("products.csv"), format!("id,title,price,images\n{rows}")).unwrap();
    folder
}

/// A shop of the folder that may ask these hosts.
fn start(folder: &Path, hosts: &[&Host], socket: &Socket) -> Program {
    let state = folder.join("state").display().to_string();
    let hosts: Vec<String> = hosts.iter().map(|host| format!("http://{}", host.address)).collect();
    let hosts: Vec<&str> = hosts.iter().flat_map(|host| ["--image-host", host]).collect();
    let all =
        ["--pictures", "all", "--state-dir", &state, "--render-ahead", "off", "--admin", &socket.address()];
    Program::of_file(&folder.join("products.csv"), &[&all[..], &hosts].concat())
}

/// What pages say of a product's first picture.
async fn picture(shop: &Program, key: &str) -> String {
    let product = data(shop.address, &format!("/product/{key}")).await["content"]["product"].clone();
    product["images"][0].as_str().unwrap().to_owned()
}

/// The address of a copy of a product's first picture.
async fn copy_of(shop: &Program, key: &str, width: u32) -> String {
    let picture = picture(shop, key).await;
    let base = picture.split_once('#').unwrap().1.split(',').next().unwrap().to_owned();
    format!("{base}{width}.webp")
}

/// Asks for a copy. The status, where it leads, and how long it may be kept.
async fn asked(shop: &Program, address: &str) -> (u16, String, String) {
    let answer = get(shop.address, address).await;
    let location = answer.headers.get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
    (answer.status, location.unwrap_or_default(), answer.caching().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_on_another_host_is_received_once_and_copied() {
    let (host, socket) = (Host::start([127, 0, 0, 1]).await, Socket::new());
    let folder = products(&[host.url("a.png?b=c")]);
    let shop = start(folder.path(), &[&host], &socket);
    let shown = picture(&shop, "p0").await;
    assert!(shown.starts_with(&format!("{}#/pictures/p0/0-", host.url("a.png?b=c"))), "{shown}");
    let page = get(shop.address, "/product/p0").await.text;
    let copy = copy_of(&shop, "p0", 480).await;
    assert!(page.contains(&format!("{copy} 480w")), "{page}");
    assert!(get(shop.address, "/products").await.text.contains(&format!("{copy} 480w")), "a card");
    assert!(
        get(shop.address, "/products.jsonl").await.text.contains(&format!("\"{}\"", host.url("a.png?b=c")))
    );
    until_copied(&shop, &copy).await;
    let sent = join_all((0..20).map(|_| bytes(&shop, &copy))).await;
    assert!(sent.iter().all(|other| other == &sent[0]) && sent[0].starts_with(b"RIFF"));
    assert_eq!(asked(&shop, &copy).await, (200, String::new(), "public, max-age=86400".into()));
    assert_eq!(host.calls_for("a.png"), 1);
    let headers = host.calls.lock()[0].1.clone();
    assert_eq!(headers[header::ACCEPT], "image/jpeg,image/png,image/webp");
    for missing in [header::COOKIE, header::REFERER, header::AUTHORIZATION] {
        assert!(!headers.contains_key(&missing), "{missing}");
    }
    // It is known after a start what the picture is, and nothing is asked for.
    drop(shop);
    let shop = start(folder.path(), &[&host], &socket);
    until("what is known is shown", async || picture(&shop, "p0").await.ends_with(",700x500f")).await;
    assert!(bytes(&shop, &copy).await == sent[0]);
    assert_eq!(host.calls_for("a.png"), 1);
    // A larger one needs the picture again. That of 1600 pixels would be that of 800, which has the picture's own width.
    until_copied(&shop, &copy_of(&shop, "p0", 800).await).await;
    let large = bytes(&shop, &copy_of(&shop, "p0", 800).await).await;
    assert!(large == bytes(&shop, &copy_of(&shop, "p0", 1600).await).await && large.len() > sent[0].len());
    assert_eq!(host.calls_for("a.png"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn made_up_addresses_cost_no_call_and_no_file() {
    let (host, socket) = (Host::start([127, 0, 0, 1]).await, Socket::new());
    let folder = products(&[host.url("a.png"), host.url("b.png")]);
    let shop = start(folder.path(), &[&host], &socket);
    let copy = copy_of(&shop, "p0", 480).await;
    let code = copy.rsplit('-').nth(1).unwrap();
    let other = copy_of(&shop, "p1", 480).await;
    let other = other.rsplit('-').nth(1).unwrap();
    let mut addresses: Vec<String> = [
        format!("/pictures/p0/0-{other}-480.webp"),
        format!("/pictures/p1/0-{code}-480.webp"),
        format!("/pictures/p2/0-{code}-480.webp"),
        format!("/pictures/p0/2-{code}-480.webp"),
        format!("/pictures/p0/00-{code}-480.webp"),
        format!("/pictures/p0/0-{code}-481.webp"),
        format!("/pictures/p0/0-{code}-0480.webp"),
        format!("/pictures/p0/0-{code}-480.jpg"),
        format!("/pictures/p0/0-{code}-preview.jpg"),
        format!("/pictures/p0/0-{}-480.webp", code.to_uppercase()),
        format!("/pictures/http:%2F%2F{}/0-{code}-480.webp", host.address),
        "/pictures/p0/".into(),
        "/pictures/p0/0".into(),
    ]
    .into();
    addresses.extend((0..5_000_u64).map(|number| format!("/pictures/p0/0-{number:016x}-480.webp")));
    addresses
        .extend((0..5_000_u64).map(|number| format!("/pictures/p{number}/{number}-{code}-480.webp")).skip(1));
    let client = client();
    for address in addresses {
        let answer = client.get(format!("http://{}{address}", shop.address)).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{address}");
    }
    assert_eq!((host.calls.lock().len(), files(folder.path()).len()), (0, 0));
    for outcome in ["made", "failed", "refused"] {
        let name = format!("vitrine_picture_copies_total{{outcome=\"{outcome}\"}}");
        assert_eq!(metric(&socket, &name), 0, "{outcome}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_means_ill_gets_nothing_and_visitors_get_its_picture_as_it_is() {
    let (host, socket) = (Host::start([127, 0, 0, 1]).await, Socket::new());
    // It runs on this machine, and is not named.
    let inner = Host::start([127, 0, 0, 2]).await;
    let names = ["large", "endless", "page", "circle", "drip", "missing/path"];
    let folder = products(&names.map(|name| host.url(name)));
    let shop = start(folder.path(), &[&host], &socket);
    let begun = Instant::now();
    let ask = async |number: usize| {
        let address = copy_of(&shop, &format!("p{number}"), 320).await;
        asked(&shop, &address).await
    };
    let answers = join_all((0..names.len()).map(ask)).await;
    for (name, answer) in names.iter().zip(answers) {
        assert_eq!(answer, (302, host.url(name), "no-store".into()), "{name}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
    until("all have failed", async || {
        metric(&socket, "vitrine_picture_copies_total{outcome=\"failed\"}") == names.len() as u64
    })
    .await;
    assert_eq!((host.calls_for("large"), host.calls_for("circle")), (1, 4), "three redirects");
    assert_eq!(ask(0).await.0, 302);
    assert_eq!(host.calls_for("large"), 1, "it is not asked again soon");
    assert_eq!((files(folder.path()).len(), inner.calls.lock().len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_into_this_network_is_not_followed_unless_the_host_is_named() {
    let (host, inner) = (Host::start([127, 0, 0, 1]).await, Host::start([127, 0, 0, 2]).await);
    let port = inner.address.port();
    for (away, refusal) in [
        (inner.url("a.png"), format!("it leads to port {port}, which --image-host does not name")),
        ("http://127.0.0.2/a.png".into(), "it leads to 127.0.0.2, an address of a private network".into()),
        ("http://localhost/a.png".into(), "it leads to localhost, an address of a private network".into()),
        ("http://[::ffff:127.0.0.2]/a.png".into(), "an address of a private network".into()),
        ("file:///etc/passwd".into(), String::new()),
    ] {
        *host.away.lock() = away.clone();
        let (folder, socket) = (products(&[host.url("away")]), Socket::new());
        let shop = start(folder.path(), &[&host], &socket);
        let copy = copy_of(&shop, "p0", 320).await;
        assert_eq!(asked(&shop, &copy).await, (302, host.url("away"), "no-store".into()), "{away}");
        let logged = shop.logged("a picture is sent as it is");
        assert!(logged["error"].as_str().unwrap().contains(&refusal), "{logged}");
        assert_eq!(inner.calls.lock().len(), 0, "{away}");
    }
    *host.away.lock() = inner.url("a.png");
    let (folder, socket) = (products(&[host.url("away")]), Socket::new());
    let shop = start(folder.path(), &[&host, &inner], &socket);
    let copy = copy_of(&shop, "p0", 320).await;
    until_copied(&shop, &copy).await;
    assert!(inner.calls.lock()[0].1.get(header::REFERER).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_cannot_name_a_private_address() {
    let (host, socket) = (Host::start([127, 0, 0, 1]).await, Socket::new());
    let addresses = [host.url("a.png"), "http://10.0.0.1/a.png".into()];
    let folder = products(&addresses);
    let shop = start(folder.path(), &[], &socket);
    for (number, address) in addresses.iter().enumerate() {
        assert_eq!(picture(&shop, &format!("p{number}")).await, *address);
    }
    assert_eq!(host.calls.lock().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_is_asked_for_few_pictures_at_a_time_and_for_none_in_the_pause_that_it_wants() {
    let (host, second, third) =
        tokio::join!(Host::start([127, 0, 0, 1]), Host::start([127, 0, 0, 2]), Host::start([127, 0, 0, 3]));
    let hosts = [&host, &second, &third];
    let slow = hosts.iter().flat_map(|host| (0..6).map(|number| host.url(&format!("slow{number}"))));
    let folder = products(
        &slow.chain([second.url("busy"), second.url("later"), host.url("later")]).collect::<Vec<_>>(),
    );
    let socket = Socket::new();
    let shop = start(folder.path(), &hosts, &socket);
    let all = Arc::new(AtomicUsize::new(0));
    let watched = {
        let (all, hosts) = (Arc::clone(&all), [host.clone(), second.clone(), third.clone()]);
        tokio::spawn(async move {
            loop {
                let now = hosts.iter().map(|host| host.now.load(Ordering::Relaxed)).sum();
                all.fetch_max(now, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
    };
    let ask = async |number: usize| {
        let address = copy_of(&shop, &format!("p{number}"), 320).await;
        asked(&shop, &address).await.0
    };
    join_all((0..18).map(ask)).await;
    // Some may have waited for too long.
    for number in 0..18 {
        until("a copy of each", async || ask(number).await == 200).await;
    }
    watched.abort();
    let most = hosts.map(|host| host.most.load(Ordering::Relaxed));
    assert!(most.iter().all(|most| (1..=2).contains(most)), "{most:?}");
    assert!((2..=4).contains(&all.load(Ordering::Relaxed)), "{all:?}");
    assert_eq!((ask(18).await, ask(19).await), (302, 302));
    until("a copy of another host's", async || ask(20).await == 200).await;
    assert_eq!((second.calls_for("busy"), second.calls_for("later"), host.calls_for("later")), (1, 0, 1));
}

#[test]
fn check_says_what_copies_save_and_which_pictures_are_not_received() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let host = runtime.block_on(Host::start([127, 0, 0, 1]));
    let folder = products(&[host.url("a.png"), host.url("page")]);
    let catalogue = format!("file:{}", folder.path().join("products.csv").display());
    let named = format!("http://{}", host.address);
    let (code, said) = check(["--catalogue", &catalogue, "--pictures", "all", "--image-host", &named]);
    for part in ["1 picture is not received: ", "/page (no JPEG, PNG, WebP, GIF or AVIF)", " MB as copies"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(code, Some(0), "{said}");
}
