//! What the JavaScript engine can change. These tests run on V8 and on QuickJS.
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

mod node;
mod program;
mod remembered_markup;
mod renderer;
mod rendering;
