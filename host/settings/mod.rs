//! Every setting: flag, environment variable, key of the settings file, default and help text.
//!
//! `command_line.rs` defines the commands and reads what they are given. `sources.rs` decides between flag,
//! variable, file and default; `parse.rs` has the parsers, which are the same for all of them.
//!
//! It exists so that a setting is defined once: help, documentation and the settings file follow from it. It promises
//! that a wrong value in the file is refused even if a flag hides it, and that no secret is printed.
//! `docs/decisions/0024-settings.md` says why.

mod admin;
mod allowed_paths;
mod command_line;
mod exit_code;
mod file;
mod image_hosts;
mod log;
mod memory;
mod parse;
mod print;
#[cfg(test)]
mod reference;
mod sample_catalogue;
mod serve;
mod sources;
mod text_file;
mod tls;
mod tools;
mod variables;

pub(crate) use self::command_line::print;
pub use self::command_line::{Cli, Command};
pub use self::exit_code::ExitCode;
pub(crate) use self::log::LogSettings;
pub(crate) use self::parse::{Buy, CatalogueChoice};
pub use self::sample_catalogue::SampleCatalogueSettings;
pub use self::serve::ServeSettings;
pub(crate) use self::text_file::bounded_text_of;
pub(crate) use self::tools::{
    CheckSettings, CompletionsSettings, HealthcheckSettings, InitSettings, ManSettings,
};
pub(crate) use self::variables::unknown_variables;
