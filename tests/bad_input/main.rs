//! Thousands of bad inputs, each with a name: nothing panics, nothing is a 5xx, nothing takes long,
//! nothing comes back as code, and the catalogue service is asked for nothing else than products.

mod bodies;
mod case;
#[path = "../common/mod.rs"]
mod common;
mod connection;
mod framing;
mod headers;
mod hostile;
mod identifiers;
mod inspect;
mod paths;
mod product;
mod queries;
mod redirects;
mod upstream;

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use parking_lot::Mutex;
use tower::ServiceExt as _;
use vitrine::catalogue::{MirrorPolicy, Remembered, Service, ServiceLimits, Whole as _};
use vitrine::memory::Ages;
use vitrine::pages::{Shop, ShopSettings};
use vitrine::render::Renderer;
use vitrine::server;
use vitrine::site::Site;

use crate::bodies::BadBody;
use crate::case::{Case, marks};
use crate::connection::{Answer, Connection};
use crate::inspect::Inspector;
use crate::upstream::Recorded;

/// The longest that an answer may take.
const LONGEST: Duration = Duration::from_secs(1);
/// Connections that ask at the same time.
const CONNECTIONS: usize = 3;
/// Redirects until the answer.
const MOST_HOPS: usize = 3;

const SERVICE: ServiceLimits =
    ServiceLimits { calls_per_second: 1e6, call_burst: 1_000_000, ..ServiceLimits::DEFAULT };

/// The big tests run one after the other, or each would slow down the other's answers.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Counts every panic of the process, those that are caught included.
fn watch_panics() -> Arc<Mutex<Vec<String>>> {
    let panics = Arc::<Mutex<Vec<String>>>::default();
    let (seen, before) = (Arc::clone(&panics), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        seen.lock().push(panic.to_string());
        before(panic);
    }));
    panics
}

/// Asks once, and follows where the answer leads.
async fn ask(connection: &mut Connection, case: &Case, inspector: &Inspector) -> Result<Duration, String> {
    let (mut request, mut longest) = (case.clone(), Duration::ZERO);
    for _hop in 0..=MOST_HOPS {
        let started = Instant::now();
        let answer = connection.ask(&request.bytes, request.alone).await;
        let took = started.elapsed();
        longest = longest.max(took);
        if took > LONGEST {
            return Err(format!("took {took:?}"));
        }
        let answer = match answer {
            Ok(Some(answer)) => answer,
            Ok(None) if request.refusable => return Ok(longest),
            Err(_broken) if request.refusable => return Ok(longest),
            Ok(None) => return Err("the connection was closed without an answer".into()),
            Err(error) => return Err(format!("no answer: {error}")),
        };
        if request.refusable && is_refusal(&answer) {
            return Ok(longest);
        }
        inspector.inspect(&answer, &case.marks(), false)?;
        let Some(location) = answer.header("location") else { return Ok(longest) };
        request = Case::get("", location);
    }
    Err(format!("{MOST_HOPS} redirects led to another one"))
}

/// The HTTP library's own answer to what is no request.
fn is_refusal(answer: &Answer) -> bool {
    let own = answer.header("content-security-policy").is_none() && answer.body.is_empty();
    own && matches!(answer.status, 400 | 414 | 431)
}

/// Asks all, on a few connections at once; what is wrong, and the longest answer.
async fn ask_all(shop: SocketAddr, cases: Vec<Case>) -> (Vec<String>, Duration) {
    let inspector = Arc::new(Inspector::default());
    let left = Arc::new(Mutex::new(cases.into_iter()));
    let workers = (0..CONNECTIONS).map(|_| {
        let (inspector, left) = (Arc::clone(&inspector), Arc::clone(&left));
        tokio::spawn(async move {
            let (mut connection, mut wrong, mut longest) =
                (Connection::new(shop), Vec::new(), Duration::ZERO);
            loop {
                let Some(case) = left.lock().next() else { return (wrong, longest) };
                match ask(&mut connection, &case, &inspector).await {
                    Ok(took) => longest = longest.max(took),
                    Err(problem) => {
                        wrong.push(format!("{}: {problem}", case.name));
                        connection = Connection::new(shop);
                    }
                }
            }
        })
    });
    let (mut wrong, mut longest) = (Vec::new(), Duration::ZERO);
    for worker in futures_util::future::join_all(workers).await {
        let (problems, took) = worker.unwrap();
        wrong.extend(problems);
        longest = longest.max(took);
    }
    (wrong, longest)
}

/// The families, without the cases that two of them have in common.
fn requests() -> BTreeMap<&'static str, Vec<Case>> {
    let mut names = HashSet::new();
    let families = [
        ("paths", paths::cases()),
        ("queries", queries::cases()),
        ("headers", headers::cases()),
        ("identifiers", identifiers::cases()),
        ("redirects", redirects::cases()),
        ("framing", framing::cases()),
    ];
    let mut distinct =
        |cases: Vec<Case>| cases.into_iter().filter(|case| names.insert(case.name.clone())).collect();
    BTreeMap::from(families.map(|(family, cases)| (family, distinct(cases))))
}

fn report(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} wrong, among them:\n{}",
        wrong.len(),
        wrong.iter().take(60).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// A shop that remembers nothing, over the service at a base address.
fn forgetful_shop(service: Service, renderer: Renderer) -> axum::Router {
    let site = Site::new(&common::PUBLIC_URL.parse().unwrap(), vec!["https://cdn.example".into()]);
    let ages = Ages { fresh: Duration::ZERO, stale: Duration::ZERO };
    let settings = ShopSettings { ages, ..common::shop_settings() };
    server::router(Shop::new(Arc::new(service), renderer, site, settings)).unwrap()
}

/// One page of a shop whose service answers badly, by a connection and a guard of its own, because
/// the guard would leave the service alone after a few bad answers.
async fn visit(
    base: &str,
    case: &BadBody,
    page: &str,
    renderer: Renderer,
    inspector: &Inspector,
) -> Result<Duration, String> {
    let service = Service::new(base.parse().unwrap(), SERVICE).unwrap();
    let shop = forgetful_shop(service, renderer);
    let started = Instant::now();
    let Ok(response) =
        shop.oneshot(Request::get(page).header("host", "shop").body(Body::empty()).unwrap()).await;
    let (head, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.map_err(|error| error.to_string())?;
    let took = started.elapsed();
    if took > LONGEST {
        return Err(format!("{page} took {took:?}"));
    }
    let headers =
        head.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    let answer = Answer { status: head.status.as_u16(), headers, body: body.to_vec() };
    let allowed = marks(&String::from_utf8_lossy(&case.body));
    inspector.inspect(&answer, &allowed, true).map_err(|problem| format!("{page}: {problem}"))?;
    let text = String::from_utf8_lossy(&answer.body);
    if text.contains("mail.example") {
        return Err(format!("{page} tells a reviewer's address"));
    }
    if case.good_beside && (answer.status != 200 || !text.contains("Good 2") || !text.contains("Good 3")) {
        return Err(format!("{page} is {} without the good products", answer.status));
    }
    Ok(took)
}

/// The calls that no page makes by itself.
async fn copy(base: &str) {
    let service = Service::new(base.parse().unwrap(), SERVICE).unwrap();
    let _ = service.size().await;
    let _ = service.everything().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_of_the_catalogue_does_harm() {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let cases = Arc::new(bodies::bodies());
    let address = common::serve(bodies::service(Arc::clone(&cases))).await;
    let renderer = common::real_renderer(2).await;
    let (inspector, left) = (Arc::new(Inspector::default()), Arc::new(Mutex::new(0..cases.len())));
    let started = Instant::now();
    let workers = (0..CONNECTIONS).map(|_| {
        let (cases, left, inspector, renderer) =
            (Arc::clone(&cases), Arc::clone(&left), Arc::clone(&inspector), renderer.clone());
        tokio::spawn(async move {
            let (mut wrong, mut longest) = (Vec::new(), Duration::ZERO);
            loop {
                let Some(number) = left.lock().next() else { return (wrong, longest) };
                let (case, base) = (&cases[number], format!("http://{address}/{number}/"));
                for page in case.pages() {
                    match visit(&base, case, page, renderer.clone(), &inspector).await {
                        Ok(took) => longest = longest.max(took),
                        Err(problem) => wrong.push(format!("{}: {problem}", case.name)),
                    }
                }
                copy(&base).await;
            }
        })
    });
    let (mut wrong, mut longest) = (Vec::new(), Duration::ZERO);
    for worker in futures_util::future::join_all(workers).await {
        let (problems, took) = worker.unwrap();
        wrong.extend(problems);
        longest = longest.max(took);
    }
    println!("{} bodies in {:?}, the longest page took {longest:?}", cases.len(), started.elapsed());
    report(&wrong);
    assert!(cases.len() >= 2_000, "only {} bodies", cases.len());
    assert_eq!(*panics.lock(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_request_does_harm() {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let (recorded, address) = Recorded::start().await;
    let service = Service::new(format!("http://{address}").parse().unwrap(), SERVICE).unwrap();
    let catalogue = Remembered::new(service, common::shop_settings().ages, MirrorPolicy::Never);
    let renderer = common::real_renderer(2).await;
    let shop = common::start_shop_with(Arc::new(catalogue), renderer).await;

    let families = requests();
    let cases: Vec<Case> = families.values().flatten().cloned().collect();
    let count = cases.len();
    for (family, cases) in &families {
        println!("{family}: {}", cases.len());
    }
    let started = Instant::now();
    let (wrong, longest) = ask_all(shop, cases).await;
    println!("{count} requests in {:?}, the longest answer took {longest:?}", started.elapsed());
    report(&wrong);
    assert!(count >= 5_000, "only {count} requests");
    assert_eq!(recorded.wrong(), Vec::<String>::new(), "calls that are none of the API");
    // Most inputs name the same few things, or nothing at all; still the service has to be in the play.
    assert!(recorded.calls() > 500, "only {} calls were made", recorded.calls());
    assert_eq!(*panics.lock(), Vec::<String>::new());
}
