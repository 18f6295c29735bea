//! The renderer on its own: a hostile bundle costs one answer at most. How soon these answers come is in
//! `timed/renders.rs`.

use std::time::Duration;

use serde_json::json;
use tracing::Level;
use tracing::subscriber::set_global_default;
use tracing_subscriber::fmt::format::FmtSpan;
use vitrine::contract::PageJson;
use vitrine::render::{BootError, Bundle, Refusal, RenderError, Renderer, RendererSettings};

use crate::common::log::Log;
use crate::common::program::vitrine;
use crate::common::renders::{
    ENDLESS, HEAP_BOMBS, NO_MARKUP, OUTSIDE_THE_HEAP, THROWN, hostile_page, hostile_renderer, until_fine,
};
use crate::common::until::until;
use crate::common::{error_page, real_renderer, renderer_of, renderer_settings, renderer_with};

/// The budget of renders that never end.
const SHORT: Duration = Duration::from_millis(500);

/// The budget of renders that do end.
const LONG: Duration = Duration::from_secs(60);

/// The error of a render with this body. A later render works.
async fn failure_of(body: &str, timeout: Duration) -> RenderError {
    let renderer = hostile_renderer(body, timeout).await;
    let (mut failure, mut starved) = (None, 0);
    until("a verdict on the render", async || {
        match renderer.render(hostile_page()).await.expect_err("a hostile render gives no markup") {
            // On a busy machine the render goes on until it has used its budget of processor time.
            RenderError::Refused(Refusal::NoProcessorTime) => starved += 1,
            // The only isolate is busy, or is restarting.
            RenderError::Refused(_) => {}
            error => failure = Some(error),
        }
        failure.is_some()
    })
    .await;
    let failure = failure.unwrap();
    let counters = renderer.counters();
    if let RenderError::Timeout = failure {
        until("the loss in the counters", async || counters.lost_isolates.get() > starved).await;
        assert_eq!((counters.timeouts.get(), counters.lost_isolates.get()), (1, 1 + starved), "{body}");
    }
    until_fine(&renderer).await;
    failure
}

#[tokio::test(flavor = "multi_thread")]
async fn every_failing_render_has_its_error_and_costs_one_isolate_at_most() {
    type Expected = fn(&RenderError) -> bool;
    let ended: Expected = |error| matches!(error, RenderError::Timeout);
    let full: Expected = |error| matches!(error, RenderError::OutOfMemory | RenderError::Timeout);
    let thrown: Expected = |error| matches!(error, RenderError::Exception(_));
    let no_markup: Expected = |error| matches!(error, RenderError::NoMarkup);
    let incomplete: Expected = |error| matches!(error, RenderError::Incomplete);
    for (bodies, budget, is_expected) in [
        (&ENDLESS[..], SHORT, ended),
        (&HEAP_BOMBS, SHORT, full),
        (&OUTSIDE_THE_HEAP, LONG, thrown),
        (&THROWN, LONG, thrown),
        (&NO_MARKUP[..2], LONG, no_markup),
        (&NO_MARKUP[2..], LONG, incomplete),
    ] {
        for body in bodies {
            let error = failure_of(body, budget).await;
            assert!(is_expected(&error), "{body}: {error:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exception_keeps_its_name_message_and_stack() {
    let error = failure_of("function broken() { throw new TypeError('no shelf'); } broken();", LONG).await;
    let RenderError::Exception(exception) = error else { panic!("{error:?}") };
    assert_eq!((exception.name.as_str(), exception.message.as_str()), ("TypeError", "no shelf"));
    assert!(exception.stack.first().is_some_and(|frame| frame.contains("broken")), "{:?}", exception.stack);

    let broken = json!({ "path": "/", "content": { "kind": "listing" } });
    let error = real_renderer(1).await.render(PageJson::new(&broken).unwrap()).await.unwrap_err();
    let RenderError::Exception(exception) = error else { panic!("{error:?}") };
    let mut frames = exception.stack.iter();
    assert!(frames.any(|frame| frame.contains("client/") && frame.contains(".tsx:")), "{exception}");
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
async fn a_console_flood_harms_nothing() {
    let log = Log::default();
    // Isolates write from threads of their own, which only the subscriber of the whole process hears. It hears the warnings
    // of other tests, too.
    set_global_default(log.subscriber(Level::WARN, FmtSpan::NONE)).unwrap();
    // The host's function is reachable only while the bundle loads.
    let source = "const write = Deno.core.ops.op_console;
         globalThis.renderPage = () => { for (let n = 0; n < 100000; n++) write('flood ' + n); return 'fine'; };";
    let renderer = renderer_of(source).await;
    until_fine(&renderer).await;
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
    let log = log.text();
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
    assert_eq!(seen, format!("undefined,{eval},{}none", "undefined,".repeat(6)));
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
async fn a_broken_bundle_fails_at_start() {
    let boot_error = async |source: &str| {
        let started = Renderer::start(Bundle::from_script(source), renderer_settings(2), error_page());
        started.await.expect_err("a broken bundle")
    };
    assert!(matches!(boot_error("const x = ;").await, BootError::Bundle(_)));
    assert!(matches!(boot_error("throw new Error('at load');").await, BootError::Bundle(_)));
    assert!(matches!(boot_error("globalThis.other = 1;").await, BootError::NoRenderFunction));
    let cold = boot_error("globalThis.renderPage = () => { throw new Error('cold'); };").await;
    assert!(matches!(cold, BootError::WarmUp(RenderError::Exception(_))));
}

#[test]
fn the_version_names_commit_engine_and_profile() {
    let version = String::from_utf8(vitrine().arg("--version").output().unwrap().stdout).unwrap();
    let engine = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
    let (before, after) = version.trim().split_once(" (commit ").unwrap();
    assert_eq!(before, format!("vitrine {}", env!("CARGO_PKG_VERSION")));
    let (commit, after) = after.split_once(", ").unwrap();
    let is_commit = commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_commit || commit == "unknown", "{commit}");
    assert!(after.starts_with(&format!("engine {engine}, profile ")) && after.ends_with(')'), "{after}");
}
