//! What other visitors notice of many searches at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use reqwest::Client;

use crate::common::latencies::{Latencies, milliseconds};
use crate::common::program::Program;
use crate::many::WORDS;
use crate::{client, get, say};

const CLIENTS: usize = 16;
const TIME: Duration = Duration::from_secs(20);
/// The time from one look at the shop to the next.
const PAUSE: Duration = Duration::from_millis(5);

/// Measures the shop when it is idle and while clients search at random, each with a connection of its own.
pub(crate) async fn measure(count: u64, shop: &Program) -> Result<()> {
    println!("\n{count} products, {CLIENTS} clients that search");
    // The index of words is made during the first requests.
    tokio::time::sleep(TIME).await;
    let looking = client()?;
    let idle = look(&looking, shop).await?;
    let (is_over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let searches = Latencies::default();
    let searchers = (0..CLIENTS).map(|number| search(shop, number as u64, &is_over, &searches, &answered));
    let look = async {
        let latencies = look(&looking, shop).await;
        is_over.store(true, Ordering::Relaxed);
        latencies
    };
    let (busy, ended) = tokio::join!(look, futures_util::future::join_all(searchers));
    ended.into_iter().collect::<Result<Vec<()>>>()?;
    for (when, looks) in [("idle", idle), ("while they search", busy?)] {
        for (path, latencies) in PATHS.iter().zip(looks) {
            let [half, most] = [50.0, 99.0].map(|share| milliseconds(latencies.percentile(share)));
            say(&format!("{path}, {when}"), format!("{half:.2} ms, p99 {most:.2} ms"));
        }
    }
    let [half, most] = [50.0, 99.0].map(|share| milliseconds(searches.percentile(share)));
    let (asked, answered) = (searches.count(), answered.load(Ordering::Relaxed));
    say(
        "searches",
        format!("{asked}, of which {answered} answered with a list; {half:.0} ms, p99 {most:.0} ms"),
    );
    Ok(())
}

const PATHS: [&str; 2] = ["/healthz", "/products"];

/// The latencies of each path.
async fn look(client: &Client, shop: &Program) -> Result<[Latencies; PATHS.len()]> {
    let latencies = PATHS.map(|_| Latencies::default());
    let until = Instant::now() + TIME;
    while Instant::now() < until {
        for (path, latencies) in PATHS.iter().zip(&latencies) {
            let started = Instant::now();
            get(client, shop, path).await?;
            latencies.add(started.elapsed());
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(latencies)
}

/// Searches for other words each time, so that no result is in a cache.
async fn search(
    shop: &Program,
    seed: u64,
    is_over: &AtomicBool,
    searches: &Latencies,
    answered: &AtomicUsize,
) -> Result<()> {
    let (client, mut random) = (client()?, fastrand::Rng::with_seed(seed));
    while !is_over.load(Ordering::Relaxed) {
        let mut word = || WORDS[random.usize(..WORDS.len())];
        let (one, other) = (word(), word());
        let path = format!("/_data/search/{one}, {other} {}", random.u32(..1_000_000));
        let started = Instant::now();
        let answer = client.get(format!("http://{}{path}", shop.address)).send().await?;
        let is_answered = answer.status().is_success();
        answer.bytes().await?;
        searches.add(started.elapsed());
        answered.fetch_add(usize::from(is_answered), Ordering::Relaxed);
    }
    Ok(())
}
