//! Vitrine: a product-browsing storefront as one executable.
//!
//! The modules in reading order:
//!
//! - [`settings`]: what an operator can turn.
//! - [`server`]: the router with its layers.
//! - [`connections`], [`request_limits`]: the loop that serves it, and what is refused at its door.
//! - [`pages`]: the URL table; each page turns parameters into queries and their answers into a
//!   [`contract::Page`] with its status.
//! - [`catalogue`]: where products come from: the HTTP service or the embedded sample.
//! - [`shelf`], [`filter`]: a listing's products, and the one implementation of filtering.
//! - [`contract`], [`page_json`]: the types that cross into JavaScript, and their serialisation.
//! - [`render`]: the isolates that turn a page's JSON into markup.
//! - [`document`], [`assets`], [`format`]: HTML around the markup, the client's files, and texts.
//! - [`seo`], [`site`]: the head, structured data, sitemap and feed, with the shop's own address.
//! - [`security`]: the headers that every answer carries.
//! - [`error`], [`request_log`]: what happens when a request fails, and what is logged of each.

#[cfg(all(feature = "v8", feature = "quickjs"))]
compile_error!(
    "the features `v8` and `quickjs` exclude each other; build QuickJS with `--no-default-features --features quickjs`"
);
#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!("an engine is needed: build with `--features v8` or `--features quickjs`");

pub mod assets;
pub mod catalogue;
pub mod connections;
pub mod contract;
pub mod document;
pub mod error;
pub mod filter;
pub mod format;
pub mod page_json;
pub mod pages;
pub mod render;
pub mod request_limits;
pub mod request_log;
pub mod security;
pub mod seo;
pub mod server;
pub mod settings;
pub mod shelf;
pub mod site;
