//! HTTP below the router: connections, their encryption and limits, checks of requests, response bodies with caching
//! headers and compression, and the request log. It exists because `axum::serve` has no limits and no timeouts.
//!
//! It promises that slow clients cannot keep others out; that a connection whose request the router works on is never
//! closed to make room; that an HTTP/1 request with a body is the last of its connection; and that each compressed
//! variant has a strong tag of its own. The reasons are in `docs/decisions/`: `0007-own-accept-loop.md`,
//! `0021-repeated-answers.md`, `0022-idle-time.md`, `0029-tls-and-http2.md` and `0057-dictionaries.md`.

pub(crate) mod answer_log;
pub(crate) mod blocks;
pub(crate) mod build_date;
pub(crate) mod caching;
pub(crate) mod compression;
pub mod connections;
pub mod dictionaries;
pub(crate) mod dictionary;
pub(crate) mod exchange;
pub(crate) mod recent_answers;
pub(crate) mod representation;
pub(crate) mod request_limits;
pub mod request_log;
pub(crate) mod streamed;
pub mod tls;
pub(crate) mod variants;
