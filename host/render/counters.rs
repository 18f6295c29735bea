//! What happened to the renders.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::error::RenderError;
use super::pool::Rendered;
use crate::counter::{Counter, Gauge};

/// Numbers since the start of the renderer.
#[derive(Debug, Default)]
pub struct RendererCounters {
    /// Renders that gave markup.
    pub rendered: Counter,
    /// Renders that took too long.
    pub timeouts: Counter,
    /// Renders that ran into the heap limit.
    pub out_of_memory: Counter,
    /// Renders that threw, or gave half a page or none.
    pub failed: Counter,
    /// Renders whose isolate was lost.
    pub lost: Counter,
    /// Renders that were not begun because too many were waiting.
    pub refused: Counter,
    /// Renders that were not tried because the page keeps failing.
    pub avoided: Counter,
    /// Isolates that were lost and replaced.
    pub lost_isolates: Counter,
    /// Isolates that were replaced because they had rendered enough.
    pub recycled: Counter,
    /// Isolates at this moment, those included that are about to end.
    pub isolates: Gauge,
    /// Moving average of the time inside an isolate, in microseconds.
    usual: AtomicU64,
}

impl RendererCounters {
    pub(super) fn count(&self, outcome: &Result<Rendered, RenderError>) {
        let counter = match outcome {
            Ok(_) => &self.rendered,
            Err(RenderError::Timeout) => &self.timeouts,
            Err(RenderError::OutOfMemory) => &self.out_of_memory,
            Err(RenderError::Lost) => &self.lost,
            Err(RenderError::QueueFull) => &self.refused,
            Err(RenderError::Avoided) => &self.avoided,
            Err(RenderError::Exception(_) | RenderError::Incomplete | RenderError::NoMarkup) => &self.failed,
        };
        counter.increment();
    }

    /// A render took this long, whatever it gave. The latest eight weigh most.
    pub(super) fn rendered(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let usual = self.usual.load(Ordering::Relaxed);
        // Two isolates that write at once lose one of two samples, which an average can bear.
        self.usual.store((usual.saturating_mul(7).saturating_add(took)) / 8, Ordering::Relaxed);
    }

    /// How long a render takes, going by the latest ones.
    pub fn usual_render_time(&self) -> Duration {
        Duration::from_micros(self.usual.load(Ordering::Relaxed))
    }
}
