//! What the program says of its engine.

use crate::common::program::vitrine;

#[test]
fn the_version_names_commit_engine_and_profile() {
    let version = String::from_utf8(vitrine().arg("--version").output().unwrap().stdout).unwrap();
    let engine = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
    let (before, after) = version.trim().split_once(" (commit ").unwrap();
    assert_eq!(before, format!("vitrine {}", env!("CARGO_PKG_VERSION")));
    let (commit, after) = after.split_once(", ").unwrap();
    let is_commit = commit.len() == 12 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(is_commit || commit == "unknown", "{commit}");
    assert!(after.starts_with(&format!("engine {engine}, profile ")) && after.ends_with(')'), "{after}");
}
