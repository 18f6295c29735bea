//! Size and limits of the pool of isolates.

use std::num::NonZeroUsize;
use std::time::Duration;

/// Size and limits of the pool of isolates.
#[derive(Clone, Debug)]
pub struct RendererSettings {
    /// Number of isolates, each with its own thread.
    pub isolates: NonZeroUsize,
    /// Renders that may wait for an isolate; further ones are refused at once.
    pub queue: usize,
    /// Time budget of one render: how long its caller waits, and how much processor time the isolate may use.
    pub timeout: Duration,
    /// Heap limit of one isolate, in bytes.
    pub heap_limit: usize,
    /// After this many renders an isolate is replaced by a new one.
    pub recycle_after: u64,
    /// An isolate that has rendered many pages returns memory after this time without a page to render.
    pub rest_after: Duration,
}

/// Long, because V8 then forgets what it has learned of the code: the next hundreds of renders take a fifth longer.
pub(crate) const REST_AFTER: Duration = Duration::from_secs(30);
