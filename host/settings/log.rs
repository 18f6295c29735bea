//! The settings of the log.

use clap::Args;
use tracing_subscriber::filter::Targets;

use super::parse::parse_log;
use crate::observe::logging::LogFormat;

/// What is logged, and how.
#[derive(Args, Debug)]
pub(crate) struct LogSettings {
    /// What is logged: a level, or directives such as `warn,vitrine=debug`.
    #[arg(long, env = "VITRINE_LOG", default_value = "info", value_parser = parse_log, value_name = "FILTER")]
    pub(crate) log: Targets,

    /// The form of a log line: `auto` is text on a terminal, and JSON elsewhere.
    #[arg(long, env = "VITRINE_LOG_FORMAT", default_value = "auto")]
    pub(crate) log_format: LogFormat,
}
