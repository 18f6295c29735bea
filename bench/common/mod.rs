//! What the benchmarks share, some of it with the tests.
#![allow(dead_code, reason = "every benchmark uses its own part of this module")]

pub(crate) mod generated;
pub(crate) mod latencies;
#[path = "../../tests/common/load.rs"]
pub(crate) mod load;
pub(crate) mod mirrored;
pub(crate) mod paths;
#[path = "../../tests/common/program.rs"]
pub(crate) mod program;
pub(crate) mod shop;
#[path = "../../tests/common/until.rs"]
pub(crate) mod until;

/// A client that uses no proxy, even if the environment names one.
pub(crate) fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().no_proxy().build()
}
