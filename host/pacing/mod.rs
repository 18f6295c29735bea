//! How often something may happen: pauses between attempts that fail, and the rate of what is expensive.
//!
//! Both types are told the time, or return a pause, and never wait by themselves.

mod backoff;
mod token_bucket;

pub(crate) use self::backoff::Backoff;
pub(crate) use self::token_bucket::TokenBucket;
