//! Starts the process's log.

use std::io::IsTerminal as _;

use clap::ValueEnum;
use tracing_subscriber::EnvFilter;

/// The form of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Starts logging to standard error. `filter` is a level, or directives such as `warn,vitrine=debug`.
///
/// Panics when the process logs already.
pub(crate) fn start(filter: &str, format: LogFormat) {
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Auto if std::io::stderr().is_terminal() => subscriber.init(),
        LogFormat::Text => subscriber.init(),
        LogFormat::Auto | LogFormat::Json => subscriber.json().init(),
    }
}
