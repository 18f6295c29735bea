//! A shop that cannot finish yet, because its catalogue holds every answer back.

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::common::faults::Fault;
use crate::common::load::{Failure, status};
use crate::common::program::Program;
use crate::common::until::until;
use crate::common::upstream::{CALL_LIMIT, Upstream};

type Visitor = JoinHandle<Result<u16, Failure>>;

/// A shop whose every page waits for its catalogue, and requests that it has accepted.
pub(crate) struct Busy {
    pub(crate) shop: Program,
    pub(crate) worker: u64,
    visitors: Vec<Visitor>,
    began: Instant,
    upstream: Upstream,
}

impl Busy {
    pub(crate) async fn start() -> Self {
        let upstream = Upstream::start().await;
        upstream.set(Fault::Held).await;
        // If it remembered answers, the shop would ask the service before it is asked for a page.
        let base = upstream.base();
        let (shop, worker) = Program::supervised(&["--catalogue", base.as_str(), "--fresh", "0"]);
        let (mut began, mut visitors) = (Instant::now(), None);
        until("a busy shop", async || {
            began = Instant::now();
            visitors = keep_busy(worker, shop.address, &upstream).await;
            visitors.is_some()
        })
        .await;
        Self { shop, worker, visitors: visitors.unwrap(), began, upstream }
    }

    /// Whether the shop may have given up on the catalogue by now.
    pub(crate) fn may_have_given_up(&self) -> bool {
        self.began.elapsed() >= CALL_LIMIT
    }

    /// Whether no visitor has been answered so far.
    pub(crate) fn is_busy(&self) -> bool {
        !self.visitors.iter().any(Visitor::is_finished)
    }

    /// Lets the catalogue answer. Every visitor is answered then.
    pub(crate) async fn release(&mut self) {
        self.upstream.set(Fault::json("[]")).await;
        for outcome in self.outcomes() {
            match outcome {
                Ok(200) => {}
                // The page says that the catalogue has not answered in time.
                Ok(503) if self.may_have_given_up() => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// What became of each visitor.
    pub(crate) fn outcomes(&mut self) -> Vec<Result<u16, Failure>> {
        self.visitors.drain(..).map(|visitor| visitor.join().unwrap()).collect()
    }
}

/// Visitors whose requests the worker has all accepted and not answered; none when it is so slow
/// that the first one is answered before the last one is accepted.
async fn keep_busy(worker: u64, address: SocketAddr, upstream: &Upstream) -> Option<Vec<Visitor>> {
    let visitor = |_| std::thread::spawn(move || status(address, "/categories"));
    let visitors: Vec<Visitor> = (0..20).map(visitor).collect();
    // The worker has accepted a connection once it holds a descriptor of it.
    while established(worker, address).len() < visitors.len() || upstream.calls().is_empty() {
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
