//! What the program's log says of requests and of the catalogue, and what it does not.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;
use vitrine::catalogue::sample::api;

use crate::common::program::Program;
use crate::common::{client, sample, serve};

/// Longest text of a field, in bytes, with its ellipsis.
const LONGEST: usize = 203;

/// Sends a request line as it is, and waits for the whole answer.
fn ask(shop: SocketAddr, line: &str) {
    let mut stream = TcpStream::connect(shop).unwrap();
    write!(stream, "{line} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 "), "{line:.60}");
}

#[test]
fn the_log_does_not_tell_what_shoppers_look_for() {
    let shop = Program::start(&["--isolates", "1"]);
    let long = "secret".repeat(1_000);
    for (line, route, method) in [
        ("GET /search/secret%20lamp?q=secret&stock=1", "/search/{text}", "GET"),
        ("GET /_data/search/secret", "/_data/search/{text}", "GET"),
        ("GET /search/%20secret/", "/search/{text}/", "GET"),
        ("GET /search?q=secret", "/search", "GET"),
        ("GET /products?brand=secret", "/products", "GET"),
        ("GET /product/secret", "/product/{id}", "GET"),
        (&format!("GET /{long}?{long:.1000}"), "none", "GET"),
        (&format!("PUT /{long}"), "none", "PUT"),
        (&format!("{long} /secret"), "none", "other"),
    ] {
        ask(shop.address, line);
        let logged = shop.logged("request");
        let name = &line[..line.len().min(60)];
        assert_eq!((&logged["route"], &logged["method"]), (&route.into(), &method.into()), "{name}");
        let target = line.split(' ').nth(1).unwrap();
        let (path, query) =
            target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
        assert_eq!(logged["path_length"], path.len(), "{name}");
        assert_eq!(logged["query_length"].as_u64(), query.map(|query| query.len() as u64), "{name}");
        let text = logged.to_string();
        assert!(!text.contains("secret") && text.len() < 500, "{name} is logged as {text:.600}");
    }
}

#[test]
fn the_operator_may_ask_for_the_texts_which_are_cut() {
    let shop = Program::start(&["--isolates", "1", "--log-queries", "on"]);
    ask(shop.address, "GET /search/lamp?stock=1&utm=x");
    let logged = shop.logged("request");
    assert_eq!((&logged["path"], &logged["query"]), (&"/search/lamp".into(), &"stock=1&utm=x".into()));
    let long = "a".repeat(3_000);
    ask(shop.address, &format!("GET /{long}?{long}"));
    let logged = shop.logged("request");
    for field in ["path", "query"] {
        let text = logged[field].as_str().unwrap();
        assert!(text.ends_with('…') && text.len() == LONGEST, "{field} has {} bytes", text.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn some_of_the_hosts_whose_images_are_blocked_are_named_at_the_start() {
    const BLOCKED: &str = "browsers block the images of this host; --image-host allows it";
    let mut products: Vec<Value> = sample().raw().to_vec();
    for (number, product) in products.iter_mut().enumerate() {
        let host = format!("https://host{}.example:8443", number % 60);
        product["thumbnail"] = format!("{host}/picture.webp").into();
    }
    products[0]["thumbnail"] = "https://cdn.example/picture.webp".into();
    let catalogue = format!("http://{}", serve(api::router(products)).await);
    let arguments = ["--isolates", "1", "--catalogue", &catalogue, "--image-host", "https://cdn.example"];
    let shop = Program::quiet(&arguments);
    for _ in 0..16 {
        let host = shop.logged(BLOCKED)["host"].clone();
        assert!(host.as_str().unwrap().ends_with(".example:8443"), "{host}");
    }
    shop.logged("images of too many hosts are blocked; no further one is named");
    // The pictures of a page are looked at before it is answered.
    let page = client().get(format!("http://{}/_data/products", shop.address)).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert_eq!(shop.log().filter(|line| line["fields"]["message"] == BLOCKED).count(), 0);
}
