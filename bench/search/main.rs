//! Searches beside tantivy, with the same products and queries in one run: what they find in the cases of the tests, and
//! how long they take in a large catalogue.
//!
//! Both rank the results, count them by category and brand, and list the first 24. The storefront also finds parts of
//! words and counts all its other filters; tantivy finds whole words only. Article numbers are a field of their own there.
//! Only figures of one run can be compared.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod found;
mod generated;
mod peer;
mod ranked;

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use vitrine::catalogue::ProductSet;
use vitrine::contract::{Filters, Sort};
use vitrine::facets;
use vitrine::process::OffRuntime;
use vitrine::profile::{Currency, NumberFormat};

use self::generated::Words;
use self::peer::Peer;

/// The numbers of products; `SIZES=1000` measures others.
const SIZES: [u64; 2] = [100_000, 1_000_000];
/// Searches of each kind.
const QUERIES: usize = 200;
/// Products of a page.
pub(crate) const PAGE: usize = 24;

fn main() -> Result<()> {
    let sizes = match std::env::var("SIZES") {
        Ok(sizes) => sizes.split(',').map(str::parse).collect::<Result<Vec<u64>, _>>()?,
        Err(_) => SIZES.to_vec(),
    };
    found::measure()?;
    sizes.into_iter().try_for_each(measure)
}

fn say(what: &str, figure: impl std::fmt::Display) {
    println!("{what:<58} {figure}");
}

fn mebibytes(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn measure(count: u64) -> Result<()> {
    println!("\n{count} products");
    let words = Words::new();
    let all = ProductSet::of((1..=count).map(|id| words.product(id)), Currency::default());
    let store = all.size();
    let started = Instant::now();
    all.index_words();
    let built = started.elapsed();
    let index = all.word_index_size().context("there are too many words")?;
    say("store with its orders", mebibytes(store));
    say(
        "index of words",
        format!(
            "{}, {:.2} of the store, in {:.2} s",
            mebibytes(index),
            index as f64 / store as f64,
            built.as_secs_f64()
        ),
    );
    let started = Instant::now();
    let peer = Peer::new((1..=count).map(|id| words.product(id)))?;
    let built = started.elapsed();
    say("tantivy's index in memory", format!("{}, in {:.2} s", mebibytes(peer.size()), built.as_secs_f64()));
    compare(count, &words, &all, &peer)
}

fn compare(count: u64, words: &Words, all: &ProductSet, peer: &Peer) -> Result<()> {
    let mut random = fastrand::Rng::with_seed(11);
    let kinds: [(&str, Vec<String>); 4] = [
        ("a word", (0..QUERIES).map(|_| words.any(&mut random).to_owned()).collect()),
        (
            "two words of a title, apart",
            (0..QUERIES).map(|_| of_title(count, words, &mut random, &[2, 0])).collect(),
        ),
        (
            "three words of a title, apart",
            (0..QUERIES).map(|_| of_title(count, words, &mut random, &[3, 0, 2])).collect(),
        ),
        ("an article number", (0..QUERIES).map(|_| format!("sku {}", random.u64(1..=count))).collect()),
    ];
    let (numbers, rules) = (NumberFormat::default(), std::sync::Arc::default());
    let mut sorted = Filters::default();
    sorted.sort = Some(Sort::PriceAsc);
    for (what, queries) in &kinds {
        for (order, filters) in [("ranked", &Filters::default()), ("sorted by price", &sorted)] {
            let own = times(queries, |query| {
                Ok(facets::apply(&all.containing(query, &rules), filters, &numbers).matches.len())
            })?;
            let other = times(queries, |query| peer.search(query, filters.sort.is_some()))?;
            say(&format!("{what}, {order}"), format!("{own}; tantivy {other}"));
        }
    }
    let typed = kinds[0]
        .1
        .iter()
        .flat_map(|word| (2..=word.len()).map(|end| word[..end].to_owned()))
        .collect::<Vec<_>>();
    let off = OffRuntime::of_own_thread();
    let own = times(&typed, |text| Ok(all.best_found(&off, text, &rules, 4).count()))?;
    say("four products for a beginning of a word", own);
    Ok(())
}

/// Words of a title, with commas between them.
fn of_title(count: u64, words: &Words, random: &mut fastrand::Rng, which: &[usize]) -> String {
    let title = words.product(random.u64(1..=count)).summary.title;
    let title: Vec<&str> = title.split(' ').collect();
    which.iter().map(|&number| title[number]).collect::<Vec<_>>().join(", ")
}

/// How long something takes for each query: the median, the 99th percentile, and the mean number of products found.
fn times(queries: &[String], mut work: impl FnMut(&str) -> Result<usize>) -> Result<String> {
    let (mut times, mut found) = (Vec::new(), 0);
    for query in queries {
        let started = Instant::now();
        found += black_box(work(query)?);
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let at = |part: usize| milliseconds(times[(times.len() - 1) * part / 100]);
    Ok(format!("p50 {:.2} p99 {:.2} ms ({} found)", at(50), at(99), found / queries.len()))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
