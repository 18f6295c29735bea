//! How soon a render that fails is answered, and how soon pages are answered meanwhile.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use vitrine::cache::Ages;
use vitrine::contract::PageJson;
use vitrine::render::{RenderError, RendererSettings};
use vitrine::shop::ShopSettings;

use crate::TURN;
use crate::common::days::{get, open, settings, until_whole};
use crate::common::renders::{
    ENDLESS, HEAP_BOMBS, NO_MARKUP, OUTSIDE_THE_HEAP, THROWN, hanging_products, hostile_page,
    hostile_renderer, until_fine,
};
use crate::common::until::until;
use crate::common::{renderer_settings, renderer_with, sample, shop_settings};

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

async fn check_answer(body: &str, limit: Duration) {
    let renderer = hostile_renderer(body, BUDGET).await;
    let started = Instant::now();
    renderer.render(hostile_page()).await.expect_err("a hostile render gives no markup");
    let took = started.elapsed();
    assert!(took < limit, "{body}: {took:?}");
    until_fine(&renderer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failing_render_is_answered_within_its_budget() {
    let _turn = TURN.lock().await;
    let bodies = [&ENDLESS[..], &THROWN, &NO_MARKUP, &OUTSIDE_THE_HEAP].concat();
    for body in bodies {
        check_answer(body, ANSWER_LIMIT).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn heap_bombs_are_answered_soon() {
    let _turn = TURN.lock().await;
    for bomb in HEAP_BOMBS {
        check_answer(bomb, ANSWER_LIMIT_OF_BOMBS).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once() {
    let _turn = TURN.lock().await;
    let settings = RendererSettings { queue: 1, timeout: BUDGET, ..renderer_settings(1) };
    let source =
        "globalThis.renderPage = (json) => { if (json.includes('404')) return 'fine'; for (;;) {} };";
    let renderer = renderer_with(source, settings).await;
    let hanging = PageJson::new(&"hang").unwrap();
    let started = Instant::now();
    let answers = join_all((0..20).map(|_| renderer.render(hanging.clone()))).await;
    assert!(started.elapsed() < ANSWER_LIMIT, "{:?}", started.elapsed());
    let refused = answers.iter().filter(|answer| matches!(answer, Err(RenderError::Refused(_)))).count();
    assert!(refused >= 18, "{refused} of 20 refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_rendered_is_answered_soon() {
    let _turn = TURN.lock().await;
    for body in [
        ENDLESS[0],
        ENDLESS[2],
        THROWN[7],
        "throw new Error('a component throws');",
        NO_MARKUP[2],
        HEAP_BOMBS[0],
    ] {
        let shop = open(sample(), hanging_products("id === 1", body, 1, 64, BUDGET).await, settings()).await;
        let answer = get(shop, "/product/1").await;
        assert!(answer.is_shell() && answer.took < SOON, "{body}: {:?}", answer.took);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_keeps_failing_is_answered_without_a_try() {
    let _turn = TURN.lock().await;
    let renderer = hanging_products("id === 1", ENDLESS[0], 1, 64, BUDGET).await;
    let shop = open(sample(), renderer.clone(), settings()).await;
    until("three failures", async || {
        assert!(get(shop, "/product/1").await.is_shell());
        renderer.counters().timeouts.get() == 3
    })
    .await;
    for _ in 0..20 {
        let answer = get(shop, "/product/1").await;
        assert!(answer.is_shell() && answer.took < AT_ONCE, "{:?}", answer.took);
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
