//! Environment variables that look like settings.

use super::command_line::Cli;
use super::file::nearest;

/// What every variable of a setting begins with.
const PREFIX: &str = "VITRINE_";
/// What the variables of others begin with: those of the build, which cargo passes on to what it runs, and
/// those that Kubernetes sets in every container if there is a service of this name.
const OF_OTHERS: [&str; 4] =
    ["VITRINE_BUILD_", "VITRINE_PORT", "VITRINE_SERVICE_HOST", "VITRINE_SERVICE_PORT"];

/// The variables among `names` that look like settings and are none, with the setting that is probably meant.
pub(crate) fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<(String, Option<String>)> {
    let command = Cli::definition("");
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let arguments = commands.flat_map(clap::Command::get_arguments);
    let known: Vec<&str> = arguments.filter_map(|argument| argument.get_env()?.to_str()).collect();
    let strange = names
        .filter(|name| name.starts_with(PREFIX) && !OF_OTHERS.iter().any(|start| name.starts_with(start)))
        .filter(|name| !known.contains(&name.as_str()));
    let mut found: Vec<(String, Option<String>)> =
        strange.map(|name| (name.clone(), nearest_variable(&name, &known))).collect();
    found.sort();
    found
}

/// Compares what stands behind the prefix, because all are similar with it.
fn nearest_variable(name: &str, known: &[&str]) -> Option<String> {
    let rests: Vec<String> =
        known.iter().filter_map(|known| Some(key_of(known.strip_prefix(PREFIX)?))).collect();
    let rest = nearest(&key_of(name.strip_prefix(PREFIX)?), rests.iter().map(String::as_str))?;
    Some(format!("{PREFIX}{}", rest.replace('-', "_").to_ascii_uppercase()))
}

fn key_of(variable: &str) -> String {
    variable.to_ascii_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_variable_is_found_with_the_one_that_is_meant() {
        let names = ["VITRINE_CATALOUGE", "VITRINE_LISTEN", "VITRINE_PRODUCTS", "PATH", "VITRINE_IMAGE_HOST"];
        let found = unknown_variables(names.into_iter().map(str::to_owned));
        let meant = |name: &str| Some(name.to_owned());
        assert_eq!(
            found,
            [
                ("VITRINE_CATALOUGE".into(), meant("VITRINE_CATALOGUE")),
                ("VITRINE_IMAGE_HOST".into(), meant("VITRINE_IMAGE_HOSTS")),
            ]
        );
        let of_others = ["VITRINE_PORT_3000_TCP", "VITRINE_SERVICE_HOST", "VITRINE_BUILD_COMMIT"];
        assert!(unknown_variables(of_others.into_iter().map(str::to_owned)).is_empty());
        assert_eq!(unknown_variables(["VITRINE_XYZ".to_owned()].into_iter())[0].1, None);
    }
}
