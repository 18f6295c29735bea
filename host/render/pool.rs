//! The pool: isolates on threads of their own behind one bounded queue.

use std::num::NonZeroUsize;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, TrySendError};
use tokio::sync::oneshot;
use tokio::time::timeout_at;

use super::Bundle;
use super::counters::RendererCounters;
use super::error::{BootError, RenderError};
use super::keeper::keep;
use super::watchdog::Watchdog;
use super::worker::{Job, Recipe, spawn};
use crate::page_json::PageJson;
use crate::seldom::Seldom;

/// How long after the render budget a caller still waits for an answer under way.
const ANSWER_GRACE: Duration = Duration::from_millis(20);

/// Size and budgets of the pool.
#[derive(Clone, Debug)]
pub struct RendererSettings {
    /// Number of isolates, and so of threads that run JavaScript.
    pub isolates: NonZeroUsize,
    /// Renders that may wait for an isolate; further ones are refused at once.
    pub queue: usize,
    /// Time budget of one render.
    pub timeout: Duration,
    /// Heap limit of one isolate, in bytes.
    pub heap_limit: usize,
    /// After so many renders an isolate is replaced by a fresh one.
    pub recycle_after: u64,
}

/// A handle on the pool; the isolates stop when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Renderer {
    jobs: Sender<Job>,
    timeout: Duration,
    isolates: u32,
    counters: Arc<RendererCounters>,
    collections: Arc<AtomicU64>,
    seldom: Arc<Seldom>,
}

/// What a render gave.
#[derive(Debug)]
pub struct Rendered {
    /// The markup inside the application's root element.
    pub markup: String,
    /// Time inside the isolate, without waiting for it.
    pub took: Duration,
}

impl Renderer {
    /// Starts the isolates and returns when each has rendered `warm_up`.
    ///
    /// # Errors
    /// A bundle that does not load or does not render the warm-up page, or no thread for it.
    pub async fn start(
        bundle: Bundle,
        settings: RendererSettings,
        warm_up: PageJson,
    ) -> Result<Self, BootError> {
        let (sender, jobs) = crossbeam_channel::bounded(settings.queue);
        let timeout = settings.timeout;
        let isolates = settings.isolates.get();
        let counters = Arc::new(RendererCounters::default());
        let collections = Arc::new(AtomicU64::new(0));
        let recipe = Arc::new(Recipe {
            next: AtomicU64::new(0),
            bundle,
            settings,
            warm_up,
            watchdog: Watchdog::start().map_err(BootError::Thread)?,
            tokio: tokio::runtime::Handle::current(),
            jobs,
            counters: Arc::clone(&counters),
            collections: Arc::clone(&collections),
        });
        let (tell, news) = crossbeam_channel::unbounded();
        let mut booting = Vec::with_capacity(isolates);
        for slot in 0..isolates {
            booting.push(spawn(slot, &recipe, &tell).map_err(BootError::Thread)?);
        }
        for ready in booting {
            ready.await.map_err(|_| BootError::Lost)??;
        }
        thread::Builder::new()
            .name("isolate-keeper".into())
            .spawn(move || keep(&recipe, &tell, &news))
            .map_err(BootError::Thread)?;
        let isolates = u32::try_from(isolates).unwrap_or(u32::MAX);
        Ok(Self { jobs: sender, timeout, isolates, counters, collections, seldom: Arc::default() })
    }

    /// What happened to the renders so far.
    pub fn counters(&self) -> &RendererCounters {
        &self.counters
    }

    /// Lets each isolate give back what memory it can, as soon as it renders nothing.
    pub fn collect_garbage(&self) {
        self.collections.fetch_add(1, Ordering::Relaxed);
    }

    /// Renders `page` on a free isolate.
    ///
    /// # Errors
    /// At once when the queue is full, or so long that its end would not be reached in time; when
    /// no isolate was free within the render budget; otherwise within the budget and a small grace
    /// from when one began, even when it never answers.
    pub async fn render(&self, page: PageJson) -> Result<Rendered, RenderError> {
        let outcome = self.queue(page).await;
        self.counters.count(&outcome);
        if matches!(outcome, Err(RenderError::QueueFull)) && self.seldom.is_time_for("refused") {
            let refused = self.counters.refused.get();
            tracing::warn!(refused, "more pages are asked for than can be rendered");
        }
        outcome
    }

    async fn queue(&self, page: PageJson) -> Result<Rendered, RenderError> {
        if self.expected_wait() > self.timeout / 2 {
            return Err(RenderError::QueueFull);
        }
        let (reply, answer) = oneshot::channel();
        let begun = Arc::new(OnceLock::new());
        self.jobs.try_send(Job { page, begun: Arc::clone(&begun), reply }).map_err(
            |refused| match refused {
                TrySendError::Full(_) => RenderError::QueueFull,
                TrySendError::Disconnected(_) => RenderError::Lost,
            },
        )?;
        let (mut answer, queued) = (pin!(answer), Instant::now());
        let answer = match timeout_at((queued + self.timeout).into(), &mut answer).await {
            Ok(answer) => answer,
            Err(_elapsed) => {
                // Only waiting says nothing of the page.
                let Some(begun) = begun.get() else { return Err(RenderError::QueueFull) };
                // The isolate's own verdict is a fairer one, and as good as here.
                let end = *begun + self.timeout + ANSWER_GRACE;
                timeout_at(end.into(), answer).await.map_err(|_elapsed| RenderError::Timeout)?
            }
        };
        answer.unwrap_or(Err(RenderError::Lost))
    }

    /// How long the queue's end will wait for an isolate, going by the latest renders.
    fn expected_wait(&self) -> Duration {
        let queued = u32::try_from(self.jobs.len()).unwrap_or(u32::MAX);
        self.counters.usual_render_time().saturating_mul(queued) / self.isolates
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    const PANIC: &str = "\"panic in the isolate's thread\"";

    /// Nothing that a bundle does makes the thread itself panic, so the test does it.
    pub fn panic_if_asked(page: &PageJson) {
        assert!(page.as_str() != PANIC, "as the test asked");
    }

    /// The engine has to be initialised on the main thread, which runs no test.
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
        }
    }

    fn bundle() -> Bundle {
        Bundle { source: "globalThis.renderPage = () => 'fine';".into(), source_map: b"" }
    }

    fn page(text: &str) -> PageJson {
        PageJson::new(&text).unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn isolates_that_are_always_due_do_not_become_more() {
        let settings = RendererSettings { recycle_after: 1, ..settings() };
        let renderer = Renderer::start(bundle(), settings, page("warm")).await.unwrap();
        while renderer.counters().recycled.get() < 5 {
            assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
        }
        let waited = Instant::now();
        while renderer.counters().isolates.get() != 1 {
            assert!(waited.elapsed() < Duration::from_secs(10), "{:?}", renderer.counters());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_thread_that_panics_is_replaced() {
        let renderer = Renderer::start(bundle(), settings(), page("warm")).await.unwrap();
        for lost in 1..=2 {
            let outcome = renderer.render(page("panic in the isolate's thread")).await;
            assert!(matches!(outcome, Err(RenderError::Lost)));
            assert_eq!(renderer.render(page("next")).await.unwrap().markup, "fine");
            assert_eq!(renderer.counters().lost_isolates.get(), lost);
        }
    }
}
