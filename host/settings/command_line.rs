//! The command line: its commands, and how it is read.

use clap::{CommandFactory as _, Parser, Subcommand};

use super::sample_catalogue::SampleCatalogueSettings;
use super::serve::ServeSettings;

/// A product-browsing storefront as one executable.
#[derive(Debug, Parser)]
#[command(name = "vitrine", version = VERSION, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeSettings,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves the storefront; the same as no command.
    Serve(Box<ServeSettings>),
    /// Serves the embedded sample catalogue through the catalogue service's HTTP API.
    SampleCatalogue(SampleCatalogueSettings),
}

impl Cli {
    /// Reads the command line and the environment. An invalid value ends the process with a message that
    /// names the flag and its environment variable.
    pub fn read() -> Command {
        match Self::try_parse() {
            Ok(Self { command: Some(command), .. }) => command,
            Ok(Self { command: None, serve }) => Command::Serve(Box::new(serve)),
            Err(error) => {
                if let Some(variable) = variable_of(&error) {
                    let _ = error.print();
                    eprintln!("\nThe value may come from the environment variable {variable}.");
                    std::process::exit(error.exit_code());
                }
                error.exit()
            }
        }
    }
}

/// The environment variable of the setting that an error is about, if it is about one.
fn variable_of(error: &clap::Error) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = argument.split_whitespace().next()?.strip_prefix("--")?;
    let command = Cli::command();
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let found =
        commands.flat_map(clap::Command::get_arguments).find(|known| known.get_long() == Some(flag))?;
    found.get_env().map(|variable| variable.to_string_lossy().into_owned())
}

/// Includes the engine, because the speed of renders depends on it.
#[cfg(feature = "v8")]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (engine v8)");
#[cfg(not(feature = "v8"))]
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (engine quickjs)");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_setting_has_a_variable() {
        let command = Cli::command();
        for argument in command.get_arguments().filter(|argument| argument.get_long().is_some()) {
            let flag = argument.get_long().unwrap_or_default();
            if !["help", "version"].contains(&flag) {
                assert!(argument.get_env().is_some(), "--{flag}");
                assert!(argument.get_help().is_some(), "--{flag}");
            }
        }
    }

    #[test]
    fn an_invalid_value_is_refused_with_its_variable() {
        for (flag, value, variable) in [
            ("--listen", "nowhere", "VITRINE_LISTEN"),
            ("--catalogue", "ftp://x", "VITRINE_CATALOGUE"),
            ("--public-url", "shop", "VITRINE_PUBLIC_URL"),
            ("--public-url", "https://shop.example/below/", "VITRINE_PUBLIC_URL"),
            ("--catalogue", "https://x;sandbox", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://x;sandbox/api", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://*.shop.example", "VITRINE_CATALOGUE"),
            ("--catalogue", "https://shop.example 'unsafe-inline'", "VITRINE_CATALOGUE"),
            ("--public-url", "https://x;sandbox", "VITRINE_PUBLIC_URL"),
            ("--image-host", "https://cdn.example/images", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://x;sandbox", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://x y", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://user@cdn.example", "VITRINE_IMAGE_HOSTS"),
            ("--image-host", "https://*.cdn.example", "VITRINE_IMAGE_HOSTS"),
            ("--render-timeout", "0", "VITRINE_RENDER_TIMEOUT"),
            ("--isolates", "0", "VITRINE_ISOLATES"),
            ("--isolate-heap", "1", "VITRINE_ISOLATE_HEAP"),
            ("--log", "vitrine=loud=2", "VITRINE_LOG"),
            ("--log", "inof", "VITRINE_LOG"),
            ("--log", "", "VITRINE_LOG"),
            ("--fresh", "99999999999", "VITRINE_FRESH"),
            ("--max-connections", "0", "VITRINE_MAX_CONNECTIONS"),
            ("--render-queue", "18446744073709551615", "VITRINE_RENDER_QUEUE"),
            ("--isolates", "100000", "VITRINE_ISOLATES"),
            ("--mirror", "some", "VITRINE_MIRROR"),
            ("--service-worker", "maybe", "VITRINE_SERVICE_WORKER"),
            ("--render-ahead", "maybe", "VITRINE_RENDER_AHEAD"),
        ] {
            let error = Cli::try_parse_from(["vitrine", flag, value]).unwrap_err();
            assert_eq!(variable_of(&error).as_deref(), Some(variable), "{error}");
        }
    }
}
