//! `--print-settings`: every setting with its value and where the value comes from, as a settings file.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

use clap::{Arg, ArgMatches, Command};
use toml::Value;

use super::file::SettingsFile;
use super::sources::{SettingSource, is_list, is_secret, settings_of, value_of};

/// Column of the comments that say where a value comes from.
const COMMENTS: usize = 44;

/// The settings of a command that was built, one a line. Secrets are left out.
pub(super) fn settings_text(command: &Command, matches: &ArgMatches, file: Option<&SettingsFile>) -> String {
    let mut text = String::new();
    for (name, argument) in settings_of(command) {
        let (line, source) = match value_of((name, argument), matches, file) {
            None => (format!("# {name} is not set"), None),
            Some((source, values))
                if is_secret(argument) || values.iter().any(|value| is_secret_feed(value)) =>
            {
                (format!("# {name} is set, and secret"), Some(source))
            }
            Some((source, values)) => (format!("{name} = {}", toml_of(argument, &values)), Some(source)),
        };
        let comment = match source {
            None => String::new(),
            Some(SettingSource::Flag) => format!("# flag --{name}"),
            Some(SettingSource::Environment) => {
                let variable = argument.get_env().unwrap_or_default();
                format!("# environment {}", variable.to_string_lossy())
            }
            Some(SettingSource::File) => {
                let path = file.map(|file| file.path.display().to_string()).unwrap_or_default();
                format!("# file {}", super::file::shown(&path))
            }
            Some(SettingSource::Default) => "# default".into(),
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{}", format!("{line:<COMMENTS$} {comment}").trim_end());
    }
    text
}

/// Whether a value is the address of a feed or shop that may have credentials: before the host, or in the query.
pub(super) fn is_secret_feed(value: &OsStr) -> bool {
    let is_feed = |scheme: &str| ["feed:", "shop:"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let value = value.to_string_lossy();
    value.get(..5).is_some_and(is_feed) && value.contains(['@', '?'])
}

fn toml_of(argument: &Arg, values: &[OsString]) -> Value {
    let mut texts = values.iter().map(|value| value.to_string_lossy().into_owned());
    if is_list(argument) {
        // A variable holds several with commas between them.
        let delimiter = argument.get_value_delimiter().unwrap_or(',');
        let each = texts.flat_map(|text| text.split(delimiter).map(str::to_owned).collect::<Vec<_>>());
        return Value::Array(each.map(Value::String).collect());
    }
    let text = texts.next_back().unwrap_or_default();
    match (text.parse::<i64>(), text.as_str()) {
        (Ok(number), _) if number.to_string() == text => Value::Integer(number),
        (_, "true") => Value::Boolean(true),
        (_, "false") => Value::Boolean(false),
        _ => Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::sources::{file_of, with_defaults, with_file_and_print};

    /// A command with a setting of every kind, one of them secret.
    fn command() -> Command {
        let command = Command::new("shop")
            .arg(Arg::new("token").long("token").env("PRINT_TEST_TOKEN").hide_env_values(true))
            .arg(Arg::new("hosts").long("host").action(clap::ArgAction::Append).value_delimiter(','))
            .arg(Arg::new("fresh").long("fresh").default_value("60").value_parser(clap::value_parser!(u16)))
            .arg(Arg::new("robots").long("robots"))
            .arg(Arg::new("quick").long("quick").action(clap::ArgAction::SetTrue));
        let mut command = with_file_and_print(command);
        command.build();
        command
    }

    fn printed(flags: &[&str], file: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, file).unwrap();
        let flags = [&["shop", "--config", path.to_str().unwrap()], flags].concat();
        let matches = command().get_matches_from(&flags);
        let file = file_of(&matches, &command()).map_err(|error| error.to_string())?.unwrap();
        let mut command = with_defaults(command(), &file);
        let matches = command.try_get_matches_from_mut(&flags).unwrap();
        let file = SettingsFile { path: Path::new("/f").into(), ..file };
        Ok(settings_text(&command, &matches, Some(&file)))
    }

    /// The lines, with one space between value and comment.
    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn every_value_has_its_source_and_a_secret_has_no_value() {
        let text = printed(&["--fresh", "7"], "token = 's3cret'\nhost = ['a', 'b']\nquick = true\nfresh = 2")
            .unwrap();
        assert_eq!(
            lines(&text),
            [
                "# token is set, and secret # file /f",
                r#"host = ["a", "b"] # file /f"#,
                "fresh = 7 # flag --fresh",
                "# robots is not set",
                "quick = true # file /f",
            ]
        );
    }

    #[test]
    fn defaults_stand_where_nothing_was_said() {
        let text = printed(&[], "host = []").unwrap();
        assert!(lines(&text).contains(&"fresh = 60 # default".into()), "{text}");
        assert!(lines(&text).contains(&"# host is not set".into()), "{text}");
        assert!(lines(&text).contains(&"quick = false # default".into()), "{text}");
    }

    #[test]
    fn a_wrong_value_is_refused_with_file_key_and_what_is_expected() {
        let message = printed(&["--fresh", "7"], "fresh = 70000").unwrap_err();
        assert!(message.ends_with(r#"/f: fresh = "70000": 70000 is not in 0..=65535"#), "{message}");
        assert!(printed(&[], "config = 'x'").unwrap_err().contains("there is no setting `config`"));
    }

    #[test]
    fn a_wrong_secret_is_refused_without_repeating_it() {
        let mut secret = Arg::new("token").long("token").hide_env_values(true);
        secret = secret.value_parser(|_: &str| Err::<String, _>("expected 32 letters"));
        let command = with_file_and_print(Command::new("shop").arg(secret));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, "token = 's3cret'").unwrap();
        let matches = command.clone().get_matches_from(["shop", "--config", path.to_str().unwrap()]);
        let message = file_of(&matches, &command).unwrap_err().to_string();
        assert!(message.ends_with("f: token: expected 32 letters"), "{message}");
    }

    #[test]
    fn what_is_printed_is_a_settings_file_with_the_same_values() {
        let text =
            printed(&["--fresh", "7", "--robots", "a \"b\" #\\"], "host = ['a']\nquick = true").unwrap();
        let again = printed(&[], &text).unwrap();
        let values = |text: &str| toml::from_str::<toml::Table>(text).unwrap();
        assert_eq!(values(&text), values(&again));
        assert_eq!(values(&again)["robots"].as_str(), Some("a \"b\" #\\"));
    }
}
