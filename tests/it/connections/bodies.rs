//! Every shape of bytes against the shop, refusals, and bodies that no request needs.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use vitrine::http::connections::{ConnectionLimits, Connections};

use super::framing_cases::try_all;
use crate::common::raw::{Raw, statuses};
use crate::common::small_server::{generous, shop, until_counted};
use crate::common::until::{HANGS, finishes};

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_bytes_gets_its_answer_and_harms_no_other_client() {
    // Heads that do not end wait together, and each other head comes within their time. What follows an answer has
    // been sent with it.
    let (head, idle) = (Duration::from_secs(5), Duration::from_millis(500));
    let connections = Connections::new(ConnectionLimits { head, idle, linger: head, ..generous() });
    try_all(shop(&connections).await, 200).await;
    until_counted(|| connections.counters().open.get(), 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_carry_the_security_headers_and_are_not_stored() {
    let address = shop(&Connections::new(generous())).await;
    let host = "host: shop.example";
    let long = "x".repeat(9_000);
    for (status, request) in [
        (414, format!("GET /?{long} HTTP/1.1\r\n{host}\r\nconnection: close\r\n\r\n")),
        (413, format!("GET / HTTP/1.1\r\n{host}\r\ncontent-length: 70000\r\n\r\n")),
        (400, "GET / HTTP/1.1\r\nconnection: close\r\n\r\n".into()),
        (400, format!("GET / HTTP/1.1\r\n{host}\r\n{host}\r\nconnection: close\r\n\r\n")),
        (405, format!("CONNECT shop.example:443 HTTP/1.1\r\n{host}\r\nconnection: close\r\n\r\n")),
    ] {
        let answer = Raw::connect_and_send(address, request).await.read_text().await;
        assert_eq!(statuses(answer.as_bytes()), [status]);
        for header in
            ["content-security-policy: ", "x-content-type-options: nosniff", "cache-control: no-store"]
        {
            assert!(answer.contains(header), "{header} in {answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_body_is_refused_and_the_refusal_arrives() {
    let connections = Connections::new(ConnectionLimits { linger: HANGS, ..generous() });
    let address = shop(&connections).await;
    let head = "POST / HTTP/1.1\r\nhost: s\r\ncontent-length: 500000\r\n\r\n";
    let mut raw = Raw::connect_and_send(address, head).await;
    // A client that sends all before it reads must not get a reset on the way.
    raw.stream.readable().await.unwrap();
    for _ in 0..10 {
        raw.send(vec![b'x'; 50_000]).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut answer = String::new();
    raw.stream.read_to_string(&mut answer).await.unwrap();
    assert_eq!(statuses(answer.as_bytes()), [413]);
    assert!(answer.contains("connection: close"), "{answer}");
    drop(raw);
    until_counted(|| connections.counters().open.get(), 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_body_is_read_within_bounds_and_its_connection_ends() {
    let limits = ConnectionLimits { linger: Duration::from_millis(300), ..generous() };
    let connections = Connections::new(limits);
    let address = shop(&connections).await;
    for method in ["GET", "HEAD", "POST"] {
        let head = format!("{method} /healthz HTTP/1.1\r\nhost: s\r\ntransfer-encoding: chunked\r\n\r\n");
        let mut raw = Raw::connect_and_send(address, head).await;
        let (mut reading, mut writing) = raw.stream.split();
        let chunk = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
        let sending = async {
            let mut sent = 0;
            while writing.write_all(chunk.as_bytes()).await.is_ok() {
                sent += chunk.len();
                assert!(sent < 256 << 20, "the server reads on and on");
            }
        };
        let mut answer = Vec::new();
        let reading = async { while reading.read_buf(&mut answer).await.is_ok_and(|read| read > 0) {} };
        finishes("the end of the connection", async { tokio::join!(sending, reading) }).await;
        let expected = if method == "POST" { 405 } else { 200 };
        assert_eq!(statuses(&answer), [expected], "{method}");
        assert!(String::from_utf8_lossy(&answer).contains("connection: close"), "{method}");
        until_counted(|| connections.counters().open.get(), 0).await;
    }
}
