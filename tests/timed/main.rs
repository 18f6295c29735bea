//! How long things take at most. These tests run alone on the machine, one at a time; what is answered
//! is checked by `parallel/` and `engine/`.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "in a test a panic is how a failure is reported"
)]

#[path = "../common/mod.rs"]
mod common;

#[allow(dead_code, reason = "here every case is tried")]
#[path = "../panics/bad_input/mod.rs"]
mod bad_inputs;
#[path = "../parallel/connections/framing_cases/mod.rs"]
mod framing_cases;

mod bad_input;
mod catalogue;
mod connections;
mod renders;
mod starvation;

/// One at a time, however the program is started: each test has the machine to itself.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
