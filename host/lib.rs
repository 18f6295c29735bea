//! Vitrine: a product-browsing storefront as one executable.
//!
//! The modules in reading order:
//!
//! - [`settings`]: what an operator can turn.
//! - [`server`]: the router with its layers.
//! - [`connections`], [`request_limits`]: the loop that serves it, and what is refused at its door.
//! - [`listening`], [`readiness`]: the socket, and the word that the process is ready.
//! - [`supervise`]: the parent process that restarts and replaces a serving worker.
//! - [`pages`]: the URL table; each page turns parameters into queries and their answers into a
//!   [`contract::Page`] with its status.
//! - [`catalogue`]: where products come from: the HTTP service or the embedded sample.
//! - [`shelf`], [`filter`]: a listing's products, and the one implementation of filtering.
//! - [`memory`], [`representation`], [`compression`]: finished pages are remembered, and answered as
//!   HTTP caching and the client ask.
//! - [`contract`], [`page_json`]: the types that cross into JavaScript, and their serialisation.
//! - [`render`]: the isolates that turn a page's JSON into markup.
//! - [`pressure`], [`allocator`]: whether memory runs out, so that no new work is taken on, and how
//!   it is given back.
//! - [`document`], [`assets`], [`format`]: HTML around the markup, the client's files, and texts.
//! - [`seo`], [`site`]: the head, structured data, sitemap and feed, with the shop's own address.
//! - [`security`]: the headers that every answer carries.
//! - [`error`], [`request_log`], [`causes`], [`counter`], [`seldom`]: what happens when a request
//!   fails, what is logged of each and why, how events are counted, how often one of a kind is told.

#[cfg(all(feature = "v8", feature = "quickjs"))]
compile_error!(
    "the features `v8` and `quickjs` exclude each other; build QuickJS with `--no-default-features --features quickjs`"
);
#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!("an engine is needed: build with `--features v8` or `--features quickjs`");

pub mod allocator;
pub mod assets;
pub mod catalogue;
pub mod causes;
pub mod compression;
pub mod connections;
pub mod contract;
pub mod counter;
pub mod document;
pub mod error;
pub mod filter;
pub mod format;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod listening;
pub mod memory;
pub mod page_json;
pub mod pages;
pub mod pressure;
pub mod readiness;
pub mod render;
pub mod representation;
pub mod request_limits;
pub mod request_log;
pub mod security;
pub mod seldom;
pub mod seo;
pub mod server;
pub mod settings;
pub mod shelf;
pub mod site;
pub mod supervise;
