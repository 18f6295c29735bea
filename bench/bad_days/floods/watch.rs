//! A client with a thread of its own, which asks for one address at a steady pace.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use super::client::{Client, get};
use crate::common::latencies::Latencies;

/// The time between two requests.
const PACE: Duration = Duration::from_millis(5);

pub(super) struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<Latencies>>,
}

impl Watch {
    pub(super) fn of(shop: SocketAddr, path: &'static str) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(watch(shop, path, &told))
        });
        Self { stop, thread }
    }

    /// The latencies until now.
    ///
    /// # Errors
    /// When a request was not answered, or was answered with another status than 200.
    pub(super) fn end(self) -> Result<Latencies> {
        self.stop.store(true, Ordering::Relaxed);
        match self.thread.join() {
            Ok(latencies) => latencies,
            Err(_panic) => bail!("the watching thread panicked"),
        }
    }
}

async fn watch(shop: SocketAddr, path: &str, stop: &AtomicBool) -> Result<Latencies> {
    let (mut client, latencies) = (Client::of(shop), Latencies::default());
    let request = get(path, "accept-encoding: gzip, deflate, br\r\n");
    let mut due = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        due += PACE;
        tokio::time::sleep_until(due.into()).await;
        // A request that had to wait for the previous answer counts from the time when it was due;
        // the imprecision of the timer does not count.
        let late = due.elapsed() > PACE;
        let started = if late { due } else { Instant::now() };
        let answer = client.ask(&request).await?;
        latencies.add(started.elapsed());
        ensure!(answer.status == 200, "{path} was {}", answer.status);
    }
    Ok(latencies)
}
