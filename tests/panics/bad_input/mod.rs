//! Thousands of bad inputs, each with a name: nothing panics, nothing is a 5xx, nothing comes back as
//! code, and the catalogue service is asked for nothing else than products.

mod bodies;
mod case;
pub(crate) mod connection;
mod framing;
mod generated;
mod headers;
mod hostile;
mod identifiers;
pub(crate) mod inspect;
pub(crate) mod markup;
mod paths;
mod product;
mod queries;
mod redirects;
pub(crate) mod strangers;
pub(crate) mod trees;
pub(crate) mod upstream;
mod visits;

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use vitrine::catalogue::{MirrorPolicy, Remembered, Service, ServiceLimits};

use self::case::Case;
use self::connection::{Answer, Connection};
use self::inspect::Inspector;
use self::upstream::Recorded;
pub(crate) use self::visits::no_answer_of_the_catalogue_does_harm;
use crate::common::client::LIMITS;
use crate::common::{real_renderer, shop_settings, start_shop_with};

/// Connections that ask at the same time.
const CONNECTIONS: usize = 3;
/// Redirects until the answer: one corrects the spelling, one leaves out what the data does not have.
const MOST_HOPS: usize = 2;

const SERVICE: ServiceLimits = ServiceLimits {
    calls_per_second: 1e6,
    call_burst: 1_000_000,
    max_body: ServiceLimits::DEFAULT.max_body,
    oversized_for: Duration::ZERO,
    ..LIMITS
};

/// The suites of a program take turns, because each counts the panics of the whole process.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Each of the generated cases is less likely to find something, so a short run tries half as many.
const GENERATED_SPARSER: usize = 2;

/// Which of the cases are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    All,
    /// The first case of each kind, and then every nth one.
    EveryNth(usize),
}

impl Share {
    /// The cases of one kind that are tried.
    fn of<T>(self, cases: Vec<T>) -> Vec<T> {
        match self {
            Self::All => cases,
            Self::EveryNth(step) => cases.into_iter().step_by(step).collect(),
        }
    }

    /// The share with a `times`th of its cases; all cases stay all.
    fn sparser(self, times: usize) -> Self {
        match self {
            Self::All => Self::All,
            Self::EveryNth(step) => Self::EveryNth(step * times),
        }
    }
}

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

/// Sends a request and follows redirects; returns how long the slowest answer took.
async fn ask(connection: &mut Connection, case: &Case, inspector: &Inspector) -> Result<Duration, String> {
    let (mut request, mut longest) = (case.clone(), Duration::ZERO);
    let mut asked = HashSet::new();
    for _hop in 0..=MOST_HOPS {
        if !asked.insert(request.bytes.clone()) {
            return Err("redirects lead in a circle".into());
        }
        let started = Instant::now();
        let answer = connection.ask(&request.bytes, request.alone).await;
        longest = longest.max(started.elapsed());
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

/// Sends all requests on a few connections; returns what is wrong, and how long the slowest answer took.
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
        ("generated", generated::cases()),
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

/// Sends bad requests; returns how long the slowest answer took.
pub(crate) async fn no_request_does_harm(share: Share) -> Duration {
    let _turn = TURN.lock().await;
    let panics = watch_panics();
    let (recorded, address) = Recorded::start().await;
    let service = Service::new(format!("http://{address}").parse().unwrap(), SERVICE).unwrap();
    let catalogue = Remembered::new(service, shop_settings().ages, MirrorPolicy::Never);
    let shop = start_shop_with(Arc::new(catalogue), real_renderer(2).await).await;

    let families = requests();
    let count: usize = families.values().map(Vec::len).sum();
    assert!(count >= 20_000, "only {count} requests");
    let mut cases = Vec::new();
    for (family, all) in families {
        let share = if family == "generated" { share.sparser(GENERATED_SPARSER) } else { share };
        let chosen = share.of(all);
        println!("{family}: {}", chosen.len());
        cases.extend(chosen);
    }
    let (count, started) = (cases.len(), Instant::now());
    let (wrong, longest) = ask_all(shop, cases).await;
    println!("{count} requests in {:?}, the longest answer took {longest:?}", started.elapsed());
    report(&wrong);
    assert_eq!(recorded.wrong(), Vec::<String>::new(), "calls that are none of the API");
    // Most inputs name the same few things, or nothing at all; but the service has to be asked.
    let calls = recorded.calls();
    assert!(calls > if share == Share::All { 500 } else { 50 }, "only {calls} calls were made");
    assert_eq!(*panics.lock(), Vec::<String>::new());
    longest
}
