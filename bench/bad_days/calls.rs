//! How often a catalogue service is called, however many shoppers there are.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use axum::extract::Request;
use axum::middleware::{self, Next};
use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use vitrine::catalogue::{Sample, sample::api};
use vitrine::http::connections::Connections;

use crate::common::paths;
use crate::common::program::Program;
use crate::crowd::{Answers, Crowd};

const MINUTE: Duration = Duration::from_secs(60);
const MINUTES: u32 = 2;
/// The real service's limit in [`LIMITED_TIME`].
const MOST_CALLS: usize = 100;
const LIMITED_TIME: Duration = Duration::from_secs(10);

type Calls = Arc<Mutex<Vec<Instant>>>;

struct Case {
    name: String,
    rate: usize,
    calls: Calls,
    shop: Program,
}

pub(crate) fn run() -> Result<()> {
    println!("\ncalls of the catalogue service, {MINUTES} minutes; two shops at once, one for each rate");
    println!(
        "{:<34} {:>13} {:>13} {:>13} {:>9} {:>9}",
        "", "first minute", "second", "in any 10 s", "answers", "503"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    for (most, kept) in [("auto", "read as a whole"), ("1", "asked for each page")] {
        let mut cases = Vec::new();
        for rate in [10, 1_000] {
            let (service, calls) = runtime.block_on(service())?;
            let arguments = ["--catalogue", &format!("http://{service}"), "--mirror", most];
            let shop = Program::quiet(&arguments);
            cases.push(Case { name: format!("{kept}, {rate} requests/s"), rate, calls, shop });
        }
        let started = Instant::now();
        let answers = runtime.block_on(join_all(cases.iter().map(visit)));
        for (case, answers) in cases.iter().zip(answers) {
            report(case, answers?.as_ref(), started)?;
        }
    }
    Ok(())
}

async fn visit(case: &Case) -> Result<Arc<Answers>> {
    let random = Mutex::new(fastrand::Rng::with_seed(7));
    let path = || paths::any(&mut random.lock());
    Ok(Crowd::of(case.shop.address)?.at_rate(case.rate, MINUTE * MINUTES, path).await)
}

fn report(case: &Case, answers: &Answers, started: Instant) -> Result<()> {
    let calls = case.calls.lock();
    let until = |end: Duration| calls.iter().filter(|at| **at < started + end).count();
    let busiest = (0..calls.len())
        .map(|first| calls[first..].iter().take_while(|at| **at < calls[first] + LIMITED_TIME).count())
        .max()
        .unwrap_or_default();
    println!(
        "{:<34} {:>13} {:>13} {busiest:>13} {:>9} {:>9}",
        case.name,
        until(MINUTE),
        until(MINUTE * 2) - until(MINUTE),
        answers.count(),
        answers.refused.count()
    );
    let failed = answers.failed.load(Ordering::Relaxed);
    ensure!(failed == 0, "{failed} requests were not answered, or by an error");
    ensure!(busiest <= MOST_CALLS, "the service allows {MOST_CALLS} calls in {LIMITED_TIME:?}");
    Ok(())
}

/// The sample's API, which notes when it is called.
async fn service() -> Result<(SocketAddr, Calls)> {
    let calls = Calls::default();
    let noted = Arc::clone(&calls);
    let note = middleware::from_fn(move |request: Request, next: Next| {
        noted.lock().push(Instant::now());
        next.run(request)
    });
    let router = api::router(Sample::load()?.raw().to_vec()).layer(note);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(Connections::default().serve(listener, router, std::future::pending()));
    Ok((address, calls))
}
