//! Observability: counters, histograms, the log, request ids, traces, and rate limits of log lines. The parts
//! of the program count here without knowing a metrics library: `admin/metrics/` names and reads the counters.
//!
//! It promises that counters and histograms take no lock; that a route is a pattern, never the text of a request; and
//! that neither an outage nor a hostile text repeats a line without end: `Bounded` limits the length of a field,
//! `LogThrottle` the number of lines about one failure.
//! `docs/decisions/0025-purges.md` (metrics) and `0034-traces.md` say why.

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
