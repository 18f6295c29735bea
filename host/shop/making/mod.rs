//! What is cached, and how pages are made. Files and suggestions are made where they are answered.
//!
//! - `key`, `answer`: under which key an answer is cached, and what an answer is.
//! - `make`: gets a draft from the page's module, and makes the document from it or the page's JSON.
//! - `tags`: what a page shows, which tells whether a purge concerns it.
//! - `make_ahead`, `copy_ahead`, `finish_variants`: work for idle time. `dictionary`: what a shop's documents share.
//! - `render_failures`: pages whose render keeps failing and is not tried for a while.

pub(super) mod answer;
pub(super) mod copy_ahead;
mod dictionary;
pub(super) mod finish_variants;
pub(super) mod key;
pub(super) mod make;
pub(super) mod make_ahead;
pub(super) mod render_failures;
pub(super) mod tags;
