//! How long things take at most. These tests run alone on the machine, one at a time; what is answered
//! is checked by `it/`.
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

#[path = "../it/connections/framing_cases/mod.rs"]
mod framing_cases;

mod catalogue;
mod connections;
mod renders;

/// One at a time, however the program is started: each test has the machine to itself.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
