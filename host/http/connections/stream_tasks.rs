//! The streams of an HTTP/2 connection, each a future that hyper hands over to be polled.
//!
//! They run in their connection's own task and end with it, as a request of HTTP/1.1 does. So closing a
//! connection ends the work for all of its requests, and its streams share one processor core.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use hyper::rt::Executor;
use parking_lot::Mutex;
use tokio::time::timeout;

type StreamTask = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Takes new streams from hyper, which has clones of it.
#[derive(Clone)]
pub(super) struct NewStreams {
    tasks: Arc<Mutex<Vec<StreamTask>>>,
    /// How long a stream may take.
    limit: Duration,
}

impl<F> Executor<F> for NewStreams
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, stream: F) {
        let limited = timeout(self.limit, stream);
        self.tasks.lock().push(Box::pin(async {
            // Dropping a stream resets it.
            let _ = limited.await;
        }));
    }
}

/// The streams that have not ended.
pub(super) struct StreamTasks {
    new: NewStreams,
    running: FuturesUnordered<StreamTask>,
}

impl StreamTasks {
    /// `limit` is how long a stream may take.
    pub(super) fn new(limit: Duration) -> Self {
        Self { new: NewStreams { tasks: Arc::default(), limit }, running: FuturesUnordered::new() }
    }

    pub(super) fn executor(&self) -> NewStreams {
        self.new.clone()
    }

    /// Polls every stream that can make progress.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) {
        self.running.extend(self.new.tasks.lock().drain(..));
        while let Poll::Ready(Some(())) = self.running.poll_next_unpin(task) {}
    }
}
