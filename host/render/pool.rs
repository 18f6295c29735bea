//! The pool: named threads that own the isolates, a bounded queue in front of them, and a keeper
//! that replaces what was lost.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError};
use tokio::sync::oneshot;

use super::Bundle;
use super::error::{BootError, RenderError};
use super::isolate::{BlankIsolate, Isolate};
use super::watchdog::Watchdog;
use crate::page_json::PageJson;

/// Deep component trees recurse deeply; V8's own limit is set below this.
const THREAD_STACK: usize = 8 << 20;

/// What loading and warming may take. Far above any budget: a slow machine must still start.
const BOOT_TIMEOUT: Duration = Duration::from_secs(20);

/// How long after the render budget a caller still waits for an answer under way.
const ANSWER_GRACE: Duration = Duration::from_millis(20);

/// An isolate that has been idle this long runs the engine's pending tasks.
const IDLE_AFTER: Duration = Duration::from_millis(250);

/// How many renders may pass before pending tasks are run under constant load.
const RENDERS_BETWEEN_TASKS: u32 = 64;

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
}

/// A handle on the pool; the isolates stop when the last clone is dropped.
#[derive(Clone, Debug)]
pub struct Renderer {
    jobs: Sender<Job>,
    timeout: Duration,
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
    reply: oneshot::Sender<Result<Rendered, RenderError>>,
}

/// Everything an isolate's thread needs; shared with its successors.
struct Recipe {
    bundle: Bundle,
    settings: RendererSettings,
    warm_up: PageJson,
    watchdog: Watchdog,
    tokio: tokio::runtime::Handle,
    jobs: Receiver<Job>,
}

/// Why an isolate's thread ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    /// The renderer was dropped.
    Stopped,
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
        let recipe = Arc::new(Recipe {
            bundle,
            settings,
            warm_up,
            watchdog: Watchdog::start().map_err(BootError::Thread)?,
            tokio: tokio::runtime::Handle::current(),
            jobs,
        });
        let (ended, endings) = crossbeam_channel::unbounded();
        let mut booting = Vec::with_capacity(isolates);
        for slot in 0..isolates {
            booting.push(spawn(slot, &recipe, &ended).map_err(BootError::Thread)?);
        }
        for ready in booting {
            ready.await.map_err(|_| BootError::Lost)??;
        }
        thread::Builder::new()
            .name("isolate-keeper".into())
            .spawn(move || keep(&recipe, &ended, &endings))
            .map_err(BootError::Thread)?;
        Ok(Self { jobs: sender, timeout })
    }

    /// Renders `page` on a free isolate.
    ///
    /// # Errors
    /// At once when the queue is full; otherwise within the render budget and a small grace, even
    /// when no isolate ever answers.
    pub async fn render(&self, page: PageJson) -> Result<Rendered, RenderError> {
        let (reply, answer) = oneshot::channel();
        self.jobs.try_send(Job { page, reply }).map_err(|refused| match refused {
            TrySendError::Full(_) => RenderError::QueueFull,
            TrySendError::Disconnected(_) => RenderError::Lost,
        })?;
        match tokio::time::timeout(self.timeout + ANSWER_GRACE, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_dropped)) => Err(RenderError::Lost),
            Err(_elapsed) => Err(RenderError::Timeout),
        }
    }
}

/// Starts one isolate's thread. The receiver tells when it is warm.
fn spawn(
    slot: usize,
    recipe: &Arc<Recipe>,
    ended: &Sender<(usize, Ended)>,
) -> std::io::Result<oneshot::Receiver<Result<(), BootError>>> {
    let (ready, warm) = oneshot::channel();
    let (recipe, ended) = (Arc::clone(recipe), ended.clone());
    thread::Builder::new().name(format!("isolate-{slot}")).stack_size(THREAD_STACK).spawn(move || {
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
        let ending = catch_unwind(AssertUnwindSafe(|| serve(isolate, &recipe))).unwrap_or(Ended::Spent);
        // The keeper is gone only when the whole renderer is.
        let _ = ended.send((slot, ending));
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

fn serve(mut isolate: Isolate, recipe: &Recipe) -> Ended {
    let mut renders_since_tasks = 0;
    loop {
        let job = match recipe.jobs.recv_timeout(IDLE_AFTER) {
            Ok(job) => job,
            Err(RecvTimeoutError::Timeout) => {
                if !tidy(&mut isolate, recipe) {
                    return Ended::Spent;
                }
                match recipe.jobs.recv() {
                    Ok(job) => job,
                    Err(_) => return Ended::Stopped,
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Ended::Stopped,
        };
        // Whoever asked may have stopped waiting while the job was queued.
        if job.reply.is_closed() {
            continue;
        }
        let started = Instant::now();
        let armed = recipe.watchdog.arm(started + recipe.settings.timeout, isolate.terminator());
        let outcome = isolate.render(&job.page);
        drop(armed);
        let took = started.elapsed();
        let _ = job.reply.send(outcome.map(|markup| Rendered { markup, took }));
        if isolate.is_spent() {
            return Ended::Spent;
        }
        renders_since_tasks += 1;
        if renders_since_tasks == RENDERS_BETWEEN_TASKS {
            renders_since_tasks = 0;
            if !tidy(&mut isolate, recipe) {
                return Ended::Spent;
            }
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

/// Replaces lost isolates until the renderer is dropped.
fn keep(recipe: &Arc<Recipe>, ended: &Sender<(usize, Ended)>, endings: &Receiver<(usize, Ended)>) {
    let mut running = recipe.settings.isolates.get();
    while running > 0 {
        let Ok((slot, ending)) = endings.recv() else { return };
        if ending == Ended::Stopped {
            running -= 1;
            continue;
        }
        tracing::warn!(slot, "an isolate was lost; starting another");
        while let Err(error) = replace(slot, recipe, ended) {
            tracing::error!(slot, error = &error as &dyn std::error::Error, "no replacement isolate");
            thread::sleep(REBOOT_PAUSE);
        }
    }
}

fn replace(slot: usize, recipe: &Arc<Recipe>, ended: &Sender<(usize, Ended)>) -> Result<(), BootError> {
    let ready = spawn(slot, recipe, ended).map_err(BootError::Thread)?;
    ready.blocking_recv().map_err(|_| BootError::Lost)?
}
