//! How the time of a page grows with the number of products and with the length of its address.
//!
//! Every page is made anew, with its render. The measure is the slope of the line through the medians, both
//! axes logarithmic: 0 is constant, 1 is proportional, 2 is quadratic. A slope above [`STEEPEST`] fails.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::{Client, StatusCode};
use vitrine::cache::Ages;
use vitrine::catalogue::{CallTimes, Followed, Service, ServiceLimits};
use vitrine::render::Renderer;

use crate::common::generated::{Generated, Style, products};
use crate::common::latencies::{median, milliseconds};
use crate::common::shop::serve_catalogue;
use crate::plot::{self, Line};

/// Proportional, with room for noise.
const STEEPEST: f64 = 1.1;
/// How often each page is made; half as many more warm up.
const ROUNDS: usize = 20;
/// Generous: 20,000 products are one answer.
const PATIENCE: Duration = Duration::from_secs(60);

const PRODUCTS: [usize; 3] = [200, 2_000, 20_000];
/// One address for each kind of page.
const PAGES: [(&str, &str); 10] = [
    ("home", "/"),
    ("categories", "/categories"),
    ("brands", "/brands"),
    ("all products", "/products"),
    ("sale", "/sale"),
    ("filters and a sort", "/products?q=a&max=500&rating=2&stock=1&sort=price-asc"),
    ("a category", "/category/category-1"),
    ("a search", "/search/ab"),
    ("a product", "/product/7"),
    ("a page that does not exist", "/missing"),
];

/// Lengths of addresses, in bytes; the host accepts 8 KiB.
const LENGTHS: [usize; 3] = [80, 800, 8_000];
/// The beginning of an address, and what is repeated until it is long enough.
const ADDRESSES: [(&str, &str, &str); 6] = [
    ("a search text", "/search/", "ab"),
    ("a text filter", "/products?q=", "ab"),
    ("brands", "/products?brand=Brand%201", "&brand=Brand%20##"),
    ("categories", "/products?category=category-1", "&category=category-##"),
    ("unknown parameters", "/products?x=1", "&x##=1"),
    ("a path that does not exist", "/missing/", "a"),
];

pub(crate) async fn run(renderer: Renderer) -> Result<()> {
    let mut shops = Vec::new();
    for count in PRODUCTS {
        shops.push(shop(renderer.clone(), count).await?);
    }
    let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build()?;

    let mut pages = Vec::new();
    for (name, path) in PAGES {
        let mut medians = [Duration::ZERO; 3];
        for (median, shop) in medians.iter_mut().zip(&shops) {
            *median = median_time(&client, *shop, path).await?;
        }
        pages.push(Line { name, medians });
    }
    let steepest = report("products", PRODUCTS, &pages);
    plot::save_if_wanted(PRODUCTS, &pages)?;

    let mut addresses = Vec::new();
    for (name, start, piece) in ADDRESSES {
        let mut medians = [Duration::ZERO; 3];
        for (median, length) in medians.iter_mut().zip(LENGTHS) {
            *median = median_time(&client, shops[1], &address(start, piece, length)).await?;
        }
        addresses.push(Line { name, medians });
    }
    let steepest = steepest.max(report("bytes of address", LENGTHS, &addresses));
    ensure!(steepest <= STEEPEST, "a page's time grows with a slope of {steepest:.2}");
    Ok(())
}

/// A shop that keeps no page, with a copy of a catalogue of this size.
async fn shop(renderer: Renderer, count: usize) -> Result<SocketAddr> {
    let service = Generated::serve(products(count, Style::Plain)).await?;
    let limits = ServiceLimits {
        visitor: CallTimes::of(PATIENCE),
        reading: CallTimes::of(PATIENCE),
        max_body: 256 << 20,
        ..ServiceLimits::DEFAULT
    };
    let service = Service::new(format!("http://{}", service.address).parse()?, limits)?;
    let ages = Ages { fresh: Duration::from_secs(3_600), stale: Duration::ZERO };
    let catalogue = Arc::new(Followed::new(service, ages, count as u64));
    catalogue.read().await?;
    serve_catalogue(catalogue, renderer, Duration::ZERO).await
}

async fn median_time(client: &Client, shop: SocketAddr, path: &str) -> Result<Duration> {
    let mut times = Vec::new();
    for round in 0..ROUNDS * 3 / 2 {
        let started = Instant::now();
        let answer = client.get(format!("http://{shop}{path}")).send().await?;
        let status = answer.status();
        answer.bytes().await?;
        let is_expected = status.is_success() || status.is_redirection() || status == StatusCode::NOT_FOUND;
        ensure!(is_expected, "{path} is answered with {status}");
        if round >= ROUNDS / 2 {
            times.push(started.elapsed());
        }
    }
    Ok(median(times))
}

/// Repeats `piece` after `start` up to a length; `##` becomes the number of the repetition.
fn address(start: &str, piece: &str, length: usize) -> String {
    let mut address = start.to_owned();
    for number in 0.. {
        let next = piece.replace("##", &number.to_string());
        if address.len() + next.len() > length {
            break;
        }
        address += &next;
    }
    address
}

/// Prints a table and returns the steepest slope.
fn report(what: &str, sizes: [usize; 3], lines: &[Line]) -> f64 {
    println!("\n{:<44} {:>12} {:>12} {:>12} {:>7}", what, sizes[0], sizes[1], sizes[2], "slope");
    let mut steepest = f64::MIN;
    for Line { name, medians } in lines {
        let slope = slope(sizes.map(|size| size as f64), medians.map(milliseconds));
        let [first, second, third] = medians.map(milliseconds);
        println!("{name:<44} {first:>9.3} ms {second:>9.3} ms {third:>9.3} ms {slope:>7.2}");
        steepest = steepest.max(slope);
    }
    steepest
}

/// The slope of the line through these points, both axes logarithmic, by least squares.
fn slope(x: [f64; 3], y: [f64; 3]) -> f64 {
    let (x, y) = (x.map(f64::ln), y.map(f64::ln));
    let mean = |values: [f64; 3]| values.iter().sum::<f64>() / 3.0;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let covariance: f64 = x.iter().zip(y).map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    covariance / x.iter().map(|x| (x - x_mean).powi(2)).sum::<f64>()
}
