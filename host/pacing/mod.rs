//! Limits how often something happens: pauses between failing attempts, and the rate of expensive work. The guard of
//! the catalogue service, the accept loop, the shared server and the supervisor use the same two types. Servers ask for pauses themselves, with `Retry-After`.
//!
//! It promises that neither type reads a clock or waits: callers pass the time, and receive a pause. A bucket gives at
//! most `burst + per_second * t` tokens within `t` seconds.
//! `docs/decisions/0046-one-way-to-sell.md` (the service) and `0010-overload.md` (crowds) say why.

mod backoff;
mod retry_after;
mod token_bucket;

pub(crate) use self::backoff::Backoff;
pub(crate) use self::retry_after::{parse_retry_after, requested_pause};
pub(crate) use self::token_bucket::TokenBucket;
