//! The renderer on its own: the real bundle gives the same bytes everywhere, and hostile bundles
//! cost one answer at most.

mod common;

use std::process::Stdio;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use common::log::Log;
use common::{PATHS, client, error_page, real_renderer, renderer_of, renderer_settings, sample, start_shop};
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use vitrine::page_json::PageJson;
use vitrine::render::{BootError, Bundle, RenderError, Renderer, RendererSettings};

/// The promise for an answer when the render itself never ends.
const ANSWER_LIMIT: Duration = Duration::from_millis(600);

/// A heap bomb keeps the engine's own threads busy too.
const ANSWER_LIMIT_OF_BOMBS: Duration = Duration::from_secs(1);

/// Misbehaving renders take turns, so that each has the machine to itself when it is timed.
static ONE_AT_A_TIME: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// The pages behind every address of the sample shop.
async fn sample_pages() -> Vec<PageJson> {
    let shop = start_shop(sample()).await;
    let mut pages = Vec::new();
    for path in PATHS {
        let answer = client().get(format!("http://{shop}/_data{path}")).send().await.unwrap();
        let page: Value = answer.json().await.unwrap();
        pages.push(PageJson::new(&page).unwrap());
    }
    pages
}

async fn markup(renderer: &Renderer, page: &PageJson) -> String {
    renderer.render(page.clone()).await.unwrap().markup
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_interleaved_renders_equal_fresh_ones() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let pages = sample_pages().await;
    let mut fresh = Vec::new();
    for page in &pages {
        fresh.push(markup(&real_renderer(1).await, page).await);
    }
    let renderer = real_renderer(1).await;
    for round in 0..1_000 {
        // A stride without a common divisor visits the pages in changing neighbourhoods.
        let index = round * 7 % pages.len();
        assert!(markup(&renderer, &pages[index]).await == fresh[index], "round {round}, {}", PATHS[index]);
    }
}

/// Node is the reference that both engines are compared with, and so with each other.
#[tokio::test(flavor = "multi_thread")]
async fn the_engine_gives_the_same_bytes_as_node() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let pages = sample_pages().await;
    let expected = render_with_node(&pages).await;
    let renderer = real_renderer(1).await;
    for ((page, expected), path) in pages.iter().zip(expected).zip(PATHS) {
        assert!(markup(&renderer, page).await == expected, "{path}");
    }
}

async fn render_with_node(pages: &[PageJson]) -> Vec<String> {
    let program = format!(
        "{}\nconst lines = require('fs').readFileSync(0, 'utf8').split('\\n');\n\
         process.stdout.write(JSON.stringify(lines.map((line) => renderPage(line))));",
        Bundle::embedded().source
    );
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("render.cjs");
    std::fs::write(&script, program).unwrap();
    let mut node = tokio::process::Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = pages.iter().map(PageJson::as_str).collect::<Vec<_>>().join("\n");
    node.stdin.take().unwrap().write_all(input.as_bytes()).await.unwrap();
    let output = node.wait_with_output().await.unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Renders once with a bundle that misbehaves unless the page's status is 404, and once without.
async fn misbehave(body: &str) -> RenderError {
    misbehave_within(body, ANSWER_LIMIT).await
}

async fn misbehave_within(body: &str, limit: Duration) -> RenderError {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_of(&format!(
        "globalThis.renderPage = (json) => {{ const page = JSON.parse(json); if (page.status !== 404) {{ {body} }} return 'fine'; }};"
    ))
    .await;
    let hostile = PageJson::new(&serde_json::json!({ "status": 200 })).unwrap();
    let started = Instant::now();
    let error = renderer.render(hostile).await.expect_err("a hostile render gives no markup");
    let took = started.elapsed();
    assert!(took < limit, "{took:?}");
    assert_is_fine(&renderer).await;
    error
}

/// The next render works, at the latest once the isolate is replaced.
async fn assert_is_fine(renderer: &Renderer) {
    let started = Instant::now();
    loop {
        match renderer.render(error_page()).await {
            Ok(rendered) => return assert_eq!(rendered.markup, "fine"),
            // The only isolate may be starting anew; the queue holds the request meanwhile.
            Err(RenderError::Timeout | RenderError::Lost | RenderError::QueueFull)
                if started.elapsed() < Duration::from_secs(10) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_loop_is_ended() {
    assert!(matches!(misbehave("for (;;) {}").await, RenderError::Timeout));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_loop_that_catches_everything_is_ended() {
    let error = misbehave("for (;;) { try { for (;;) {} } catch {} finally { continue; } }").await;
    assert!(matches!(error, RenderError::Timeout));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_regular_expression_is_ended() {
    assert!(matches!(misbehave("/^(a+)+$/.test('a'.repeat(60) + 'b');").await, RenderError::Timeout));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exception_keeps_its_name_message_and_stack() {
    let error = misbehave("function broken() { throw new TypeError('no shelf'); } broken();").await;
    let RenderError::Exception(exception) = error else { panic!("{error:?}") };
    assert_eq!((exception.name.as_str(), exception.message.as_str()), ("TypeError", "no shelf"));
    assert!(exception.stack.first().is_some_and(|frame| frame.contains("broken")), "{:?}", exception.stack);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_thrown_may_be_anything() {
    for thrown in ["null", "undefined", "'text'", "{}", "Symbol('x')", "Object.create(null)"] {
        let error = misbehave(&format!("throw {thrown};")).await;
        assert!(matches!(error, RenderError::Exception(_)), "{thrown}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_recursion_is_an_exception() {
    let error = misbehave("const deeper = (n) => deeper(n + 1) + 1; deeper(0);").await;
    assert!(matches!(error, RenderError::Exception(_)), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn heap_bombs_cost_one_isolate() {
    for bomb in [
        "const rows = []; for (;;) rows.push(new Array(1000).fill(rows.length));",
        "const rows = []; for (;;) rows.push({ at: rows.length, text: 'x' + rows.length });",
        "const rows = []; for (let n = 0; ; n++) rows.push(() => n);",
        "const rows = []; for (let n = 0; ; n++) rows.push(('x' + n).repeat(1000).toUpperCase());",
    ] {
        let error = misbehave_within(bomb, ANSWER_LIMIT_OF_BOMBS).await;
        assert!(matches!(error, RenderError::OutOfMemory | RenderError::Timeout), "{bomb}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_outside_the_limited_heap_is_out_of_reach() {
    for bomb in [
        "const rows = []; for (;;) rows.push(new Uint8Array(1 << 24).fill(1));",
        "const rows = []; for (;;) rows.push(new ArrayBuffer(1 << 24));",
        "const rows = []; for (;;) rows.push(new SharedArrayBuffer(1 << 24));",
        "const rows = []; for (;;) rows.push(new WebAssembly.Memory({ initial: 1024 }));",
        "let text = 'x'; for (;;) text += text;",
    ] {
        let error = misbehave(bomb).await;
        assert!(matches!(error, RenderError::Exception(_)), "{bomb}: {error:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_render_leaves_behind_is_ended_too() {
    for leftover in ["for (;;) {}", "const rows = []; for (;;) rows.push(new Array(1000).fill(rows.length));"]
    {
        let _turn = ONE_AT_A_TIME.lock().await;
        let renderer = renderer_of(&format!(
            "globalThis.renderPage = (json) => {{
               if (json.includes('leave')) Promise.resolve().then(() => {{ {leftover} }});
               return 'fine';
             }};"
        ))
        .await;
        assert_eq!(renderer.render(PageJson::new(&"leave").unwrap()).await.unwrap().markup, "fine");
        // The isolate runs what is left once it has been idle for a moment.
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_is_fine(&renderer).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_markup_is_an_error() {
    assert!(matches!(misbehave("return 7;").await, RenderError::NoMarkup));
    assert!(matches!(misbehave("return Promise.resolve('late');").await, RenderError::NoMarkup));
    assert!(matches!(misbehave("return '<p><!--$!--></p>';").await, RenderError::Incomplete));
}

/// The log of every test in this file: isolates write from threads of their own, which only the
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
    let _turn = ONE_AT_A_TIME.lock().await;
    // The host's function is reachable only while the bundle loads.
    let source = "const write = Deno.core.ops.op_console;
         globalThis.renderPage = () => { for (let n = 0; n < 100000; n++) write('flood ' + n); return 'fine'; };";
    // Patient, because every isolate has lines of its own and this test counts those of one.
    let settings = RendererSettings { timeout: Duration::from_secs(5), ..renderer_settings(1) };
    let bundle = Bundle { source: source.into(), source_map: b"" };
    let renderer = Renderer::start(bundle, settings, error_page()).await.unwrap();
    assert_is_fine(&renderer).await;
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
    let log = LOG.text();
    let lines = log.lines().filter(|line| line.contains("flood") || line.contains("keeps writing")).count();
    assert!((1..=25).contains(&lines), "{lines} lines:\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loaded_bundle_reaches_neither_host_nor_clock_nor_chance_nor_eval() {
    let renderer = renderer_of(
        "globalThis.renderPage = () => {
           let made = 'none';
           try { made = (() => {}).constructor('return \"code\"')(); } catch {}
           const globals = [typeof Deno, typeof eval, typeof fetch, typeof setTimeout, typeof Date, typeof Math.random];
           return [...globals, made].join();
         };",
    )
    .await;
    let seen = renderer.render(error_page()).await.unwrap().markup;
    // QuickJS resolves `eval` without the global object, so it cannot be taken away there.
    let eval = if cfg!(feature = "v8") { "undefined" } else { "function" };
    assert_eq!(seen, format!("undefined,{eval},undefined,undefined,undefined,undefined,none"));
}

#[tokio::test(flavor = "multi_thread")]
async fn text_survives_the_way_in_and_out() {
    let renderer = renderer_of("globalThis.renderPage = (json) => { const page = JSON.parse(json); return page.status ? 'warm' : page; };").await;
    for text in ["", "plain", "caf\u{e9} \u{d7}", "\u{2605} \u{1f6d2} \u{2028}", &"\u{e9}".repeat(100_000)] {
        let page = PageJson::new(&text).unwrap();
        assert_eq!(renderer.render(page).await.unwrap().markup, text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_refuses_at_once() {
    let mut settings = renderer_settings(1);
    settings.queue = 1;
    let source =
        "globalThis.renderPage = (json) => { if (json.includes('404')) return 'fine'; for (;;) {} };";
    let bundle = Bundle { source: source.into(), source_map: b"" };
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = Renderer::start(bundle, settings, error_page()).await.unwrap();
    let hanging = PageJson::new(&"hang").unwrap();
    let started = Instant::now();
    let answers = futures_util::future::join_all((0..20).map(|_| renderer.render(hanging.clone()))).await;
    assert!(started.elapsed() < ANSWER_LIMIT);
    let refused = answers.iter().filter(|answer| matches!(answer, Err(RenderError::QueueFull))).count();
    assert!(refused >= 18, "{refused} of 20 refused");
    assert_is_fine(&renderer).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_that_has_rendered_enough_is_replaced_without_a_gap() {
    let mut settings = renderer_settings(1);
    settings.recycle_after = 20;
    let source = "let renders = 0; globalThis.renderPage = () => String(renders++);";
    let bundle = Bundle { source: source.into(), source_map: b"" };
    let renderer = Renderer::start(bundle, settings, error_page()).await.unwrap();
    let mut youngest = 0;
    for _ in 0..400 {
        let renders: u64 = renderer.render(error_page()).await.unwrap().markup.parse().unwrap();
        youngest += u64::from(renders == 1);
        // The old one renders on until its successor is warm.
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(youngest >= 2, "{youngest} isolates");
    assert!(renderer.counters().recycled.get() >= 1);
    assert_eq!(renderer.counters().rendered.get(), 400);
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_isolate_is_counted_and_replaced() {
    let _turn = ONE_AT_A_TIME.lock().await;
    let renderer = renderer_of(
        "globalThis.renderPage = (json) => { if (json.includes('404')) return 'fine'; for (;;) {} };",
    )
    .await;
    for lost in 1..=3 {
        assert!(matches!(renderer.render(PageJson::new(&"hang").unwrap()).await, Err(RenderError::Timeout)));
        assert_is_fine(&renderer).await;
        assert_eq!(renderer.counters().lost_isolates.get(), lost);
        assert_eq!(renderer.counters().timeouts.get(), lost);
    }
}

async fn boot_error(source: &str) -> BootError {
    let bundle = Bundle { source: source.into(), source_map: b"" };
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
