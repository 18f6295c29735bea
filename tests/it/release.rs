//! What a build for use contains.

use memchr::memmem;

#[test]
fn a_build_for_use_reads_no_bundle_from_a_folder() {
    let executable = std::fs::read(env!("CARGO_BIN_EXE_vitrine")).unwrap();
    let contains = |text: &str| memmem::find(&executable, text.as_bytes()).is_some();
    // A variable that it does read would be found.
    assert!(contains("VITRINE_STATE_DIR"));
    assert!(!contains("VITRINE_DEV_BUNDLES"));
}
