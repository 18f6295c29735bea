//! The renderer on its own: the real bundle gives the same bytes everywhere, and a hostile bundle
//! costs one answer at most. How soon these answers come is in `timed/renders.rs`.

use std::sync::LazyLock;
use std::time::Duration;

use vitrine::contract::PageJson;
use vitrine::render::{BootError, Bundle, Refusal, RenderError, Renderer, RendererSettings};

use crate::common::log::Log;
use crate::common::pages::data;
use crate::common::renders::{
    ENDLESS, HEAP_BOMBS, NO_MARKUP, OUTSIDE_THE_HEAP, THROWN, hostile_page, hostile_renderer, until_fine,
};
use crate::common::until::until;
use crate::common::{
    PATHS, error_page, real_renderer, renderer_of, renderer_settings, renderer_with, sample, start_shop,
};
use crate::node::render_with_node;

/// The budget of renders that never end.
const SHORT: Duration = Duration::from_millis(500);

/// The budget of renders that do end.
const LONG: Duration = Duration::from_secs(60);

/// The pages behind every address of the sample shop.
async fn sample_pages() -> Vec<PageJson> {
    let shop = start_shop(sample()).await;
    let mut pages = Vec::new();
    for path in PATHS {
        pages.push(PageJson::new(&data(shop, path).await).unwrap());
    }
    pages
}

async fn markup(renderer: &Renderer, page: &PageJson) -> String {
    renderer.render(page.clone()).await.unwrap().markup
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_interleaved_renders_equal_fresh_ones() {
    let pages = sample_pages().await;
    let mut fresh = Vec::new();
    for page in &pages {
        fresh.push(markup(&real_renderer(1).await, page).await);
    }
    let renderer = real_renderer(1).await;
    for round in 0..1_000 {
        // A stride that is coprime to their number visits all pages in another order than that of the list.
        let index = round * 7 % pages.len();
        assert!(markup(&renderer, &pages[index]).await == fresh[index], "round {round}, {}", PATHS[index]);
    }
}

/// Node is the reference that both engines are compared with, and so with each other.
#[tokio::test(flavor = "multi_thread")]
async fn the_engine_gives_the_same_bytes_as_node() {
    let pages = sample_pages().await;
    let expected = render_with_node(&Bundle::embedded().source, &pages).await;
    let renderer = real_renderer(1).await;
    for ((page, expected), path) in pages.iter().zip(expected).zip(PATHS) {
        assert!(markup(&renderer, page).await == expected, "{path}");
    }
}

/// The error of a render with this body. A later render works.
async fn failure_of(body: &str, timeout: Duration) -> RenderError {
    let renderer = hostile_renderer(body, timeout).await;
    let mut failure = None;
    until("a verdict on the render", async || {
        let outcome = renderer.render(hostile_page()).await;
        match outcome.expect_err("a hostile render gives no markup") {
            // On a busy machine the isolate may get no processor time, which says nothing of the render.
            RenderError::Refused(_) => false,
            error => {
                failure = Some(error);
                true
            }
        }
    })
    .await;
    until_fine(&renderer).await;
    failure.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_ends_is_ended() {
    for body in ENDLESS {
        let error = failure_of(body, SHORT).await;
        assert!(matches!(error, RenderError::Timeout), "{body}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exception_keeps_its_name_message_and_stack() {
    let error = failure_of("function broken() { throw new TypeError('no shelf'); } broken();", LONG).await;
    let RenderError::Exception(exception) = error else { panic!("{error:?}") };
    assert_eq!((exception.name.as_str(), exception.message.as_str()), ("TypeError", "no shelf"));
    assert!(exception.stack.first().is_some_and(|frame| frame.contains("broken")), "{:?}", exception.stack);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_thrown_may_be_anything() {
    for body in THROWN {
        let error = failure_of(body, LONG).await;
        assert!(matches!(error, RenderError::Exception(_)), "{body}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn heap_bombs_cost_one_isolate() {
    for bomb in HEAP_BOMBS {
        let error = failure_of(bomb, SHORT).await;
        assert!(matches!(error, RenderError::OutOfMemory | RenderError::Timeout), "{bomb}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_outside_the_limited_heap_is_out_of_reach() {
    for bomb in OUTSIDE_THE_HEAP {
        let error = failure_of(bomb, LONG).await;
        assert!(matches!(error, RenderError::Exception(_)), "{bomb}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_render_leaves_behind_is_ended_too() {
    for leftover in [ENDLESS[0], HEAP_BOMBS[0]] {
        let source = format!(
            "globalThis.renderPage = (json) => {{
               if (json.includes('leave')) Promise.resolve().then(() => {{ {leftover} }});
               return 'fine';
             }};"
        );
        // Short for what is left behind, and long for the render itself.
        let settings = RendererSettings { timeout: Duration::from_secs(3), ..renderer_settings(1) };
        let renderer = renderer_with(&source, settings).await;
        assert_eq!(renderer.render(PageJson::new(&"leave").unwrap()).await.unwrap().markup, "fine");
        // The isolate runs what is left once it has been idle for a moment.
        until("the end of what is left", async || renderer.counters().lost_isolates.get() > 0).await;
        until_fine(&renderer).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_markup_is_an_error() {
    let [number, promise, half] = NO_MARKUP;
    assert!(matches!(failure_of(number, LONG).await, RenderError::NoMarkup));
    assert!(matches!(failure_of(promise, LONG).await, RenderError::NoMarkup));
    assert!(matches!(failure_of(half, LONG).await, RenderError::Incomplete));
}

/// The log of every test of this program: isolates write from threads of their own, which only the
/// subscriber of the whole process hears.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).init();
    log
});

#[tokio::test(flavor = "multi_thread")]
async fn a_console_flood_harms_nothing() {
    LazyLock::force(&LOG);
    // The host's function is reachable only while the bundle loads.
    let source = "const write = Deno.core.ops.op_console;
         globalThis.renderPage = () => { for (let n = 0; n < 100000; n++) write('flood ' + n); return 'fine'; };";
    let renderer = renderer_of(source).await;
    until_fine(&renderer).await;
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
    let log = LOG.text();
    let lines = log.lines().filter(|line| line.contains("flood") || line.contains("keeps writing")).count();
    assert!((1..=25).contains(&lines), "{lines} lines:\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loaded_bundle_reaches_no_host_clock_random_number_or_eval() {
    let renderer = renderer_of(
        "globalThis.renderPage = () => {
           let made = 'none';
           try { made = (() => {}).constructor('return \"code\"')(); } catch {}
           const globals = [typeof Deno, typeof eval, typeof fetch, typeof setTimeout, typeof Date, typeof Temporal, typeof Intl, typeof Math.random];
           return [...globals, made].join();
         };",
    )
    .await;
    let seen = renderer.render(error_page()).await.unwrap().markup;
    // QuickJS resolves `eval` without the global object, so it cannot be removed there.
    let eval = if cfg!(feature = "v8") { "undefined" } else { "function" };
    assert_eq!(
        seen,
        format!("undefined,{eval},undefined,undefined,undefined,undefined,undefined,undefined,none")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn text_is_unchanged_by_a_render() {
    let renderer = renderer_of("globalThis.renderPage = (json) => { const page = JSON.parse(json); return page.status ? 'warm' : page; };").await;
    for text in ["", "plain", "caf\u{e9} \u{d7}", "\u{2605} \u{1f6d2} \u{2028}", &"\u{e9}".repeat(100_000)] {
        let page = PageJson::new(&text).unwrap();
        assert_eq!(renderer.render(page).await.unwrap().markup, text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_what_does_not_fit() {
    // So long that no place becomes free while the renders are asked for.
    let settings = RendererSettings { queue: 1, timeout: Duration::from_secs(5), ..renderer_settings(1) };
    let source =
        "globalThis.renderPage = (json) => { if (json.includes('404')) return 'fine'; for (;;) {} };";
    let renderer = renderer_with(source, settings).await;
    let hanging = PageJson::new(&"hang").unwrap();
    let answers = futures_util::future::join_all((0..20).map(|_| renderer.render(hanging.clone()))).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(RenderError::Refused(_)))).count();
    assert!(refused >= 18, "{refused} of 20 refused");
    until_fine(&renderer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_that_has_rendered_enough_is_replaced_without_a_gap() {
    let settings = RendererSettings { recycle_after: 20, ..renderer_settings(1) };
    let source = "let renders = 0; globalThis.renderPage = () => String(renders++);";
    let renderer = renderer_with(source, settings).await;
    let (mut asked, mut isolates) = (0, 0);
    // The old one renders on until its successor is warm.
    until("the second successor", async || {
        let renders: u64 = renderer.render(error_page()).await.unwrap().markup.parse().unwrap();
        asked += 1;
        // The first render of an isolate was the one that warmed it up.
        isolates += u64::from(renders == 1);
        isolates > 2
    })
    .await;
    assert!(renderer.counters().recycled.get() >= 1);
    assert_eq!(renderer.counters().rendered.get(), asked);
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_isolate_is_counted_and_replaced() {
    let renderer = hostile_renderer(ENDLESS[0], SHORT).await;
    let (mut timeouts, mut starved) = (0, 0);
    while timeouts < 3 {
        match renderer.render(hostile_page()).await.expect_err("it never ends") {
            RenderError::Timeout => timeouts += 1,
            // On a busy machine the render goes on until it has used its budget of processor time.
            RenderError::Refused(Refusal::NoProcessorTime) => starved += 1,
            // The only isolate is busy, or is restarting.
            RenderError::Refused(_) => continue,
            error => panic!("{error:?}"),
        }
        let ended = timeouts + starved;
        until("the loss in the counters", async || renderer.counters().lost_isolates.get() >= ended).await;
    }
    assert_eq!(renderer.counters().timeouts.get(), timeouts);
    assert_eq!(renderer.counters().lost_isolates.get(), timeouts + starved);
    until_fine(&renderer).await;
}

async fn boot_error(source: &str) -> BootError {
    let bundle = Bundle::from_script(source);
    Renderer::start(bundle, renderer_settings(2), error_page()).await.expect_err("a broken bundle")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_bundle_fails_at_start() {
    assert!(matches!(boot_error("const x = ;").await, BootError::Bundle(_)));
    assert!(matches!(boot_error("throw new Error('at load');").await, BootError::Bundle(_)));
    assert!(matches!(boot_error("globalThis.other = 1;").await, BootError::NoRenderFunction));
    assert!(matches!(
        boot_error("globalThis.renderPage = () => { throw new Error('cold'); };").await,
        BootError::WarmUp(RenderError::Exception(_))
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stack_of_the_real_bundle_names_the_sources() {
    let renderer = real_renderer(1).await;
    let broken =
        PageJson::new(&serde_json::json!({ "path": "/", "content": { "kind": "listing" } })).unwrap();
    let error = renderer.render(broken).await.unwrap_err();
    let RenderError::Exception(exception) = error else { panic!("{error:?}") };
    assert!(
        exception.stack.iter().any(|frame| frame.contains("client/") && frame.contains(".tsx:")),
        "{exception}"
    );
}
