//! The pool of isolates, each on its own thread, fed by one bounded queue.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use flume::{Sender, TrySendError};
use tokio::sync::oneshot;
use tokio::time::timeout_at;
use tracing::Instrument as _;

use super::boot_error::BootError;
use super::bundle::Bundle;
use super::counters::RendererCounters;
use super::isolate::Isolate;
use super::keeper::keep;
use super::outcome::{Refusal, RenderError, Rendered};
use super::settings::RendererSettings;
use super::watchdog::Watchdog;
use super::worker::{Job, Shared, spawn};
use crate::contract::PageJson;
use crate::observe::{LogThrottle, traces};

/// How long beyond the time budget a caller waits for a render in progress.
const ANSWER_GRACE: Duration = Duration::from_millis(20);

/// A handle on the pool; the isolates stop when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Renderer {
    jobs: Sender<Job>,
    timeout: Duration,
    isolates: u32,
    counters: Arc<RendererCounters>,
    /// How many garbage collections were requested so far; isolates compare it with their own count.
    gc_requests: Arc<AtomicU64>,
    throttle: Arc<LogThrottle>,
    /// Renders that wait for an isolate or are under way.
    under_way: Arc<AtomicUsize>,
}

/// A render that waits for an isolate or is under way.
struct UnderWay<'a>(&'a AtomicUsize);

impl<'a> UnderWay<'a> {
    fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Renderer {
    /// Starts the isolates and returns when each has rendered `warm_up`.
    ///
    /// # Errors
    /// Fails when the bundle does not load or does not render the warm-up page, and when a thread cannot
    /// be started.
    pub async fn start(
        bundle: Bundle,
        settings: RendererSettings,
        warm_up: PageJson,
    ) -> Result<Self, BootError> {
        Self::start_with(bundle, settings, warm_up, Isolate::render).await
    }

    /// [`Self::start`] with a function that renders, which tests replace.
    async fn start_with(
        bundle: Bundle,
        settings: RendererSettings,
        warm_up: PageJson,
        render: fn(&mut Isolate, &PageJson) -> Result<String, RenderError>,
    ) -> Result<Self, BootError> {
        let (sender, jobs) = flume::bounded(settings.queue);
        let timeout = settings.timeout;
        let isolates = settings.isolates.get();
        let counters = Arc::new(RendererCounters::default());
        let gc_requests = Arc::new(AtomicU64::new(0));
        let shared = Arc::new(Shared {
            next: AtomicU64::new(0),
            bundle,
            render,
            settings,
            warm_up,
            watchdog: Watchdog::start().map_err(BootError::Thread)?,
            tokio: tokio::runtime::Handle::current(),
            jobs,
            counters: Arc::clone(&counters),
            gc_requests: Arc::clone(&gc_requests),
        });
        let (report, reports) = flume::unbounded();
        let mut booting = Vec::with_capacity(isolates);
        for slot in 0..isolates {
            booting.push(spawn(slot, &shared, &report).map_err(BootError::Thread)?);
        }
        for ready in booting {
            ready.await.map_err(|_| BootError::Lost)??;
        }
        thread::Builder::new()
            .name("isolate-keeper".into())
            .spawn(move || keep(&shared, &report, &reports))
            .map_err(BootError::Thread)?;
        let isolates = u32::try_from(isolates).unwrap_or(u32::MAX);
        Ok(Self {
            jobs: sender,
            timeout,
            isolates,
            counters,
            gc_requests,
            throttle: Arc::default(),
            under_way: Arc::default(),
        })
    }

    /// Counters of renders and isolates so far.
    pub fn counters(&self) -> &RendererCounters {
        &self.counters
    }

    /// Asks each isolate to collect garbage between two renders.
    pub fn collect_garbage(&self) {
        self.gc_requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether no caller waits for a render.
    pub(crate) fn is_idle(&self) -> bool {
        self.under_way() == 0
    }

    /// Renders that wait for an isolate or are under way.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Whether a render could begin at once.
    pub(crate) fn has_free_isolate(&self) -> bool {
        u32::try_from(self.under_way.load(Ordering::Relaxed)).is_ok_and(|under_way| under_way < self.isolates)
    }

    /// Renders `page` on a free isolate.
    ///
    /// # Errors
    /// Fails at once when the queue is full or the expected wait is longer than half of the time budget;
    /// within the budget when no isolate becomes free; otherwise within the budget and a small grace
    /// period after the render began, even when the isolate never answers.
    pub async fn render(&self, page: PageJson) -> Result<Rendered, RenderError> {
        let under_way = UnderWay::begin(&self.under_way);
        let span = traces::of_render();
        let outcome = self.queue(page).instrument(span.clone()).await;
        if outcome.is_err() {
            traces::failed(&span);
        }
        drop(under_way);
        self.counters.count(&outcome);
        if let Err(RenderError::Refused(refusal)) = outcome {
            self.log(refusal);
        }
        outcome
    }

    /// The error of a render that is not tried, because a resource that is not the renderer's own is short.
    /// Counts and logs it.
    pub(crate) fn refuse(&self, refusal: Refusal) -> RenderError {
        let refused = Err(RenderError::Refused(refusal));
        self.counters.count(&refused);
        self.log(refusal);
        RenderError::Refused(refusal)
    }

    fn log(&self, refusal: Refusal) {
        // Memory that runs out has its own line, see `process/pressure.rs`.
        if refusal != Refusal::NoMemory && self.throttle.allows("refused") {
            let refused = self.counters.refused();
            tracing::warn!(refused, %refusal, "more pages are asked for than can be rendered");
        }
    }

    /// Queues a render and waits for its outcome.
    async fn queue(&self, page: PageJson) -> Result<Rendered, RenderError> {
        if self.expected_wait() > self.timeout / 2 {
            return Err(RenderError::Refused(Refusal::LongWait));
        }
        let (reply, answer) = oneshot::channel();
        let started = Arc::new(OnceLock::new());
        let queued = Instant::now();
        self.jobs.try_send(Job { page, queued, started: Arc::clone(&started), reply }).map_err(
            |refused| match refused {
                TrySendError::Full(_) => RenderError::Refused(Refusal::QueueFull),
                TrySendError::Disconnected(_) => RenderError::Lost,
            },
        )?;
        let mut answer = pin!(answer);
        let answer = match timeout_at((queued + self.timeout).into(), &mut answer).await {
            Ok(answer) => answer,
            Err(_elapsed) => {
                // The render has not begun, so this is not the page's fault.
                let Some(started) = started.get() else {
                    return Err(RenderError::Refused(Refusal::NoIsolate));
                };
                // The watchdog is about to end the render. Wait for the isolate's own outcome, which also
                // considers whether its thread got processor time.
                let end = *started + self.timeout + ANSWER_GRACE;
                timeout_at(end.into(), answer).await.map_err(|_elapsed| RenderError::Timeout)?
            }
        };
        answer.unwrap_or(Err(RenderError::Lost))
    }

    /// Whether one more page is likely to be refused. Three quarters of what [`Self::queue`] allows leave room for
    /// the pages whose data is being made at this moment.
    pub(crate) fn is_nearly_full(&self) -> bool {
        let most = self.jobs.capacity().unwrap_or(usize::MAX);
        self.jobs.len() > most / 4 * 3 || self.expected_wait() > self.timeout * 3 / 8
    }

    /// Expected wait for an isolate at the end of the queue, from the average of the latest renders.
    fn expected_wait(&self) -> Duration {
        let queued = u32::try_from(self.jobs.len()).unwrap_or(u32::MAX);
        self.counters.average_render_time().saturating_mul(queued) / self.isolates
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    /// Panics on request, because no bundle can make the thread itself panic.
    fn panic_if_asked(isolate: &mut Isolate, page: &PageJson) -> Result<String, RenderError> {
        assert!(!page.as_str().contains("panic"), "on request");
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
        let renderer =
            Renderer::start_with(bundle(), settings(), page("warm"), panic_if_asked).await.unwrap();
        for lost in 1..=2 {
            let outcome = renderer.render(page("panic")).await;
            assert!(matches!(outcome, Err(RenderError::Lost)));
            assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
            assert_eq!(renderer.counters().lost_isolates.get(), lost);
        }
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
}
