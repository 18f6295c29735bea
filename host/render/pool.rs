//! The pool: named threads that own the isolates, a bounded queue in front of them, and a keeper
//! that replaces what was lost.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, select};
use tokio::sync::oneshot;

use super::Bundle;
use super::counters::RendererCounters;
use super::error::{BootError, RenderError};
use super::isolate::{BlankIsolate, Isolate};
use super::thread::{cpu_time, yield_to_others};
use super::watchdog::Watchdog;
use crate::page_json::PageJson;
use crate::seldom::Seldom;

/// Deep component trees recurse deeply; V8's own limit is set below this.
const THREAD_STACK: usize = 8 << 20;

/// What loading and warming may take. Far above any budget: a slow machine must still start.
const BOOT_TIMEOUT: Duration = Duration::from_secs(20);

/// How long after the render budget a caller still waits for an answer under way.
const ANSWER_GRACE: Duration = Duration::from_millis(20);

/// A render that took too long is held against its page when it ran for this part of the time.
const FAIR_SHARE: u32 = 5;

/// An isolate that has been idle this long runs the engine's pending tasks.
const IDLE_AFTER: Duration = Duration::from_millis(250);

/// How many renders may pass before pending tasks are run under constant load.
const RENDERS_BETWEEN_TASKS: u64 = 64;

/// Pause before another try when a replacement isolate did not start.
const REBOOT_PAUSE: Duration = Duration::from_secs(1);

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

#[derive(Debug)]
struct Job {
    page: PageJson,
    /// When an isolate began.
    begun: Arc<OnceLock<Instant>>,
    reply: oneshot::Sender<Result<Rendered, RenderError>>,
}

/// Everything an isolate's thread needs; shared with its successors.
struct Recipe {
    /// The number of the next isolate.
    next: AtomicU64,
    bundle: Bundle,
    settings: RendererSettings,
    warm_up: PageJson,
    watchdog: Watchdog,
    tokio: tokio::runtime::Handle,
    jobs: Receiver<Job>,
    counters: Arc<RendererCounters>,
}

/// What an isolate's thread tells the keeper.
#[derive(Debug)]
struct News {
    /// The place in the pool.
    slot: usize,
    /// The isolate's own number; its successor in the same place has another one.
    isolate: u64,
    event: Event,
}

#[derive(Debug)]
enum Event {
    /// It has rendered enough; the sender asks it to end once its successor is warm.
    Due(Sender<()>),
    Ended(Ended),
}

/// Why an isolate's thread ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The renderer was dropped.
    Stopped,
    /// Its successor has taken over.
    Retired,
    /// The isolate was terminated, ran out of memory, or its thread panicked.
    Spent,
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
        let recipe = Arc::new(Recipe {
            next: AtomicU64::new(0),
            bundle,
            settings,
            warm_up,
            watchdog: Watchdog::start().map_err(BootError::Thread)?,
            tokio: tokio::runtime::Handle::current(),
            jobs,
            counters: Arc::clone(&counters),
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
        Ok(Self { jobs: sender, timeout, isolates, counters, seldom: Arc::default() })
    }

    /// What happened to the renders so far.
    pub fn counters(&self) -> &RendererCounters {
        &self.counters
    }

    /// Renders `page` on a free isolate.
    ///
    /// # Errors
    /// At once when the queue is full, or so long that its end would not be reached in time;
    /// otherwise within the render budget and a small grace, even when no isolate ever answers.
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
        match tokio::time::timeout(self.timeout + ANSWER_GRACE, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_dropped)) => Err(RenderError::Lost),
            Err(_elapsed) => match begun.get() {
                Some(begun) if begun.elapsed() >= self.timeout / 2 => Err(RenderError::Timeout),
                // It waited most of the time: that says nothing of the page.
                _ => Err(RenderError::QueueFull),
            },
        }
    }

    /// How long the queue's end will wait for an isolate, going by the latest renders.
    fn expected_wait(&self) -> Duration {
        let queued = u32::try_from(self.jobs.len()).unwrap_or(u32::MAX);
        self.counters.usual_render_time().saturating_mul(queued) / self.isolates
    }
}

/// Starts one isolate's thread. The receiver tells when it is warm.
fn spawn(
    slot: usize,
    recipe: &Arc<Recipe>,
    tell: &Sender<News>,
) -> std::io::Result<oneshot::Receiver<Result<(), BootError>>> {
    let (ready, warm) = oneshot::channel();
    let (recipe, tell) = (Arc::clone(recipe), tell.clone());
    let isolate = recipe.next.fetch_add(1, Ordering::Relaxed);
    // The keeper is gone only when the whole renderer is.
    let tell = move |event| tell.send(News { slot, isolate, event }).is_ok();
    thread::Builder::new().name(format!("isolate-{slot}")).stack_size(THREAD_STACK).spawn(move || {
        yield_to_others();
        // V8 posts delayed tasks through the thread's tokio context and aborts without one.
        let _context = recipe.tokio.enter();
        let isolate = match catch_unwind(AssertUnwindSafe(|| boot(&recipe))) {
            Ok(Ok(isolate)) => isolate,
            // Nobody listens any more when start-up was given up after another isolate failed.
            Ok(Err(error)) => return drop(ready.send(Err(error))),
            // Dropping `ready` tells of the panic.
            Err(_panic) => return,
        };
        let _ = ready.send(Ok(()));
        let due = |retire| tell(Event::Due(retire));
        let ending = catch_unwind(AssertUnwindSafe(|| serve(isolate, &recipe, due))).unwrap_or(Ended::Spent);
        tell(Event::Ended(ending));
    })?;
    Ok(warm)
}

fn boot(recipe: &Recipe) -> Result<Isolate, BootError> {
    let mut blank = BlankIsolate::new(recipe.bundle.source_map, recipe.settings.heap_limit)?;
    let terminator = blank.terminator();
    let _armed = recipe.watchdog.arm(Instant::now() + BOOT_TIMEOUT, terminator.clone());
    let mut isolate = blank.load(Arc::clone(&recipe.bundle.source), terminator)?;
    isolate.render(&recipe.warm_up).map_err(BootError::WarmUp)?;
    Ok(isolate)
}

/// Renders until there is a reason to end. `due` asks for a successor, which ends this one.
fn serve(mut isolate: Isolate, recipe: &Recipe, due: impl Fn(Sender<()>) -> bool) -> Ended {
    let (retire, retired) = crossbeam_channel::bounded(1);
    let mut renders = 0_u64;
    loop {
        let job = select! {
            recv(recipe.jobs) -> job => job.ok(),
            recv(retired) -> _ => return Ended::Retired,
            default(IDLE_AFTER) => {
                if !tidy(&mut isolate, recipe) {
                    return Ended::Spent;
                }
                select! {
                    recv(recipe.jobs) -> job => job.ok(),
                    recv(retired) -> _ => return Ended::Retired,
                }
            }
        };
        let Some(job) = job else { return Ended::Stopped };
        // Whoever asked may have stopped waiting while the job was queued.
        if job.reply.is_closed() {
            continue;
        }
        let (started, cpu) = (*job.begun.get_or_init(Instant::now), cpu_time());
        let armed = recipe.watchdog.arm(started + recipe.settings.timeout, isolate.terminator());
        #[cfg(test)]
        tests::panic_if_asked(&job.page);
        let outcome = isolate.render(&job.page);
        drop(armed);
        let outcome = match outcome {
            // On a machine that gave it no core, the time says nothing of the page.
            Err(RenderError::Timeout) if cpu_time() - cpu < recipe.settings.timeout / FAIR_SHARE => {
                Err(RenderError::QueueFull)
            }
            outcome => outcome,
        };
        let took = started.elapsed();
        recipe.counters.rendered(took);
        let _ = job.reply.send(outcome.map(|markup| Rendered { markup, took }));
        if isolate.is_spent() {
            return Ended::Spent;
        }
        renders += 1;
        if renders.is_multiple_of(RENDERS_BETWEEN_TASKS) && !tidy(&mut isolate, recipe) {
            return Ended::Spent;
        }
        if renders.is_multiple_of(recipe.settings.recycle_after) && !due(retire.clone()) {
            return Ended::Stopped;
        }
    }
}

/// Runs the engine's pending tasks, among them what a render left in its microtask queue, and
/// tells whether the isolate survived it.
fn tidy(isolate: &mut Isolate, recipe: &Recipe) -> bool {
    let armed = recipe.watchdog.arm(Instant::now() + recipe.settings.timeout, isolate.terminator());
    isolate.run_pending_tasks();
    drop(armed);
    !isolate.is_spent()
}

/// Replaces isolates that were lost or have rendered enough, one at a time, until the renderer is
/// dropped.
fn keep(recipe: &Arc<Recipe>, tell: &Sender<News>, news: &Receiver<News>) {
    let mut running = recipe.settings.isolates.get();
    // Isolates whose successors have started already, however they are going to end.
    let mut succeeded = HashSet::new();
    while running > 0 {
        recipe.counters.isolates.set(running);
        let Ok(News { slot, isolate, event }) = news.recv() else { return };
        match event {
            // It went on while its successor started, and asked again.
            Event::Due(_) if succeeded.contains(&isolate) => {}
            Event::Due(retire) => match replace(slot, recipe, tell) {
                Ok(()) => {
                    recipe.counters.recycled.increment();
                    running += 1;
                    succeeded.insert(isolate);
                    // It may have ended by itself meanwhile.
                    let _ = retire.try_send(());
                }
                // It goes on, and asks again later.
                Err(error) => log_failed_replacement(slot, &error),
            },
            Event::Ended(Ended::Spent) if !succeeded.contains(&isolate) => {
                recipe.counters.lost_isolates.increment();
                tracing::warn!(slot, "an isolate was lost; starting another");
                while let Err(error) = replace(slot, recipe, tell) {
                    log_failed_replacement(slot, &error);
                    thread::sleep(REBOOT_PAUSE);
                }
            }
            Event::Ended(_) => {
                succeeded.remove(&isolate);
                running -= 1;
            }
        }
    }
}

fn log_failed_replacement(slot: usize, error: &BootError) {
    tracing::error!(slot, error = error as &dyn std::error::Error, "no replacement isolate");
}

fn replace(slot: usize, recipe: &Arc<Recipe>, tell: &Sender<News>) -> Result<(), BootError> {
    let ready = spawn(slot, recipe, tell).map_err(BootError::Thread)?;
    ready.blocking_recv().map_err(|_| BootError::Lost)?
}

#[cfg(test)]
mod tests {
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
