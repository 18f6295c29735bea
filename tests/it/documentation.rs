//! Documents name only tests, log lines, files and settings that exist.

use std::fs;
use std::path::Path;

use crate::layers::texts_below;

const OPERATIONS: &str = include_str!("../../docs/operations.md");
const README: &str = include_str!("../../README.md");

/// A file of the project.
fn file(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// The text of every source of the host.
fn host() -> String {
    texts_below("host").into_iter().filter_map(|(path, text)| path.ends_with(".rs").then_some(text)).collect()
}

/// The rows of the first table below a heading.
fn table<'a>(document: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let (_, below) = document.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = below.split("\n## ").next().unwrap();
    section.lines().filter(|line| line.starts_with('|')).skip(2)
}

#[test]
fn every_fault_of_the_operations_page_has_its_tests() {
    let rows = OPERATIONS.lines().filter(|line| line.starts_with('|') && line.contains(".rs`: "));
    let mut tests = 0;
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap();
        for group in cell.split(';') {
            let (path, names) = group.trim().split_once(": ").unwrap();
            let path = path.trim_matches('`');
            let source = ["tests", "host"].iter().find_map(|folder| file(&format!("{folder}/{path}")));
            let source = source.unwrap_or_else(|| panic!("there is no {path}"));
            for name in names.split(", ") {
                tests += 1;
                assert!(source.contains(&format!("fn {}()", name.trim())), "{path} has no {name}");
            }
        }
    }
    assert!(tests > 40, "only {tests} tests are named");
}

#[test]
fn every_log_line_of_the_operations_page_is_one_that_the_host_writes() {
    let host = host();
    let mut texts = 0;
    for row in table(OPERATIONS, "What to watch") {
        let cell = row.trim_start_matches('|').split('|').next().unwrap();
        assert!(cell.contains('`'), "{cell} is no log line");
        for code in cell.split('`').skip(1).step_by(2) {
            // A text is the beginning of a literal; a single word names one of the line's fields.
            let is_text = code.contains(' ');
            texts += usize::from(is_text);
            let written = if is_text { host.contains(&format!("\"{code}")) } else { host.contains(code) };
            assert!(written, "the host logs no `{code}`");
        }
    }
    assert!(texts > 15, "only {texts} log lines are named");
}

/// What log lines display without a limit: numbers, times, addresses, errors of the system, keys of
/// products, which have at most 100 characters, and words of our own.
const SHORT: &str = "%expires %address %self.address %self.share.address() %status %error %kinds %product \
                     %refusal ?age ?pause ?length ?open_for %name.display() %file.display() %reason";

#[test]
fn every_text_that_a_log_line_displays_is_bounded() {
    let host = host();
    let mut displayed = 0;
    for call in host.split("tracing::").skip(1) {
        let Some(arguments) = ["error!(", "warn!(", "info!(", "debug!("]
            .iter()
            .find_map(|macro_name| call.strip_prefix(macro_name))
            .and_then(|call| call.split(");").next())
        else {
            continue;
        };
        for field in arguments.split(',') {
            let value = field.rsplit_once('=').map_or(field, |(_, value)| value).trim();
            if value.starts_with(['%', '?']) {
                displayed += 1;
                let is_bounded = value.starts_with("%ErrorChain(") || value.starts_with("%Bounded(");
                assert!(
                    is_bounded || SHORT.split(' ').any(|short| short == value),
                    "{value} is logged whole"
                );
            }
        }
    }
    assert!(displayed > 25, "only {displayed} displayed fields were found");
}

#[test]
fn every_phase_of_the_readme_has_its_file_and_its_gate() {
    let rows: Vec<&str> = table(README, "One request").collect();
    assert!(rows.len() > 15, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (path, gates) = (cells[2].trim_matches('`'), cells[3]);
        let source = file(path).unwrap_or_else(|| panic!("there is no {path}"));
        for gate in gates.split("(`").skip(1).map(|text| text.split('`').next().unwrap()) {
            assert!(source.contains(gate), "{path} has no {gate}");
        }
        let is_named = gates.is_empty() || gates.contains("(`");
        assert!(is_named, "{path}: a gate is named in the code's own words");
    }
}

#[test]
fn the_readme_says_of_a_setting_what_the_page_of_settings_says() {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let rows = |document: &str| -> Vec<Vec<String>> {
        document.lines().filter(|line| line.starts_with("| `--")).map(cells).collect()
    };
    let all = rows(&file("docs/settings.md").unwrap());
    let mut compared = 0;
    for row in rows(README) {
        let known = all.iter().find(|known| known[1] == row[1]);
        let known = known.unwrap_or_else(|| panic!("{} is no setting", row[1]));
        // Flag, variable, default.
        assert_eq!((&row[1], &row[2], &row[3]), (&known[1], &known[2], &known[4]));
        compared += 1;
    }
    assert!(compared > 5, "only {compared} settings are named");
}
