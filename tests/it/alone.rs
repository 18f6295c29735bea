//! Tests that need a process for themselves.

use std::process::Command;

/// Runs an ignored test of this program in a process of its own, under these variables. Fails with all that it prints if
/// it fails, or if there is no such test.
pub(crate) fn run_alone(test: &str, variables: &[(&str, &str)]) {
    let mut program = Command::new(std::env::current_exe().unwrap());
    program.args([test, "--exact", "--ignored", "--nocapture"]).envs(variables.iter().copied());
    let output = program.output().unwrap();
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && printed.contains("1 passed"), "{test}: {}\n{printed}", output.status);
}
