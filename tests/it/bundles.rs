//! `build.rs` makes the client's bundles once for a state of the sources, whatever is built of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest build script that Cargo compiled.
fn build_script() -> PathBuf {
    // `target/PROFILE/build/vitrine-HASH/out`
    let builds = Path::new(env!("OUT_DIR")).ancestors().nth(2).unwrap();
    let scripts = fs::read_dir(builds).unwrap().filter_map(|entry| {
        let folder = entry.unwrap();
        let is_ours = folder.file_name().to_str().unwrap().starts_with("vitrine-");
        let script = folder.path().join("build-script-build");
        let modified = fs::metadata(&script).ok()?.modified().ok()?;
        is_ours.then_some((modified, script))
    });
    scripts.max().unwrap().1
}

/// Builds into a folder; returns whether it bundled.
fn build(target: &Path, name: &str, features: &[&str]) -> bool {
    let out = target.join("release/build").join(name).join("out");
    fs::create_dir_all(&out).unwrap();
    let mut script = Command::new(build_script());
    script.current_dir(env!("CARGO_MANIFEST_DIR")).env("OUT_DIR", &out).env_remove("CARGO_FEATURE_V8");
    let output = script.envs(features.iter().map(|feature| (feature, "1"))).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().contains("bundling into")
}

#[test]
fn builds_of_the_same_sources_bundle_once() {
    let target = tempfile::tempdir().unwrap();
    assert!(build(target.path(), "one", &["CARGO_FEATURE_V8"]), "the first build bundles");
    assert!(!build(target.path(), "two", &[]), "a build of the other engine takes what is there");
    let file = |build: &str, file: &str| {
        fs::read(target.path().join(format!("release/build/{build}/out/{file}"))).unwrap()
    };
    assert!(file("one", "ssr.js").len() < file("two", "ssr.js").len(), "only V8 gets the minified script");
    assert_eq!(file("one", "early.js"), file("two", "early.js"));
}
