//! Vitrine: a product-browsing storefront as one executable.
//!
//! The modules in reading order. Each uses only modules listed below it, which
//! `tests/it/layers.rs` checks:
//!
//! - [`commands`]: what each command does, and how the process ends.
//! - [`serve`]: start-up of each program, from settings to connections.
//! - [`settings`]: flags, environment variables and the settings file.
//! - [`admin`]: the listener for operators: metrics, health, status, purges.
//! - [`server`]: the complete router: routes and middleware.
//! - [`shop`]: how a request is answered: routes, answers, redirects, errors.
//! - `agents`: the catalogue for assistants that shop for people.
//! - [`exports`]: the shop's own products as files for other programs.
//! - [`document`]: the HTML around a page's markup: head, embedded files, security headers.
//! - [`pages`]: what each URL shows: typed addresses and drafts.
//! - [`facets`]: the filters of listings, from one table.
//! - [`catalogue`]: where products come from: the HTTP service, a file or feed, or the embedded sample.
//! - [`render`]: the isolates that turn a page's JSON into markup.
//! - [`contract`]: the types that are passed to JavaScript, and their serialisation.
//! - [`cache`]: a cache of values that are costly to make: fresh and stale ages, one maker at a time.
//! - [`http`]: the accept loop, limits of connections and requests, response bodies, compression, the request log.
//! - [`process`]: sockets, signals, memory, threads for long work, and the supervisor of worker processes.
//! - [`share`]: what replicas share through a server of the Redis protocol.
//! - [`profile`]: what the shop says of itself: its name, language, promises; how it writes prices, dates and measures.
//! - [`observe`]: counters and log lines.
//! - [`bounded_file`]: files that an operator names, read within limits.
//! - [`texts`]: what the interface says, in the shop's language.
//! - `pacing`: pauses between attempts that fail, and limits of a rate.
//! - `dev`: bundles that are read from a folder, only in builds for development.
//!
//! Neither [`admin`] and [`server`], nor [`shop`] and `agents`, nor [`catalogue`] and [`render`], nor [`cache`], [`http`], [`process`] and [`share`], use each other.
//! `fuzzing`, which only tests and fuzz targets build, may use all.

#[cfg(all(feature = "v8", feature = "quickjs"))]
compile_error!(
    "the features `v8` and `quickjs` exclude each other; build QuickJS with `--no-default-features --features quickjs`"
);
#[cfg(not(any(feature = "v8", feature = "quickjs")))]
compile_error!("an engine is needed: build with `--features v8` or `--features quickjs`");

pub mod admin;
mod agents;
pub mod bounded_file;
pub mod cache;
pub mod catalogue;
pub mod commands;
pub mod contract;
#[cfg(feature = "dev")]
mod dev;
pub mod document;
pub mod exports;
pub mod facets;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
pub mod http;
pub mod observe;
mod pacing;
pub mod pages;
pub mod pictures;
pub mod process;
pub mod profile;
mod public_network;
pub mod render;
pub mod search_text;
pub mod serve;
pub mod server;
pub mod settings;
pub mod share;
pub mod shop;
pub mod texts;
