//! Every kind of page is the same in every version of HTTP, with encryption and without.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::http::{HeaderMap, Request};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use vitrine::http::connections::Connections;
use vitrine::server;

use crate::common::tls::{HTTP1, Http2, Identity, NAME, connect, read};
use crate::common::until::{finishes, until};
use crate::common::{PATHS, client, real_renderer, sample};

/// Headers that differ at every request.
const CHANGING: [&str; 4] = ["date", "x-request-id", "server-timing", "cache-status"];

#[derive(Debug, PartialEq)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, Vec<u8>>,
    body: Vec<u8>,
}

impl Answer {
    fn new(status: u16, headers: &HeaderMap, body: Vec<u8>) -> Self {
        let headers = headers.iter().filter(|(name, _)| !CHANGING.contains(&name.as_str()));
        let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        Self { status, headers, body }
    }
}

async fn in_the_clear(address: SocketAddr, path: &str, headers: &HeaderMap) -> Answer {
    let request =
        client().get(format!("http://{address}{path}")).headers(headers.clone()).header("host", NAME);
    let answer = request.send().await.unwrap();
    let (status, head) = (answer.status().as_u16(), answer.headers().clone());
    Answer::new(status, &head, answer.bytes().await.unwrap().to_vec())
}

async fn with_http_2(client: &mut Http2, path: &str, headers: &HeaderMap) -> Answer {
    let mut request = Request::get(format!("https://{NAME}{path}")).body(()).unwrap();
    request.headers_mut().extend(headers.clone());
    let answer = client.send(request).await;
    let (head, body) = read(answer).await.unwrap().into_parts();
    Answer::new(head.status.as_u16(), &head.headers, body)
}

/// The bytes of an encrypted answer in HTTP/1.1.
async fn with_http_1(address: SocketAddr, identity: &Identity, path: &str) -> Vec<u8> {
    let mut stream = connect(address, identity, &[HTTP1]).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {NAME}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    finishes("an answer", stream.read_to_end(&mut answer)).await.unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_page_is_the_same_in_every_version() {
    let identity = Identity::new();
    let app = server::app(crate::common::shop(sample(), real_renderer(1).await)).unwrap();
    let plain = crate::common::serve(app.clone()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Connections::default().with_tls(identity.open());
    tokio::spawn(connections.serve(listener, app.clone(), std::future::pending()));
    let mut client = Http2::connect(address, &identity).await;
    for path in PATHS.into_iter().chain([
        "/_data/products",
        "/robots.txt",
        "/sitemap.xml",
        "/products/",
        "/favicon.svg",
    ]) {
        // The home page shows other categories at every visit.
        let is_same = path != "/";
        for encoding in ["", "gzip", "br", "zstd"] {
            let mut headers = HeaderMap::new();
            if !encoding.is_empty() {
                headers.insert("accept-encoding", encoding.parse().unwrap());
            }
            // A page is compressed after its first answer.
            let mut answers = Vec::new();
            for _ in 0..3 {
                answers.push((
                    in_the_clear(plain, path, &headers).await,
                    with_http_2(&mut client, path, &headers).await,
                ));
            }
            let (one, other) = answers.pop().unwrap();
            assert_eq!(one.status, other.status, "{path} {encoding}");
            if is_same && one.headers.get("etag") == other.headers.get("etag") {
                assert_eq!(one, other, "{path} {encoding}");
            }
            if encoding.is_empty() && is_same {
                assert_eq!(one, other, "{path}");
                assert!(with_http_1(address, &identity, path).await.ends_with(&one.body), "{path}");
            }
            if let Some(tag) = other.headers.get("etag").filter(|_| is_same) {
                headers.insert("if-none-match", tag.as_slice().try_into().unwrap());
                let known = with_http_2(&mut client, path, &headers).await;
                assert!(known.status != 304 || known.body.is_empty(), "{path}");
            }
        }
    }
    let repeated = || app.recent().unwrap().repeated.get();
    let (before, visit) = (repeated(), HeaderMap::new());
    // The page may be stale by now, and is repeated as soon as it is made anew.
    until("answers are repeated for HTTP/2 too", async || {
        with_http_2(&mut client, "/categories", &visit).await;
        repeated() > before
    })
    .await;
}
