//! Passes over the pages of shops that answer as both systems do, and otherwise.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::stream;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep};

use super::*;
use crate::catalogue::products_of;
use crate::process::choose_cryptography;

/// Short times, with the repeats of the usual ones.
const PACE: Pace = Pace {
    between: Duration::ZERO,
    call: Duration::from_secs(10),
    pause: Duration::from_millis(100),
    longest_pause: Duration::from_millis(300),
    repeats: 3,
    pass: Duration::from_secs(60),
};

/// A call that a shop has had.
struct Call {
    /// Path and query.
    asked: String,
    headers: HeaderMap,
    at: Instant,
}

/// A shop that notes its calls.
struct Stub {
    address: Url,
    calls: Arc<Mutex<Vec<Call>>>,
    /// The most calls that were open at a time.
    most_open: Arc<AtomicUsize>,
}

impl Stub {
    /// A shop that answers so to a path with its query; `usize` is the number of earlier calls.
    async fn start(answer: impl Fn(&str, usize) -> Response + Clone + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        let (calls, open, most_open) = (
            Arc::<Mutex<Vec<Call>>>::default(),
            Arc::new(AtomicUsize::new(0)),
            Arc::new(AtomicUsize::new(0)),
        );
        let (noted, most) = (Arc::clone(&calls), Arc::clone(&most_open));
        let app = Router::new().fallback(async move |uri: Uri, headers: HeaderMap| {
            most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            let (asked, before) = (uri.to_string(), noted.lock().len());
            noted.lock().push(Call { asked: asked.clone(), headers, at: Instant::now() });
            sleep(Duration::from_millis(1)).await;
            let response = answer(&asked, before);
            open.fetch_sub(1, Ordering::SeqCst);
            response
        });
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, calls, most_open }
    }

    fn shop(&self, rules: ShopRules) -> Shop {
        self.paced(rules, PACE)
    }

    fn paced(&self, rules: ShopRules, pace: Pace) -> Shop {
        choose_cryptography();
        Shop::with_pace(self.address.clone(), rules, pace).unwrap()
    }

    fn count(&self) -> usize {
        assert!(self.most_open.load(Ordering::SeqCst) <= 1, "one call at a time");
        self.calls.lock().len()
    }
}

fn room() -> Room {
    Room { folder: None, memory: 64 << 20 }
}

/// Reads a shop for the first time.
async fn receive(shop: &Shop) -> Result<String, ShopError> {
    let bytes = shop.receive(&room(), &mut Last::default()).await?.unwrap();
    Ok(String::from_utf8(bytes.to_vec().unwrap()).unwrap())
}

/// The number that a parameter of a query has.
fn parameter(asked: &str, name: &str) -> u32 {
    let query = asked.split_once('?').unwrap_or_default().1;
    let value = query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
    value.and_then(|value| value.parse().ok()).unwrap_or_default()
}

/// A page of Shopify with products of these numbers.
fn page_of(numbers: impl Iterator<Item = u32>) -> String {
    let product = |number| {
        format!(
            "{{\"id\":{number},\n\"handle\":\"p{number}\",\"title\":\"Cup {number}\",\"variants\":[{{\"option1\":\"Default Title\",\"price\":\"5.00\",\"available\":true}}]}}"
        )
    };
    format!("{{\"products\":[{}]}}", numbers.map(product).collect::<Vec<_>>().join(","))
}

/// The answer of a Shopify shop with these products.
fn shopify(asked: &str, numbers: &[u32]) -> Response {
    if asked.starts_with("/meta.json") {
        return r#"{"id":1,"name":"Shop","currency":"EUR","country":"DE"}"#.into_response();
    }
    if !asked.starts_with("/products.json") {
        return StatusCode::NOT_FOUND.into_response();
    }
    let [page, limit] = ["page", "limit"].map(|name| parameter(asked, name) as usize);
    if page * limit > 25_000 {
        let said = r#"{"errors":"Page * Limit exceeds the 25000 limit."}"#;
        return (StatusCode::BAD_REQUEST, said).into_response();
    }
    page_of(numbers.iter().copied().skip((page.max(1) - 1) * limit).take(limit)).into_response()
}

/// Products of WooCommerce with these ids, on the page that is asked for.
fn woocommerce(asked: &str, ids: &[u32], variations: &[u32]) -> Response {
    if !asked.starts_with("/wp-json/wc/store/v1/products?") {
        return (StatusCode::NOT_FOUND, "<html>not found</html>").into_response();
    }
    let is_variations = asked.contains("type=variation");
    let all = if is_variations { variations } else { ids };
    let [page, each] = ["page", "per_page"].map(|name| parameter(asked, name) as usize);
    let mut products = Vec::new();
    for id in all.iter().skip((page.max(1) - 1) * each).take(each) {
        let mut product = format!(
            "{{\"id\":{id},\"name\":\"Cup\",\"prices\":{{\"price\":\"500\",\"regular_price\":\"500\",\"currency_code\":\"EUR\",\"currency_minor_unit\":2}},\"is_in_stock\":true"
        );
        if is_variations {
            let _ = write!(product, ",\"type\":\"variation\",\"parent\":{}}}", ids[0]);
        } else {
            let kind = if variations.is_empty() { "simple" } else { "variable" };
            let listed = variations.iter().map(|id| {
                format!("{{\"id\":{id},\"attributes\":[{{\"name\":\"Size\",\"value\":\"{id}\"}}]}}")
            });
            let _ = write!(
                product,
                ",\"type\":\"{kind}\",\"variations\":[{}]}}",
                listed.collect::<Vec<_>>().join(",")
            );
        }
        products.push(product);
    }
    let totals = [("x-wp-total", all.len()), ("x-wp-totalpages", all.len().div_ceil(each))];
    let headers = totals.map(|(name, number)| (name, number.to_string()));
    (headers, [(header::LAST_MODIFIED, "Sun, 06 Nov 1994 08:49:37 GMT")], format!("[{}]", products.join(",")))
        .into_response()
}

#[tokio::test]
async fn ten_thousand_products_of_shopify_take_forty_two_calls() {
    let numbers: Arc<[u32]> = (1..=10_000).collect();
    let stub = Stub::start(move |asked, _| shopify(asked, &numbers)).await;
    let text = receive(&stub.shop(ShopRules::default())).await.unwrap();
    assert_eq!((stub.count(), text.lines().count()), (42, 10_001));
    let base = stub.address.as_str().trim_end_matches('/');
    assert!(
        text.starts_with(&format!("{{\"shop\":\"{base}\",\"system\":\"shopify\",\"currency\":\"EUR\"}}\n"))
    );
    let products = products_of(text, 0).unwrap();
    assert_eq!(products.len(), 10_000);
    assert_eq!(products[9].link.as_deref(), Some(&*format!("{base}/products/p10")));
    let calls = stub.calls.lock();
    assert_eq!((&*calls[0].asked, &*calls[1].asked), ("/products.json?limit=250&page=1", "/meta.json"));
    assert_eq!(calls[0].headers[header::USER_AGENT], concat!("vitrine/", env!("CARGO_PKG_VERSION")));
    assert!(calls.iter().all(|call| !call.headers.contains_key(header::COOKIE)));
}

#[tokio::test]
async fn more_than_shopify_shows_is_refused_unless_the_operator_accepts_it() {
    for is_200 in [false, true] {
        let numbers: Arc<[u32]> = (1..=30_000).collect();
        let stub = Stub::start(move |asked, _| {
            let mut answer = shopify(asked, &numbers);
            if is_200 {
                *answer.status_mut() = StatusCode::OK;
            }
            answer
        })
        .await;
        let error = receive(&stub.shop(ShopRules::default())).await.unwrap_err();
        assert!(error.to_string().contains("export them as CSV"), "{error}");
        let rules = ShopRules { accepts_limit: true, ..ShopRules::default() };
        assert_eq!(receive(&stub.shop(rules)).await.unwrap().lines().count(), 25_001);
    }
}

#[tokio::test]
async fn a_short_page_is_no_end_and_a_product_counts_once() {
    let stub = Stub::start(|asked, _| match parameter(asked, "page") {
        0 => shopify(asked, &[]),
        1 => page_of(1..=250).into_response(),
        // One was added to the first page meanwhile.
        2 => page_of(250..=300).into_response(),
        3 => page_of(301..=302).into_response(),
        4 => page_of(0..0).into_response(),
        _ => page_of(400..=500).into_response(),
    })
    .await;
    let text = receive(&stub.shop(ShopRules::default())).await.unwrap();
    assert_eq!((text.lines().count(), stub.count()), (303, 5));
}

#[tokio::test]
async fn a_product_that_moves_to_an_earlier_page_is_not_lost() {
    let removed = Arc::new(AtomicUsize::new(usize::MAX));
    let when = Arc::clone(&removed);
    // From the call with this number on the first product is gone, so that the 251st is on the first page.
    let stub = Stub::start(move |asked, before| {
        let first = if before >= when.load(Ordering::SeqCst) { 2 } else { 1 };
        shopify(asked, &(first..=600).collect::<Vec<_>>())
    })
    .await;
    let (shop, mut last) = (stub.shop(ShopRules::default()), Last::default());
    let read = async |last: &mut Last| {
        let bytes = shop.receive(&room(), last).await.unwrap();
        bytes.map(|bytes| String::from_utf8(bytes.to_vec().unwrap()).unwrap().lines().count())
    };
    assert_eq!(read(&mut last).await, Some(601));
    removed.store(stub.count() + 2, Ordering::SeqCst);
    assert_eq!(read(&mut last).await, Some(600), "it is read once more");
    assert_eq!(read(&mut last).await, None, "nothing has changed");
}

#[tokio::test]
async fn woocommerce_is_read_until_the_number_that_it_says() {
    let ids: Arc<[u32]> = (1_001..=1_250).collect();
    let asked_for = Arc::clone(&ids);
    let stub = Stub::start(move |asked, _| woocommerce(asked, &asked_for, &[])).await;
    let (shop, mut last) = (stub.shop(ShopRules::default()), Last::default());
    let text = shop.receive(&room(), &mut last).await.unwrap().unwrap().to_vec().unwrap();
    // One to find out which system it is, three pages, and one without variations.
    assert_eq!(stub.count(), 5);
    assert_eq!(products_of(text, 0).unwrap().len(), 250);
    assert!(
        stub.calls.lock()[1]
            .asked
            .ends_with("?per_page=100&page=1&orderby=id&order=asc&catalog_visibility=catalog")
    );
    assert!(shop.receive(&room(), &mut last).await.unwrap().is_none());
    assert_eq!(stub.count(), 6, "the first page is asked alone");
}

#[tokio::test]
async fn variations_of_woocommerce_come_from_a_second_list() {
    let stub = Stub::start(|asked, _| woocommerce(asked, &[7], &(100..=220).collect::<Vec<_>>())).await;
    let text = receive(&stub.shop(ShopRules::default())).await.unwrap();
    let products = products_of(text, 0).unwrap();
    assert_eq!((products.len(), products[0].variants.len()), (1, 121));
}

#[tokio::test]
async fn a_shop_that_changes_while_it_is_read_is_read_again_once() {
    let change = |until: usize| {
        Stub::start(move |asked, before| {
            let is_before = asked.contains("&page=1&") && before < until;
            let ids: Vec<u32> = if is_before { (1..=150).collect() } else { (2..=150).collect() };
            woocommerce(asked, &ids, &[])
        })
    };
    let stub = change(2).await;
    assert_eq!(receive(&stub.shop(ShopRules::default())).await.unwrap().lines().count(), 150);
    let stub = change(usize::MAX).await;
    let error = receive(&stub.shop(ShopRules::default())).await.unwrap_err();
    assert!(matches!(error, ShopError::Unsettled), "{error}");
}

#[tokio::test]
async fn a_shop_gets_the_pauses_that_it_asks_for() {
    for (status, retry_after, pause) in [
        (429, None, 100),
        (430, None, 100),
        (503, Some("1"), 300),
        (429, Some("0"), 50),
        (429, Some("soon"), 100),
    ] {
        let refused = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&refused);
        let stub = Stub::start(move |asked, before| {
            if !matches!(before, 1..=3) {
                return shopify(asked, &[1, 2]);
            }
            noted.lock().push(before);
            let after = retry_after.map(|after| (header::RETRY_AFTER, after));
            let headers: HeaderMap =
                after.into_iter().map(|(name, value)| (name, value.parse().unwrap())).collect();
            (StatusCode::from_u16(status).unwrap(), headers).into_response()
        })
        .await;
        let shop = stub.paced(ShopRules::default(), Pace { between: Duration::from_millis(50), ..PACE });
        assert_eq!(receive(&shop).await.unwrap().lines().count(), 3, "{status}");
        assert_eq!((refused.lock().len(), stub.count()), (3, 6));
        let calls = stub.calls.lock();
        for (number, two) in calls.windows(2).enumerate() {
            let least = if (1..=3).contains(&number) { pause } else { 50 };
            let took = two[1].at - two[0].at;
            assert!(took >= Duration::from_millis(least), "{status} {number}: {took:?}");
        }
    }
}

#[tokio::test]
async fn a_shop_that_wants_pauses_again_and_again_is_left_alone() {
    let stub = Stub::start(|_, _| StatusCode::TOO_MANY_REQUESTS.into_response()).await;
    let shop = stub.shop(ShopRules::default());
    let error = receive(&shop).await.unwrap_err();
    assert!(error.to_string().contains("pause with 429"), "{error}");
    assert_eq!(stub.count(), 4);
    // Whatever orders the next call, it waits for the end of the last pause.
    let _ = receive(&shop).await;
    let took = {
        let calls = stub.calls.lock();
        calls[4].at - calls[3].at
    };
    assert!(took >= PACE.pause, "{took:?}");
    let impatient = stub.paced(ShopRules::default(), Pace { repeats: 0, ..PACE });
    let before = stub.count();
    assert!(matches!(receive(&impatient).await, Err(ShopError::Paused(_))));
    assert_eq!(stub.count(), before + 1);
}

#[tokio::test]
async fn an_error_names_its_cause() {
    type Answers = fn(&str) -> Response;
    let html = |_: &str| "<!DOCTYPE html><html>Are you human?</html>".into_response();
    let cases: [(Answers, &str); 13] = [
        (html, "a web page instead of JSON"),
        (|_| StatusCode::NOT_FOUND.into_response(), "neither at /products.json"),
        (|_| StatusCode::FORBIDDEN.into_response(), "refuses the call with 403"),
        (|_| StatusCode::UNAUTHORIZED.into_response(), "refuses the call with 401"),
        (|_| StatusCode::INTERNAL_SERVER_ERROR.into_response(), "answers with 500"),
        (
            |asked| match asked {
                "/password" => "<html>Opening soon</html>".into_response(),
                _ => Redirect::to("/password").into_response(),
            },
            "asks for a password",
        ),
        (
            |asked| match parameter(asked, "page") {
                2 => r#"{"products":[{"id":9,"handle":"a"#.into_response(),
                _ => shopify(asked, &(1..=250).collect::<Vec<_>>()),
            },
            "a page may be cut",
        ),
        (
            |asked| match parameter(asked, "page") {
                0 => shopify(asked, &[]),
                _ => page_of(1..=250).into_response(),
            },
            "one page for several numbers",
        ),
        (|_| vec![b' '; 9 << 20].into_response(), "more than 8 MiB"),
        (|_| format!("[{}]", ["{}"; 1_001].join(",")).into_response(), "more than 1,000 products"),
        (|_| format!("[{}]", "[".repeat(1 << 20)).into_response(), "not valid"),
        (|asked| Redirect::to(&format!("{asked}x")).into_response(), "redirection is not followed"),
        (
            |asked| match asked.starts_with("/wp-json") {
                true => "[]".into_response(),
                false => StatusCode::NOT_FOUND.into_response(),
            },
            "X-WP-Total",
        ),
    ];
    for (answer, expected) in cases {
        let stub = Stub::start(move |asked, _| answer(asked)).await;
        let error = receive(&stub.shop(ShopRules::default())).await.unwrap_err();
        assert!(error.to_string().contains(expected), "{error} instead of {expected}");
    }
}

#[tokio::test]
async fn neither_a_slow_drip_nor_a_list_without_end_is_read_for_ever() {
    let drip = |asked: &str, _| {
        let drops = stream::unfold((), |()| async {
            sleep(Duration::from_millis(20)).await;
            Some((Ok::<_, std::io::Error>(" "), ()))
        });
        if asked == "/meta.json" { shopify(asked, &[]) } else { Body::from_stream(drops).into_response() }
    };
    let stub = Stub::start(drip).await;
    let shop = stub.paced(ShopRules::default(), Pace { call: Duration::from_millis(200), ..PACE });
    assert!(matches!(receive(&shop).await, Err(ShopError::Call(_))));
    let endless = Stub::start(|asked, _| match parameter(asked, "page") {
        0 => shopify(asked, &[]),
        page => page_of(page * 10..page * 10 + 10).into_response(),
    })
    .await;
    let shop = endless.paced(ShopRules::default(), Pace { pass: Duration::from_millis(300), ..PACE });
    assert!(matches!(receive(&shop).await, Err(ShopError::Late)));
    let room = Room { folder: None, memory: 100_000 };
    let shop = endless.shop(ShopRules::default());
    assert!(matches!(shop.receive(&room, &mut Last::default()).await, Err(ShopError::Body(_))));
}

#[tokio::test]
async fn a_pass_that_is_given_up_can_begin_again() {
    let stub = Stub::start(|asked, _| shopify(asked, &(1..=900).collect::<Vec<_>>())).await;
    let shop = stub.paced(ShopRules::default(), Pace { between: Duration::from_millis(100), ..PACE });
    let mut last = Last::default();
    assert!(timeout(Duration::from_millis(250), shop.receive(&room(), &mut last)).await.is_err());
    let before = stub.count();
    assert!(before < 6);
    assert!(shop.receive(&room(), &mut last).await.unwrap().is_some());
    let calls = stub.calls.lock();
    assert_eq!(calls[before].asked, "/products.json?limit=250&page=1");
    // The call that was given up may have arrived late.
    let is_given_up = |number: usize| number + 1 == before;
    let mut pauses = calls.windows(2).map(|two| two[1].at - two[0].at).enumerate();
    assert!(pauses.all(|(number, pause)| is_given_up(number) || pause >= Duration::from_millis(95)));
}

#[tokio::test]
async fn headers_are_sent_to_the_operator_s_host_alone_and_read_again() {
    let elsewhere = Stub::start(|asked, _| shopify(asked, &[1])).await;
    let to = elsewhere.address.as_str().trim_end_matches('/').to_owned();
    let stub =
        Stub::start(move |asked, _| Redirect::temporary(&format!("{to}{asked}")).into_response()).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headers");
    std::fs::write(&file, "X-Staging: one\nAuthorization: Basic secret\n").unwrap();
    let shop = stub.shop(ShopRules { headers: Some(file.clone()), ..ShopRules::default() });
    receive(&shop).await.unwrap();
    assert_eq!(stub.count(), 1, "the next calls go where the first one was led");
    assert_eq!(stub.calls.lock()[0].headers["x-staging"], "one");
    assert!(elsewhere.count() == 3);
    for call in &*elsewhere.calls.lock() {
        assert!(!call.headers.contains_key("x-staging") && !call.headers.contains_key(header::AUTHORIZATION));
    }
    std::fs::write(&file, "X-Staging: two\n").unwrap();
    receive(&shop).await.unwrap();
    assert_eq!(stub.calls.lock()[1].headers["x-staging"], "two");
    std::fs::write(&file, "secret").unwrap();
    let error = receive(&shop).await.unwrap_err();
    assert!(matches!(error, ShopError::Headers(_)) && !format!("{error:?}").contains("secret"), "{error:?}");
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_taken_from_the_last_pass() {
    let numbers = Arc::new(Mutex::new((1..=600).collect::<Vec<u32>>()));
    let shown = Arc::clone(&numbers);
    let changed = Arc::new(AtomicUsize::new(0));
    let not_changed = Arc::clone(&changed);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Url::parse(&format!("http://{}/en/", listener.local_addr().unwrap())).unwrap();
    let app = Router::new().fallback(async move |uri: Uri, headers: HeaderMap| {
        let asked = uri.to_string();
        let asked = asked.strip_prefix("/en").unwrap();
        let [page, limit] = ["page", "limit"].map(|name| parameter(asked, name) as usize);
        let numbers = shown.lock().clone();
        let own: Vec<u32> = numbers.iter().copied().skip(page.max(1) * limit - limit).take(limit).collect();
        let tag = format!("\"{page}-{}\"", own.iter().sum::<u32>());
        if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == *tag) {
            not_changed.fetch_add(1, Ordering::SeqCst);
            return StatusCode::NOT_MODIFIED.into_response();
        }
        let mut response = shopify(asked, &numbers);
        response.headers_mut().insert(header::ETAG, tag.parse().unwrap());
        response
    });
    tokio::spawn(async move { axum::serve(listener, app).await });
    let folder = tempfile::tempdir().unwrap();
    let room = Room { folder: Some(folder.path().to_owned()), memory: 0 };
    choose_cryptography();
    let shop = Shop::with_pace(address, ShopRules::default(), PACE).unwrap();
    let mut last = Last::default();
    assert!(shop.receive(&room, &mut last).await.unwrap().is_some());
    assert!(shop.receive(&room, &mut last).await.unwrap().is_none());
    // Page 4 is empty.
    assert_eq!(changed.load(Ordering::SeqCst), 3);
    numbers.lock()[300] = 9_999;
    numbers.lock().push(10_000);
    let bytes = shop.receive(&room, &mut last).await.unwrap().unwrap().to_vec().unwrap();
    let whole = shop.receive(&room, &mut Last::default()).await.unwrap().unwrap().to_vec().unwrap();
    assert!(bytes == whole && products_of(bytes, 0).unwrap().len() == 601);
    assert!(last.hash.is_some());
}

#[tokio::test]
async fn one_product_shows_which_system_a_shop_has() {
    let none = Stub::start(|_, _| StatusCode::NOT_FOUND.into_response()).await;
    assert_eq!(none.shop(ShopRules::default()).system().await, None);
    let stub = Stub::start(|asked, _| shopify(asked, &[1])).await;
    assert_eq!(stub.shop(ShopRules::default()).system().await, Some(System::Shopify));
    let stub = Stub::start(|asked, _| woocommerce(asked, &[1], &[])).await;
    assert_eq!(stub.shop(ShopRules::default()).system().await, Some(System::WooCommerce));
}
