//! The documents that name tests name tests that exist.

use std::fs;
use std::path::Path;

const OPERATIONS: &str = include_str!("../docs/operations.md");

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
