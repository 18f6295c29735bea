//! Requests of well-behaved and strange clients on one connection.

use axum::http::{Method, Request};

use crate::common::small_server::{LARGE, Server, encrypted_shop, generous};
use crate::common::tls::{Http2, NAME, get, read};
use crate::common::until::finishes;

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

#[tokio::test(flavor = "multi_thread")]
async fn requests_at_the_same_time_do_not_wait_for_each_other() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut client = Http2::connect(server.address, &identity).await;
    let slow = client.send(get("/slow")).await;
    server.gate.arrived(1).await;
    assert_eq!(client.get("/").await.body(), b"ok");
    assert_eq!(client.get("/large").await.body().len(), LARGE);
    server.gate.open();
    assert_eq!(read(slow).await.unwrap().body(), b"slow");
}

#[tokio::test]
async fn a_cancelled_request_is_not_worked_on_any_more() {
    let (identity, server) = Server::encrypted(generous()).await;
    let mut client = Http2::connect(server.address, &identity).await;
    let answer = client.send(get("/slow")).await;
    server.gate.arrived(1).await;
    drop(answer);
    assert_eq!(client.get("/").await.status(), 200, "the connection goes on");
    assert_eq!(server.counters().cancellations.get(), 0);
}

#[tokio::test]
async fn requests_have_the_limits_of_http_1() {
    let (identity, address) = encrypted_shop().await;
    let mut client = Http2::connect(address, &identity).await;
    let mut status = async |request: Request<()>| {
        let answer = client.send(request).await;
        read(answer).await.unwrap().status().as_u16()
    };
    let with = |method: &str, uri: &str, host: Option<&str>| {
        let request = Request::builder().method(method).uri(uri);
        let request = host.into_iter().fold(request, |request, host| request.header("host", host));
        request.body(()).unwrap()
    };
    let home = format!("https://{NAME}/");
    assert_eq!(status(with("GET", &home, None)).await, 200);
    assert_eq!(status(with("HEAD", &home, Some(NAME))).await, 200);
    for same in ["Shop.Example", "shop.example.", "shop.example:443"] {
        assert_eq!(status(with("GET", &home, Some(same))).await, 200, "{same}");
    }
    assert_eq!(status(with("GET", &home, Some("other.example"))).await, 400);
    assert_eq!(status(with("GET", &home, Some("shop.example:80"))).await, 400);
    assert_eq!(status(with("GET", "https://shop.example:99999/", None)).await, 400);
    assert_eq!(status(with("GET", "https://user@shop.example/", None)).await, 400);
    assert_eq!(status(with("POST", &home, None)).await, 405);
    assert_eq!(status(with("OPTIONS", &home, None)).await, 405);
    assert_eq!(status(with("GET", &format!("{home}{}", "x".repeat(9_000)), None)).await, 414);
    let many = |count: usize| {
        let request = Request::get(&home);
        let numbered = (0..count).fold(request, |request, number| request.header(format!("x-{number}"), "1"));
        (0..20).fold(numbered, |request, _| request.header("cookie", "a=b")).body(()).unwrap()
    };
    assert_eq!(status(many(98)).await, 200, "with the host and the cookies a hundred");
    assert_eq!(status(many(99)).await, 431);
    let large = Request::get(&home).header("x", "v".repeat(40_000)).body(()).unwrap();
    assert_eq!(status(large).await, 431);
    let mut tunnel = Request::new(());
    *tunnel.method_mut() = Method::CONNECT;
    *tunnel.uri_mut() = "shop.example:443".parse().unwrap();
    assert_eq!(status(tunnel).await, 405);
}

#[tokio::test]
async fn a_request_with_a_body_is_answered_and_the_connection_goes_on() {
    let (identity, address) = encrypted_shop().await;
    let mut client = Http2::connect(address, &identity).await;
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
