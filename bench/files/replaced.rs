//! What visitors notice when a file is replaced while they ask for pages.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use reqwest::Client;
use tokio::task::JoinSet;

use super::{OWN, ROWS};
use crate::common::client;
use crate::common::latencies::{Latencies, milliseconds};
use crate::common::program::{Program, vitrine};

const VISITORS: usize = 4;
const REPLACEMENTS: usize = 5;
/// The time between two requests of a visitor.
const PAUSE: Duration = Duration::from_millis(5);
const IDLE: Duration = Duration::from_secs(20);

/// Measures a page from the cache while nothing happens, and while versions replace each other.
pub(super) async fn measure() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("products.csv");
    replace(&file, "first")?;
    let mut command = vitrine();
    command.args(["--isolates", "1", "--catalogue"]).arg(format!("file:{}", file.display()));
    let shop = Program::spawn(command.env("VITRINE_LOG", "info,vitrine::request_log=off"));
    let client = client()?;
    get(&client, shop.address, "/products").await?;

    let idle = Arc::<Latencies>::default();
    visit(&client, shop.address, &idle, async {
        tokio::time::sleep(IDLE).await;
        Ok(())
    })
    .await?;
    let replaced = Arc::<Latencies>::default();
    let mut longest = Duration::ZERO;
    for number in 0..REPLACEMENTS {
        let edition = format!("edition-{number}");
        let begun = Instant::now();
        let shown = async {
            replace(&file, &edition)?;
            let path = format!("/_data/product/{ROWS}");
            while !get(&client, shop.address, &path).await?.contains(&edition) {
                ensure!(begun.elapsed() < Duration::from_secs(120), "the new version is not on sale");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok(())
        };
        visit(&client, shop.address, &replaced, shown).await?;
        longest = longest.max(begun.elapsed());
    }
    println!(
        "\n{ROWS} products replaced {REPLACEMENTS} times, {VISITORS} visitors of /products, which is in the cache"
    );
    for (what, latencies) in [("idle", &idle), ("while a version is replaced", &replaced)] {
        let [half, most] = [50.0, 99.0].map(|share| milliseconds(latencies.percentile(share)));
        println!("{what:<28} {:>6} answers, none lost: {half:.2} ms, p99 {most:.2} ms", latencies.count());
    }
    println!("on sale at the latest after {:.1} s", longest.as_secs_f64());
    Ok(())
}

/// Lets visitors ask for a page until something has happened. Each of their requests must be answered.
async fn visit(
    client: &Client,
    shop: SocketAddr,
    latencies: &Arc<Latencies>,
    until: impl Future<Output = Result<()>>,
) -> Result<()> {
    let is_over = Arc::<AtomicBool>::default();
    let mut visitors = JoinSet::new();
    for _ in 0..VISITORS {
        let (client, latencies, is_over) = (client.clone(), Arc::clone(latencies), Arc::clone(&is_over));
        visitors.spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                let begun = Instant::now();
                get(&client, shop, "/products").await?;
                latencies.add(begun.elapsed());
                tokio::time::sleep(PAUSE).await;
            }
            anyhow::Ok(())
        });
    }
    let happened = until.await;
    is_over.store(true, Ordering::Relaxed);
    while let Some(visitor) = visitors.join_next().await {
        visitor??;
    }
    happened
}

/// Puts a version in the place of the one before. The titles after the first 100 rows say which it is.
fn replace(file: &Path, edition: &str) -> Result<()> {
    let mut text = OWN.header.to_owned();
    for number in 1..=ROWS {
        let row = (OWN.row)(number, "A lamp of solid oak. ");
        text += &if number > 100 { row.replace("oak lamp", edition) } else { row };
    }
    let new = file.with_extension("new");
    fs::write(&new, text)?;
    Ok(fs::rename(new, file)?)
}

async fn get(client: &Client, shop: SocketAddr, path: &str) -> Result<String> {
    let answer = client.get(format!("http://{shop}{path}")).send().await?;
    Ok(answer.error_for_status()?.text().await?)
}
