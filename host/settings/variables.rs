//! Environment variables that look like settings.

use super::command_line::Cli;
use super::file::nearest;

/// What every variable of a setting begins with.
const PREFIX: &str = "VITRINE_";
/// What the variables of the build begin with, which cargo passes on to what it runs.
const OF_BUILD: &str = "VITRINE_BUILD_";

/// The variables among `names` that look like settings and are none, with the setting that is probably meant.
pub(crate) fn unknown_variables(names: impl Iterator<Item = String>) -> Vec<(String, Option<String>)> {
    let command = Cli::definition("");
    let commands = std::iter::once(&command).chain(command.get_subcommands());
    let arguments = commands.flat_map(clap::Command::get_arguments);
    let known: Vec<&str> = arguments.filter_map(|argument| argument.get_env()?.to_str()).collect();
    let strange = names
        .filter(|name| name.starts_with(PREFIX) && !name.starts_with(OF_BUILD) && !is_service_link(name))
        .filter(|name| !known.contains(&name.as_str()));
    let mut found: Vec<(String, Option<String>)> =
        strange.map(|name| (name.clone(), nearest_variable(&name, &known))).collect();
    found.sort();
    found
}

/// Whether Kubernetes sets a variable of this name in every container, because there is a service whose name is
/// or begins with `vitrine`, such as `vitrine-admin`: `VITRINE_ADMIN_SERVICE_PORT_METRICS`,
/// `VITRINE_ADMIN_PORT_3100_TCP_ADDR`. No setting's variable has such a name.
fn is_service_link(name: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_port = |rest: &str| {
        let mut parts = rest.split('_');
        let is_first = parts.next().is_some_and(is_number);
        is_first && parts.next().is_some_and(|protocol| ["TCP", "UDP", "SCTP"].contains(&protocol))
    };
    name.ends_with("_PORT")
        || name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT_")
        || name.match_indices("_PORT_").any(|(at, found)| is_of_port(&name[at + found.len()..]))
}

/// Compares what follows the prefix, because with it all names are similar.
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
        let of_others = [
            "VITRINE_BUILD_COMMIT",
            "VITRINE_PORT",
            "VITRINE_PORT_3000_TCP",
            "VITRINE_SERVICE_HOST",
            "VITRINE_SERVICE_PORT",
            "VITRINE_ADMIN_PORT",
            "VITRINE_ADMIN_PORT_3100_TCP_ADDR",
            "VITRINE_ADMIN_SERVICE_HOST",
            "VITRINE_ADMIN_SERVICE_PORT_METRICS",
        ];
        assert!(unknown_variables(of_others.into_iter().map(str::to_owned)).is_empty());
        for misspelled in ["VITRINE_PORT_X", "VITRINE_PORTS", "VITRINE_LISTEN_PORT_HERE"] {
            assert_eq!(unknown_variables([misspelled.to_owned()].into_iter()).len(), 1, "{misspelled}");
        }
        assert_eq!(unknown_variables(["VITRINE_XYZ".to_owned()].into_iter())[0].1, None);
    }
}
