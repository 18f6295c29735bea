//! `make bench`, second part: figures of bad days.
//!
//! Overload, hanging isolates, deaths and swaps of workers, and the calls that a catalogue service
//! sees. What is compared is measured in this one run; visitors and shop share the machine's cores.
//! The run fails when a promise is broken: a refused connection, a failed swap, a service that is
//! called more often than it allows.

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod deaths;
mod hanging;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/supervise/load.rs"]
mod load;
mod overload;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/supervise/shop.rs"]
mod shop;

use anyhow::Result;
use vitrine::render::initialize_platform;

fn main() -> Result<()> {
    initialize_platform();
    overload::run()?;
    hanging::run()?;
    deaths::killed()?;
    deaths::swapped()?;
    calls::run()
}
