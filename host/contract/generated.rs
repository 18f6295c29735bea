//! Files of the client that are generated from the host.

use std::fs;
use std::path::Path;

/// Set this variable to write the files instead of comparing them.
const UPDATE: &str = "UPDATE_CONTRACT";

/// Compares a file, by its path in the project, with what is generated from its source.
pub(crate) fn compare(path: &str, source: &str, generated: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&file, generated).unwrap();
    }
    let written = fs::read_to_string(file).unwrap();
    assert!(written == generated, "{source} changed; run `{UPDATE}=1 cargo test --release --lib`");
}
