//! Observability: counters, the log, and rate limits of log lines.

pub(crate) mod bounded;
pub mod counters;
pub(crate) mod error_chain;
pub(crate) mod log_throttle;
pub(crate) mod logging;
pub mod request_log;

pub(crate) use bounded::Bounded;
pub(crate) use error_chain::ErrorChain;
pub(crate) use log_throttle::LogThrottle;
