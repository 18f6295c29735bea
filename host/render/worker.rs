//! The life of an isolate's thread: it boots, renders what the queue holds, and ends when its
//! successor has taken over or when the isolate is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};
use tokio::sync::oneshot;

use super::counters::RendererCounters;
use super::error::{BootError, RenderError};
use super::isolate::{BlankIsolate, Isolate};
use super::thread::{cpu_time, yield_to_others};
use super::watchdog::Watchdog;
use super::{Bundle, Rendered, RendererSettings};
use crate::page_json::PageJson;

/// Deep component trees recurse deeply; V8's own limit is set below this.
const THREAD_STACK: usize = 8 << 20;

/// What loading and warming may take. Far above any budget: a slow machine must still start.
const BOOT_TIMEOUT: Duration = Duration::from_secs(20);

/// A render that took too long is held against its page when it was on a core for this part of the
/// time: many times as long as a page takes, and what even a thread that yields to others gets.
const FAIR_SHARE: u32 = 20;

/// An isolate that has been idle this long runs the engine's pending tasks.
const IDLE_AFTER: Duration = Duration::from_millis(250);

/// And again each time that it has been idle this long, because some of them come late.
const IDLE_AGAIN: Duration = Duration::from_secs(2);

/// How many renders may pass before pending tasks are run under constant load.
const RENDERS_BETWEEN_TASKS: u64 = 64;

/// A page to render, and who waits for it.
#[derive(Debug)]
pub struct Job {
    pub page: PageJson,
    /// When an isolate began.
    pub begun: Arc<OnceLock<Instant>>,
    pub reply: oneshot::Sender<Result<Rendered, RenderError>>,
}

/// Everything an isolate's thread needs; shared with its successors.
pub struct Recipe {
    /// The number of the next isolate.
    pub next: AtomicU64,
    pub bundle: Bundle,
    pub settings: RendererSettings,
    pub warm_up: PageJson,
    pub watchdog: Watchdog,
    pub tokio: tokio::runtime::Handle,
    pub jobs: Receiver<Job>,
    pub counters: Arc<RendererCounters>,
    /// How often garbage was to be collected so far.
    pub collections: Arc<AtomicU64>,
}

/// What an isolate's thread tells the keeper.
#[derive(Debug)]
pub struct News {
    /// The place in the pool.
    pub slot: usize,
    /// The isolate's own number; its successor in the same place has another one.
    pub isolate: u64,
    pub event: Event,
}

/// What happened to an isolate.
#[derive(Debug)]
pub enum Event {
    /// It has rendered enough; the sender asks it to end once its successor is warm.
    Due(Sender<()>),
    Ended(Ended),
}

/// Why an isolate's thread ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The renderer was dropped.
    Stopped,
    /// Its successor has taken over.
    Retired,
    /// The isolate was terminated, ran out of memory, or its thread panicked.
    Spent,
}

/// Starts one isolate's thread. The receiver tells when it is warm.
pub fn spawn(
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
    let (mut renders, mut idle_after) = (0_u64, IDLE_AFTER);
    let mut collections = recipe.collections.load(Ordering::Relaxed);
    loop {
        let wanted = recipe.collections.load(Ordering::Relaxed);
        if wanted != collections {
            collections = wanted;
            isolate.collect_garbage();
        }
        let job = select! {
            recv(recipe.jobs) -> job => job.ok(),
            recv(retired) -> _ => return Ended::Retired,
            default(idle_after) => {
                if !tidy(&mut isolate, recipe) {
                    return Ended::Spent;
                }
                idle_after = IDLE_AGAIN;
                continue;
            }
        };
        let Some(job) = job else { return Ended::Stopped };
        idle_after = IDLE_AFTER;
        // Whoever asked may have stopped waiting while the job was queued.
        if job.reply.is_closed() {
            continue;
        }
        let (started, cpu) = (*job.begun.get_or_init(Instant::now), cpu_time());
        let armed = recipe.watchdog.arm(started + recipe.settings.timeout, isolate.terminator());
        #[cfg(test)]
        super::pool::tests::panic_if_asked(&job.page);
        let outcome = isolate.render(&job.page);
        drop(armed);
        let outcome = match outcome {
            // On a machine that gave it no core, the time says nothing of the page.
            Err(RenderError::Timeout)
                if cpu_time().saturating_sub(cpu) < recipe.settings.timeout / FAIR_SHARE =>
            {
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
