//! Observability: counters, histograms, the log, request ids, traces, and rate limits of log lines.

pub(crate) mod bounded;
pub mod counters;
mod dependency_lines;
pub(crate) mod error_chain;
pub mod histogram;
pub(crate) mod log_throttle;
pub(crate) mod logging;
pub(crate) mod request_id;
pub mod requests;
mod software;
pub(crate) mod traces;

pub(crate) use bounded::Bounded;
pub(crate) use error_chain::ErrorChain;
pub(crate) use log_throttle::LogThrottle;
pub(crate) use software::SOFTWARE;
