//! Reads a whole list of products in pages, where it may change meanwhile: decision 0045.
//!
//! A *pass* reads *pages* of products, and then the list of ids, which says what the list has and in which order. What
//! is missing is read again. Products go into a store while they are read; the pages' bytes go into a file, with which
//! a pass goes on after a restart. What has not changed since the last pass is not parsed.

mod ask;
#[cfg(test)]
mod cases;
mod commit;
mod ids;
mod list;
mod of_service;
mod pass;
mod passes;
mod pool;
mod progress;
mod reader;
mod saved;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests;
mod version;
mod windows;

pub(crate) use self::ask::is_too_large;
pub(crate) use self::passes::Passes;
pub use self::progress::PassProgress;
