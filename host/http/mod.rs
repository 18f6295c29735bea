//! HTTP below the router: connections, their encryption and limits, checks of requests, and response bodies with
//! caching headers and compression, and the request log.

pub(crate) mod build_date;
pub(crate) mod caching;
pub(crate) mod compression;
pub mod connections;
pub(crate) mod exchange;
pub(crate) mod packing;
pub(crate) mod recent_answers;
pub(crate) mod representation;
pub(crate) mod request_limits;
pub mod request_log;
pub(crate) mod streamed;
pub mod tls;
pub(crate) mod variants;
