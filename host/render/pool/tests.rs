use std::num::NonZeroUsize;

use parking_lot::{Condvar, Mutex};

use super::*;

/// Panics on request, because no bundle can make the thread itself panic.
fn panic_if_asked(isolate: &mut Isolate, page: &PageJson) -> Result<String, RenderError> {
    assert!(!page.as_str().contains("panic"), "on request");
    isolate.render(page)
}

/// Ends the sleep of [`sleep_if_asked`].
static WAKE_UP: Mutex<bool> = Mutex::new(false);
static WOKEN: Condvar = Condvar::new();

/// Sleeps on request, as a thread that gets no processor does, because no bundle can.
fn sleep_if_asked(isolate: &mut Isolate, page: &PageJson) -> Result<String, RenderError> {
    if page.as_str().contains("sleep") {
        WOKEN.wait_while(&mut WAKE_UP.lock(), |wake_up| !*wake_up);
    }
    isolate.render(page)
}

/// The engine has to be initialised on the main thread, which runs no tests.
#[ctor::ctor(unsafe)]
fn initialize_engine() {
    crate::render::initialize_platform();
}

fn settings() -> RendererSettings {
    RendererSettings {
        isolates: NonZeroUsize::MIN,
        queue: 8,
        timeout: Duration::from_secs(5),
        heap_limit: 128 << 20,
        recycle_after: 1_000,
        rest_after: Duration::from_millis(100),
    }
}

fn bundle() -> Bundle {
    Bundle::from_script("globalThis.renderPage = () => 'fine';")
}

fn page(text: &str) -> PageJson {
    PageJson::new(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn constant_recycling_does_not_add_isolates() {
    let settings = RendererSettings { recycle_after: 1, ..settings() };
    let renderer = Renderer::start(bundle(), settings, page("warm")).await.unwrap();
    while renderer.counters().recycled.get() < 5 {
        assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
    }
    let waited = Instant::now();
    while renderer.counters().isolates.get() != 1 {
        assert!(waited.elapsed() < Duration::from_secs(30), "{:?}", renderer.counters());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_panics_is_replaced() {
    let renderer = Renderer::start_with(bundle(), settings(), page("warm"), panic_if_asked).await.unwrap();
    for lost in 1..=2 {
        let outcome = renderer.render(page("panic")).await;
        assert!(matches!(outcome, Err(RenderError::Lost)));
        assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
        assert_eq!(renderer.counters().lost_isolates.get(), lost);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_isolate_that_gets_no_processor_time_is_not_lost() {
    let settings = RendererSettings { timeout: Duration::from_secs(1), ..settings() };
    let renderer = Renderer::start_with(bundle(), settings, page("warm"), sleep_if_asked).await.unwrap();
    let refused = async |text| match renderer.render(page(text)).await {
        Err(RenderError::Refused(refusal)) => refusal,
        outcome => panic!("{outcome:?}"),
    };
    assert_eq!(refused("sleep").await, Refusal::NoProcessorTime);
    assert!(!renderer.has_free_isolate() && renderer.under_way() == 1);
    // The isolate is still busy with it, and a caller that waits in vain leaves no job behind.
    assert_eq!(refused("next").await, Refusal::NoIsolate);
    assert_eq!((renderer.under_way(), renderer.jobs.0.len()), (1, 0));
    assert_eq!((renderer.counters().late(), renderer.counters().refused()), (2, 0));
    *WAKE_UP.lock() = true;
    WOKEN.notify_all();
    assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
    assert_eq!(renderer.counters().lost_isolates.get(), 0);
    assert_eq!(renderer.counters().rendered.get(), 1, "nobody waited for the late one");
    assert!(renderer.has_free_isolate());
}

// QuickJS frees memory at once, and does not say how much it has in use.
#[cfg(feature = "v8")]
#[tokio::test(flavor = "multi_thread")]
async fn an_idle_isolate_gives_back_what_many_renders_left_behind() {
    // Each render leaves an object that outlives it, and the last of them drops all.
    let source = "
        let kept = [];
        globalThis.renderPage = (page) => {
          kept.push(Array.from({ length: 1 << 16 }, (_, index) => index + 0.5));
          if (page.includes('last')) kept = [];
          return 'fine';
        };
    ";
    let bundle = Bundle::from_script(source);
    let renderer = Renderer::start(bundle, settings(), page("warm")).await.unwrap();
    for _ in 1..80 {
        renderer.render(page("next")).await.unwrap();
    }
    let heap = || renderer.counters().heaps().get(&0).copied().unwrap_or_default();
    let before = heap();
    assert!(before > 32 << 20, "{before}");
    renderer.render(page("last")).await.unwrap();
    let waited = Instant::now();
    while heap() > before / 4 {
        assert!(waited.elapsed() < Duration::from_secs(30), "{before}, then {}", heap());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
