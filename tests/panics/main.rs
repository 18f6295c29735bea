//! Bad inputs, none of which may cause a panic: this program watches the panics of its whole process.
//! Each kind of input is tried with a part of its cases. All requests and answers are tried by `timed/bad_input.rs`, which
//! also measures them, and all headers and markup by the ignored tests: `cargo test --test panics -- --ignored`.
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

use crate::bad_input::markup::no_markup_becomes_part_of_a_page;
use crate::bad_input::strangers::no_header_changes_another_answer;
use crate::bad_input::{Share, no_answer_of_the_catalogue_does_harm, no_request_does_harm};

/// Odd, because many cases come in pairs.
const PART: Share = Share::EveryNth(3);
/// Coprime to the number of markups, so that each markup and each field is tried.
const MIXED: Share = Share::EveryNth(7);

#[tokio::test(flavor = "multi_thread")]
async fn no_bad_request_of_any_kind_does_harm() {
    no_request_does_harm(PART).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_bad_answer_of_any_kind_does_harm() {
    no_answer_of_the_catalogue_does_harm(PART).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_header_of_a_few_changes_another_visitor_s_answer() {
    no_header_changes_another_answer(PART).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_markup_in_any_field_becomes_part_of_a_page() {
    no_markup_becomes_part_of_a_page(MIXED).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes"]
async fn no_header_changes_another_visitor_s_answer() {
    no_header_changes_another_answer(Share::All).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes"]
async fn no_markup_of_any_kind_becomes_part_of_a_page() {
    no_markup_becomes_part_of_a_page(Share::All).await;
}
