//! Documents name only tests, log lines, files and settings that exist.

use std::fs;
use std::path::Path;

const OPERATIONS: &str = include_str!("../../docs/operations.md");

#[test]
fn every_fault_of_the_operations_page_has_its_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rows = OPERATIONS.lines().filter(|line| line.starts_with('|') && line.contains(".rs`: "));
    let mut tests = 0;
    for row in rows {
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap();
        for group in cell.split(';') {
            let (file, names) = group.trim().split_once(": ").unwrap();
            let file = file.trim_matches('`');
            let source = [root.join("tests").join(file), root.join("host").join(file)]
                .iter()
                .find_map(|path| fs::read_to_string(path).ok())
                .unwrap_or_else(|| panic!("there is no {file}"));
            for name in names.split(", ") {
                tests += 1;
                assert!(source.contains(&format!("fn {}()", name.trim())), "{file} has no {name}");
            }
        }
    }
    assert!(tests > 40, "only {tests} tests are named");
}

#[test]
fn every_log_line_of_the_operations_page_is_one_that_the_host_writes() {
    let host = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("host"));
    let (_, below) = OPERATIONS.split_once("\n## What to watch\n").unwrap();
    let section = below.split("\n## ").next().unwrap();
    let mut texts = 0;
    for row in section.lines().filter(|line| line.starts_with('|')).skip(2) {
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
const SHORT: [&str; 15] = [
    "%expires",
    "%address",
    "%self.address",
    "%self.share.address()",
    "%status",
    "%error",
    "%kinds",
    "%product",
    "%refusal",
    "?age",
    "?pause",
    "?length",
    "?open_for",
    "%name.display()",
    "%file.display()",
];

#[test]
fn every_text_that_a_log_line_displays_is_bounded() {
    let host = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("host"));
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
                assert!(is_bounded || SHORT.contains(&value), "{value} is logged whole");
            }
        }
    }
    assert!(displayed > 25, "only {displayed} displayed fields were found");
}

#[test]
fn every_phase_of_the_readme_has_its_file_and_its_gate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, below) = include_str!("../../README.md").split_once("\n## One request\n").unwrap();
    let section = below.split("\n## ").next().unwrap();
    let rows: Vec<&str> = section.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    assert!(rows.len() > 15, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let file = cells[2].trim_matches('`');
        let source = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let gates = cells[3].split("(`").skip(1).map(|text| text.split('`').next().unwrap());
        for gate in gates {
            assert!(source.contains(gate), "{file} has no {gate}");
        }
        assert_eq!(
            cells[3].is_empty(),
            !cells[3].contains("(`"),
            "{file}: a gate is named in the code's own words"
        );
    }
}

/// The text of every source file below a folder.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn the_readme_says_of_a_setting_what_the_page_of_settings_says() {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let settings =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/settings.md")).unwrap();
    let all: Vec<Vec<String>> =
        settings.lines().filter(|line| line.starts_with("| `--")).map(cells).collect();
    let rows = include_str!("../../README.md").lines().filter(|line| line.starts_with("| `--"));
    let mut compared = 0;
    for row in rows.map(cells) {
        let known =
            all.iter().find(|known| known[1] == row[1]).unwrap_or_else(|| panic!("{} is no setting", row[1]));
        // Flag, variable, default.
        assert_eq!((&row[1], &row[2], &row[3]), (&known[1], &known[2], &known[4]));
        compared += 1;
    }
    assert!(compared > 5, "only {compared} settings are named");
}
