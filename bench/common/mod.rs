//! What the benchmarks share.
#![allow(dead_code, reason = "every benchmark uses its own part of this module")]

pub mod latencies;
pub mod paths;
pub mod running;
pub mod shop;
