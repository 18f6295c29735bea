//! `docs/settings.md`: every setting of every command, and every exit code, generated from their definitions.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::command_line::Cli;
use super::exit_code::ExitCode;
use super::sources::{is_list, is_secret, settings_of};

/// What the page says before its tables.
const INTRODUCTION: &str = include_str!("reference.md");

/// The commands after the storefront itself, whose settings `serve` and `check` share.
const COMMANDS: [&str; 6] = ["check", "init", "sample-catalogue", "healthcheck", "completions", "man"];

/// The page as it should be.
pub(super) fn page() -> String {
    let command = Cli::definition("");
    let mut page = INTRODUCTION.to_owned();
    page += "\n## The storefront: `vitrine` and `vitrine serve`\n\n";
    page += &table(settings_of(&command), true);
    page += "\n`--config` (`VITRINE_CONFIG`) and `--print-settings` are no keys of the file.\n\
             `check` and `healthcheck` take `--config` too.\n";
    for name in COMMANDS {
        let Some(found) = command.find_subcommand(name) else { continue };
        let _ = write!(page, "\n## `vitrine {name}`\n\n{}.", help_of_command(found));
        let shared: Vec<&str> = match name {
            "check" => settings_of(&command).map(|(name, _)| name).collect(),
            _ => Vec::new(),
        };
        if !shared.is_empty() {
            page += " It takes every setting of the storefront, the file included, and:";
        }
        page.push('\n');
        let positional: Vec<&Arg> = found.get_positionals().collect();
        let own: Vec<(&str, &Arg)> = settings_of(found).filter(|(name, _)| !shared.contains(name)).collect();
        page.push('\n');
        for argument in positional {
            let value = argument.get_value_names().and_then(<[_]>::first).map_or("", |name| name.as_str());
            let _ = writeln!(page, "`{value}`: {}.\n", meaning(argument));
        }
        if !own.is_empty() {
            page += &table(own.into_iter(), false);
        }
        while page.ends_with("\n\n") {
            page.pop();
        }
    }
    page += "\n## Exit codes\n\nThey are the same for every command, and stay as they are.\n\n| code | meaning |\n|---|---|\n";
    for code in ExitCode::EVERY {
        let _ = writeln!(page, "| {} | {} |", code.number(), code.meaning());
    }
    page
}

fn table<'a>(settings: impl Iterator<Item = (&'a str, &'a Arg)>, with_keys: bool) -> String {
    let mut table = if with_keys {
        "| flag | variable | key | default | meaning |\n|---|---|---|---|---|\n".to_owned()
    } else {
        "| flag | variable | default | meaning |\n|---|---|---|---|\n".to_owned()
    };
    for (name, argument) in settings {
        let variable =
            argument.get_env().map(|name| format!("`{}`", name.to_string_lossy())).unwrap_or_default();
        let key = match (with_keys, is_list(argument)) {
            (false, _) => String::new(),
            (true, true) => format!(" `{name}`, a list |"),
            (true, false) => format!(" `{name}` |"),
        };
        let _ = writeln!(
            table,
            "| `--{name}` | {variable} |{key} {} | {} |",
            default_of(argument),
            meaning(argument).replace('|', "\\|")
        );
    }
    table
}

fn default_of(argument: &Arg) -> String {
    let values = argument.get_default_values().iter();
    let values: Vec<String> = values.map(|value| format!("`{}`", value.to_string_lossy())).collect();
    // Switches get their default when the command is built.
    match argument.get_action() {
        clap::ArgAction::SetTrue if values.is_empty() => "`false`".into(),
        _ => values.join(", "),
    }
}

/// A setting's help as one paragraph, with the values that can be chosen from.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let mut text = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let choices: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !choices.is_empty() && choices != ["`true`", "`false`"] {
        let _ = write!(text, "; one of {}", choices.join(", "));
    }
    if is_secret(argument) {
        text += "; never shown";
    }
    text
}

fn help_of_command(command: &Command) -> String {
    let help = command.get_long_about().or_else(|| command.get_about());
    let help = help.map(ToString::to_string).unwrap_or_default();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Set this variable to write the page instead of comparing it.
    const UPDATE: &str = "UPDATE_SETTINGS";

    #[test]
    fn the_page_of_settings_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/settings.md");
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(&path, page()).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == page(), "docs/settings.md is out of date; {UPDATE}=1 writes it anew");
    }

    #[test]
    fn every_visible_setting_and_command_is_on_the_page() {
        let page = page();
        let command = Cli::definition("");
        for command in std::iter::once(&command).chain(command.get_subcommands()) {
            for (name, _) in settings_of(command) {
                assert!(page.contains(&format!("| `--{name}` |")), "{name}");
            }
        }
        for name in command.get_subcommands().map(Command::get_name) {
            assert!(page.contains(&format!("`vitrine {name}`")), "{name}");
        }
    }
}
