//! `make bench`: the figures that the project promises, measured on this machine.
//!
//! Each line is the median and the 99th percentile of repeated runs in this one process, except
//! the start, which starts the release binary itself. Figures of different runs or machines are
//! not comparable.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic when the program does not start"
)]

#[path = "../common/mod.rs"]
mod common;
mod complexity;
mod plot;

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use vitrine::catalogue::ProductSet;
use vitrine::catalogue::{Availability, Slug, Summary};
use vitrine::contract::PageJson;
use vitrine::contract::{FilterValue, Filters, Shop, Sort};
use vitrine::document::client::CLIENT;
use vitrine::facets;
use vitrine::process::choose_cryptography;
use vitrine::profile::{Currency, Money, NumberFormat, Profile};
use vitrine::render::{Bundle, Renderer, RendererSettings, initialize_platform};

use crate::common::client;
use crate::common::generated::Style;
use crate::common::mirrored::MirroredShop;
use crate::common::program::{Program, vitrine};
use crate::common::shop::serve;

/// Addresses whose rendering is measured.
const PATHS: [&str; 6] =
    ["/", "/categories", "/products", "/category/groceries", "/search/red", "/product/1"];

/// The longest that a caller waits, however long a render would go on: the budget of 500 ms, and the time
/// to end the render.
const LONGEST_ANSWER: Duration = Duration::from_millis(600);

/// The longest median time to find out what a listing of 5,000 products shows.
const LONGEST_DRAFT: Duration = Duration::from_millis(1);

fn main() -> Result<()> {
    choose_cryptography();
    initialize_platform();
    println!("{:<44} {:>12} {:>12}", "", "median", "p99");
    filtering();
    drafting()?;
    bytes();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        rendering().await?;
        let renderer = Renderer::start(Bundle::embedded(), settings(), warm_up()?).await?;
        complexity::run(renderer).await?;
        endless_render().await
    })?;
    start_to_first_page()
}

/// Prints the figures of these times and returns their median.
fn report(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1_000.0;
    println!("{what:<44} {:>9.3} ms {:>9.3} ms", at(0.5), at(0.99));
    times[times.len() / 2]
}

/// Filters, counts and sorts 100,000 products.
fn filtering() {
    const PRODUCTS: u32 = 100_000;
    let products = (0..PRODUCTS)
        .map(|id| Summary {
            id: u64::from(id + 1).into(),
            title: format!("Product number {id} of shelf {}", id % 97),
            description: "A thing that is good at what it is for, in a colour that suits most rooms.".into(),
            category: Slug::parse(&format!("category-{}", id % 24)),
            brand: (id % 3 > 0).then(|| format!("Brand {}", id % 61)),
            price: Money::from_minor(u64::from(id * 7919 % 100_000)),
            rating: Some(f64::from(id * 31 % 51) / 10.0),
            availability: Availability::of_stock(id % 20),
            ..Summary::default()
        })
        .collect();
    let shelf = ProductSet::new(products, Currency::default());
    let numbers = NumberFormat::default();
    let text = Filters::default().with("q", FilterValue::Text("shelf 9".into()));
    let mut narrow = text
        .clone()
        .with("max", FilterValue::Number(700))
        .with("rating", FilterValue::Number(2))
        .with("brand", FilterValue::Names(vec!["Brand 7".into(), "Brand 8".into()]))
        .with("stock", FilterValue::Set);
    narrow.sort = Some(Sort::PriceAsc);
    for (what, filters) in
        [("no filter", Filters::default()), ("a text", text), ("six groups and a sort", narrow)]
    {
        let times = (0..100)
            .map(|_| {
                let started = Instant::now();
                std::hint::black_box(facets::apply(&shelf, &filters, &numbers));
                started.elapsed()
            })
            .collect();
        report(&format!("filter 100,000 products: {what}"), times);
    }
}

/// From query to draft, for listings of 5,000 products that are not in memory. The program measures it
/// itself, and it includes the way to another thread and back.
fn drafting() -> Result<()> {
    const PRODUCTS: usize = 5_000;
    // A number takes the place of each `#`, so that no two addresses are equal.
    const LISTINGS: [(&str, &str); 5] = [
        ("a filter and a sort", "/products?max=#&stock=1&sort=price-desc"),
        ("a preset", "/sale?max=#"),
        ("a text that most have", "/products?q=st&max=#"),
        ("a text that none has", "/products?q=no%20such%20text%20#"),
        ("a search", "/search/ab#"),
    ];
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    for (products, style) in [("plain", Style::Plain), ("wordy", Style::Wordy)] {
        let shop = runtime.block_on(MirroredShop::start(&mut vitrine(), PRODUCTS, style))?;
        shop.program.log().for_each(drop);
        let client = client()?;
        for (what, path) in LISTINGS {
            let mut times = Vec::new();
            for number in 1..=200 {
                let path = path.replace('#', &number.to_string());
                let url = format!("http://{}/_data{path}", shop.program.address);
                runtime
                    .block_on(async { client.get(url).send().await?.error_for_status()?.bytes().await })?;
                times.push(drafting_time(&shop.program)?);
            }
            let median = report(&format!("draft, {products}: {what}"), times);
            ensure!(median < LONGEST_DRAFT, "a draft took {median:?}");
        }
    }
    Ok(())
}

/// The time to the draft in the log line of the latest request.
fn drafting_time(program: &Program) -> Result<Duration> {
    let line = program.logged("request");
    let time = line["catalogue_ms"].as_f64().with_context(|| format!("no draft was made: {line}"))?;
    Ok(Duration::from_secs_f64(time / 1_000.0))
}

/// Prints the bytes that the first load transfers.
fn bytes() {
    for (what, ending) in [("JavaScript", ".js"), ("CSS", ".css"), ("typeface", ".woff2")] {
        let files = CLIENT.files.iter().filter(|asset| asset.name.ends_with(ending));
        let (raw, brotli) = files.fold((0, 0), |(raw, brotli), asset| {
            let sent = asset.compressed.as_ref().map_or(asset.identity, |variants| variants.brotli);
            (raw + asset.identity.len(), brotli + sent.len())
        });
        println!("{what:<44} {raw:>7} B raw {brotli:>7} B brotli");
    }
}

fn settings() -> RendererSettings {
    RendererSettings {
        isolates: NonZeroUsize::MIN,
        queue: 16,
        timeout: Duration::from_millis(500),
        heap_limit: 256 << 20,
        recycle_after: 1_000_000,
        rest_after: Duration::from_secs(30),
    }
}

fn warm_up() -> Result<PageJson> {
    Ok(PageJson::new(&json!({
        "path": "/", "status": 404, "title": "Not Found", "categories": [],
        "shop": Shop::from(&Profile::default()),
        "content": { "kind": "error", "message": "Not Found" },
    }))?)
}

/// Time inside the isolate for each kind of page of the sample, after 50 renders to warm up.
async fn rendering() -> Result<()> {
    let renderer = Renderer::start(Bundle::embedded(), settings(), warm_up()?).await?;
    let shop = serve(renderer.clone(), Duration::ZERO).await?;
    let client = client()?;
    for path in PATHS {
        let answer = client.get(format!("http://{shop}/_data{path}")).send().await?.error_for_status()?;
        let page: serde_json::Value = answer.json().await?;
        let page = PageJson::new(&page)?;
        let mut times = Vec::new();
        let mut size = 0;
        for round in 0..250 {
            let rendered = renderer.render(page.clone()).await?;
            size = rendered.markup.len();
            if round >= 50 {
                times.push(rendered.took);
            }
        }
        report(&format!("render {path} ({} kB of markup)", size / 1_000), times);
    }
    Ok(())
}

/// How long a caller waits for a render that never ends (budget 500 ms).
async fn endless_render() -> Result<()> {
    let source =
        "globalThis.renderPage = (json) => { if (json.includes('404')) return 'warm'; for (;;) {} };";
    let bundle = Bundle::from_script(source);
    let renderer = Renderer::start(bundle, settings(), warm_up()?).await?;
    let hanging = PageJson::new(&"hang")?;
    let mut times = Vec::new();
    for _ in 0..10 {
        let started = Instant::now();
        ensure!(renderer.render(hanging.clone()).await.is_err(), "an endless render cannot succeed");
        times.push(started.elapsed());
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let longest = times.iter().max().copied().unwrap_or_default();
    report("answer of an endless render", times);
    ensure!(longest < LONGEST_ANSWER, "an endless render was answered after {longest:?}");
    Ok(())
}

/// From starting the process to the last byte of the home page, on the sample catalogue.
fn start_to_first_page() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let client = client()?;
    let mut times = Vec::new();
    for _ in 0..10 {
        let started = Instant::now();
        let shop = Program::start(&[]);
        let page = runtime.block_on(async {
            let answer = client.get(format!("http://{}/", shop.address)).send().await?;
            answer.error_for_status()?.text().await
        });
        times.push(started.elapsed());
        ensure!(page?.contains("page-data"), "the first page is a whole page");
    }
    report("start to first page", times);
    Ok(())
}
