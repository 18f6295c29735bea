//! Threads for computations that would block the async runtime.
//!
//! A thread of the runtime answers many connections in turn, so each of them waits for whatever runs on
//! it. Work that grows with the catalogue therefore runs elsewhere: work for a request on a [`ComputePool`],
//! which refuses when too much waits, and other work in [`off_runtime`] or, if no visitor waits for it,
//! [`in_background`]. Only work that is known to be short runs where it is asked for, because handing it to another
//! thread would take as long.

#[cfg(test)]
use std::cell::Cell;
use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::{self, ScopedJoinHandle};

use flume::{Receiver, Sender};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::priority::lower_priority;

type Job = Box<dyn FnOnce() + Send>;

/// Says that work may take long here: this thread drives no async task, or the work is known to be short. Work that runs
/// elsewhere is given it, and functions that take long for a request ask for it. What is made when it is first used only
/// checks in tests where it runs ([`assert_off_runtime`]).
#[derive(Debug)]
pub struct OffRuntime(());

impl OffRuntime {
    /// For a program's own thread, which drives no async task.
    pub fn of_own_thread() -> Self {
        assert_off_runtime();
        Self(())
    }
}

/// Work that runs off the runtime. It may ask for the proof of that (`M`).
pub(crate) trait Work<T, M>: Send + 'static {
    fn run(self) -> T;
}

impl<T, F: FnOnce() -> T + Send + 'static> Work<T, ()> for F {
    fn run(self) -> T {
        self()
    }
}

impl<T, F: FnOnce(&OffRuntime) -> T + Send + 'static> Work<T, OffRuntime> for F {
    fn run(self) -> T {
        self(&OffRuntime::of_own_thread())
    }
}

/// A few threads, fed by one bounded queue. They end when the pool is dropped.
#[derive(Debug)]
pub(crate) struct ComputePool {
    jobs: Sender<Job>,
    /// Work that reads at most this many bytes runs where it is asked for; with `None`, no work does.
    short: Option<usize>,
}

/// Every place in a pool's queue is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("every place in the queue is taken")]
pub(crate) struct QueueFull;

impl ComputePool {
    /// Starts the threads. `queue` is how many jobs may wait. Work that reads at most `short` bytes runs where
    /// it is asked for.
    ///
    /// # Errors
    /// Fails when a thread cannot be started.
    pub(crate) fn start(
        name: &str,
        threads: NonZeroUsize,
        queue: usize,
        short: Option<usize>,
    ) -> io::Result<Self> {
        let (jobs, received) = flume::bounded(queue);
        for number in 0..threads.get() {
            let received: Receiver<Job> = received.clone();
            thread::Builder::new()
                .name(format!("{name}-{number}"))
                .spawn(move || received.into_iter().for_each(|job| job()))?;
        }
        Ok(Self { jobs, short })
    }

    /// Whether more work is likely to be refused: more than three quarters of the queue are taken.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.jobs.len() > self.jobs.capacity().unwrap_or(usize::MAX) / 4 * 3
    }

    /// Runs `work`, whose time grows with the `bytes` that it reads: on the calling thread if they are few, otherwise
    /// like [`Self::run`].
    ///
    /// # Errors
    /// Like [`Self::run`], but never for work that runs on the calling thread.
    ///
    /// # Panics
    /// When `work` does, with its message.
    pub(crate) async fn run_reading<T: Send + 'static, M>(
        &self,
        bytes: usize,
        work: impl Work<T, M>,
    ) -> Result<T, QueueFull> {
        if self.short.is_none_or(|short| bytes > short) {
            return self.run(work).await;
        }
        #[cfg(test)]
        let _short = ShortWork::begin();
        Ok(work.run())
    }

    /// Runs `work` on one of the threads. Work that still waits when the caller is cancelled is skipped when
    /// a thread comes to it; until then it keeps its place in the queue.
    ///
    /// # Errors
    /// At once when every place in the queue is taken.
    ///
    /// # Panics
    /// When `work` does, with its message.
    pub(crate) async fn run<T: Send + 'static, M>(&self, work: impl Work<T, M>) -> Result<T, QueueFull> {
        let (reply, outcome) = oneshot::channel();
        let job = move || {
            if !reply.is_closed() {
                // An error means that the caller was cancelled meanwhile.
                let _ = reply.send(catch_unwind(AssertUnwindSafe(|| work.run())));
            }
        };
        self.jobs.try_send(Box::new(job)).map_err(|_| QueueFull)?;
        // The threads outlive the pool's handle, so every job that was accepted is answered.
        outcome.await.map_err(|_| QueueFull)?.or_else(|panic| resume_unwind(panic))
    }
}

/// Runs `work` on a blocking thread. The queue for those is not limited, so this is for work that requests cannot ask
/// for at will.
///
/// # Panics
/// When `work` does, with its message.
pub(crate) async fn off_runtime<T: Send + 'static, M>(work: impl Work<T, M>) -> T {
    let (job, outcome) = job(|| work.run());
    tokio::task::spawn_blocking(job);
    finished(outcome).await
}

/// Niceness of work in the background. While every processor is busy, such a thread gets a tenth of what others get.
pub(crate) const BACKGROUND: i32 = 10;

/// Runs `work` on a thread of its own with a low priority, so that visitors wait less for a processor meanwhile.
///
/// # Panics
/// When `work` does, with its message.
pub(crate) async fn in_background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (job, outcome) = job(work);
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        let job = Mutex::new(Some(job));
        let run = || job.lock().take().into_iter().for_each(|job| job());
        thread::scope(|scope| {
            let started = thread::Builder::new().name("background".into()).spawn_scoped(scope, || {
                let _runtime = runtime.enter();
                lower_priority(BACKGROUND);
                run();
            });
            // The system may have no thread to give.
            if started.is_err() {
                run();
            }
        });
    });
    finished(outcome).await
}

/// The outcome of a job.
type Outcome<T> = oneshot::Receiver<thread::Result<T>>;

/// `work` in a box, so that the code that runs it is compiled once, and the receiver of its outcome.
fn job<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> (Job, Outcome<T>) {
    let (reply, outcome) = oneshot::channel();
    let job = move || {
        // An error means that the caller was cancelled meanwhile.
        let _ = reply.send(catch_unwind(AssertUnwindSafe(work)));
    };
    (Box::new(job), outcome)
}

async fn finished<T>(outcome: Outcome<T>) -> T {
    match outcome.await {
        Ok(done) => done.unwrap_or_else(|panic| resume_unwind(panic)),
        // The runtime is shutting down, and drops the caller too.
        Err(_) => std::future::pending().await,
    }
}

/// One thread is faster than several for fewer values than this.
const FEW: u32 = 10_000;

/// The results of `work` for the parts of `0..count`, in their order. Each part has a thread, and there are at most as
/// many parts as processors. Visitors get no processor meanwhile, so use it only at a start.
///
/// # Panics
/// When `work` does, with its message.
pub(crate) fn in_parts<T: Send>(count: u32, work: impl Fn(Range<u32>) -> T + Sync) -> Vec<T> {
    let processors = thread::available_parallelism().ok().and_then(|number| u32::try_from(number.get()).ok());
    let size = count.div_ceil(processors.unwrap_or(1)).max(FEW);
    let parts = (0..count.div_ceil(size)).map(|part| part * size..count.min((part + 1).saturating_mul(size)));
    at_once(parts.collect(), work)
}

/// The results of `work` for each of these values, in their order, each made by a thread of its own. See [`in_parts`].
///
/// # Panics
/// When `work` does, with its message.
pub(crate) fn at_once<I: Clone + Send, T: Send>(values: Vec<I>, work: impl Fn(I) -> T + Sync) -> Vec<T> {
    assert_off_runtime();
    if values.len() < 2 {
        return values.into_iter().map(work).collect();
    }
    thread::scope(|scope| {
        let work = &work;
        let start = |value: I| {
            let own = value.clone();
            let thread = thread::Builder::new().spawn_scoped(scope, move || work(own));
            // The system may have no thread to give.
            thread.map_err(|_| value)
        };
        let started: Vec<_> = values.into_iter().map(start).collect();
        let finish = |started| match started {
            Ok(thread) => ScopedJoinHandle::join(thread).unwrap_or_else(|panic| resume_unwind(panic)),
            Err(value) => work(value),
        };
        started.into_iter().map(finish).collect()
    })
}

#[cfg(test)]
thread_local! {
    static DOES_SHORT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, this thread does work that is known to be short.
#[cfg(test)]
struct ShortWork;

#[cfg(test)]
impl ShortWork {
    fn begin() -> Self {
        DOES_SHORT_WORK.set(true);
        Self
    }
}

#[cfg(test)]
impl Drop for ShortWork {
    fn drop(&mut self) {
        DOES_SHORT_WORK.set(false);
    }
}

/// Ends a test in which a long computation runs on a thread that drives async tasks.
#[cfg(test)]
pub(crate) fn assert_off_runtime() {
    if DOES_SHORT_WORK.get() {
        return;
    }
    if let Ok(runtime) = Handle::try_current() {
        // Panics exactly on such threads. Blocking threads, which have a handle too, may block.
        runtime.block_on(async {});
    }
}

/// Does nothing outside the unit tests.
#[cfg(not(test))]
pub(crate) fn assert_off_runtime() {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt as _;

    use super::*;

    fn pool(queue: usize) -> ComputePool {
        ComputePool::start("test", NonZeroUsize::MIN, queue, Some(10)).unwrap()
    }

    /// Keeps the pool's only thread busy until the sender is dropped.
    async fn occupy(pool: &ComputePool) -> (mpsc::Sender<()>, impl Future<Output = Result<(), QueueFull>>) {
        let (release, released) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let mut work = Box::pin(pool.run(move || {
            begin.send(()).unwrap();
            let _ = released.recv();
        }));
        assert_eq!(work.as_mut().now_or_never(), None);
        begun.await.unwrap();
        (release, work)
    }

    #[test]
    fn parts_are_in_their_order_and_whole() {
        for count in [0, 1, FEW, FEW + 1, 10 * FEW + 7] {
            let parts = in_parts(count, |part| part.collect::<Vec<_>>());
            assert!(parts.iter().all(|part| !part.is_empty()), "{count}");
            assert_eq!(parts.concat(), (0..count).collect::<Vec<_>>());
        }
        assert_eq!(at_once(vec![3, 1, 2], |value| 2 * value), [6, 2, 4]);
        let fails = || at_once(vec![1, 2], |value| assert!(value < 2, "told"));
        let panic = catch_unwind(fails).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"told"));
    }

    #[tokio::test]
    async fn work_runs_outside_the_runtime() {
        let work = || {
            assert_off_runtime();
            std::thread::current().name().map(str::to_owned)
        };
        assert_eq!(pool(1).run(work).await.unwrap().unwrap(), "test-0");
        assert_eq!(off_runtime(assert_off_runtime).await, ());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_in_the_background_has_a_low_priority_and_its_panics_reach_the_caller() {
        let own_priority = || rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap();
        let usual = own_priority();
        let work = move || {
            assert_off_runtime();
            own_priority()
        };
        assert_eq!(in_background(work).await, BACKGROUND.max(usual));
        let failing = AssertUnwindSafe(in_background(|| panic!("on purpose"))).catch_unwind().await;
        assert_eq!(failing.unwrap_err().downcast_ref(), Some(&"on purpose"));
        assert_eq!(own_priority(), usual);
    }

    #[tokio::test]
    async fn only_short_work_runs_where_it_is_asked_for() {
        let here = thread::current().id();
        let work = || {
            assert_off_runtime();
            thread::current().id()
        };
        let long_only = ComputePool::start("test", NonZeroUsize::MIN, 1, None).unwrap();
        for (pool, bytes, is_here) in [
            (&pool(1), 0, true),
            (&pool(1), 10, true),
            (&pool(1), 11, false),
            (&pool(1), usize::MAX, false),
            (&long_only, 0, false),
        ] {
            assert_eq!(pool.run_reading(bytes, work).await.unwrap() == here, is_here, "{bytes}");
        }
    }

    #[tokio::test]
    async fn long_work_is_noticed_after_short_work_that_panicked() {
        let pool = pool(1);
        let outcome = AssertUnwindSafe(pool.run_reading(1, || panic!("on request"))).catch_unwind().await;
        assert!(outcome.is_err());
        assert!(!DOES_SHORT_WORK.get());
    }

    #[tokio::test]
    #[should_panic(expected = "Cannot start a runtime from within a runtime")]
    async fn a_computation_on_a_thread_of_the_runtime_is_noticed() {
        assert_off_runtime();
    }

    #[tokio::test]
    async fn work_is_refused_at_once_when_the_queue_is_full_unless_it_is_short() {
        let pool = pool(1);
        let (release, first) = occupy(&pool).await;
        let mut second = Box::pin(pool.run(|| 2));
        assert_eq!(second.as_mut().now_or_never(), None);
        assert_eq!(pool.run(|| 3).now_or_never(), Some(Err(QueueFull)));
        assert_eq!(pool.run_reading(10, || 3).await, Ok(3));
        assert_eq!(pool.run_reading(11, || 4).await, Err(QueueFull));
        drop(release);
        assert_eq!((first.await, second.await), (Ok(()), Ok(2)));
        assert_eq!(pool.run(|| 4).await, Ok(4));
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_any_more_is_skipped() {
        let pool = pool(2);
        let (release, first) = occupy(&pool).await;
        let (ran, has_run) = mpsc::channel();
        let mut cancelled = Box::pin(pool.run(move || ran.send(())));
        assert!(cancelled.as_mut().now_or_never().is_none());
        drop(cancelled);
        drop(release);
        first.await.unwrap();
        pool.run(|| ()).await.unwrap();
        assert!(has_run.recv().is_err());
    }

    #[tokio::test]
    async fn a_panic_reaches_the_caller_and_the_thread_goes_on() {
        let pool = pool(1);
        let failing = AssertUnwindSafe(pool.run(|| panic!("on purpose"))).catch_unwind().await;
        assert_eq!(failing.unwrap_err().downcast_ref(), Some(&"on purpose"));
        assert_eq!(pool.run(|| 1).await, Ok(1));
    }
}
