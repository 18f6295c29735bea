//! Workers that die or are replaced while visitors come, each request on a connection of its own.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::common::latencies::{median, milliseconds};
use crate::common::load::{Failure, Load, VISITORS, get};
use crate::common::program::{Program, signal};

const DEATHS: usize = 5;
const SWAPS: usize = 20;

/// Kills the worker of a few shops with SIGKILL.
pub(crate) fn killed() -> Result<()> {
    println!("\nkill -9 of {DEATHS} workers, {VISITORS} visitors each");
    let mut gaps = Vec::new();
    let (mut refused, mut broken) = (0, 0);
    for _ in 0..DEATHS {
        let (shop, worker) = Program::supervised(&[]);
        let load = Load::on(shop.address);
        load.run_for(500);
        let killed = Instant::now();
        ensure!(signal(worker, "KILL"), "the worker cannot be killed");
        // Until a request that is made after the death is answered.
        std::thread::sleep(Duration::from_millis(1));
        let answered = get(shop.address, "/product/1");
        gaps.push(killed.elapsed());
        load.run_for(500);
        let failures = load.end();
        refused += failures.iter().filter(|(_, failure)| *failure == Failure::Refused).count();
        broken += failures.len();
        ensure!(answered.is_ok(), "the first request after the death: {answered:?}");
    }
    gaps.sort_unstable();
    println!("refused connections {refused}, requests that broke off with the worker {}", broken - refused);
    println!(
        "until the next answer: {:.0} ms median, {:.0} ms at most",
        milliseconds(gaps[DEATHS / 2]),
        milliseconds(gaps[DEATHS - 1])
    );
    ensure!(refused == 0, "a connection was refused");
    ensure!(broken <= DEATHS * VISITORS, "more was lost than was being answered");
    Ok(())
}

/// Replaces the worker again and again.
pub(crate) fn swapped() -> Result<()> {
    println!("\n{SWAPS} swaps of the worker (SIGHUP), {VISITORS} visitors");
    let (shop, _) = Program::supervised(&[]);
    let load = Load::on(shop.address);
    let mut times = Vec::new();
    for _ in 0..SWAPS {
        load.run_for(200);
        let started = Instant::now();
        shop.signal("HUP");
        shop.ready();
        times.push(started.elapsed());
        shop.logged("worker ended");
    }
    load.run_for(200);
    let answered = load.answered();
    let failures = load.end();
    println!(
        "{answered} requests answered, {} failed; a new worker is ready after {:.0} ms (median)",
        failures.len(),
        milliseconds(median(times))
    );
    ensure!(failures.is_empty(), "{failures:?}");
    Ok(())
}
