//! Mixed load on the real program for a long time: `make soak`, `SOAK_SECONDS` (600).
//!
//! The shop asks a sample catalogue over HTTP, so that answers are refreshed all the time. Visitors
//! ask for popular and for rare pages, conditionally, compressed or not; bad ones leave in the middle
//! of an answer, send half a request, or hold a connection. The run fails when memory grows after the
//! warm-up, when threads or descriptors do, when an answer is a 5xx, or when the shop is gone.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic when the program does not start"
)]

#[path = "../common/mod.rs"]
mod common;
mod sample;
mod visitors;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use vitrine::process::choose_cryptography;

use crate::common::latencies::milliseconds;
use crate::common::program::Program;
use crate::sample::{Sample, fit};
use crate::visitors::Tally;

/// The most growth of the fitted level over the second half, against the level at its start.
const MOST_GROWTH: f64 = 0.05;
/// Descriptors come and go with connections; this many more are no leak.
const MORE_DESCRIPTORS: i64 = 64;
const MORE_THREADS: i64 = 4;

fn main() -> Result<()> {
    choose_cryptography();
    let seconds = match std::env::var("SOAK_SECONDS") {
        Ok(text) => text.parse().context("SOAK_SECONDS is a number of seconds")?,
        Err(_) => 600,
    };
    ensure!(seconds >= 300, "the memory of pages takes minutes to fill; five are the least");
    let catalogue = Program::quiet(&["sample-catalogue"]);
    let base = format!("http://{}", catalogue.address);
    let mut shop = Program::quiet(&["--catalogue", &base, "--fresh", "5"]);
    println!("soaking for {seconds} s; load average {}", std::fs::read_to_string("/proc/loadavg")?.trim());

    let tally = Arc::new(Tally::default());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    visitors::send(&runtime, shop.address, &tally);
    let started = Instant::now();
    let mut samples = Vec::new();
    while started.elapsed() < Duration::from_secs(seconds) {
        std::thread::sleep(Duration::from_secs(1));
        if let Some(status) = shop.try_exit_status() {
            bail!("the shop ended: {status}");
        }
        samples.push(Sample::of(shop.id(), started.elapsed())?);
    }
    tally.stop.store(true, Ordering::Relaxed);
    runtime.shutdown_timeout(Duration::from_secs(5));
    report(&samples, &tally)
}

fn report(samples: &[Sample], tally: &Tally) -> Result<()> {
    let half = &samples[samples.len() / 2..];
    let (Some(first), Some(warm), Some(last)) = (samples.first(), half.first(), half.last()) else {
        bail!("there are no samples");
    };
    let most = |number: fn(&Sample) -> i64| half.iter().map(number).max().unwrap_or_default();
    let memory = fit(half);
    let mib = |bytes: f64| bytes / 1_048_576.0;
    println!("requests               {:>10}", tally.requests.load(Ordering::Relaxed));
    println!("  of which left early  {:>10}", tally.aborted.load(Ordering::Relaxed));
    println!("statuses               {}", tally.statuses());
    let at = |share| milliseconds(tally.latencies.percentile(share));
    println!("latency p50 / p99      {:>7.2} ms {:>7.2} ms", at(50.0), at(99.0));
    println!("memory                 {:>10} {:>10} {:>10}", "start", "warm", "end");
    println!(
        "  resident, MiB        {:>10.1} {:>10.1} {:>10.1}",
        mib(first.memory),
        mib(warm.memory),
        mib(last.memory)
    );
    println!(
        "  second half          {:>+10.2} MiB an hour, {:+.2} % over the half",
        mib(memory.slope) * 3_600.0,
        memory.growth * 100.0
    );
    println!("threads                {:>10} {:>10} {:>10}", first.threads, warm.threads, last.threads);
    println!(
        "descriptors            {:>10} {:>10} {:>10}",
        first.descriptors, warm.descriptors, last.descriptors
    );

    ensure!(memory.growth <= MOST_GROWTH, "memory grew by {:.1} %", memory.growth * 100.0);
    ensure!(most(|sample| sample.threads) <= warm.threads + MORE_THREADS, "threads grew");
    ensure!(most(|sample| sample.descriptors) <= warm.descriptors + MORE_DESCRIPTORS, "descriptors grew");
    ensure!(tally.failures() == 0, "{} answers were 5xx", tally.failures());
    println!("passed");
    Ok(())
}
