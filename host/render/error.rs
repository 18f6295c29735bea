//! Why a page was not rendered. The caller answers with the client-rendered shell.

/// A render that gave no markup.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The bundle threw.
    #[error("{0}")]
    Exception(Box<Exception>),
    /// The render was terminated by the watchdog, or its answer came too late.
    #[error("the render took too long")]
    Timeout,
    /// The isolate ran into its heap limit and was retired.
    #[error("the render needed more memory than an isolate may use")]
    OutOfMemory,
    /// React swallowed an error inside a Suspense boundary; the markup is incomplete.
    #[error("a Suspense boundary failed, so the markup is incomplete")]
    Incomplete,
    /// `renderPage` gave something other than a string.
    #[error("renderPage gave no string")]
    NoMarkup,
    /// It failed several times just now, so it was not tried.
    #[error("the page failed to render several times and is not tried for a while")]
    Avoided,
    /// Every place in the queue is taken, or the wait would be too long.
    #[error("too many renders are waiting")]
    QueueFull,
    /// The isolate's thread ended before it answered.
    #[error("the isolate was lost while it rendered")]
    Lost,
}

/// A JavaScript exception, with the stack mapped back to the TypeScript sources.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {message}\n{}", .stack.join("\n"))]
pub struct Exception {
    pub name: String,
    pub message: String,
    /// One frame a line, innermost first.
    pub stack: Vec<String>,
}

/// The renderer could not be started; the process should end with this message.
#[derive(Debug, thiserror::Error)]
pub enum BootError {
    #[error("no thread could be started for an isolate")]
    Thread(#[source] std::io::Error),
    #[error("the JavaScript engine could not be started: {0}")]
    Engine(String),
    #[error("the server bundle does not load: {0}")]
    Bundle(#[source] Box<Exception>),
    #[error("the server bundle does not define the function `renderPage`")]
    NoRenderFunction,
    #[error("the warm-up page does not render: {0}")]
    WarmUp(#[source] RenderError),
    #[error("an isolate's thread ended while it started")]
    Lost,
}
