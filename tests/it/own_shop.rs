//! A shop of the products that a shop on Shopify or WooCommerce shows without a key.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use parking_lot::Mutex;

use crate::common::days::get;
use crate::common::program::{PATIENT, Program, check, vitrine};
use crate::common::serve;
use crate::common::until::until;

/// What a shop shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    Shopify { products: u32, has_currency: bool },
    WooCommerce,
    Password,
    Page,
    Nothing,
    Pause,
}

/// A shop, and what it was asked.
#[derive(Clone)]
struct Stub {
    shows: Arc<Mutex<Shows>>,
    asked: Arc<Mutex<Vec<(Uri, HeaderMap)>>>,
}

const CUPS: Shows = Shows::Shopify { products: 6, has_currency: true };

impl Stub {
    async fn start(shows: Shows) -> (Self, SocketAddr) {
        let stub = Self { shows: Arc::new(Mutex::new(shows)), asked: Arc::default() };
        let server = stub.clone();
        let app =
            Router::new().fallback(async move |uri: Uri, headers: HeaderMap| server.answer(&uri, &headers));
        (stub, serve(app).await)
    }

    fn answer(&self, uri: &Uri, headers: &HeaderMap) -> Response {
        self.asked.lock().push((uri.clone(), headers.clone()));
        let (asked, shows) = (uri.to_string(), *self.shows.lock());
        match shows {
            Shows::Password if uri.path() == "/password" => "<html>Opening soon".into_response(),
            Shows::Password => Redirect::to("/password").into_response(),
            Shows::Page => "<!doctype html>Are you human?".into_response(),
            Shows::Nothing => StatusCode::NOT_FOUND.into_response(),
            Shows::Pause => StatusCode::TOO_MANY_REQUESTS.into_response(),
            Shows::Shopify { products, .. } if asked.starts_with("/en/products.json?") => {
                let is_first = asked.ends_with("page=1") || asked.ends_with("limit=1");
                shopify(if is_first { products } else { 0 }).into_response()
            }
            Shows::Shopify { has_currency: true, .. } if asked == "/en/meta.json" => {
                r#"{"name":"Cups","currency":"SEK"}"#.into_response()
            }
            Shows::WooCommerce if asked.starts_with("/en/wp-json/wc/store/v1/products?") => {
                let is_variations = asked.contains("type=variation");
                let (list, count) = if is_variations { ("[]", "0") } else { (WOOCOMMERCE, "2") };
                ([("x-wp-total", count), ("x-wp-totalpages", "1")], list).into_response()
            }
            _ => StatusCode::NOT_FOUND.into_response(),
        }
    }

    fn show(&self, shows: Shows) {
        *self.shows.lock() = shows;
    }
}

/// A page of Shopify with this many cups, the first of which has two sizes.
fn shopify(count: u32) -> String {
    let variant = |size: &str| format!("{{\"option1\":\"{size}\",\"price\":\"5.00\",\"available\":true}}");
    let product = |number| {
        let variants = match number {
            1 => [variant("S"), variant("M")].join(","),
            _ => variant("Default Title"),
        };
        let option = if number == 1 { "Size" } else { "Title" };
        format!(
            "{{\"id\":{number},\"handle\":\"cup-{number}\",\"title\":\"Cup {number}\",\"variants\":[{variants}],\"options\":[{{\"name\":\"{option}\"}}],\"images\":[{{\"src\":\"https://cdn.example/{number}.jpg\"}}],\"product_type\":\"Cups\"}}"
        )
    };
    let products: Vec<String> = (1..=count).map(product).collect();
    format!("{{\"products\":[{}]}}", products.join(","))
}

const WOOCOMMERCE: &str = r#"[{"id":7,"name":"Bowl","permalink":"https://bowls.example/product/bowl/","type":"simple",
    "prices":{"price":"1250","regular_price":"1500","currency_code":"EUR","currency_minor_unit":2},"is_in_stock":true},
    {"id":8,"name":"Set","type":"grouped","prices":{"price":"","regular_price":"","currency_code":"EUR",
    "currency_minor_unit":2},"is_in_stock":true}]"#;

fn catalogue(address: SocketAddr) -> String {
    format!("shop:http://{address}/en/")
}

async fn has(shop: &Program, text: &str) -> bool {
    get(shop.address, "/products").await.text.contains(text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_of_either_system_opens_by_its_address_alone() {
    let (_stub, address) = Stub::start(CUPS).await;
    let shop = Program::quiet(&["--isolates", "1", "--catalogue", &catalogue(address)]);
    assert!(has(&shop, "Cup 6").await && has(&shop, "SEK").await);
    let page = get(shop.address, "/product/cup-2").await;
    assert!(page.text.contains(&format!("http://{address}/en/products/cup-2")), "{}", page.text);
    drop(shop);
    let (_stub, address) = Stub::start(Shows::WooCommerce).await;
    let shop = Program::quiet(&["--isolates", "1", "--catalogue", &catalogue(address)]);
    assert!(has(&shop, "Bowl").await && has(&shop, "€12.50").await);
    let page = get(shop.address, "/product/7").await;
    assert!(page.text.contains("https://bowls.example/product/bowl/"), "{}", page.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_sells_what_was_kept_of_a_shop_and_asks_later() {
    let (stub, address) = Stub::start(CUPS).await;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_str().unwrap().to_owned();
    let start =
        || Program::quiet(&["--isolates", "1", "--catalogue", &catalogue(address), "--state-dir", &state]);
    drop(start());
    let asked = stub.asked.lock().len();
    assert_eq!(asked, 3, "{:?}", stub.asked.lock());
    stub.show(Shows::Nothing);
    // As when the program is ended within a pass, or the shop is away.
    let shop = start();
    assert!(has(&shop, "Cup 6").await && has(&shop, "SEK").await);
    assert_eq!(stub.asked.lock().len(), asked, "the last pass is a few seconds old");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_reads_a_shop_again_and_half_of_the_products_are_kept() {
    use crate::common::operators::{TOKEN, ask};
    let (stub, address) = Stub::start(CUPS).await;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("admin.sock");
    let admin = format!("unix:{}", socket.display());
    let shop = Program::start(&[
        "--isolates",
        "1",
        "--catalogue",
        &catalogue(address),
        "--admin",
        &admin,
        "--admin-token",
        TOKEN,
    ]);
    stub.show(Shows::Shopify { products: 2, has_currency: true });
    assert!(ask(&socket, "POST /purge?all=1").starts_with("HTTP/1.1 200 OK"));
    shop.logged("the file is not used; what was read before stays on sale");
    assert!(has(&shop, "Cup 6").await);
    stub.show(Shows::Shopify { products: 5, has_currency: true });
    assert!(ask(&socket, "POST /purge?all=1").starts_with("HTTP/1.1 200 OK"));
    until("the new version", async || !has(&shop, "Cup 6").await).await;
    stub.show(Shows::Page);
    assert!(ask(&socket, "POST /purge?all=1").starts_with("HTTP/1.1 200 OK"));
    let said = shop.logged("the feed is not received; what was read before stays on sale").to_string();
    assert!(said.contains("a web page instead of JSON"), "{said}");
    assert!(has(&shop, "Cup 5").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_says_what_a_shop_shows_or_why_not() {
    let (stub, address) = Stub::start(CUPS).await;
    let said = |flags: &[&str]| {
        let (code, said) = check([&["--catalogue", &catalogue(address)], flags].concat());
        assert!(!said.contains("secret"), "{said}");
        (code, said)
    };
    let (code, text) = said(&[]);
    assert!(code == Some(0) && text.contains("7 rows, 6 products, 2 variants"), "{text}");
    assert!(text.contains("prices are in SEK"), "{text}");
    stub.show(Shows::Shopify { products: 2, has_currency: false });
    let (code, text) = said(&[]);
    assert!(code == Some(1) && text.contains("--currency says which it is"), "{text}");
    let (code, text) = said(&["--currency", "NOK"]);
    assert!(code == Some(0) && text.contains("prices are in NOK"), "{text}");
    for (shows, expected) in [
        (Shows::WooCommerce, "left out: 1 of products that only join others (item 3 `8`)"),
        (Shows::Password, "it asks for a password"),
        (Shows::Page, "a web page instead of JSON"),
        (Shows::Nothing, "its products are neither at /products.json"),
        (Shows::Pause, "it asks for a pause with 429"),
    ] {
        stub.show(shows);
        let (code, text) = said(&[]);
        let expected_code = if shows == Shows::WooCommerce { Some(0) } else { Some(1) };
        assert!(code == expected_code && text.contains(expected), "{text}");
    }
    // An address that was taken for a service's.
    for (shows, system) in [(CUPS, "Shopify"), (Shows::WooCommerce, "WooCommerce")] {
        stub.show(shows);
        let (code, text) = check(["--catalogue", &format!("http://{address}/en")]);
        let expected = format!("this is a {system} shop: use --catalogue shop:http://{address}/en");
        assert!(code == Some(1) && text.contains(&expected), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_an_operator_are_sent_and_never_shown() {
    let (stub, address) = Stub::start(CUPS).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headers");
    let soon = jiff::Timestamp::now().as_second() + 5 * 24 * 60 * 60 + 60;
    let input =
        format!("Signature-Input: sig1=(\"@authority\");created=1;expires={soon};tag=\"web-bot-auth\"");
    std::fs::write(&file, format!("X-Staging: secret\n{input}\n")).unwrap();
    let flags = ["--catalogue-headers", file.to_str().unwrap()];
    let (code, said) = check([&["--catalogue", &catalogue(address)], &flags[..]].concat());
    assert!(code == Some(0) && said.contains("the signature expires in 5 days"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    assert!(stub.asked.lock().iter().all(|(_, headers)| headers["x-staging"] == "secret"));
    std::fs::write(&file, "secret\n").unwrap();
    let mut start: Command = vitrine();
    start.args(["--listen", "127.0.0.1:0", "--catalogue", &catalogue(address)]).args(PATIENT).args(flags);
    let output = start.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("line 1 is not a name"), "{said}");
    assert!(!said.contains("secret"), "{said}");
    // A password in the address is refused, and not repeated.
    let output = vitrine().args(["--catalogue", "shop:https://me:secret@shop.example"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("expected `shop:` and an address") && !said.contains("secret"), "{said}");
}
