//! Requests of well-behaved and strange clients on one connection; and every kind of page is the same in every version
//! of HTTP, with encryption and without.

use std::net::SocketAddr;

use axum::http::{HeaderMap, Request, StatusCode};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use vitrine::http::connections::Connections;
use vitrine::server;

use crate::common::small_server::{self, Server, generous};
use crate::common::tls::{HTTP1, Http2, Identity, NAME, connect, get, read};
use crate::common::until::{finishes, until};
use crate::common::{PATHS, client, raw, real_renderer, sample, serve, serve_with, shop};

#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_requests_one_after_the_other_are_answered() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut client = Http2::connect(server.address, &identity).await;
    for _ in 0..10_000 {
        let answer = client.get("/").await;
        assert_eq!((answer.status().as_u16(), &answer.body()[..]), (200, &b"ok"[..]));
    }
    assert_eq!(server.counters().accepted.get(), 1);
}

/// The shop, and a client of it.
async fn visit() -> (Identity, Http2) {
    let identity = Identity::new();
    let address = small_server::shop(&Connections::new(generous()).with_tls(identity.open())).await;
    let client = Http2::connect(address, &identity).await;
    (identity, client)
}

#[tokio::test]
async fn requests_have_the_limits_of_http_1() {
    let (_identity, mut client) = visit().await;
    const HOME: &str = "https://shop.example/";
    let asks = |method: &str, uri: &str| Request::builder().method(method).uri(uri);
    let has_host = |host: &str| asks("GET", HOME).header("host", host);
    let numbered = |count: usize| {
        let request = (0..20).fold(asks("GET", HOME), |request, _| request.header("cookie", "a=b"));
        (0..count).fold(request, |request, number| request.header(format!("x-{number}"), "1"))
    };
    for (status, request) in [
        (200, asks("GET", HOME)),
        (200, asks("HEAD", HOME).header("host", NAME)),
        (200, has_host("Shop.Example.:443")),
        (400, has_host("other.example")),
        (400, has_host("shop.example:80")),
        (400, asks("GET", "https://shop.example:99999/")),
        (400, asks("GET", "https://user@shop.example/")),
        (405, asks("POST", HOME)),
        (405, asks("OPTIONS", HOME)),
        (405, asks("CONNECT", "shop.example:443")),
        (414, asks("GET", &format!("{HOME}{}", "x".repeat(9_000)))),
        // With the host and the cookies a hundred.
        (200, numbered(98)),
        (431, numbered(99)),
        (431, asks("GET", HOME).header("x", "v".repeat(40_000))),
    ] {
        let request = request.body(()).unwrap();
        let shown =
            format!("{} {:.60} {:.60?}", request.method(), request.uri().to_string(), request.headers());
        let answer = client.send(request).await;
        assert_eq!(read(answer).await.unwrap().status(), status, "{shown}");
    }
}

#[tokio::test]
async fn a_request_with_a_body_is_answered_and_the_connection_goes_on() {
    let (_identity, mut client) = visit().await;
    for round in 0..20 {
        client.requests = finishes("room", client.requests.clone().ready()).await.unwrap();
        let (answer, mut body) = client.requests.send_request(get("/categories"), false).unwrap();
        // More than the server reads; it must not count against the next request.
        body.send_data(vec![0; 60_000].into(), round % 2 == 0).unwrap();
        let head = finishes("an answer", answer).await.unwrap();
        assert_eq!(head.status(), 200);
    }
    let announced = Request::get(format!("https://{NAME}/")).header("content-length", "70000");
    client.requests = finishes("room", client.requests.clone().ready()).await.unwrap();
    let (answer, _body) = client.requests.send_request(announced.body(()).unwrap(), false).unwrap();
    assert_eq!(finishes("an answer", answer).await.unwrap().status(), 413);
}

/// A status, the headers that do not differ at every request, and a body.
type Answer = (StatusCode, HeaderMap, Vec<u8>);

fn answer(status: StatusCode, mut headers: HeaderMap, body: Vec<u8>) -> Answer {
    for name in ["date", "x-request-id", "server-timing", "cache-status"] {
        headers.remove(name);
    }
    (status, headers, body)
}

async fn in_the_clear(address: SocketAddr, path: &str, headers: &HeaderMap) -> Answer {
    let request =
        client().get(format!("http://{address}{path}")).headers(headers.clone()).header("host", NAME);
    let response = request.send().await.unwrap();
    let (status, head) = (response.status(), response.headers().clone());
    answer(status, head, response.bytes().await.unwrap().into())
}

async fn with_http_2(client: &mut Http2, path: &str, headers: &HeaderMap) -> Answer {
    let mut request = get(path);
    request.headers_mut().extend(headers.clone());
    let response = client.send(request).await;
    let (head, body) = read(response).await.unwrap().into_parts();
    answer(head.status, head.headers, body)
}

/// The bytes of two encrypted answers in HTTP/1.1 on one connection.
async fn with_http_1(address: SocketAddr, identity: &Identity, path: &str) -> Vec<u8> {
    let mut stream = connect(address, identity, &[HTTP1]).await;
    stream.write_all([raw::get(path), raw::last_get(path)].concat().as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    finishes("an answer", stream.read_to_end(&mut answer)).await.unwrap();
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_page_is_the_same_in_every_version() {
    let identity = Identity::new();
    let app = server::app(shop(sample(), real_renderer(1).await)).unwrap();
    let plain = serve(app.clone()).await;
    let address = serve_with(app.clone(), Connections::default().with_tls(identity.open())).await;
    let mut client = Http2::connect(address, &identity).await;
    let others = "/_data/products /robots.txt /sitemap.xml /products/ /favicon.svg";
    for path in PATHS.into_iter().chain(others.split(' ')) {
        for encoding in ["", "gzip", "br", "zstd"] {
            let mut headers = HeaderMap::new();
            if !encoding.is_empty() {
                headers.insert("accept-encoding", encoding.parse().unwrap());
            }
            // A page is compressed after its first answer.
            for _ in 0..2 {
                in_the_clear(plain, path, &headers).await;
                with_http_2(&mut client, path, &headers).await;
            }
            let one = in_the_clear(plain, path, &headers).await;
            let other = with_http_2(&mut client, path, &headers).await;
            assert_eq!(one.0, other.0, "{path} {encoding}");
            // The home page shows other categories at every visit.
            if path == "/" {
                continue;
            }
            let tag = other.1.get("etag").cloned();
            if encoding.is_empty() || one.1.get("etag") == tag.as_ref() {
                assert_eq!(one, other, "{path} {encoding}");
            }
            if encoding.is_empty() {
                let answers = with_http_1(address, &identity, path).await;
                assert!(answers.ends_with(&one.2) && answers.len() > 2 * one.2.len(), "{path}");
            }
            if let Some(tag) = tag {
                headers.insert("if-none-match", tag);
                let (status, _, body) = with_http_2(&mut client, path, &headers).await;
                assert!(status != 304 || body.is_empty(), "{path}");
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
