//! The command line: its commands, and how it is read.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use url::Url;

use super::admin::{self, TokenError};
use super::exit_code::ExitCode;
use super::file::{FileError, SettingsFile};
use super::image_hosts::{TooManyImageHosts, check_image_hosts};
use super::print::{is_secret_feed, settings_text};
use super::sample_catalogue::SampleCatalogueSettings;
use super::serve::ServeSettings;
use super::sources::{self, PRINT, file_of, is_secret, with_defaults};
use super::tools::{CheckSettings, CompletionsSettings, HealthcheckSettings, InitSettings, ManSettings};

/// The name of the command that asks a running storefront.
const HEALTHCHECK: &str = "healthcheck";

/// A product-browsing storefront as one executable.
#[derive(Debug, Parser)]
#[command(name = "vitrine", args_conflicts_with_subcommands = true)]
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
    SampleCatalogue(Box<SampleCatalogueSettings>),
    /// Tries the storefront's settings without serving: reaches the catalogue, renders every kind of page,
    /// and says what would go wrong.
    Check(Box<CheckSettings>),
    /// Writes the files of a small shop of your own, to begin with.
    Init(InitSettings),
    /// Asks the storefront that runs on this machine whether it serves.
    Healthcheck(HealthcheckSettings),
    /// Prints a script that completes the command line in a shell.
    Completions(CompletionsSettings),
    /// Prints a manual page in roff.
    Man(ManSettings),
}

impl Command {
    /// The settings of the storefront, if the command has them.
    fn storefront(&mut self) -> Option<&mut ServeSettings> {
        match self {
            Self::Serve(settings) => Some(settings),
            Self::Check(settings) => Some(&mut settings.serve),
            _ => None,
        }
    }
}

/// What a command line asks for.
#[derive(Debug)]
enum Request {
    Run(Command),
    /// To print this text.
    Print(String),
}

/// Why a command line is refused; or its help or version, which clap treats the same.
#[derive(Debug)]
enum Refusal {
    CommandLine(clap::Error),
    File(FileError),
    Token(TokenError),
    ImageHosts(TooManyImageHosts),
}

impl Cli {
    /// The command line's definition. `version` is what `--version` prints after the program's name.
    pub(crate) fn definition(version: &str) -> clap::Command {
        sources::with_file_and_print(Self::command())
            .version(version.to_owned())
            .mut_subcommand("serve", sources::with_file_and_print)
            .mut_subcommand("check", sources::with_file)
            .mut_subcommand(HEALTHCHECK, sources::with_file)
    }

    /// Reads the command line, the environment and the settings file.
    ///
    /// # Errors
    /// The code to exit with, after help or settings were printed, or a message that names the wrong flag,
    /// variable, or key.
    pub fn read(version: &str) -> Result<Command, ExitCode> {
        let arguments: Vec<OsString> = std::env::args_os().collect();
        match request(version, &arguments) {
            Ok(Request::Run(command)) => Ok(command),
            Ok(Request::Print(text)) => Err(print(&text)),
            Err(Refusal::CommandLine(error)) => Err(explain(&error, version, &arguments)),
            Err(Refusal::File(error)) => Err(refuse(&error)),
            Err(Refusal::Token(error)) => Err(refuse(&error)),
            Err(Refusal::ImageHosts(error)) => Err(refuse(&error)),
        }
    }
}

/// Prints why the settings are refused.
fn refuse(error: &impl Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::Usage
}

/// Prints a text on standard output. It is no failure if the reader closes the pipe.
pub(crate) fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::Failed
        }
        _ => ExitCode::Done,
    }
}

fn request(version: &str, arguments: &[OsString]) -> Result<Request, Refusal> {
    let command = Cli::definition(version);
    let matches = command.clone().try_get_matches_from(arguments).map_err(Refusal::CommandLine)?;
    let chosen = matches.subcommand().map_or(&matches, |(_, chosen)| chosen);
    // The file has the storefront's settings, which the program takes without a command too.
    let file = match matches.subcommand_name() {
        Some(HEALTHCHECK) => address_for_healthcheck(chosen, &command),
        _ => file_of(chosen, &command).map_err(Refusal::File)?,
    };
    let mut command = match (&file, matches.subcommand_name()) {
        (None, _) => command,
        (Some(file), None) => with_defaults(command, file),
        (Some(file), Some(name)) => command.mut_subcommand(name, |chosen| with_defaults(chosen, file)),
    };
    let matches = command.try_get_matches_from_mut(arguments).map_err(Refusal::CommandLine)?;
    let (chosen, of) = match matches.subcommand() {
        None => (&matches, &command),
        Some((name, chosen)) => (chosen, command.find_subcommand(name).unwrap_or(&command)),
    };
    if chosen.try_get_one::<bool>(PRINT).ok().flatten() == Some(&true) {
        return Ok(Request::Print(settings_text(of, chosen, file.as_ref())));
    }
    let Cli { command, serve } = Cli::from_arg_matches(&matches).map_err(Refusal::CommandLine)?;
    let mut command = command.unwrap_or_else(|| Command::Serve(Box::new(serve)));
    if let Some(settings) = command.storefront() {
        check_image_hosts(&settings.image_sources()).map_err(Refusal::ImageHosts)?;
        let source = |name| sources::source_of(name, of, chosen, file.as_ref());
        settings.admin.read_token(source(admin::TOKEN), source(admin::TOKEN_FILE)).map_err(Refusal::Token)?;
    }
    Ok(Request::Run(command))
}

/// The address and its encryption in the settings file, for `healthcheck`. A storefront that serves must not count as
/// dead because somebody edits its file: it reads the file again only at its next start.
fn address_for_healthcheck(matches: &ArgMatches, of: &clap::Command) -> Option<SettingsFile> {
    let url = matches.try_get_one::<Url>("url").ok().flatten();
    if url.is_some() {
        return None;
    }
    sources::only_of(&["listen", "tls-cert"], matches, of).unwrap_or_else(|error| {
        eprintln!("warning: {error}; healthcheck goes by flags, variables and defaults");
        None
    })
}

/// Prints why a command line is refused, or its help or version.
fn explain(error: &clap::Error, version: &str, arguments: &[OsString]) -> ExitCode {
    let about = setting_of(error, version);
    match &about {
        Some(setting) if is_about_a_value(error) && (is_secret(setting) || names_a_feed(error)) => {
            let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
            let name = setting.get_long().unwrap_or_default();
            eprintln!("error: invalid value for '--{name}'{}", cause.unwrap_or_default());
        }
        // Nothing is left to do if it cannot be printed.
        _ => drop(error.print()),
    }
    if let Some(variable) = about.as_ref().and_then(|setting| variable_behind(setting, arguments)) {
        eprintln!("\nThe value comes from the environment variable {variable}.");
    }
    if error.exit_code() == 0 { ExitCode::Done } else { ExitCode::Usage }
}

fn is_about_a_value(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue)
}

/// Whether the value that is refused may be an address with credentials.
fn names_a_feed(error: &clap::Error) -> bool {
    let value = error.get(ContextKind::InvalidValue);
    matches!(value, Some(ContextValue::String(value)) if is_secret_feed(value.as_ref()))
}

/// The setting that an error is about, if it is about one.
fn setting_of(error: &clap::Error, version: &str) -> Option<clap::Arg> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
    let end = |character: char| !character.is_ascii_alphanumeric() && character != '-';
    let flag = argument.split(end).next()?.strip_prefix("--")?;
    let command = Cli::definition(version);
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    commands.flat_map(clap::Command::get_arguments).find(|known| known.get_long() == Some(flag)).cloned()
}

/// The environment variable that a setting's value comes from: it is set, and the flag is not.
fn variable_behind(setting: &clap::Arg, arguments: &[OsString]) -> Option<String> {
    let variable = setting.get_env()?;
    let flag = format!("--{}", setting.get_long()?);
    let is_flag = |argument: &OsString| {
        let rest = argument.to_str().and_then(|argument| argument.strip_prefix(&flag));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    std::env::var_os(variable)?;
    (!arguments.iter().any(is_flag)).then(|| variable.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::definition("").debug_assert();
    }

    #[test]
    fn every_setting_has_a_variable_and_a_help_text() {
        let command = Cli::definition("");
        for (name, setting) in sources::settings_of(&command) {
            assert!(setting.get_env().is_some() && setting.get_help().is_some(), "--{name}");
        }
    }

    #[test]
    fn wrong_usage_has_the_code_of_clap() {
        let error = Cli::try_parse_from(["vitrine", "--colour"]).unwrap_err();
        assert_eq!(error.exit_code(), i32::from(ExitCode::Usage.number()));
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
            ("--sandbox", "maybe", "VITRINE_SANDBOX"),
            ("--admin", "nowhere", "VITRINE_ADMIN"),
            ("--admin", "unix:", "VITRINE_ADMIN"),
            ("--log-sample", "0", "VITRINE_LOG_SAMPLE"),
            ("--log-format", "xml", "VITRINE_LOG_FORMAT"),
        ] {
            let error = Cli::try_parse_from(["vitrine", flag, value]).unwrap_err();
            let setting = setting_of(&error, "").unwrap();
            assert_eq!(setting.get_env().unwrap(), variable, "{error}");
        }
    }
}
