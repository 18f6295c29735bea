//! How soon a render that fails is answered, how soon pages are answered meanwhile, and what a crawler gets of a machine
//! that has far too much to do.

use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::process::Child;
use vitrine::cache::Ages;
use vitrine::shop::ShopSettings;

use crate::TURN;
use crate::common::days::{get, open, settings, until_whole};
use crate::common::program::{Program, vitrine};
use crate::common::renders::{
    ENDLESS, HEAP_BOMBS, NO_MARKUP, OUTSIDE_THE_HEAP, THROWN, hanging_products, hostile_page,
    hostile_renderer, until_fine,
};
use crate::common::until::until;
use crate::common::{client, sample, shop_settings};

/// The budget of a render.
const BUDGET: Duration = Duration::from_millis(500);
/// The promise for an answer when the render itself never ends.
const ANSWER_LIMIT: Duration = Duration::from_millis(600);
/// A heap bomb keeps the engine's own threads busy too.
const ANSWER_LIMIT_OF_BOMBS: Duration = Duration::from_secs(1);
/// A page whose render fails: the render's budget, and what else a page takes.
const SOON: Duration = Duration::from_millis(1_500);
/// A page that takes no render.
const AT_ONCE: Duration = Duration::from_millis(400);

#[tokio::test(flavor = "multi_thread")]
async fn every_failing_render_is_answered_within_its_budget() {
    let _turn = TURN.lock().await;
    let quick = [&ENDLESS[..], &THROWN, &NO_MARKUP, &OUTSIDE_THE_HEAP].concat();
    for (bodies, limit) in [(&quick[..], ANSWER_LIMIT), (&HEAP_BOMBS, ANSWER_LIMIT_OF_BOMBS)] {
        for body in bodies {
            let renderer = hostile_renderer(body, BUDGET).await;
            let started = Instant::now();
            renderer.render(hostile_page()).await.expect_err("a hostile render gives no markup");
            let took = started.elapsed();
            assert!(took < limit, "{body}: {took:?}");
            until_fine(&renderer).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_rendered_is_answered_soon() {
    let _turn = TURN.lock().await;
    let thrown = "throw new Error('a component throws');";
    for body in [ENDLESS[0], ENDLESS[2], THROWN[7], thrown, NO_MARKUP[2], HEAP_BOMBS[0]] {
        let shop = open(sample(), hanging_products("id === 1", body, 1, 64, BUDGET).await, settings()).await;
        let answer = get(shop, "/product/1").await;
        assert!(answer.is_shell() && answer.took < SOON, "{body}: {:?}", answer.took);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn remembered_pages_do_not_wait_while_every_isolate_hangs() {
    let _turn = TURN.lock().await;
    let renderer = hanging_products("id > 5", ENDLESS[0], 2, 8, BUDGET).await;
    let minute = Duration::from_secs(60);
    let long = ShopSettings { ages: Ages { fresh: minute, stale: minute }, ..shop_settings() };
    let shop = open(sample(), renderer.clone(), long).await;
    until_whole(shop, "/product/1").await;
    let hanging = tokio::spawn(async move {
        join_all((6..60).map(|id| async move { get(shop, &format!("/product/{id}")).await })).await
    });
    until("a hanging render", async || renderer.counters().refused() > 0).await;
    let mut slowest = Duration::ZERO;
    while !hanging.is_finished() {
        slowest = slowest.max(get(shop, "/product/1").await.took);
    }
    assert!(slowest < AT_ONCE, "a remembered page took {slowest:?}");
    for answer in hanging.await.unwrap().iter().filter(|answer| answer.status == 200) {
        assert!(answer.took < SOON, "{:?}", answer.took);
    }
}

/// Starts the program on one core, at a low priority and without pages that are made ahead; then what keeps the core
/// busy, at the usual priority.
fn starved() -> (Program, Vec<Child>) {
    let mut program = Command::new("taskset");
    // The shop has one isolate for each core, and the usual limits.
    program.args(["--cpu-list", "0", "nice", "-n", "10"]).arg(vitrine().get_program());
    let shop = Program::spawn(program.args(["--render-ahead", "off"]));
    let spin = |_| {
        let mut spin = tokio::process::Command::new("taskset");
        spin.args(["--cpu-list", "0", "sh", "-c", "while :; do :; done"]).kill_on_drop(true).spawn().unwrap()
    };
    (shop, (0..4).map(spin).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_polite_crawler_of_a_starved_shop_gets_no_503_and_no_isolate_is_lost() {
    let _turn = TURN.lock().await;
    let (shop, _busy) = starved();
    let address = shop.address;
    let crawl = (0..4).map(|connection| async move {
        let client = client();
        let mut statuses = Vec::new();
        for id in (1..=100).filter(|id| id % 4 == connection) {
            let answer = client.get(format!("http://{address}/product/{id}")).send().await.unwrap();
            statuses.push(answer.status().as_u16());
            assert!(answer.text().await.unwrap().ends_with("</html>"), "product {id}");
        }
        statuses
    });
    let statuses: Vec<_> = join_all(crawl).await.concat();
    assert!(statuses.len() == 100 && statuses.iter().all(|status| *status == 200), "{statuses:?}");
    let lost: Vec<_> = shop
        .log()
        .filter(|line| line["fields"]["message"] == "an isolate was lost; starting another")
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
