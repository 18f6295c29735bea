//! `make bench`, second part: overload and faults.
//!
//! Overload, floods, hanging isolates, filters without end, deaths and swaps of workers, and the calls
//! that a catalogue service sees. `cargo bench --bench bad_days -- floods` runs one part; without a name
//! all run. Compared figures come from this one run; visitors and shop share the machine's cores, except in
//! the overload, where each has cores of its own.
//! The run fails when a promise is broken: a refused connection, a failed swap, a service that is
//! called more often than it allows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints its figures, and ends with a panic when the program does not start"
)]

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod deaths;
mod floods;
mod hanging;
mod listings;
mod overload;

use anyhow::{Result, ensure};
use vitrine::process::choose_cryptography;
use vitrine::render::initialize_platform;

type Part = fn() -> Result<()>;

const PARTS: [(&str, Part); 7] = [
    ("overload", overload::run),
    ("floods", floods::run),
    ("hanging", hanging::run),
    ("filters", listings::run),
    ("killed", deaths::killed),
    ("swapped", deaths::swapped),
    ("calls", calls::run),
];

fn main() -> Result<()> {
    choose_cryptography();
    initialize_platform();
    // Cargo itself adds `--bench`.
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = PARTS.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|one| one == name));
    let chosen: Vec<_> = chosen.collect();
    ensure!(!chosen.is_empty(), "there is no part {wanted:?}");
    chosen.into_iter().try_for_each(|(_, run)| run())
}
