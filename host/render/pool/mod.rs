//! The pool of isolates, each on its own thread, fed by one bounded queue.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout_at;
use tracing::Instrument as _;

use super::boot_error::BootError;
use super::bundle::Bundle;
use super::counters::RendererCounters;
use super::isolate::Isolate;
use super::keeper::keep;
use super::outcome::{Refusal, RenderError, Rendered};
use super::queue::Queue;
use super::settings::RendererSettings;
use super::watchdog::Watchdog;
use super::worker::{Job, PoolContext, UnderWay, spawn};
use crate::contract::PageJson;
use crate::observe::{LogThrottle, traces};

/// How long beyond the time budget a caller waits for a render in progress.
const ANSWER_GRACE: Duration = Duration::from_millis(20);

/// A timeout counts against its page only if the thread ran for at least the time budget divided by
/// this. That is many times as long as a page takes, and even a low-priority thread gets that much of a
/// core unless the machine is overloaded.
const FAIR_SHARE: u32 = 20;

/// This many renders may always wait, however long renders take: a crawler with a few connections, and some
/// visitors, are no crowd even where the machine is slow.
const ALWAYS_QUEUED: usize = 8;

/// A handle on the pool; the isolates stop when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Renderer {
    jobs: Arc<Jobs>,
    /// The texts that the isolates use instead of those of the bundle.
    texts: Option<PageJson>,
    timeout: Duration,
    isolates: u32,
    counters: Arc<RendererCounters>,
    /// How many garbage collections were requested so far; isolates compare it with their own count.
    gc_requests: Arc<AtomicU64>,
    throttle: Arc<LogThrottle>,
    /// Renders whose callers wait, or that an isolate has not ended.
    under_way: Arc<AtomicUsize>,
}

/// The queue, which is closed when the last handle on the pool is dropped.
#[derive(Debug)]
struct Jobs(Arc<Queue<Job>>);

impl Drop for Jobs {
    fn drop(&mut self) {
        self.0.close();
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
        // The queue is closed also when the start fails.
        let jobs = Arc::new(Jobs(Arc::new(Queue::new(settings.queue))));
        let timeout = settings.timeout;
        let isolates = settings.isolates.get();
        let counters = Arc::new(RendererCounters::default());
        let gc_requests = Arc::new(AtomicU64::new(0));
        let shared = Arc::new(PoolContext {
            next: AtomicU64::new(0),
            bundle,
            render,
            settings,
            warm_up,
            watchdog: Watchdog::start().map_err(BootError::Thread)?,
            tokio: tokio::runtime::Handle::current(),
            jobs: Arc::clone(&jobs.0),
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
            jobs,
            texts: None,
            timeout,
            isolates,
            counters,
            gc_requests,
            throttle: Arc::default(),
            under_way: Arc::default(),
        })
    }

    /// The same pool for pages with these texts, or with those of the bundle.
    pub(crate) fn with_texts(&self, texts: Option<PageJson>) -> Self {
        Self { texts, ..self.clone() }
    }

    /// Counters of renders and isolates so far.
    pub fn counters(&self) -> &RendererCounters {
        &self.counters
    }

    /// Asks each isolate to collect garbage between two renders.
    pub fn collect_garbage(&self) {
        self.gc_requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether no render waits or is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.under_way() == 0
    }

    /// Renders that wait for an isolate or are under way, even if their callers have stopped waiting.
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
    /// period after the render began, even when the isolate never answers. The isolate may go on: the watchdog
    /// ends it when it has used the budget of processor time, which can take longer.
    pub async fn render(&self, page: PageJson) -> Result<Rendered, RenderError> {
        let span = traces::of_render();
        let outcome = self.queue(page).instrument(span.clone()).await;
        if outcome.is_err() {
            traces::failed(&span);
        }
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
        if !refusal.is_overload() {
            if self.throttle.allows("late") {
                let late = self.counters.late();
                tracing::warn!(late, %refusal, "renders are not done in time; the browser draws the pages");
            }
            return;
        }
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
        let under_way = UnderWay::begin(&self.under_way);
        let job = Job {
            page,
            texts: self.texts.clone(),
            queued,
            started: Arc::clone(&started),
            reply,
            under_way: Arc::clone(&under_way),
        };
        let _place = self.jobs.0.push(job).map_err(|_full| RenderError::Refused(Refusal::QueueFull))?;
        let mut answer = pin!(answer);
        if let Ok(answer) = timeout_at((queued + self.timeout).into(), &mut answer).await {
            return answer.unwrap_or(Err(RenderError::Lost));
        }
        // The render has not begun, so this is not the page's fault.
        let Some(started) = started.get() else {
            return Err(RenderError::Refused(Refusal::NoIsolate));
        };
        let end = started.since() + self.timeout + ANSWER_GRACE;
        match timeout_at(end.into(), answer).await {
            Ok(answer) => answer.unwrap_or(Err(RenderError::Lost)),
            // The thread hardly ran, so this is not the page's fault either.
            Err(_elapsed) if started.used() < self.timeout / FAIR_SHARE => {
                Err(RenderError::Refused(Refusal::NoProcessorTime))
            }
            Err(_elapsed) => Err(RenderError::Timeout),
        }
    }

    /// Whether one more page is likely to be refused. Three quarters of what [`Self::queue`] allows leave room for
    /// the pages whose data is being made at this moment.
    pub(crate) fn is_nearly_full(&self) -> bool {
        let Jobs(jobs) = &*self.jobs;
        jobs.len() > jobs.capacity() / 4 * 3 || self.expected_wait() > self.timeout * 3 / 8
    }

    /// Expected wait for an isolate at the end of the queue, from the average of the latest renders. It is zero while
    /// fewer than [`ALWAYS_QUEUED`] wait.
    fn expected_wait(&self) -> Duration {
        match self.jobs.0.len() {
            0..ALWAYS_QUEUED => Duration::ZERO,
            queued => {
                let queued = u32::try_from(queued).unwrap_or(u32::MAX);
                self.counters.average_render_time().saturating_mul(queued) / self.isolates
            }
        }
    }
}

#[cfg(test)]
mod tests;
