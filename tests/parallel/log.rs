//! What the program's log says of requests and of the catalogue, and what it does not.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use axum::Router;
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
    let case = |line: String, route: &str, method: &str| (line, route.to_owned(), method.to_owned());
    for (line, route, method) in [
        case("GET /search/secret%20lamp?q=secret&stock=1".into(), "/search/{text}", "GET"),
        case("GET /_data/search/secret".into(), "/_data/search/{text}", "GET"),
        case("GET /search/%20secret/".into(), "/search/{text}/", "GET"),
        case("GET /search?q=secret".into(), "/search", "GET"),
        case("GET /products?brand=secret".into(), "/products", "GET"),
        case("GET /product/secret".into(), "/product/{id}", "GET"),
        case(format!("GET /{long}?{long:.1000}"), "none", "GET"),
        case(format!("PUT /{long}"), "none", "PUT"),
        case(format!("{long} /secret"), "none", "other"),
    ] {
        ask(shop.address, &line);
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
async fn a_long_text_of_the_catalogue_is_cut() {
    let body = format!(r#"{{"products": "{}", "total": 1}}"#, "\\u001b[31mlong ".repeat(20_000));
    let json = [("content-type", "application/json")];
    let service = serve(Router::new().fallback(move || std::future::ready((json, body.clone())))).await;
    let catalogue = format!("http://{service}");
    let shop = Program::quiet(&["--isolates", "1", "--mirror", "off", "--catalogue", &catalogue]);
    let answer = client().get(format!("http://{}/_data/products", shop.address)).send().await.unwrap();
    assert_eq!(answer.status(), 503);
    let logged = shop.logged("the catalogue did not answer");
    let error = logged["error"].as_str().unwrap();
    assert!(error.starts_with("the catalogue service's answer is not understood: "), "{error:.300}");
    assert!(error.len() < 2 * LONGEST && !error.contains(char::is_control), "{error:.1000}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_out_of_the_catalogue_is_named_once() {
    const LEFT_OUT: &str = "left out entries of the catalogue";
    let mut products: Vec<Value> = sample().raw().to_vec();
    products[2]["price"] = "$5".into();
    let catalogue = format!("http://{}", serve(api::router(products)).await);
    // Every request asks the service again.
    let arguments = ["--isolates", "1", "--mirror", "off", "--fresh", "0", "--catalogue", &catalogue];
    let shop = Program::quiet(&arguments);
    ask(shop.address, "GET /_data/products");
    let logged = shop.logged(LEFT_OUT);
    assert_eq!(logged["kinds"], "product without valid price: 1 (id 3)");
    for page in 1..5 {
        ask(shop.address, &format!("GET /_data/products?page={page}"));
        ask(shop.address, "GET /_data/product/5");
    }
    assert_eq!(shop.log().filter(|line| line["fields"]["message"] == LEFT_OUT).count(), 0);
}

/// A service of the sample's products, whose pictures are spread over these hosts.
async fn service_with_pictures(hosts: Vec<String>) -> String {
    let mut products: Vec<Value> = sample().raw().to_vec();
    for (product, host) in products.iter_mut().zip(hosts.iter().cycle()) {
        product["thumbnail"] = format!("{host}/picture.webp").into();
    }
    format!("http://{}", serve(api::router(products)).await)
}

const BLOCKED: &str = "browsers block the images of this host; --image-host allows it";

#[tokio::test(flavor = "multi_thread")]
async fn hosts_whose_images_are_blocked_are_named_at_the_start() {
    let catalogue = service_with_pictures(
        ["https://cdn.example", "https://pictures.example:8443"].map(Into::into).into(),
    )
    .await;
    let allow = ["--image-host", "https://cdn.example"];
    let shop = Program::quiet(&[&["--isolates", "1", "--catalogue", &catalogue], &allow[..]].concat());
    assert_eq!(shop.logged(BLOCKED)["host"], "https://pictures.example:8443");
    // The pictures of a page are looked at before it is answered; no host is named twice.
    let page = client().get(format!("http://{}/_data/products", shop.address)).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert_eq!(shop.log().filter(|line| line["fields"]["message"] == BLOCKED).count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_some_of_many_blocked_hosts_are_named() {
    let hosts = (0..60).map(|number| format!("https://host{number}.example")).collect();
    let catalogue = service_with_pictures(hosts).await;
    let shop = Program::quiet(&["--isolates", "1", "--catalogue", &catalogue]);
    for _ in 0..16 {
        shop.logged(BLOCKED);
    }
    shop.logged("images of too many hosts are blocked; no further one is named");
    assert_eq!(shop.log().filter(|line| line["fields"]["message"] == BLOCKED).count(), 0);
}
