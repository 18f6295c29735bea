//! Where values come from: flags over environment over the settings file over defaults.
//!
//! The values of the file take the place of the defaults and the command line is read again, so they go
//! through the parsers of the flags.

use std::error::Error as _;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::file::{FileError, Key, SettingsFile};

/// The argument that names the settings file.
const CONFIG: &str = "config";
/// The argument that prints the settings.
pub(super) const PRINT: &str = "print-settings";
/// Arguments that are no settings.
const NO_SETTINGS: [&str; 4] = ["help", "version", CONFIG, PRINT];

/// Adds `--config` to a command.
pub(super) fn with_file(command: Command) -> Command {
    command.arg(
        Arg::new(CONFIG)
            .long(CONFIG)
            .env("VITRINE_CONFIG")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("TOML file with further settings. Its keys are the names of the flags; flags and variables count more"),
    )
}

/// Adds `--config` and `--print-settings` to a command.
pub(super) fn with_file_and_print(command: Command) -> Command {
    with_file(command).arg(
        Arg::new(PRINT)
            .long(PRINT)
            .action(ArgAction::SetTrue)
            .help("Prints every setting with its value and where the value comes from, and ends"),
    )
}

/// The settings of a command that was built: its arguments that are flags with a name.
pub(super) fn settings_of(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    command
        .get_arguments()
        .filter_map(|argument| Some((argument.get_long()?, argument)))
        .filter(|(name, _)| !NO_SETTINGS.contains(name))
}

/// Whether a setting's value must not be shown: clap hides the value of its variable too.
pub(super) fn is_secret(argument: &Arg) -> bool {
    argument.is_hide_env_values_set()
}

/// Whether a setting takes several values.
pub(super) fn is_list(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Append)
}

/// Reads the file that `matches` name, if they name one. Its keys are the settings of the command `of`, and
/// each value is one that the setting's parser takes.
///
/// # Errors
/// When the file cannot be read or says something else.
pub(super) fn file_of(matches: &ArgMatches, of: &Command) -> Result<Option<SettingsFile>, FileError> {
    let Some(path) = matches.try_get_one::<PathBuf>(CONFIG).ok().flatten() else { return Ok(None) };
    let keys: Vec<Key> =
        settings_of(of).map(|(name, argument)| Key { name, is_list: is_list(argument) }).collect();
    with_valid_values(SettingsFile::read(path, &keys)?, of).map(Some)
}

/// What the file that `matches` name says of these settings, as far as no flag or variable counts more; `None`
/// if nothing is left to read. Whatever else it says may be wrong: this is for a command that only needs these.
///
/// # Errors
/// When the file cannot be read, is no TOML, or a value is wrong.
pub(super) fn only_of(
    names: &[&'static str],
    matches: &ArgMatches,
    of: &Command,
) -> Result<Option<SettingsFile>, FileError> {
    let is_given =
        |name| source_of(name, of, matches, None).is_some_and(|source| source > SettingSource::File);
    let missing = names.iter().filter(|name| !is_given(name));
    let keys: Vec<Key> = missing.map(|name| Key { name, is_list: false }).collect();
    let path = matches.try_get_one::<PathBuf>(CONFIG).ok().flatten();
    let Some(path) = path.filter(|_| !keys.is_empty()) else { return Ok(None) };
    with_valid_values(SettingsFile::read_only(path, &keys)?, of).map(Some)
}

/// The file if the parsers of the settings of the command `of` take its values.
fn with_valid_values(file: SettingsFile, of: &Command) -> Result<SettingsFile, FileError> {
    for (name, argument) in settings_of(of) {
        for value in file.values.get(name).into_iter().flatten() {
            if let Some(problem) = problem_of(argument, name, value) {
                let value = (!is_secret(argument)).then(|| value.clone());
                return Err(FileError::Value { path: file.path, key: name.into(), value, problem });
            }
        }
    }
    Ok(file)
}

/// What a setting's parser says of a value; `None` if it takes it.
fn problem_of(argument: &Arg, name: &str, value: &str) -> Option<String> {
    // The setting itself may be a switch, or have a variable that hides what the file says.
    let mut alone = Arg::new("value")
        .long(name.to_owned())
        .require_equals(true)
        .num_args(1)
        .value_parser(argument.get_value_parser().clone());
    if let Some(delimiter) = argument.get_value_delimiter() {
        alone = alone.value_delimiter(delimiter);
    }
    let command = Command::new("file").no_binary_name(true).arg(alone);
    let error = command.try_get_matches_from([format!("--{name}={value}")]).err()?;
    if let Some(cause) = error.source() {
        return Some(cause.to_string());
    }
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) => Some(format!("expected one of: {}", values.join(", "))),
        _ => Some("expected another value".into()),
    }
}

/// The command with the file's values as its defaults.
pub(super) fn with_defaults(command: Command, file: &SettingsFile) -> Command {
    command.mut_args(|argument| {
        let values = argument.get_long().and_then(|name| file.values.get(name));
        match values {
            // An empty list says the same as no list.
            Some(values) if !values.is_empty() => argument.default_values(values.clone()),
            _ => argument,
        }
    })
}

/// Where a value comes from. What counts more is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SettingSource {
    Default,
    File,
    Environment,
    Flag,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Default => "default",
            Self::File => "the settings file",
            Self::Environment => "the environment",
            Self::Flag => "flags",
        })
    }
}

/// Where the value of the setting of this name comes from; `None` if it has none.
pub(super) fn source_of(
    name: &str,
    of: &Command,
    matches: &ArgMatches,
    file: Option<&SettingsFile>,
) -> Option<SettingSource> {
    let setting = settings_of(of).find(|(own, _)| *own == name)?;
    value_of(setting, matches, file).map(|(source, _)| source)
}

/// Where the value of a setting comes from, and its texts; `None` if it has none.
pub(super) fn value_of(
    (name, argument): (&str, &Arg),
    matches: &ArgMatches,
    file: Option<&SettingsFile>,
) -> Option<(SettingSource, Vec<OsString>)> {
    let id = argument.get_id().as_str();
    let source = match matches.value_source(id)? {
        ValueSource::CommandLine => SettingSource::Flag,
        ValueSource::EnvVariable => SettingSource::Environment,
        _ if file.is_some_and(|file| file.values.get(name).is_some_and(|values| !values.is_empty())) => {
            SettingSource::File
        }
        _ => SettingSource::Default,
    };
    Some((source, matches.get_raw(id)?.map(OsString::from).collect()))
}
