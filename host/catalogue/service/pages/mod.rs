//! Reads a whole list of products in pages, where it may change meanwhile: decision 0046.
//!
//! A *pass* reads *pages* of products, and then the list of ids, which says what the list has and in which order. What
//! is missing is asked for by its id. A pass is committed or thrown away as a whole. What has not changed since the last
//! pass is not parsed.

mod ask;
#[cfg(test)]
mod cases;
mod ids;
mod list;
mod of_service;
mod passes;
mod pool;
mod progress;
mod reader;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;

pub(crate) use self::ask::is_too_large;
pub(crate) use self::passes::Passes;
pub use self::progress::PassProgress;
