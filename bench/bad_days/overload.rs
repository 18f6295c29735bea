//! More shoppers come than the shop can serve, each for a page that is not in memory. Shop and shoppers have cores of
//! their own: otherwise three times as many shoppers would take more of the shop's core, to the shop's disadvantage.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::common::latencies::milliseconds;
use crate::common::program::Program;
use crate::crowd::{Answers, Crowd};

const TIME: Duration = Duration::from_secs(10);
/// Enough to keep every isolate busy, too few to be refused.
const VISITORS: usize = 8;
/// A crowd of three times the saturation gets at least this share of what the shop can do.
const LEAST_GOODPUT: f64 = 0.9;

pub(crate) fn run() -> Result<()> {
    println!("\noverload: every request is for another page of 48 products, {TIME:?} each");
    println!("{:<34} {:>9} {:>11} {:>11} {:>9} {:>11}", "", "pages/s", "p50", "p99", "503", "p99 of 503");
    let cores = Cores::new()?;
    let shop = cores.start(|| Program::quiet(&[]))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let visits = async {
        let crowd = Crowd::of(shop.address)?;
        let next = AtomicU32::new(0);
        // The highest price is above all prices but those of the cars, so that every page is full.
        let path = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            format!("/products?max={}&rating={}", 5_000 + number % 30_000, 1 + number / 30_000)
        };
        crowd.in_turn(VISITORS, TIME / 3, path).await;
        let saturation = report("as many as it can", crowd.in_turn(VISITORS, TIME, path).await.as_ref())?;
        let mut goodput = saturation;
        for times in [1, 3] {
            let rate = (saturation * f64::from(times)) as usize;
            let answers = crowd.at_rate(rate, TIME, path).await;
            goodput = report(&format!("{times} times as many, {rate}/s"), &answers)?;
        }
        println!("goodput at three times saturation: {:.0} %", goodput / saturation * 100.0);
        ensure!(goodput >= saturation * LEAST_GOODPUT, "the crowd takes too much of the shop");
        Ok(())
    };
    cores.visit(|| runtime.block_on(visits))
}

/// Whole pages a second.
fn report(what: &str, answers: &Answers) -> Result<f64> {
    let wrong = answers.failed.load(Ordering::Relaxed) + answers.elsewhere.load(Ordering::Relaxed);
    ensure!(wrong == 0, "{wrong} requests were not answered, or by no page");
    let goodput = answers.whole.count() as f64 / TIME.as_secs_f64();
    println!(
        "{what:<34} {goodput:>9.0} {:>8.1} ms {:>8.1} ms {:>7.1} % {:>8.1} ms",
        milliseconds(answers.whole.percentile(50.0)),
        milliseconds(answers.whole.percentile(99.0)),
        answers.refused.count() as f64 * 100.0 / answers.count().max(1) as f64,
        milliseconds(answers.refused.percentile(99.0)),
    );
    Ok(goodput)
}

/// The cores that this thread may use: one for the shop, and the others for its visitors. A machine with a single
/// core has that one in both.
struct Cores {
    all: CpuSet,
    first: CpuSet,
    others: CpuSet,
}

impl Cores {
    fn new() -> Result<Self> {
        let all = sched_getaffinity(None)?;
        let (mut first, mut others) = (CpuSet::new(), CpuSet::new());
        for core in (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)) {
            let set = if first.count() == 0 { &mut first } else { &mut others };
            set.set(core);
        }
        if others.count() == 0 {
            others = all;
        }
        Ok(Self { all, first, others })
    }

    /// Starts the shop on its core: a process has the cores of the thread that starts it.
    fn start<Shop>(&self, start: impl FnOnce() -> Shop) -> Result<Shop> {
        sched_setaffinity(None, &self.first)?;
        let shop = start();
        sched_setaffinity(None, &self.all)?;
        Ok(shop)
    }

    /// Does what visitors do, on this thread and the other cores.
    fn visit<Value>(&self, visit: impl FnOnce() -> Result<Value>) -> Result<Value> {
        sched_setaffinity(None, &self.others)?;
        let value = visit();
        sched_setaffinity(None, &self.all)?;
        value
    }
}
