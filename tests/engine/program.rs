//! What the program says of its engine.

use crate::common::program::vitrine;

#[test]
fn the_version_names_the_engine() {
    let version = String::from_utf8(vitrine().arg("--version").output().unwrap().stdout).unwrap();
    let engine = if cfg!(feature = "v8") { "v8" } else { "quickjs" };
    assert_eq!(version.trim(), format!("vitrine {} (engine {engine})", env!("CARGO_PKG_VERSION")));
}
