//! Thousands of bad inputs, each with a name: nothing panics, nothing is a 5xx, nothing comes back as
//! code, and the catalogue service is asked for nothing else than products.
//!
//! Each suite watches the panics of its whole process, so each has a process for itself. `make test` tries a part of the
//! cases; `make test-all` runs the ignored tests, which try all of them, one after the other, and measure the answers.

mod addresses;
mod bodies;
mod case;
mod headers;
mod hostile;
mod inspect;
mod inspection;
mod markup;
mod visits;

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use futures_util::{StreamExt as _, stream};
use parking_lot::Mutex;
use url::form_urlencoded;
use vitrine::catalogue::sample::api;
use vitrine::catalogue::{Followed, Service, ServiceLimits};

use self::case::{Answer, Case, shown};
use self::inspect::inspect;
use crate::alone::run_alone;
use crate::common::client::LIMITS;
use crate::common::{real_renderer, sample, serve, shop_settings, start_shop_with};

/// Cases that are tried at the same time.
const AT_ONCE: usize = 3;
/// Redirects until the answer: one corrects the spelling, one leaves out what the data does not have.
const MOST_HOPS: usize = 2;

const SERVICE: ServiceLimits = ServiceLimits {
    calls_per_second: 1e6,
    call_burst: 1_000_000,
    max_body: ServiceLimits::DEFAULT.max_body,
    oversized_for: Duration::ZERO,
    ..LIMITS
};

/// Names how many cases lie between two that are tried.
const EVERY_NTH: &str = "BAD_INPUT_EVERY";

/// The longest that an answer may take on a machine that does nothing else.
const LONGEST: Duration = Duration::from_secs(1);

#[test]
fn no_bad_input_of_any_kind_does_harm() {
    for (suite, step) in [
        // Odd, because many cases come in pairs.
        ("every_bad_request", "3"),
        ("visits::every_bad_answer_of_the_catalogue", "3"),
        ("headers::every_bad_header", "3"),
        // Coprime to the number of markups, so that each markup and each field is tried.
        ("markup::every_markup", "7"),
    ] {
        run_alone(&format!("bad_input::{suite}"), &[(EVERY_NTH, step)]);
    }
}

/// A suite that has begun.
struct Suite {
    /// Which cases of each kind are tried: the first one, and then every nth one. All of them, if it is 1.
    step: usize,
    /// The panics of the process, caught ones included.
    panics: Arc<Mutex<Vec<String>>>,
}

impl Suite {
    fn begin() -> Self {
        let panics = Arc::<Mutex<Vec<String>>>::default();
        let (seen, before) = (Arc::clone(&panics), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            seen.lock().push(panic.to_string());
            before(panic);
        }));
        Self { step: std::env::var(EVERY_NTH).map_or(1, |step| step.parse().unwrap()), panics }
    }

    /// Tries the cases. An attempt returns how long its slowest answer took, which is compared with the limit if all
    /// cases are tried.
    ///
    /// # Panics
    /// When something is wrong with a case.
    async fn try_all<T, F>(self, cases: Vec<T>, attempt: impl Fn(T) -> F)
    where
        F: Future<Output = Result<Duration>> + Send + 'static,
    {
        let (count, started) = (cases.len(), Instant::now());
        let attempts = stream::iter(cases).map(|case| tokio::spawn(attempt(case)));
        let outcomes = attempts.buffer_unordered(AT_ONCE).map(|outcome| outcome.unwrap());
        let outcomes: Vec<Result<Duration>> = outcomes.collect().await;
        let wrong = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
        let wrong: Vec<String> = wrong.map(|error| format!("{error:#}")).collect();
        let longest = outcomes.into_iter().flatten().max().unwrap_or_default();
        println!("{count} cases in {:?}, the longest answer took {longest:?}", started.elapsed());
        let first = wrong[..wrong.len().min(60)].join("\n");
        assert!(wrong.is_empty(), "{} wrong, among them:\n{first}", wrong.len());
        assert!(self.step != 1 || longest <= LONGEST, "{longest:?}");
        assert_eq!(*self.panics.lock(), Vec::<String>::new());
    }
}

/// Sends a request and follows redirects; returns how long the slowest answer took.
async fn ask(shop: SocketAddr, case: &Case) -> Result<Duration> {
    let (mut request, mut longest) = (case.clone(), Duration::ZERO);
    let mut asked = HashSet::new();
    for _hop in 0..=MOST_HOPS {
        ensure!(asked.insert(request.bytes.clone()), "redirects lead in a circle");
        let started = Instant::now();
        let answer = request.ask(shop).await?;
        longest = longest.max(started.elapsed());
        let Some(answer) = answer.filter(|answer| !(request.refusable && is_refusal(answer))) else {
            ensure!(request.refusable, "the connection was closed without a whole answer");
            return Ok(longest);
        };
        inspect(&answer, &case.marks(), false)?;
        let Some(location) = answer.headers().get("location") else { return Ok(longest) };
        request = Case::get(location);
    }
    bail!("{MOST_HOPS} redirects led to another one")
}

/// The HTTP library's own answer to what is no request.
fn is_refusal(answer: &Answer) -> bool {
    let own = !answer.headers().contains_key("content-security-policy") && answer.body().is_empty();
    own && matches!(answer.status().as_u16(), 400 | 414 | 431)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes, in a process of its own"]
async fn every_bad_request() {
    let suite = Suite::begin();
    let (calls, address) = recording().await;
    let service = Service::new(format!("http://{address}").parse().unwrap(), SERVICE).unwrap();
    let renderer = real_renderer(2).await;
    let catalogue = |most| Arc::new(Followed::new(service.clone(), shop_settings().ages, most));
    let whole = catalogue(5_000);
    whole.read().await.unwrap();
    let shop = start_shop_with(whole, renderer.clone()).await;
    // Before its first version a shop makes calls of what it is asked for.
    let live = start_shop_with(catalogue(0), renderer).await;

    let step = suite.step;
    let (mut seen, mut count, mut chosen) = (HashSet::new(), 0, Vec::new());
    // Each of the generated cases is less likely to find something, so a short run tries half as many.
    let sparser = if step == 1 { 1 } else { 2 * step };
    for (family, step, mut cases) in [
        ("paths", step, addresses::paths()),
        ("queries", step, addresses::queries()),
        ("redirects", step, addresses::redirects()),
        ("framing", step, addresses::framing()),
        ("headers", step, headers::cases()),
        ("generated", sparser, addresses::generated()),
    ] {
        cases.retain(|case| seen.insert(case.bytes.clone()));
        println!("{family}: {}", cases.len());
        count += cases.len();
        chosen.extend(cases.into_iter().step_by(step));
    }
    assert!(count >= 20_000, "only {count} requests");
    let attempt = |case: Case| async move {
        let mut took = ask(shop, &case).await.with_context(|| shown(&case.bytes))?;
        if is_a_call(&case) {
            took = took.max(ask(live, &case).await.with_context(|| shown(&case.bytes))?);
        }
        Ok(took)
    };
    suite.try_all(chosen, attempt).await;
    let calls = calls.lock();
    let wrong: Vec<&String> = calls.iter().filter(|(_, allowed)| !**allowed).map(|(call, _)| call).collect();
    assert!(wrong.is_empty(), "calls that are none of the API: {wrong:?}");
    // Most inputs name the same few things, or nothing at all; but the service has to be asked.
    assert!(calls.len() > if step == 1 { 500 } else { 50 }, "only {} calls were made", calls.len());
}

/// Whether a shop without a version makes a call with the texts of this request.
fn is_a_call(case: &Case) -> bool {
    let paths: [&[u8]; 3] = [b"/search/", b"/category/", b"/product/"];
    paths.iter().any(|path| case.bytes.windows(path.len()).any(|part| part == *path))
}

/// Every parameter of the service's API that the shop uses.
const PARAMETERS: [&str; 6] = ["limit", "skip", "select", "sortBy", "order", "q"];
/// The headers that the shop's client sends.
const HEADERS: [&str; 4] = ["accept", "accept-encoding", "host", "user-agent"];

/// The different calls that were made, and whether they should have been.
type Calls = Arc<Mutex<HashMap<String, bool>>>;

/// The sample catalogue's service, recording.
async fn recording() -> (Calls, SocketAddr) {
    let recorded = Calls::default();
    let calls = Arc::clone(&recorded);
    let record = from_fn(move |request: Request, next: Next| {
        let (uri, mut headers) = (request.uri(), request.headers().keys());
        let is_plain = request.method() == "GET" && headers.all(|name| HEADERS.contains(&name.as_str()));
        let is_allowed = is_plain && is_allowed(uri.path(), uri.query().unwrap_or_default());
        calls.lock().insert(if is_allowed { uri.to_string() } else { format!("{request:?}") }, is_allowed);
        next.run(request)
    });
    (recorded, serve(api::router(sample().raw().to_vec()).layer(record)).await)
}

fn is_allowed(path: &str, query: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let slug = |text: &str| {
        (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let path = match segments[..] {
        ["products"] | ["products", "categories" | "search"] => true,
        ["products", "category", text] => slug(text),
        ["products", id] => {
            id.parse().is_ok_and(|number: u64| (1..=1 << 53).contains(&number) && number.to_string() == id)
        }
        _ => false,
    };
    let mut seen = HashSet::new();
    path && form_urlencoded::parse(query.as_bytes()).all(|(name, value)| {
        let sensible = value.chars().count() <= 200 && !value.contains(char::is_control);
        PARAMETERS.contains(&name.as_ref()) && sensible && seen.insert(name.into_owned())
    })
}
