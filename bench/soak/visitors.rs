//! Visitors of every kind, at a steady rate.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use reqwest::{Client, Method};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;

/// Requests a second of all visitors together; the machine has other things to do.
const RATE: u64 = 200;
const VISITORS: u64 = 20;

/// What the visitors have seen.
#[derive(Default)]
pub struct Tally {
    pub stop: AtomicBool,
    pub requests: AtomicU64,
    pub aborted: AtomicU64,
    statuses: Mutex<BTreeMap<u16, u64>>,
    /// In microseconds.
    latencies: Mutex<Vec<u32>>,
}

impl Tally {
    fn answered(&self, status: u16, took: Duration) {
        *self.statuses.lock().entry(status).or_default() += 1;
        self.latencies.lock().push(u32::try_from(took.as_micros()).unwrap_or(u32::MAX));
    }

    pub fn statuses(&self) -> String {
        self.statuses.lock().iter().map(|(status, count)| format!("{status}: {count}  ")).collect()
    }

    pub fn failures(&self) -> u64 {
        self.statuses.lock().range(500..).map(|(_, count)| count).sum()
    }

    pub fn latencies(&self) -> String {
        let mut latencies = self.latencies.lock().clone();
        latencies.sort_unstable();
        let at = |share: usize| latencies.get(latencies.len() * share / 100).copied().unwrap_or_default();
        format!("{:>7.2} ms {:>7.2} ms", f64::from(at(50)) / 1_000.0, f64::from(at(99)) / 1_000.0)
    }
}

/// Starts the visitors, who come until they are told to stop.
pub fn send(runtime: &Runtime, shop: SocketAddr, tally: &Arc<Tally>) {
    for visitor in 0..VISITORS {
        let tally = Arc::clone(tally);
        runtime.spawn(async move {
            let client = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
            let Ok(client) = client.timeout(Duration::from_secs(20)).build() else { return };
            let mut tag = None;
            let mut random = fastrand::Rng::with_seed(visitor);
            let mut clock = tokio::time::interval(Duration::from_micros(1_000_000 * VISITORS / RATE));
            while !tally.stop.load(Ordering::Relaxed) {
                clock.tick().await;
                tally.requests.fetch_add(1, Ordering::Relaxed);
                if random.u32(0..20) == 0 {
                    tally.aborted.fetch_add(1, Ordering::Relaxed);
                    // A visitor who leaves early may find the door closed as well.
                    let _ = misbehave(shop, &mut random).await;
                } else {
                    visit(&client, shop, &mut random, &mut tag, &tally).await;
                }
            }
        });
    }
}

/// A path: mostly the popular ones, sometimes any, sometimes none that exists.
fn path(random: &mut fastrand::Rng) -> String {
    const POPULAR: [&str; 8] =
        ["/", "/categories", "/brands", "/products", "/sale", "/deals", "/best-sellers", "/new-arrivals"];
    match random.u32(0..100) {
        0..30 => POPULAR[random.usize(..POPULAR.len())].into(),
        30..55 => format!("/product/{}", random.u32(1..20)),
        55..65 => format!("/product/{}", random.u32(1..200)),
        65..72 => format!("/products?sort=price-asc&page={}", random.u32(1..5)),
        72..78 => format!("/products?max={}&rating={}", random.u32(1..900), random.u32(1..6)),
        78..84 => format!("/search/{}", random.alphabetic()),
        84..87 => format!("/search/random%20{}", random.u64(..)),
        87..90 => format!("/_data/product/{}", random.u32(1..200)),
        90..93 => format!("/missing/{}", random.u32(..)),
        93..95 => "/sitemap.xml".into(),
        95..97 => "/category/beauty?stock=1".into(),
        97..99 => format!("/product/{}?utm_source={}", random.u32(1..20), random.u32(..)),
        _ => "/products?q=%ff%00&max=-1&sort=nothing&page=99999999999".into(),
    }
}

async fn visit(
    client: &Client,
    shop: SocketAddr,
    random: &mut fastrand::Rng,
    tag: &mut Option<(String, String)>,
    tally: &Tally,
) {
    let again = tag.take().filter(|_| random.bool());
    let path = again.as_ref().map_or_else(|| path(random), |(path, _)| path.clone());
    let method = if random.u32(0..10) == 0 { Method::HEAD } else { Method::GET };
    let mut request = client.request(method, format!("http://{shop}{path}"));
    if random.bool() {
        request = request.header("accept-encoding", ["br", "gzip"][random.usize(..2)]);
    }
    if let Some((_, tag)) = again {
        request = request.header("if-none-match", tag);
    }
    let started = Instant::now();
    let Ok(response) = request.send().await else {
        // An answer that does not come at all is worse than any status.
        return tally.answered(599, started.elapsed());
    };
    let status = response.status().as_u16();
    let known = response.headers().get("etag").and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    *tag = known.map(|known| (path, known));
    let _ = response.bytes().await;
    tally.answered(status, started.elapsed());
}

async fn misbehave(shop: SocketAddr, random: &mut fastrand::Rng) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(shop).await?;
    match random.u32(0..4) {
        // Leaves in the middle of the answer.
        0 => {
            stream.write_all(b"GET /products HTTP/1.1\r\nhost: shop\r\n\r\n").await?;
            let _ = stream.read(&mut [0; 512]).await?;
        }
        // Half a request.
        1 => stream.write_all(b"GET /products HTTP/1.1\r\nhos").await?,
        // Holds a connection for a while.
        2 => tokio::time::sleep(Duration::from_millis(500)).await,
        // No request at all.
        _ => stream.write_all(b"\x16\x03\x01\x02\x00\r\n\r\n").await?,
    }
    Ok(())
}
