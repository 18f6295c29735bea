//! Counters of renders and isolates.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::outcome::{Refusal, RenderError, Rendered};
use crate::observe::counters::{Counter, Gauge};
use crate::observe::histogram::Histogram;

/// Counters since the start of the renderer.
#[derive(Debug, Default)]
pub struct RendererCounters {
    /// Renders that gave markup.
    pub rendered: Counter,
    /// Renders that exceeded the time budget.
    pub timeouts: Counter,
    /// Renders that reached the heap limit.
    pub out_of_memory: Counter,
    /// Renders that threw, or gave incomplete markup or none.
    pub failed: Counter,
    /// Renders whose isolate was lost.
    pub lost: Counter,
    /// Renders refused because every place in the queue was taken.
    pub queue_full: Counter,
    /// Renders refused because the expected wait was too long.
    pub long_waits: Counter,
    /// Renders that were not begun, because no isolate became free within their time budget.
    pub no_isolate: Counter,
    /// Renders that timed out although their thread got hardly any processor time.
    pub no_processor_time: Counter,
    /// Renders refused because the process was near its memory limit.
    pub no_memory: Counter,
    /// Renders refused because too many listings waited for their products already.
    pub too_many_listings: Counter,
    /// Renders refused before their data was made, because far too many pages were asked for.
    pub crowd: Counter,
    /// Renders not tried because the page keeps failing.
    pub avoided: Counter,
    /// Pages that were made before anybody asked for them.
    pub ahead: Counter,
    /// Isolates that were lost and replaced.
    pub lost_isolates: Counter,
    /// Isolates that were replaced because they had rendered enough.
    pub recycled: Counter,
    /// Isolates that exist now, including replaced ones that are about to end.
    pub isolates: Gauge,
    /// The time of each render inside its isolate, whatever its outcome.
    pub durations: Histogram,
    /// The time that each render waited for an isolate.
    pub waits: Histogram,
    /// The heap that each isolate has in use, in bytes, by its place in the pool. Each isolate records its own
    /// now and then.
    heaps: Mutex<BTreeMap<usize, u64>>,
    /// Moving average of the time inside an isolate, in microseconds.
    average: AtomicU64,
}

impl RendererCounters {
    /// Counts a render by its outcome.
    pub(super) fn count(&self, outcome: &Result<Rendered, RenderError>) {
        let counter = match outcome {
            Ok(_) => &self.rendered,
            Err(RenderError::Timeout) => &self.timeouts,
            Err(RenderError::OutOfMemory) => &self.out_of_memory,
            Err(RenderError::Lost) => &self.lost,
            Err(RenderError::Refused(refusal)) => self.refusal_counter(*refusal),
            Err(RenderError::Avoided) => &self.avoided,
            Err(RenderError::Exception(_) | RenderError::Incomplete | RenderError::NoMarkup) => &self.failed,
        };
        counter.increment();
    }

    /// The heap in use by each isolate, in bytes, by its place in the pool.
    pub fn heaps(&self) -> BTreeMap<usize, u64> {
        self.heaps.lock().clone()
    }

    pub(super) fn record_heap(&self, slot: usize, bytes: u64) {
        self.heaps.lock().insert(slot, bytes);
    }

    /// Renders refused so far because more was asked for than the shop can do, see [`Refusal::is_overload`].
    pub fn refused(&self) -> u64 {
        let refusals =
            [&self.queue_full, &self.long_waits, &self.no_memory, &self.too_many_listings, &self.crowd];
        refusals.into_iter().map(Counter::get).sum()
    }

    /// Renders that were not done in time although the pages are fine. The browser draws them.
    pub fn late(&self) -> u64 {
        self.no_isolate.get() + self.no_processor_time.get()
    }

    fn refusal_counter(&self, refusal: Refusal) -> &Counter {
        match refusal {
            Refusal::QueueFull => &self.queue_full,
            Refusal::LongWait => &self.long_waits,
            Refusal::NoIsolate => &self.no_isolate,
            Refusal::NoProcessorTime => &self.no_processor_time,
            Refusal::NoMemory => &self.no_memory,
            Refusal::TooManyListings => &self.too_many_listings,
            Refusal::Crowd => &self.crowd,
        }
    }

    /// Adds the time of a render, whatever its outcome, to the moving average, with a weight of one
    /// eighth.
    pub(super) fn record_time(&self, took: Duration) {
        self.durations.record(took);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let average = self.average.load(Ordering::Relaxed);
        // Two concurrent writers may lose one sample, which does not matter to an average.
        self.average.store((average.saturating_mul(7).saturating_add(took)) / 8, Ordering::Relaxed);
    }

    /// Moving average of the time inside an isolate.
    pub(super) fn average_render_time(&self) -> Duration {
        Duration::from_micros(self.average.load(Ordering::Relaxed))
    }
}
