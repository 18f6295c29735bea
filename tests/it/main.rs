//! The shop through its public interface: real router, real renderer, real executable. All tests run at the same time on
//! a machine that may be busy, so no test here asserts how long something takes at most; those that do are in `timed/`.
//! A test that must have its process for itself starts one (`alone.rs`, `common/program.rs`).
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

mod admin;
mod agents;
mod alone;
mod availability;
mod bad_days;
mod bad_input;
mod bundles;
mod catalogue;
mod command_line;
mod connections;
mod crawlers;
mod dictionaries;
mod documentation;
mod engine;
mod exports;
mod http;
mod http2;
mod large_catalogue;
mod layers;
mod log;
mod merchant;
mod option_facets;
mod other_pictures;
mod own_copies;
mod own_feed;
mod own_file;
mod own_links;
mod own_names;
mod own_pictures;
mod own_rooms;
mod own_shop;
mod pages;
mod prefetches;
mod process;
mod profile;
mod ratings;
mod recent_answers;
mod release;
mod replicas;
mod sandbox;
mod saved;
mod search;
mod seo;
mod service_faults;
mod service_guard;
mod supervise;
mod unchanged;
mod unknown;
mod variants;
mod weight;
