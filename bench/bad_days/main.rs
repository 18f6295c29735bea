//! `make bench`, second part: figures of bad days.
//!
//! Overload, hanging isolates, filters without end, deaths and swaps of workers, and the calls that a catalogue service
//! sees. What is compared is measured in this one run; visitors and shop share the machine's cores.
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
mod hanging;
mod listings;
mod overload;

use anyhow::Result;
use vitrine::render::initialize_platform;

fn main() -> Result<()> {
    initialize_platform();
    overload::run()?;
    hanging::run()?;
    listings::run()?;
    deaths::killed()?;
    deaths::swapped()?;
    calls::run()
}
