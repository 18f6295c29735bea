//! Checks that a limit on the process's address space (`ulimit -v`) leaves room for what the engine reserves. Without
//! the check V8 would end the process with a stack of its own functions.

use std::num::NonZeroUsize;

use rustix::process::{Resource, getrlimit};
use thiserror::Error;

/// The address space that V8 reserves at its start, in GiB, alignment included. It uses only a small part.
const RESERVED: u64 = if cfg!(feature = "v8") { 40 } else { 0 };
/// The address space that each isolate and its thread reserve besides, in GiB.
const FOR_ISOLATE: u64 = if cfg!(feature = "v8") { 1 } else { 0 };

/// The limit on address space is too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the limit on address space (ulimit -v) is {} MiB, and the engine reserves {needed} GiB of it, without using as much \
     memory; lift that limit, and limit memory with --memory-limit or a control group",
    limit >> 20
)]
pub struct AddressSpaceError {
    /// In bytes.
    limit: u64,
    /// In GiB.
    needed: u64,
}

/// Checks that this many isolates have room.
///
/// # Errors
/// When the process has less address space than the engine would reserve.
pub fn check_address_space(isolates: NonZeroUsize) -> Result<(), AddressSpaceError> {
    check(getrlimit(Resource::As).current, isolates)
}

fn check(limit: Option<u64>, isolates: NonZeroUsize) -> Result<(), AddressSpaceError> {
    let needed = RESERVED + FOR_ISOLATE * isolates.get() as u64;
    match limit {
        Some(limit) if limit >> 30 < needed => Err(AddressSpaceError { limit, needed }),
        _ => Ok(()),
    }
}

#[cfg(all(test, feature = "v8"))]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_enough_for_what_the_engine_reserves() {
        let four = NonZeroUsize::new(4).unwrap();
        assert_eq!(check(None, four), Ok(()));
        assert_eq!(check(Some(44 << 30), four), Ok(()));
        let error = check(Some((44 << 30) - 1), four).unwrap_err();
        assert_eq!(error.needed, 44);
        assert!(
            error.to_string().starts_with("the limit on address space (ulimit -v) is 45055 MiB"),
            "{error}"
        );
    }
}
