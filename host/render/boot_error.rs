//! Why the renderer could not be started.

use super::outcome::{Exception, RenderError};

/// Why the renderer could not be started. The process should end with this message.
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
