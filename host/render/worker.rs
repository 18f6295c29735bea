//! An isolate's thread: it boots the isolate, renders jobs from the queue, and ends when its successor
//! has taken over or the isolate is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use flume::Sender;
use tokio::sync::oneshot;

use super::boot_error::BootError;
use super::bundle::Bundle;
use super::counters::RendererCounters;
use super::isolate::{BlankIsolate, Isolate};
use super::outcome::{RenderError, Rendered};
use super::queue::{Empty, Queue};
use super::settings::RendererSettings;
use super::thread::{Meter, lower_priority};
use super::watchdog::Watchdog;
use crate::contract::PageJson;
use crate::process::allocator;

/// Stack size of a thread, in bytes. Deep component trees recurse deeply; V8's own limit is set below
/// this.
const THREAD_STACK: usize = 8 << 20;

/// Time limit of loading the bundle and rendering the warm-up page. Generous, so that a slow machine
/// still starts.
const BOOT_TIMEOUT: Duration = Duration::from_secs(20);

/// After this idle time an isolate runs the engine's pending tasks.
const IDLE_AFTER: Duration = Duration::from_millis(250);

/// After each further idle time of this length it does so again, because some tasks are posted late.
const IDLE_REPEAT: Duration = Duration::from_secs(2);

/// An isolate that has rendered at least this many pages gives memory back when it is idle. Fewer leave little
/// garbage behind, and a shop with few visitors should not collect after each.
const RENDERS_BEFORE_REST: u64 = 64;

/// Under constant load pending tasks run after this many renders.
const RENDERS_BETWEEN_TASKS: u64 = 64;

/// A page to render.
#[derive(Debug)]
pub(super) struct Job {
    pub page: PageJson,
    /// The texts to use instead of those of the bundle.
    pub texts: Option<PageJson>,
    pub queued: Instant,
    /// Set when an isolate begins to render it; measures the isolate's thread from then on.
    pub started: Arc<OnceLock<Meter>>,
    /// Takes the outcome to the caller. Closed when the caller has stopped waiting.
    pub reply: oneshot::Sender<Result<Rendered, RenderError>>,
    pub under_way: Arc<UnderWay>,
}

/// Counts a render until its caller has the outcome and the isolate has ended it, whichever is later: the isolate may
/// go on after the caller has stopped waiting.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<AtomicUsize>);

impl UnderWay {
    pub(super) fn begin(count: &Arc<AtomicUsize>) -> Arc<Self> {
        count.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self(Arc::clone(count)))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Everything an isolate's thread needs; shared with its successors.
pub(super) struct PoolContext {
    /// The number of the next isolate.
    pub next: AtomicU64,
    pub bundle: Bundle,
    /// Renders a page on an isolate.
    pub render: fn(&mut Isolate, &PageJson) -> Result<String, RenderError>,
    pub settings: RendererSettings,
    pub warm_up: PageJson,
    pub watchdog: Watchdog,
    pub tokio: tokio::runtime::Handle,
    pub jobs: Arc<Queue<Job>>,
    pub counters: Arc<RendererCounters>,
    /// How many garbage collections were requested so far.
    pub gc_requests: Arc<AtomicU64>,
}

/// A message from an isolate's thread to the keeper.
#[derive(Debug)]
pub(super) struct Report {
    /// The isolate's place in the pool.
    pub slot: usize,
    /// The isolate's unique number, which differs from its successor's in the same place.
    pub isolate: u64,
    pub event: Event,
}

/// What happened to an isolate.
#[derive(Debug)]
pub(super) enum Event {
    /// It has rendered enough. The keeper sets this flag once the successor is warm, and the isolate ends.
    RecycleDue(Arc<AtomicBool>),
    Ended(Ended),
}

/// Why an isolate's thread ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The renderer was dropped.
    Stopped,
    /// Its successor has taken over.
    Retired,
    /// The isolate was terminated, ran out of memory, or its thread panicked.
    Lost,
}

/// Starts one isolate's thread. The receiver completes when the isolate is warm or failed to boot.
///
/// # Errors
/// Fails when the thread cannot be started.
pub(super) fn spawn(
    slot: usize,
    shared: &Arc<PoolContext>,
    report: &Sender<Report>,
) -> std::io::Result<oneshot::Receiver<Result<(), BootError>>> {
    let (ready, warm) = oneshot::channel();
    let (shared, report) = (Arc::clone(shared), report.clone());
    let isolate = shared.next.fetch_add(1, Ordering::Relaxed);
    // Sending fails only when the renderer was dropped and the keeper has ended.
    let report = move |event| report.send(Report { slot, isolate, event }).is_ok();
    thread::Builder::new().name(format!("isolate-{slot}")).stack_size(THREAD_STACK).spawn(move || {
        lower_priority();
        // V8 posts delayed tasks through the thread's tokio context, and aborts without one.
        let _context = shared.tokio.enter();
        let isolate = match catch_unwind(AssertUnwindSafe(|| boot(&shared))) {
            Ok(Ok(isolate)) => isolate,
            // The receiver is gone when another isolate failed and start-up was abandoned.
            Ok(Err(error)) => return drop(ready.send(Err(error))),
            // Dropping `ready` reports the panic to the receiver.
            Err(_panic) => return,
        };
        let _ = ready.send(Ok(()));
        let request_successor = |retired| report(Event::RecycleDue(retired));
        let ended = catch_unwind(AssertUnwindSafe(|| serve(slot, isolate, &shared, request_successor)));
        report(Event::Ended(ended.unwrap_or(Ended::Lost)));
    })?;
    Ok(warm)
}

/// Loads the bundle into a new isolate and renders the warm-up page, within [`BOOT_TIMEOUT`] of processor time.
fn boot(shared: &PoolContext) -> Result<Isolate, BootError> {
    let mut blank = BlankIsolate::new(&shared.bundle, shared.settings.heap_limit)?;
    let terminator = blank.terminator();
    let _armed = shared.watchdog.arm(Meter::start(), BOOT_TIMEOUT, terminator.clone());
    let mut isolate = blank.load(terminator)?;
    isolate.render(&shared.warm_up).map_err(BootError::WarmUp)?;
    Ok(isolate)
}

/// Renders jobs until there is a reason to end. `request_successor` asks the keeper for a successor, and
/// returns whether the keeper still runs.
fn serve(
    slot: usize,
    mut isolate: Isolate,
    shared: &PoolContext,
    request_successor: impl Fn(Arc<AtomicBool>) -> bool,
) -> Ended {
    record_heap(slot, &mut isolate, shared);
    let retired = Arc::new(AtomicBool::new(false));
    let (mut renders, mut idle_after) = (0_u64, IDLE_AFTER);
    let (mut rested, mut idle_since) = (0, Instant::now());
    let mut gc_done = shared.gc_requests.load(Ordering::Relaxed);
    loop {
        let gc_requests = shared.gc_requests.load(Ordering::Relaxed);
        if gc_requests != gc_done {
            gc_done = gc_requests;
            isolate.collect_garbage();
        }
        if retired.load(Ordering::Relaxed) {
            return Ended::Retired;
        }
        let job = match shared.jobs.pop(idle_after) {
            Ok(job) => job,
            Err(Empty::Closed) => return Ended::Stopped,
            Err(Empty::Timeout) => {
                let is_resting = idle_since.elapsed() >= shared.settings.rest_after;
                if is_resting && renders - rested >= RENDERS_BEFORE_REST {
                    rested = renders;
                    isolate.return_memory();
                }
                allocator::release_if_requested();
                if !tidy_up(slot, &mut isolate, shared) {
                    return Ended::Lost;
                }
                idle_after = IDLE_REPEAT;
                continue;
            }
        };
        idle_after = IDLE_AFTER;
        // The caller may have stopped waiting at this moment.
        if job.reply.is_closed() {
            continue;
        }
        idle_since = render(job, &mut isolate, shared);
        if isolate.is_lost() {
            return Ended::Lost;
        }
        renders += 1;
        if renders.is_multiple_of(RENDERS_BETWEEN_TASKS) && !tidy_up(slot, &mut isolate, shared) {
            return Ended::Lost;
        }
        if renders.is_multiple_of(shared.settings.recycle_after) && !request_successor(Arc::clone(&retired)) {
            return Ended::Stopped;
        }
    }
}

/// Renders a page and sends the outcome to the caller, unless it has stopped waiting. Returns when the render ended.
fn render(job: Job, isolate: &mut Isolate, shared: &PoolContext) -> Instant {
    let Job { page, texts, queued, started, reply, under_way } = job;
    let meter = started.get_or_init(Meter::start).clone();
    let begun = meter.since();
    shared.counters.waits.record(begun.saturating_duration_since(queued));
    let armed = shared.watchdog.arm(meter, shared.settings.timeout, isolate.terminator());
    isolate.use_texts(texts);
    let outcome = (shared.render)(isolate, &page);
    drop(armed);
    let took = begun.elapsed();
    shared.counters.record_time(took);
    drop(under_way);
    let _ = reply.send(outcome.map(|markup| Rendered { markup, took }));
    begun + took
}

fn record_heap(slot: usize, isolate: &mut Isolate, shared: &PoolContext) {
    if let Some(bytes) = isolate.used_heap() {
        shared.counters.record_heap(slot, bytes);
    }
}

/// Runs the engine's pending tasks, including microtasks that a render left behind, under the watchdog, and
/// records the heap in use. Returns whether the isolate is still usable.
fn tidy_up(slot: usize, isolate: &mut Isolate, shared: &PoolContext) -> bool {
    let armed = shared.watchdog.arm(Meter::start(), shared.settings.timeout, isolate.terminator());
    isolate.run_pending_tasks();
    drop(armed);
    record_heap(slot, isolate, shared);
    !isolate.is_lost()
}
