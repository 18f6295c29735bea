//! What exports may take of the machine.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::process::compute::{Work, off_runtime};

/// Most exports that are sent while they are made.
const MOST_STREAMS: usize = 4;

/// Limits what exports may take of the machine. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::shop) struct ExportLimits {
    streams: Arc<Semaphore>,
    /// Held while a part is made: all exports together keep one thread busy at most.
    turn: Arc<Semaphore>,
}

/// The place of an export that is sent while it is made, until it is dropped.
#[derive(Debug)]
pub(in crate::shop) struct Place(
    #[expect(dead_code, reason = "its drop gives the place back")] OwnedSemaphorePermit,
);

impl Default for ExportLimits {
    fn default() -> Self {
        Self { streams: Arc::new(Semaphore::new(MOST_STREAMS)), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl ExportLimits {
    /// A place for an export that is sent while it is made; `None` if all are taken.
    pub(in crate::shop) fn place(&self) -> Option<Place> {
        Arc::clone(&self.streams).try_acquire_owned().ok().map(Place)
    }

    /// Runs long work on a thread of its own, as soon as no other export does. Work that has begun runs to its end even
    /// when its caller is gone, and the next work waits until then.
    pub(in crate::shop) async fn run<T: Send + 'static, M>(&self, work: impl Work<T, M>) -> T {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.turn).acquire_owned().await;
        let work = move || {
            let _permit = permit;
            work.run()
        };
        off_runtime(work).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::poll;

    use super::*;

    #[tokio::test]
    async fn all_exports_together_keep_one_thread_busy() {
        let limits = ExportLimits::default();
        let (release, released) = mpsc::channel::<()>();
        let own = limits.clone();
        let first = tokio::spawn(async move { own.run(move || released.recv()).await });
        while limits.turn.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        // Its caller is gone, but it has not ended.
        first.abort();
        let _ = first.await;
        let mut second = Box::pin(limits.run(|| 2));
        assert!(poll!(second.as_mut()).is_pending());
        drop(release);
        assert_eq!(second.await, 2);
    }

    #[test]
    fn places_are_few_and_come_back() {
        let limits = ExportLimits::default();
        let places: Vec<Place> = std::iter::from_fn(|| limits.place()).collect();
        assert_eq!(places.len(), MOST_STREAMS);
        drop(places);
        assert!(limits.place().is_some());
    }
}
