//! Starts the process's log.

use std::io::IsTerminal as _;

use clap::ValueEnum;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::dependency_lines::DependencyLines;
use super::traces::{self, Exporter};

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

/// Starts logging to standard error, and recording traces if there is an exporter for them.
///
/// Panics when the process logs already.
pub(crate) fn start(filter: Targets, format: LogFormat, exporter: Option<&Exporter>) {
    // This filter holds for all layers. The layer of traces also has one of its own.
    let filter = traces::with_spans(filter, exporter);
    let subscriber = tracing_subscriber::registry()
        .with(traces::layer(exporter))
        .with(filter)
        .with(DependencyLines::default());
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Auto if std::io::stderr().is_terminal() => subscriber.with(lines).init(),
        LogFormat::Text => subscriber.with(lines).init(),
        // The log has its own fields; spans would repeat them in every line.
        LogFormat::Auto | LogFormat::Json => {
            subscriber.with(lines.json().with_current_span(false).with_span_list(false)).init();
        }
    }
}
