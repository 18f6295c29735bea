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

use crate::common::latencies::Latencies;
use crate::common::paths;

/// Requests a second of all visitors together; the machine has other things to do.
const RATE: u64 = 200;
const VISITORS: u64 = 20;

/// What the visitors have seen.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) stop: AtomicBool,
    pub(crate) requests: AtomicU64,
    pub(crate) aborted: AtomicU64,
    statuses: Mutex<BTreeMap<u16, u64>>,
    pub(crate) latencies: Latencies,
}

impl Tally {
    fn answered(&self, status: u16, took: Duration) {
        *self.statuses.lock().entry(status).or_default() += 1;
        self.latencies.add(took);
    }

    pub(crate) fn statuses(&self) -> String {
        self.statuses.lock().iter().map(|(status, count)| format!("{status}: {count}  ")).collect()
    }

    pub(crate) fn failures(&self) -> u64 {
        self.statuses.lock().range(500..).map(|(_, count)| count).sum()
    }
}

/// Starts the visitors, who come until they are told to stop.
pub(crate) fn send(runtime: &Runtime, shop: SocketAddr, tally: &Arc<Tally>) {
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
                    // A visitor who leaves early may find the connection refused as well.
                    let _ = misbehave(shop, &mut random).await;
                } else {
                    visit(&client, shop, &mut random, &mut tag, &tally).await;
                }
            }
        });
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
    let path = again.as_ref().map_or_else(|| paths::any(random), |(path, _)| path.clone());
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
