//! Followed pages while every isolate hangs.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::json;
use vitrine::contract::PageJson;
use vitrine::render::{Bundle, Renderer, RendererSettings};

use crate::common::latencies::{Latencies, milliseconds};
use crate::common::shop::serve;
use crate::crowd::Crowd;

const TIME: Duration = Duration::from_secs(10);
const ISOLATES: usize = 2;

pub(crate) fn run() -> Result<()> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        println!(
            "\nremembered pages, {ISOLATES} isolates, 2 visitors who ask for them in turn, {TIME:?} each"
        );
        println!("{:<34} {:>9} {:>11} {:>11} {:>11}", "", "answers", "p50", "p99", "p99.9");
        let renderer = renderer_that_hangs().await?;
        let crowd = Crowd::of(serve(renderer.clone(), Duration::from_secs(60)).await?)?;
        let remembered = || "/product/1".to_owned();
        crowd.in_turn(2, TIME / 5, remembered).await;
        report("isolates idle", &crowd.in_turn(2, TIME, remembered).await.whole);

        let next = AtomicU32::new(1);
        let hanging = || format!("/products?max={}", next.fetch_add(1, Ordering::Relaxed));
        let (remembered, others) =
            tokio::join!(crowd.in_turn(2, TIME, remembered), crowd.in_turn(8, TIME, hanging));
        report("isolates hanging", &remembered.whole);
        println!(
            "{} renders were ended, {} pages left to the browser, {} refused",
            renderer.counters().timeouts.get(),
            others.shells.load(Ordering::Relaxed),
            others.refused.count()
        );
        ensure!(renderer.counters().timeouts.get() > 10, "the isolates did not hang");
        ensure!(remembered.count() == remembered.whole.count(), "a remembered page was not answered");
        Ok(())
    })
}

fn report(what: &str, answers: &Latencies) {
    println!(
        "{what:<34} {:>9} {:>8.2} ms {:>8.2} ms {:>8.2} ms",
        answers.count(),
        milliseconds(answers.percentile(50.0)),
        milliseconds(answers.percentile(99.0)),
        milliseconds(answers.percentile(99.9)),
    );
}

/// A renderer that hangs in every listing.
async fn renderer_that_hangs() -> Result<Renderer> {
    let source = "globalThis.renderPage = (json) => {
        if (json.includes('\"kind\":\"listing\"')) for (;;) {}
        return '<main>fine</main>';
    };";
    let settings = RendererSettings {
        isolates: NonZeroUsize::MIN.saturating_add(ISOLATES - 1),
        queue: 256,
        timeout: Duration::from_millis(500),
        heap_limit: 256 << 20,
        recycle_after: 1_000_000,
        rest_after: Duration::from_secs(30),
    };
    let bundle = Bundle::from_script(source);
    Ok(Renderer::start(bundle, settings, PageJson::new(&json!({ "content": "warm-up" }))?).await?)
}
