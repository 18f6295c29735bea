//! The outcome of a render: markup, or why there is none. Without markup the caller answers with a shell
//! document, which the browser renders.

use std::time::Duration;

/// A page's markup.
#[derive(Debug)]
pub struct Rendered {
    /// The markup inside the application's root element.
    pub markup: String,
    /// Time inside the isolate, without the wait in the queue.
    pub took: Duration,
}

/// Why a render gave no markup.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The bundle threw.
    #[error("{0}")]
    Exception(Box<Exception>),
    /// The render used up its time budget.
    #[error("the render took too long")]
    Timeout,
    /// The isolate reached its heap limit; it is replaced.
    #[error("the render needed more memory than an isolate may use")]
    OutOfMemory,
    /// React swallowed an error inside a Suspense boundary; the markup is incomplete.
    #[error("a Suspense boundary failed, so the markup is incomplete")]
    Incomplete,
    /// `renderPage` returned something other than a string.
    #[error("renderPage gave no string")]
    NoMarkup,
    /// The page has failed several times recently, so it was not tried.
    #[error("the page failed to render several times and is not tried for a while")]
    Avoided,
    /// The shop lacked a resource; the page itself may be fine.
    #[error("the render was refused: {0}")]
    Refused(Refusal),
    /// The isolate's thread ended before it answered.
    #[error("the isolate was lost while it rendered")]
    Lost,
}

/// Which resource the shop lacked when it refused a render.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Every place in the queue is taken.
    #[error("the queue is full")]
    QueueFull,
    /// The queue has free places, but an isolate would not become free in time.
    #[error("the expected wait is too long")]
    LongWait,
    /// No isolate became free within the time budget.
    #[error("no isolate became free")]
    NoIsolate,
    /// The render took too long, but its thread got hardly any processor time.
    #[error("the isolate got no processor time")]
    NoProcessorTime,
    /// The process is near its memory limit.
    #[error("memory is running out")]
    NoMemory,
    /// The page is a listing whose products were not filtered, because too many listings waited already.
    #[error("too many listings wait")]
    TooManyListings,
    /// The queue is nearly full, and the visitor was asked to come back before the page's data was made.
    #[error("far too many pages are asked for")]
    Crowd,
}

impl Refusal {
    /// Whether more is asked for than the shop can do, so that a crawler should come back later. Otherwise the
    /// number of visitors is as usual, and the machine is slow or an isolate hangs.
    pub(crate) fn is_overload(self) -> bool {
        match self {
            Self::NoIsolate | Self::NoProcessorTime => false,
            Self::QueueFull | Self::LongWait | Self::NoMemory | Self::TooManyListings | Self::Crowd => true,
        }
    }
}

/// A JavaScript exception, with the stack mapped back to the TypeScript sources.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {message}\n{}", .stack.join("\n"))]
pub struct Exception {
    pub name: String,
    pub message: String,
    /// One formatted frame an item, innermost first.
    pub stack: Vec<String>,
}
