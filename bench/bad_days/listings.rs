//! Visitors who filter a large catalogue, each time differently, and what others notice of them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::common::client;
use crate::common::generated::Style;
use crate::common::latencies::{Latencies, milliseconds};
use crate::common::mirrored::MirroredShop;
use crate::common::program::vitrine;
use crate::crowd::{Answers, Crowd};

const PRODUCTS: usize = 5_000;
const CONNECTIONS: usize = 16;
const TIME: Duration = Duration::from_secs(10);
/// The time between two requests of the watcher.
const PAUSE: Duration = Duration::from_millis(2);
/// Addresses that are answered without making a page.
const WATCHED: [&str; 2] = ["/healthz", "/product/1"];

pub(crate) fn run() -> Result<()> {
    println!("\n{CONNECTIONS} connections ask for distinct filters of {PRODUCTS} products, {TIME:?} each");
    println!(
        "{:<34} {:>11} {:>11} {:>11} {:>11} {:>11}",
        "", "idle p50", "idle p99", "p50", "p99", "p99 - idle"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    for (what, style) in [("plain", Style::Plain), ("wordy", Style::Wordy)] {
        let mut command = vitrine();
        command.env("VITRINE_LOG", "info,vitrine::request_log=off");
        let shop = runtime.block_on(MirroredShop::start(&mut command, PRODUCTS, style))?;
        let address = shop.program.address;
        let idle = watch(address)?;
        let crowd = Crowd::of(address)?;
        let next = AtomicU32::new(0);
        let path = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let listing = ["/products", "/sale", "/new-arrivals", "/best-sellers", "/deals", "/search/a"];
            let listing = listing[number as usize % listing.len()];
            format!(
                "{listing}?q={}&max={}&sort=price-asc",
                ["e", "st", "product"][number as usize % 3],
                number % 900
            )
        };
        let watching = thread::spawn(move || watch(address));
        let answers = runtime.block_on(crowd.in_turn(CONNECTIONS, TIME, path));
        let Ok(during) = watching.join() else { panic!("the watch ended early") };
        report(what, &idle, &during?, &answers)?;
    }
    Ok(())
}

fn report(what: &str, idle: &[Latencies], during: &[Latencies], answers: &Arc<Answers>) -> Result<()> {
    for ((path, idle), during) in WATCHED.iter().zip(idle).zip(during) {
        let at = |latencies: &Latencies, share| milliseconds(latencies.percentile(share));
        println!(
            "{:<34} {:>8.2} ms {:>8.2} ms {:>8.2} ms {:>8.2} ms {:>8.2} ms",
            format!("{what} products: {path}"),
            at(idle, 50.0),
            at(idle, 99.0),
            at(during, 50.0),
            at(during, 99.0),
            at(during, 99.0) - at(idle, 99.0)
        );
    }
    let per_second = |count: usize| count as f64 / TIME.as_secs_f64();
    println!(
        "{what} products: {:.0} listings/s, {:.0} redirects/s, {:.0} refused/s",
        per_second(answers.whole.count()),
        per_second(answers.elsewhere.load(Ordering::Relaxed)),
        per_second(answers.refused.count())
    );
    let failed = answers.failed.load(Ordering::Relaxed);
    ensure!(failed == 0, "{failed} requests were not answered");
    Ok(())
}

/// Asks for the watched addresses one after the other, on one connection and one thread of its own.
fn watch(shop: SocketAddr) -> Result<Vec<Latencies>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = client()?;
        let latencies: Vec<Latencies> = WATCHED.iter().map(|_| Latencies::default()).collect();
        let end = Instant::now() + TIME;
        while Instant::now() < end {
            for (path, latencies) in WATCHED.iter().zip(&latencies) {
                let started = Instant::now();
                client.get(format!("http://{shop}{path}")).send().await?.error_for_status()?.bytes().await?;
                latencies.add(started.elapsed());
                tokio::time::sleep(PAUSE).await;
            }
        }
        Ok(latencies)
    })
}
