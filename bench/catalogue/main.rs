//! What a catalogue costs by its number of products: memory, filters, starts, searches of many visitors, and a change
//! while visitors browse.
//!
//! Every product has three variants and about 2.4 kB of JSON. The products are read in pages, as the program reads them,
//! but without a limit on the service's calls. Only figures of one run can be compared.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic when the program does not start"
)]

#[path = "../common/mod.rs"]
mod common;
mod many;
mod searching;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use reqwest::Client;
use vitrine::cache::Ages;
use vitrine::catalogue::{Catalogue as _, Followed, ProductSet, Service, ServiceLimits, StateDir};
use vitrine::contract::{FilterValue, Filters, Sort};
use vitrine::facets;
use vitrine::process::choose_cryptography;
use vitrine::profile::NumberFormat;

use self::many::Many;
use crate::common::client;
use crate::common::latencies::{Latencies, median, milliseconds};
use crate::common::program::{Program, vitrine};

/// The numbers of products; `SIZES=194,10000` measures others.
const SIZES: [u64; 4] = [194, 10_000, 100_000, 1_000_000];
/// The address of no service: a start from saved state finds nothing else.
const AWAY: &str = "http://127.0.0.1:1/";
/// How many products the catalogue has that changes while visitors browse; `CHANGING=1000000` tries another number.
const CHANGING: u64 = 100_000;

fn main() -> Result<()> {
    choose_cryptography();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let sizes = match std::env::var("SIZES") {
        Ok(sizes) => sizes.split(',').map(str::parse).collect::<Result<Vec<u64>, _>>()?,
        Err(_) => SIZES.to_vec(),
    };
    let mut shops = Vec::new();
    for count in sizes {
        let folder = tempfile::tempdir()?;
        println!("\n{count} products");
        runtime.block_on(store(count, folder.path()))?;
        shops.push((count, runtime.block_on(start(folder.path()))?));
    }
    runtime.block_on(from_cache(&shops))?;
    if let Some((count, shop)) = shops.last() {
        runtime.block_on(searching::measure(*count, shop))?;
    }
    drop(shops);
    let changing = std::env::var("CHANGING").map_or(Ok(CHANGING), |count| count.parse())?;
    runtime.block_on(change(changing))
}

fn say(what: &str, figure: impl std::fmt::Display) {
    println!("{what:<68} {figure}");
}

fn mebibytes(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The median time of this many runs.
fn median_of(runs: usize, mut work: impl FnMut()) -> Duration {
    let run = |_| {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    median((0..runs).map(run).collect())
}

fn followed(address: &str) -> Result<Arc<Followed<Service>>> {
    let limits = ServiceLimits { calls_per_second: 1e6, call_burst: u32::MAX, ..ServiceLimits::DEFAULT };
    let ages = Ages { fresh: Duration::from_secs(86_400), stale: Duration::from_secs(86_400) };
    let service = Service::new(address.parse()?, limits)?;
    Ok(Arc::new(Followed::new(service, ages, 2_000_000)))
}

/// Reads the products, measures their store, and saves it.
async fn store(count: u64, folder: &Path) -> Result<()> {
    let service = Many::serve(count).await?;
    let catalogue = followed(&format!("http://{}", service.address))?;
    let started = Instant::now();
    catalogue.read().await?;
    say("read and built within", format!("{:.2} s", started.elapsed().as_secs_f64()));
    let all = Arc::clone(catalogue.version().context("no version")?.products());
    ensure!(all.len() as u64 == count, "{} products were read", all.len());
    let set = Arc::clone(&all);
    tokio::task::spawn_blocking(move || figures(&set)).await??;

    let state = StateDir::new(folder, AWAY);
    let (saving, source) = (state.clone(), Arc::clone(&catalogue));
    let took = tokio::task::spawn_blocking(move || {
        let started = Instant::now();
        saving.save(&source).map(|()| started.elapsed())
    });
    say("saved within", format!("{:.2} s", took.await??.as_secs_f64()));
    say("state file", mebibytes(usize::try_from(fs::metadata(state.file())?.len())?));

    let again = followed(AWAY)?;
    let (loading, target) = (state.clone(), Arc::clone(&again));
    tokio::task::spawn_blocking(move || loading.load(&target)).await??;
    let hot = again.version().context("no version")?.products().size();
    say("hot part of the store, with its orders", mebibytes(hot));
    Ok(())
}

fn figures(all: &ProductSet) -> Result<()> {
    let mut json = 0;
    for product in all.whole() {
        json += serde_json::to_vec(&product?)?.len();
    }
    let size = all.size();
    say("cleaned JSON", mebibytes(json));
    say(
        "store with its orders",
        format!("{}, {:.2} of the JSON", mebibytes(size), size as f64 / json as f64),
    );
    let numbers = NumberFormat::default();
    let text = Filters::default().with("q", FilterValue::Text("kettle oak".into()));
    let mut narrow = Filters::default()
        .with("q", FilterValue::Text("oak".into()))
        .with("max", FilterValue::Number(300))
        .with("rating", FilterValue::Number(2))
        .with("category", FilterValue::Names(vec!["category-1".into(), "category-2".into()]))
        .with("brand", FilterValue::Names((0..40).map(|number| format!("Brand {number}")).collect()))
        .with("stock", FilterValue::Set);
    narrow.sort = Some(Sort::PriceAsc);
    let mut without_text = narrow.clone().with("q", FilterValue::Text(String::new()));
    without_text.sort = Some(Sort::PriceAsc);
    let options = Filters::default()
        .with("size", FilterValue::Names(vec!["38".into(), "42".into()]))
        .with("color", FilterValue::Names(vec!["Colour 1".into(), "Colour 2".into()]));
    for (what, filters) in [
        ("no filter, with facets", Filters::default()),
        ("two sizes and two colours", options),
        ("six filters with facets and a sort", narrow),
        ("the same without the text", without_text),
        ("a text filter", text),
    ] {
        let time = median_of(30, || drop(std::hint::black_box(facets::apply(all, &filters, &numbers))));
        say(what, format!("{:.3} ms", milliseconds(time)));
    }
    all.index_words();
    say("index of words", mebibytes(all.word_index_size().unwrap_or_default()));
    for (what, text) in [
        ("a search for an article number, ranked, with facets", "SKU-17"),
        ("the same for a word of many products", "kettle"),
        ("the same for words apart from each other", "kettle, oak, rug"),
    ] {
        let mut found = 0;
        let time = median_of(30, || {
            let filtered =
                facets::apply(&all.containing(text, &Default::default()), &Filters::default(), &numbers);
            found = filtered.matches.len();
        });
        say(what, format!("{:.3} ms, {found} products", milliseconds(time)));
    }
    Ok(())
}

/// A shop of this catalogue, without a log line for each request.
fn program(catalogue: &str, folder: &Path) -> Program {
    let mut command = vitrine();
    command.args(["--catalogue", catalogue, "--isolates", "1"]).arg("--state-dir").arg(folder);
    Program::spawn(command.env("VITRINE_LOG", "info,vitrine::request_log=off"))
}

/// Starts the program from what is saved, without a service.
async fn start(folder: &Path) -> Result<Program> {
    let client = client()?;
    let started = Instant::now();
    let shop = program(AWAY, folder);
    get(&client, &shop, "/products").await?;
    say("start from saved state until the first page", format!("{:.3} s", started.elapsed().as_secs_f64()));
    say("memory of the program then", mebibytes(usize::try_from(shop.memory("VmRSS"))?));
    Ok(shop)
}

/// Compares a listing from the cache of each shop with that of the first one, in alternating rounds.
async fn from_cache(shops: &[(u64, Program)]) -> Result<()> {
    const ROUNDS: usize = 15;
    const REQUESTS: usize = 1_000;
    let client = client()?;
    println!();
    let mut times = vec![Vec::new(); shops.len()];
    for _ in 0..ROUNDS {
        for ((_, shop), times) in shops.iter().zip(&mut times) {
            let started = Instant::now();
            for _ in 0..REQUESTS {
                get(&client, shop, "/products").await?;
            }
            times.push(started.elapsed());
        }
    }
    let times: Vec<f64> = times.into_iter().map(|times| median(times).as_secs_f64()).collect();
    let first = *times.first().context("no shop was measured")?;
    for ((count, _), time) in shops.iter().zip(times) {
        let throughput = REQUESTS as f64 / time;
        say(
            &format!("/products from the cache, {count} products"),
            format!("{throughput:.0} answers/s, {:.2} of the first", first / time),
        );
    }
    Ok(())
}

/// What visitors and the machine notice of a change of a catalogue of `count` products, with the program's own limits.
async fn change(count: u64) -> Result<()> {
    let service = Many::serve(count).await?;
    let folder = tempfile::tempdir()?;
    let shop = program(&format!("http://{}", service.address), folder.path());
    let client = client()?;
    println!("\n{count} products, at most 5 calls a second");
    let started = Instant::now();
    until_shown(&client, &shop, |data| !data.contains("\"unread\":true"), &Latencies::default()).await?;
    say("a listing with filters after", format!("{:.1} s", started.elapsed().as_secs_f64()));
    // The state is saved within half a minute.
    tokio::time::sleep(Duration::from_secs(45)).await;
    let written = written(&shop)?;
    tokio::time::sleep(Duration::from_secs(120)).await;
    say("written in two minutes without a change", format!("{} bytes", self::written(&shop)? - written));

    let idle = Latencies::default();
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        timed(&client, &shop, &idle).await?;
    }
    fs::write(format!("/proc/{}/clear_refs", shop.id()), "5")?;
    let before = shop.memory("VmRSS");
    let title = service.change();
    let changing = Latencies::default();
    until_shown(&client, &shop, |data| data.contains(&title), &changing).await?;
    for (what, latencies) in [("idle", &idle), ("while the change is read", &changing)] {
        let [half, most] = [50.0, 99.0].map(|share| milliseconds(latencies.percentile(share)));
        say(&format!("/sale from the cache, {what}"), format!("{half:.2} ms, p99 {most:.2} ms"));
    }
    let above = shop.memory("VmHWM").saturating_sub(before);
    say("highest memory above that before the change", mebibytes(usize::try_from(above)?));
    Ok(())
}

/// Asks for a page from the cache again and again, until the data of a listing is as wanted.
async fn until_shown(
    client: &Client,
    shop: &Program,
    is_wanted: impl Fn(&str) -> bool,
    latencies: &Latencies,
) -> Result<()> {
    let started = Instant::now();
    for round in 0_u64.. {
        ensure!(started.elapsed() < Duration::from_secs(1_800), "the listing stays as it was");
        if round.is_multiple_of(50) && is_wanted(&get(client, shop, "/_data/products?page=2").await?) {
            break;
        }
        timed(client, shop, latencies).await?;
    }
    Ok(())
}

async fn timed(client: &Client, shop: &Program, latencies: &Latencies) -> Result<()> {
    let started = Instant::now();
    get(client, shop, "/sale").await?;
    latencies.add(started.elapsed());
    tokio::time::sleep(Duration::from_millis(5)).await;
    Ok(())
}

async fn get(client: &Client, shop: &Program, path: &str) -> Result<String> {
    let answer = client.get(format!("http://{}{path}", shop.address)).send().await?;
    Ok(answer.error_for_status()?.text().await?)
}

/// How many bytes the program has written to disks.
fn written(shop: &Program) -> Result<u64> {
    let io = fs::read_to_string(format!("/proc/{}/io", shop.id()))?;
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    Ok(line.context("the kernel counts no bytes")?.parse()?)
}
