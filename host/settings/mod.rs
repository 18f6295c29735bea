//! Every setting of the command line: flag, environment variable, default and help text.

mod command_line;
mod log;
mod parse;
mod sample_catalogue;
mod serve;

pub use self::command_line::{Cli, Command};
pub(crate) use self::log::LogSettings;
pub(crate) use self::parse::CatalogueChoice;
pub use self::sample_catalogue::SampleCatalogueSettings;
pub use self::serve::ServeSettings;
