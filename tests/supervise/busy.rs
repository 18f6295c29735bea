//! A shop that is answering and cannot finish yet.

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::load::{Failure, get};
use crate::shop::{PATIENCE, Shop};

type Visitor = JoinHandle<Result<(), Failure>>;

/// A shop whose every page waits for a slow catalogue, and requests that it is answering.
pub struct Busy {
    pub shop: Shop,
    pub worker: u64,
    pub visitors: Vec<Visitor>,
    /// Answers for as long as it lives.
    _upstream: MockServer,
}

impl Busy {
    pub async fn start(delay: Duration) -> Self {
        let upstream = MockServer::start().await;
        let slow = ResponseTemplate::new(200).set_body_string("[]").set_delay(delay);
        Mock::given(any()).respond_with(slow).mount(&upstream).await;
        // With a memory the shop's own question at the start would be theirs, and answered soon.
        let (shop, worker) = Shop::supervised(&["--catalogue", &upstream.uri(), "--fresh", "0"]);
        let deadline = Instant::now() + PATIENCE;
        let visitors = loop {
            assert!(Instant::now() < deadline, "the shop is never busy");
            if let Some(visitors) = keep_busy(worker, shop.address, &upstream).await {
                break visitors;
            }
        };
        Self { shop, worker, visitors, _upstream: upstream }
    }
}

/// Visitors whose requests the worker has all accepted and not answered; none when it is so slow
/// that the first one is answered before the last one is accepted.
async fn keep_busy(worker: u64, address: SocketAddr, upstream: &MockServer) -> Option<Vec<Visitor>> {
    let visitor = |_| std::thread::spawn(move || get(address, "/categories"));
    let visitors: Vec<Visitor> = (0..20).map(visitor).collect();
    // The worker has accepted a connection once its end of it is no longer the kernel's alone.
    while established(worker, address).len() < visitors.len()
        || upstream.received_requests().await.unwrap().is_empty()
    {
        if visitors.iter().any(Visitor::is_finished) {
            visitors.into_iter().for_each(|visitor| drop(visitor.join()));
            return None;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Some(visitors)
}

/// The sockets of connections to this address that a process holds.
fn established(process: u64, address: SocketAddr) -> HashSet<String> {
    let port = format!(":{:04X}", address.port());
    let table = fs::read_to_string(format!("/proc/{process}/net/tcp")).unwrap();
    let of_shop = table.lines().filter_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        (columns[1].ends_with(&port) && columns[3] == "01").then(|| format!("socket:[{}]", columns[9]))
    });
    let of_shop: HashSet<String> = of_shop.collect();
    let held = fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let held = held.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    held.map(|target| target.to_string_lossy().into_owned())
        .filter(|target| of_shop.contains(target))
        .collect()
}
