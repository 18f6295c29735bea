//! Bad inputs, of which none may make anything panic: this program watches the panics of its whole
//! process. Here each kind of input is tried with a part of its cases; all of them are tried by
//! `timed/bad_input.rs`, and by `cargo test --test panics -- --include-ignored`.
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

mod bad_input;
mod inspection;

use crate::bad_input::{Share, no_answer_of_the_catalogue_does_harm, no_request_does_harm};

/// Odd, because many cases come in pairs.
const PART: Share = Share::EveryNth(3);

#[tokio::test(flavor = "multi_thread")]
async fn no_bad_request_of_any_kind_does_harm() {
    no_request_does_harm(PART).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_bad_answer_of_any_kind_does_harm() {
    no_answer_of_the_catalogue_does_harm(PART).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes"]
async fn no_bad_request_does_harm() {
    no_request_does_harm(Share::All).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes"]
async fn no_bad_answer_does_harm() {
    no_answer_of_the_catalogue_does_harm(Share::All).await;
}
