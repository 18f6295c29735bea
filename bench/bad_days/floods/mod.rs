//! Floods of requests and connections, and what others get meanwhile: two clients with threads of their
//! own ask for `/healthz` and for a page in memory, before a flood and during it.

mod client;
mod connections;
mod requests;
mod watch;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::json;
use tokio::runtime::Runtime;
use vitrine::catalogue::Sample;

use self::client::{Client, get};
use self::watch::Watch;
use crate::common::latencies::{Latencies, milliseconds};
use crate::common::program::Program;

/// The number of products that is mirrored without a setting.
const PRODUCTS: usize = 5_000;
/// The page in memory.
const PAGE: &str = "/product/1";
/// How long each flood lasts.
const TIME: Duration = Duration::from_secs(10);
/// How long the shop is watched before each.
const BEFORE: Duration = Duration::from_secs(3);
/// How long the shop has to do what is left of a flood, and to copy the catalogue in the beginning.
const PAUSE: Duration = Duration::from_secs(5);
/// The time between two looks at the memory.
const SAMPLED: Duration = Duration::from_millis(100);
const MIB: f64 = 1_048_576.0;

/// How much of a flood there was.
struct Tally {
    /// The amount with its unit.
    amount: String,
    /// The share of answers with the status 503, in per cent.
    refused: f64,
}

impl Tally {
    /// A flood of `what` that came again and again.
    fn per_second(count: u64, what: &str, refused: u64) -> Self {
        Self {
            amount: format!("{:.0} {what}/s", count as f64 / TIME.as_secs_f64()),
            refused: refused as f64 * 100.0 / count.max(1) as f64,
        }
    }

    /// A flood of connections that stayed.
    fn held(count: usize) -> Self {
        Self { amount: format!("{count} connections"), refused: 0.0 }
    }
}

pub(crate) fn run() -> Result<()> {
    println!("\nfloods: {PRODUCTS} products, {TIME:?} each; p99 of two other clients before and during");
    println!(
        "{:<30} {:>20} {:>7} {:>20} {:>20} {:>9} {:>9}",
        "", "flood", "503", "/healthz", PAGE, "memory", "sockets"
    );
    let products = tempfile::NamedTempFile::new()?;
    std::fs::write(products.path(), serde_json::to_vec(&catalogue()?)?)?;
    let file = products.path().display().to_string();
    let service = Program::quiet(&["sample-catalogue", "--products", &file]);
    let shop = Program::quiet(&["--catalogue", &format!("http://{}", service.address)]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(warm(shop.address))?;
    flood(&runtime, &shop, "distinct filters", requests::distinct_filters)?;
    flood(&runtime, &shop, "distinct searches", requests::distinct_searches)?;
    flood(&runtime, &shop, "addresses that end in a 308", requests::other_spellings)?;
    flood(&runtime, &shop, "cold products", requests::cold_products)?;
    flood(&runtime, &shop, "304", requests::not_modified)?;
    flood(&runtime, &shop, "20 listings, then a reset", connections::pipelined_and_reset)?;
    flood(&runtime, &shop, "slow readers", connections::slow_readers)?;
    flood(&runtime, &shop, "slow senders", connections::slow_senders)
}

/// The sample's products over and over, under other numbers and titles.
fn catalogue() -> Result<serde_json::Value> {
    let sample = Sample::load()?;
    let products = (0..PRODUCTS).map(|number| {
        let mut product = sample.raw()[number % sample.raw().len()].clone();
        product["id"] = json!(number + 1);
        product["title"] = json!(format!("{} {number}", product["title"].as_str().unwrap_or_default()));
        product
    });
    Ok(products.collect())
}

/// Makes the shop render the page and copy the catalogue.
async fn warm(shop: SocketAddr) -> Result<()> {
    for path in [PAGE, "/products", PAGE] {
        let status = Client::of(shop).ask(&get(path, "accept-encoding: br\r\n")).await?.status;
        ensure!(status == 200, "{path} is {status}");
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Watches the shop for a while, lets the flood come, and prints a line of the table.
///
/// # Errors
/// When one of the others' requests fails, or one of a flood that should be answered.
fn flood(
    runtime: &Runtime,
    shop: &Program,
    name: &str,
    flood: impl AsyncFnOnce(SocketAddr, Instant) -> Result<Tally>,
) -> Result<()> {
    let address = shop.address;
    let (before, ()) = watched(address, || {
        std::thread::sleep(BEFORE);
        Ok(())
    })?;
    let (during, (tally, most)) = watched(address, || {
        let end = Instant::now() + TIME;
        runtime.block_on(async {
            let (tally, most) = tokio::join!(flood(address, end), Memory::most(shop, end));
            Ok((tally?, most))
        })
    })?;
    let p99 = |latencies: &Latencies| milliseconds(latencies.percentile(99.0));
    println!(
        "{name:<30} {:>20} {:>5.1} % {:>6.1} → {:>8.1} ms {:>6.1} → {:>8.1} ms {:>5.0} MiB {:>5.0} MiB",
        tally.amount,
        tally.refused,
        p99(&before.health),
        p99(&during.health),
        p99(&before.page),
        p99(&during.page),
        most.own / MIB,
        most.sockets / MIB,
    );
    std::thread::sleep(PAUSE);
    Ok(())
}

/// The latencies of the two other clients.
struct Others {
    health: Latencies,
    page: Latencies,
}

/// What the others get while `work` is done.
fn watched<T>(shop: SocketAddr, work: impl FnOnce() -> Result<T>) -> Result<(Others, T)> {
    let (health, page) = (Watch::of(shop, "/healthz"), Watch::of(shop, PAGE));
    let done = work()?;
    Ok((Others { health: health.end()?, page: page.end()? }, done))
}

/// Memory in bytes.
#[derive(Clone, Copy, Default)]
struct Memory {
    /// The shop's own memory.
    own: f64,
    /// The buffers of all TCP sockets of the machine.
    sockets: f64,
}

impl Memory {
    /// The highest values until the end.
    async fn most(shop: &Program, end: Instant) -> Self {
        let mut most = Self::default();
        while Instant::now() < end {
            most.own = most.own.max(shop.memory("RssAnon") as f64);
            most.sockets = most.sockets.max(socket_memory().unwrap_or_default());
            tokio::time::sleep(SAMPLED).await;
        }
        most
    }
}

/// The memory of TCP sockets according to the kernel, in bytes.
fn socket_memory() -> Option<f64> {
    /// Size of the kernel's pages.
    const PAGE_BYTES: f64 = 4_096.0;
    let text = std::fs::read_to_string("/proc/net/sockstat").ok()?;
    let line = text.lines().find(|line| line.starts_with("TCP:"))?;
    let pages: f64 = line.split(' ').skip_while(|word| *word != "mem").nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
